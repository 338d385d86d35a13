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

mod phases;
mod slip_limit;
mod watch;

pub use phases::Phases;
pub use slip_limit::SlipLimit;
pub(crate) use watch::{Watch, Watched};

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
