//! A column with a torsion bar: the pinion lags behind the steering wheel, or is pushed ahead of it
//! by the road.
//!
//! φ is the twist, q = θ + φ the angle behind the bar, everything counted at the steering wheel:
//! ```text
//! J (θ̈ + φ̈) + d φ̇ + k φ + s A(k φ) = L(q, q̇)                                                 (1)
//! T = k φ + d φ̇     is the torque at the steering wheel                                                  (2)
//! ```
//! J is the inertia behind the bar, L the load of the rack (see `mechanical`), A the assist. The
//! step is Newmark's of average acceleration,
//! ```text
//! φ' = φ + h φ̇ + h²/4 (φ̈ + φ̈'),   φ̇' = φ̇ + h/2 (φ̈ + φ̈')                                      (3)
//! ```
//! stable at every step length, and displacement, velocity and acceleration stay derivatives of
//! each other. (1) is solved for φ̈' by a few Newton steps; friction enters as a damper of the last
//! speed's secant.
//!
//! The linkage's force comes from the last step and holds the inertia of the steered wheels as
//! well. That is stable only while J is larger than this inertia at the steering wheel, m (dx/dq)²:
//! the added mass of a partitioned scheme.

use super::mechanical::{Parts, Turned};
use super::{Steered, Steering};
use crate::numbers::bounded;
use crate::{Coordinate, DriverInput, stateful};

/// Most Newton steps: the curves are straight pieces, so one or two suffice.
const NEWTON_STEPS: usize = 4;
/// A residual (Nm) that is solved.
const SOLVED: f64 = 1e-12;

/// The torsion bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bar {
    /// k (Nm/rad).
    pub(super) stiffness: f64,
    /// d (Nms/rad).
    pub(super) damping: f64,
    /// J (kg m²).
    pub(super) inertia: f64,
}

/// A column that twists.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Column {
    pub(super) parts: Parts,
    pub(super) bar: Bar,
    /// φ, φ̇, φ̈.
    pub(super) twist: Coordinate,
}

/// Eq. (3).
fn after(twist: &Coordinate, acceleration: f64, h: f64) -> Coordinate {
    let mean = 0.5 * (twist.acceleration + acceleration);
    Coordinate {
        value: bounded(twist.value + h * twist.rate + 0.5 * h * h * mean, 1e3),
        rate: bounded(twist.rate + h * mean, 1e5),
        acceleration,
    }
}

/// What stays the same in the Newton steps.
struct Load {
    turned: Turned,
    friction_ns_m: f64,
    factor: f64,
    h: f64,
}

impl Column {
    /// Residual of eq. (1) and its slope against φ̈'.
    fn residual(&self, twist: &Coordinate, load: &Load) -> (f64, f64) {
        let (bar, h) = (&self.bar, load.h);
        let mesh = self.parts.gear.at(load.turned.angle + twist.value);
        let drag = load.friction_ns_m * mesh.arm * mesh.arm;
        let assist = self.parts.assist.as_ref();
        let (boost, slope) = assist.map_or((0.0, 0.0), |it| it.boost(load.factor, bar.stiffness * twist.value));
        let elastic = bar.stiffness * twist.value + boost - mesh.end_torque;
        let value = bar.inertia * (load.turned.acceleration + twist.acceleration)
            + bar.damping * twist.rate
            + drag * (load.turned.rate + twist.rate)
            + elastic
            - load.turned.force * mesh.arm;
        let stiffness = bar.stiffness * (1.0 + slope) + mesh.end_stiffness;
        (value, bar.inertia + 0.5 * h * (bar.damping + drag) + 0.25 * h * h * stiffness)
    }

    /// Friction as a damper: F_c tanh(ẋ/v₀)/ẋ at the last speed of the rack.
    fn friction_ns_m(&self, turned: &Turned) -> f64 {
        let mesh = self.parts.gear.at(turned.angle + self.twist.value);
        let velocity = mesh.arm * (turned.rate + self.twist.rate);
        let friction = &self.parts.friction;
        if friction.force <= 0.0 {
            0.0
        } else if velocity.abs() > 1e-9 {
            friction.against(velocity) / velocity
        } else {
            friction.force / friction.speed
        }
    }
}

impl Steering for Column {
    fn step(&mut self, input: &DriverInput, rack_force_n: f64, speed_m_s: f64, step_s: f64) -> Steered {
        let turned = Turned::new(input, rack_force_n);
        let load = Load {
            turned,
            friction_ns_m: self.friction_ns_m(&turned),
            factor: self.parts.assist.as_ref().map_or(0.0, |it| it.factor(speed_m_s)),
            h: bounded(step_s, 1.0),
        };
        let mut acceleration = self.twist.acceleration;
        for _ in 0..NEWTON_STEPS {
            let (value, slope) = self.residual(&after(&self.twist, acceleration, load.h), &load);
            if value.abs() <= SOLVED {
                break;
            }
            acceleration = bounded(acceleration - value / slope, 1e12);
        }
        self.twist = after(&self.twist, acceleration, load.h);
        let mesh = self.parts.gear.at(turned.angle + self.twist.value);
        Steered {
            rack: mesh.rack(turned.rate + self.twist.rate, turned.acceleration + self.twist.acceleration),
            feedback_nm: self.bar.stiffness * self.twist.value + self.bar.damping * self.twist.rate,
        }
    }

    fn lock_rad(&self) -> f64 {
        self.parts.gear.lock_rad()
    }
}

stateful!(Column, |it| it.twist);
