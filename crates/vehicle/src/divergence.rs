//! Whether a run still is one of the vehicle, or of a step that is too long for it.
//!
//! Adams–Bashforth is stable only below a step. Beyond it a stiff, damped mode grows from step to
//! step, and so does its energy. Two balances show energy that no force supplied. That of the
//! mechanism, with everything that acts on it from outside:
//! ```text
//! E = T + V                                                                        (1)
//! W_k = W_{k−1} + h/2 (Σ F_i·(v_i + v_i') + M_i·(ω_i + ω_i')) − h Q ẋ              (2)
//! ```
//! with kinetic and potential energy T and V; forces F_i and torques M_i on the wheels' carriers and
//! on the body, whose velocities are v_i, ω_i before the step and v_i', ω_i' after it; and the load
//! Q on the rack, which moves with ẋ. Dampers and friction only take energy away. And that of the
//! whole vehicle, from which tyres, brakes and the road only take away:
//! ```text
//! E = T + V + Σ ½ J_i Ω_i²                                                         (3)
//! W_k = W_{k−1} + h (Σ T_i Ω_i + F·v + M·ω − Q ẋ)                                  (4)
//! ```
//! with moment J_i, spin Ω_i and drive torque T_i of a wheel, and F and M on the body alone (air,
//! reaction of the drive). In both, what is not supplied never rises but for what is left out (the
//! bend of the tyres) and for the error of the steps, for which there is a margin:
//! ```text
//! S_k = E_k − W_k,       S_k − min_{j ≤ k} S_j ≤ margin                            (5)
//! ```
//! Besides, the motion must be one of a vehicle ([`crate::bounds`]), and every coordinate finite.

use crate::bounds::find_impossible;
use crate::mechanism::Mechanism;
use crate::subsystems::Subsystems;
use crate::{Kinematics, Vector3, WHEELS_MAX};
use std::fmt;

/// Energy that may appear from nowhere: the vehicle's weight, lifted by so much (m), and a share of
/// the largest kinetic energy so far. At the default step, the shipped vehicles that stay on their
/// wheels need at most 0.26 of the mechanism's margin (not measured over all manoeuvres for the
/// tractor) and 0.39 of the vehicle's, both over a bump (`examples/margins.rs`); a car whose
/// suspension swings with a step of 10 ms needs 2 to 3 times the mechanism's.
#[derive(Clone, Copy, Debug)]
struct Margin {
    height_m: f64,
    share: f64,
}

const OF_MECHANISM: Margin = Margin { height_m: 0.05, share: 0.004 };
const OF_VEHICLE: Margin = Margin { height_m: 0.5, share: 0.04 };

/// Beyond this roll a vehicle does not come back on its wheels (°).
const ROLLED_DEG: f64 = 60.0;

/// What showed that a run has diverged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Divergence {
    /// The step that led there; the first one is 1.
    pub step: u64,
    /// Simulated time after it (s).
    pub time_s: f64,
    /// What was found, with its unit last.
    pub quantity: &'static str,
    /// How much.
    pub found: f64,
    /// How much is allowed.
    pub allowed: f64,
    /// Where.
    pub place: Place,
}

/// Where a run diverged first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At the vehicle's origin.
    Origin,
    /// A wheel, by number.
    Wheel(usize),
    /// A velocity of the state, by number: that which changed most in the step.
    Velocity(usize),
    /// A position of the state, by number.
    Position(usize),
}

/// Looks at every step. Real-time safe.
#[derive(Clone, Debug)]
pub struct Watch {
    velocity: Vec<f64>,
    weight_n: f64,
    kinetic_max_j: f64,
    /// (1) and (2), (3) and (4).
    mechanism: Balance,
    vehicle: Balance,
    before: Moving,
    divergence: Option<Divergence>,
}

impl Watch {
    /// For a mechanism at its beginning.
    #[must_use]
    pub fn new(mechanism: &Mechanism) -> Self {
        let description = mechanism.model().description();
        let mass_kg: f64 = description.bodies.iter().map(|body| body.mass).sum();
        Self {
            velocity: mechanism.state().velocity.clone(),
            weight_n: mass_kg * description.gravity.norm(),
            kinetic_max_j: 0.0,
            mechanism: Balance::default(),
            vehicle: Balance::default(),
            before: Moving::new(mechanism.motion()),
            divergence: None,
        }
    }

    /// Looks at the motion after a step of a length, and at the response that led there.
    pub fn look(&mut self, mechanism: &Mechanism, subsystems: &Subsystems, step: u64, step_s: f64) {
        if self.divergence.is_some() {
            return;
        }
        let found = self.unfinite(mechanism).or_else(|| impossible(mechanism));
        let found = found.or_else(|| self.unsupplied(mechanism, subsystems, step_s));
        if let Some((quantity, found, allowed, place)) = found {
            let time_s = mechanism.motion().time_s;
            self.divergence = Some(Divergence { step, time_s, quantity, found, allowed, place });
        }
        self.velocity.copy_from_slice(&mechanism.state().velocity);
        self.before = Moving::new(mechanism.motion());
    }

    /// What was found, once.
    #[must_use]
    pub fn divergence(&self) -> Option<&Divergence> {
        self.divergence.as_ref()
    }

    /// Energy that no force supplied, over what is allowed (5): of the mechanism and of the vehicle.
    #[must_use]
    pub fn surplus_ratios(&self) -> [f64; 2] {
        self.rises().map(|(rise_j, margin_j)| rise_j / margin_j)
    }

    /// What rose and what may, of the mechanism and of the vehicle (5).
    #[inline]
    fn rises(&self) -> [(f64, f64); 2] {
        let margin_j = |margin: Margin| margin.height_m * self.weight_n + margin.share * self.kinetic_max_j;
        [(self.mechanism.rise_j(), margin_j(OF_MECHANISM)), (self.vehicle.rise_j(), margin_j(OF_VEHICLE))]
    }

    fn unfinite(&self, mechanism: &Mechanism) -> Option<Found> {
        let state = mechanism.state();
        let first = |numbers: &[f64]| numbers.iter().position(|number| !number.is_finite());
        let of_velocity = first(&state.velocity).map(|at| (state.velocity[at], Place::Velocity(at)));
        let found = of_velocity.or_else(|| first(&state.position).map(|at| (state.position[at], Place::Position(at))));
        found.map(|(value, place)| ("coordinate", value, f64::MAX, place))
    }

    fn unsupplied(&mut self, mechanism: &Mechanism, subsystems: &Subsystems, step_s: f64) -> Option<Found> {
        let (motion, model) = (mechanism.motion(), mechanism.model());
        let (response, rotation) = (subsystems.response(), subsystems.rotation());
        let (mut spin_j, mut drive_w) = (0.0, 0.0);
        for (number, wheel) in rotation.wheels().iter().enumerate() {
            spin_j += 0.5 * rotation.inertia_kg_m2(number) * wheel.spin_rad_s * wheel.spin_rad_s;
            drive_w += subsystems.state().wheels[number].drive_torque_nm * wheel.spin_rad_s;
        }
        let (before, after) = (&self.before, Moving::new(motion));
        let mean = |before: Vector3, after: Vector3| (before + after) * 0.5;
        let body_w = response.body_force_n.dot(mean(before.body[0], after.body[0]))
            + response.body_torque_nm.dot(mean(before.body[1], after.body[1]));
        let mut wheels_w = 0.0;
        for (number, forces) in response.wheels().iter().enumerate() {
            let ([v, w], [v_after, w_after]) = (before.wheels[number], after.wheels[number]);
            wheels_w += forces.force_n.dot(mean(v, v_after)) + forces.torque_nm.dot(mean(w, w_after));
        }
        let steered_by = mechanism.steered_by();
        let load = motion.steering_load(steered_by);
        let hand_w = if load.is_finite() { -load * response.steering.coordinate(steered_by).rate } else { 0.0 };
        let kinetic_j = mechanism.workspace().kinetic_energy(model);
        let energy_j = kinetic_j + mechanism.workspace().potential_energy(model, mechanism.state());
        self.kinetic_max_j = self.kinetic_max_j.max(kinetic_j + spin_j);
        self.mechanism.take(energy_j, (wheels_w + body_w + hand_w) * step_s); // Eqs. (1), (2)
        self.vehicle.take(energy_j + spin_j, (drive_w + body_w + hand_w) * step_s); // Eqs. (3), (4)
        // Eq. (5)
        let beyond = self.rises().into_iter().find(|(rise_j, margin_j)| rise_j.is_nan() || rise_j > margin_j);
        beyond.map(|(rise_j, margin_j)| {
            ("energy_that_no_force_supplied_j", rise_j, margin_j, self.most_changed(mechanism))
        })
    }

    /// The velocity that changed most in this step.
    #[cold]
    fn most_changed(&self, mechanism: &Mechanism) -> Place {
        let changes = mechanism.state().velocity.iter().zip(&self.velocity).map(|(now, before)| (now - before).abs());
        let most = changes.enumerate().max_by(|(_, one), (_, other)| one.total_cmp(other));
        Place::Velocity(most.map_or(0, |(at, _)| at))
    }
}

/// A balance of energy.
#[derive(Clone, Copy, Debug)]
struct Balance {
    work_j: f64,
    surplus_j: f64,
    least_j: f64,
}

impl Default for Balance {
    fn default() -> Self {
        Self { work_j: 0.0, surplus_j: 0.0, least_j: f64::INFINITY }
    }
}

impl Balance {
    #[inline]
    fn take(&mut self, energy_j: f64, work_j: f64) {
        self.work_j += work_j;
        self.surplus_j = energy_j - self.work_j;
        self.least_j = self.least_j.min(self.surplus_j);
    }

    /// S_k − min S_j of (5); zero before the first step.
    #[inline]
    fn rise_j(&self) -> f64 {
        if self.least_j == f64::INFINITY { 0.0 } else { self.surplus_j - self.least_j }
    }
}

/// Velocity (m/s) and rate (rad/s) of the body in V, and of the carriers in E.
#[derive(Clone, Copy, Debug)]
struct Moving {
    body: [Vector3; 2],
    wheels: [[Vector3; 2]; WHEELS_MAX],
}

impl Moving {
    #[inline]
    fn new(motion: &Kinematics) -> Self {
        let mut wheels = [[Vector3::ZERO; 2]; WHEELS_MAX];
        for (moving, wheel) in wheels.iter_mut().zip(motion.wheels()) {
            *moving = [wheel.velocity_m_s, wheel.carrier_rate_rad_s];
        }
        Self { body: [motion.velocity_m_s, motion.rate_rad_s], wheels }
    }
}

/// Quantity, found, allowed, place.
type Found = (&'static str, f64, f64, Place);

fn impossible(mechanism: &Mechanism) -> Option<Found> {
    let found = find_impossible(mechanism.motion())?;
    Some((found.quantity, found.found, found.allowed, found.wheel.map_or(Place::Origin, Place::Wheel)))
}

impl Divergence {
    /// What to say of it, with the names of the mechanism.
    #[must_use]
    pub fn explain(&self, mechanism: &Mechanism, step_s: f64) -> String {
        let model = mechanism.model();
        let place = match self.place {
            Place::Origin => "the vehicle's origin".to_owned(),
            Place::Wheel(number) => {
                let name = model.description().wheels.get(number).map_or("", |wheel| wheel.name.as_str());
                format!("wheel `{name}`")
            }
            Place::Velocity(at) => format!("coordinate `{}`", model.velocity_names()[at]),
            Place::Position(at) => format!("coordinate `{}`", model.position_names()[at]),
        };
        let roll_deg = mechanism.motion().roll_rad().to_degrees();
        let cause = if roll_deg.abs() > ROLLED_DEG {
            format!(
                "the vehicle has rolled over (roll {roll_deg:.0}°), for which it has no model; if it should not have, "
            )
        } else {
            format!("a step of {step_s} s is too long: ")
        };
        format!("{self}, first at {place}; {cause}use a smaller step")
    }
}

impl fmt::Display for Divergence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, time_s, quantity, found, allowed, .. } = self;
        write!(formatter, "the run diverged in step {step} at {time_s:.4} s: {quantity} {found:.4e}")?;
        match *allowed < f64::MAX {
            true => write!(formatter, ", allowed {allowed:.4e}"),
            false => formatter.write_str(", expected a finite number"),
        }
    }
}
