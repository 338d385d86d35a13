//! Anti-lock systems: who takes pressure away when a wheel is about to lock.
//!
//! A controller looks at a channel (one wheel, or an axle of which the wheel with the most slip
//! decides) and commands its valve. With u the spin of a wheel and f the spin of free rolling, both
//! counted in the direction of travel, R the rolling radius:
//! ```text
//! slip          λ = 1 − u/f                                                                    (1)
//! acceleration  a = R u̇, from the difference of two steps, through a lag τ_a (exactly)           (2)
//! valve         follow   p ← p_f           (p_f: what the lag of the line would give)
//!               cut      p ← towards a given part of the demand, through the same lag
//!               hold     p ← min(p, p_f)
//!               dump     p ← min(max(0, p − r_d h), p_f)
//!               build    p ← min(p + r_b h, p_f)                                               (3)
//! ```
//! So a valve never gives more than the driver asks for. Below a low speed the controller rests, so
//! that the vehicle can stop.

use crate::numbers::bounded;
use crate::stateful;

/// What a valve does during a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Valve {
    /// Open: the driver's pressure.
    Follow,
    /// Open to a part of the driver's pressure.
    Cut {
        /// The part that is left, 0 to 1.
        part: f64,
    },
    /// Closed.
    Hold,
    /// Lets pressure out (bar/s).
    Dump {
        /// How fast.
        rate_bar_s: f64,
    },
    /// Lets pressure in (bar/s).
    Build {
        /// How fast.
        rate_bar_s: f64,
    },
}

/// What a controller is told of a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Channel {
    /// Largest slip of its wheels: 0 rolls freely, 1 is locked.
    pub slip: f64,
    /// Smallest acceleration of its wheels' rims (m/s²).
    pub acceleration_m_s2: f64,
    /// Largest speed of its wheels' centres (m/s).
    pub speed_m_s: f64,
    /// Whether the driver's full pressure has come back.
    pub is_full: bool,
    /// Whether the driver brakes at all.
    pub is_braking: bool,
}

/// The controllers.
#[derive(Clone, Debug)]
pub(crate) enum Controller {
    SlipLimit(SlipLimit),
    Phases(Phases),
}

impl Controller {
    /// The next phase of a channel and what its valve does; the phase of a resting channel is zero.
    pub(crate) fn command(&self, phase: u8, channel: &Channel) -> (u8, Valve) {
        match self {
            Self::SlipLimit(it) => it.command(phase, channel),
            Self::Phases(it) => it.command(phase, channel),
        }
    }
}

/// An anti-lock system that works in phases, from slip and from the acceleration of the wheel's
/// rim.
///
/// ```text
///            a < −a₁                λ > λ₂
///   NORMAL ───────────► WATCH ───────────────────► DUMP ◄──────────────┐
///     │ ▲               hold   │ a ≥ −a₁          │  a > a₂ or λ < λ₁   │ λ > λ₂ and a ≤ 0
///     │ │ full pressure        ▼                  ▼                    │
///     │ └─────────────────── BUILD ◄──────────── RECOVER ──────────────┘
///     │                        │   λ < λ₁ or a ≤ 0   hold
///     └──────── λ > λ₂ ────────┴──► DUMP;   BUILD with a < −a₁ ──► WATCH
/// ```
/// The rim's deceleration tells of a lock before the slip does; the slip decides. The holds keep
/// the valves quiet: pressure falls only while the wheel is being lost and rises only when it rolls
/// again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phases {
    /// λ₁: below it the wheel has recovered.
    pub slip_low: f64,
    /// λ₂: above it the wheel is being lost.
    pub slip_high: f64,
    /// a₁ (m/s²): the rim decelerates faster than any vehicle can.
    pub deceleration_m_s2: f64,
    /// a₂ (m/s²): the rim is on its way back.
    pub recovery_m_s2: f64,
    /// r_b (bar/s).
    pub build_bar_s: f64,
    /// r_d (bar/s).
    pub dump_bar_s: f64,
    /// Rests below this speed (m/s).
    pub off_below_m_s: f64,
}

const NORMAL: u8 = 0;
const WATCH: u8 = 1;
const DUMP: u8 = 2;
const RECOVER: u8 = 3;
const BUILD: u8 = 4;

impl Phases {
    /// The next phase, and what the valve does in it.
    #[must_use]
    pub fn command(&self, phase: u8, channel: &Channel) -> (u8, Valve) {
        let rests = !channel.is_braking || channel.speed_m_s < self.off_below_m_s;
        let next = if rests { NORMAL } else { self.next(phase, channel) };
        (next, self.valve(next))
    }

    fn next(&self, phase: u8, channel: &Channel) -> u8 {
        let is_lost = channel.slip > self.slip_high;
        let falls = channel.acceleration_m_s2 < -self.deceleration_m_s2;
        let has_recovered = channel.slip < self.slip_low;
        match phase {
            DUMP if has_recovered || channel.acceleration_m_s2 > self.recovery_m_s2 => RECOVER,
            DUMP => DUMP,
            RECOVER if is_lost && channel.acceleration_m_s2 <= 0.0 => DUMP,
            RECOVER if has_recovered || channel.acceleration_m_s2 <= 0.0 => BUILD,
            RECOVER => RECOVER,
            _ if is_lost => DUMP,
            _ if falls => WATCH,
            WATCH => BUILD,
            BUILD if channel.is_full => NORMAL,
            other => other,
        }
    }

    fn valve(&self, phase: u8) -> Valve {
        match phase {
            WATCH | RECOVER => Valve::Hold,
            DUMP => Valve::Dump { rate_bar_s: self.dump_bar_s },
            BUILD => Valve::Build { rate_bar_s: self.build_bar_s },
            _ => Valve::Follow,
        }
    }
}

/// The anti-lock rule of SPINE, example 3: when the vehicle is 10 % faster than the wheel's travel,
/// the brake torque becomes smallest.
///
/// ```text
/// T_b = T_min          if  v_x > (1 + e) ω R_e,    e = 0.1                                      (1)
/// T_b = K(α_b)         otherwise                                                               (2)
/// ```
/// Divided by R_e, eq. (1) compares the spin of free rolling with the spin, which in slip is λ >
/// e/(1 + e) = 1/11. The document leaves T_min open: a part of the demand, zero unless the file
/// says otherwise. It has no memory; a re-apply limit below e adds a hysteresis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlipLimit {
    /// e: by how much the vehicle may be faster than the wheel's travel.
    pub excess: f64,
    /// The excess at which the brake is applied again, at most `excess`.
    pub reapply_excess: f64,
    /// Part of the demand that is left, 0 to 1.
    pub least: f64,
    /// Rests below this speed (m/s).
    pub off_below_m_s: f64,
}

const APPLIED: u8 = 0;
const CUT: u8 = 1;

impl SlipLimit {
    /// Eq. (1) and (2).
    #[must_use]
    pub fn command(&self, phase: u8, channel: &Channel) -> (u8, Valve) {
        let excess = if phase == CUT { self.reapply_excess } else { self.excess };
        let is_slipping = channel.slip > excess / (1.0 + excess);
        if channel.is_braking && is_slipping && channel.speed_m_s >= self.off_below_m_s {
            (CUT, Valve::Cut { part: self.least })
        } else {
            (APPLIED, Valve::Follow)
        }
    }
}

/// Fastest spin that is believed (rad/s); keeps every difference finite.
const SPIN_MOST: f64 = 1e5;
/// Below this spin of free rolling (rad/s) a slip has no meaning.
const SPIN_LEAST: f64 = 1e-3;

/// The memory of one wheel's sensor: eq. (1) and (2).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Watch {
    spin_rad_s: f64,
    acceleration_rad_s2: f64,
    has_spin: bool,
}

/// What is seen of one wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Watched {
    pub(crate) slip: f64,
    pub(crate) acceleration_rad_s2: f64,
    pub(crate) free_spin_rad_s: f64,
}

impl Watch {
    /// One step; `part` is 1 − e^(−h/τ_a).
    pub(crate) fn observe(&mut self, spin_rad_s: f64, free_rad_s: f64, step_s: f64, part: f64) -> Watched {
        let free = bounded(free_rad_s, SPIN_MOST);
        let spin = bounded(spin_rad_s, SPIN_MOST);
        if self.has_spin && step_s > 0.0 {
            let difference = bounded((spin - self.spin_rad_s) / step_s, 1e9);
            self.acceleration_rad_s2 += (difference - self.acceleration_rad_s2) * part;
        }
        (self.spin_rad_s, self.has_spin) = (spin, true);
        let forward = if free < 0.0 { -1.0 } else { 1.0 };
        Watched {
            slip: slip(spin * forward, free.abs()),
            acceleration_rad_s2: self.acceleration_rad_s2 * forward,
            free_spin_rad_s: free.abs(),
        }
    }
}

fn slip(spin: f64, free: f64) -> f64 {
    if free > SPIN_LEAST { 1.0 - spin / free } else { 0.0 }
}

stateful!(Watch, |it| it.spin_rad_s, it.acceleration_rad_s2, it.has_spin);
