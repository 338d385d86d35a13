//! Rack and pinion, or a steering gear with a Pitman arm, on a stiff column.
//!
//! The rack follows the steering wheel; the driver gets what the rack's force does at the steering
//! wheel (virtual work), less the assist:
//! ```text
//! L = (F − F_c tanh(ẋ/v₀)) dx/dq + E                                                           (1)
//! T + s A(T) = L                                                                               (2)
//! ```
//! F is the force of the linkage on the rack, F_c its dry friction (smooth within v₀), E the torque
//! of the soft ends.

use super::assist::Assist;
use super::gear::{Gear, Meshing};
use super::{Steered, Steering};
use crate::DriverInput;
use crate::numbers::bounded;
use crate::state::Stateful;

/// Dry friction of the rack.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct RackFriction {
    /// F_c (N or Nm).
    pub(super) force: f64,
    /// v₀ (m/s or rad/s).
    pub(super) speed: f64,
}

impl RackFriction {
    /// F_c tanh(ẋ/v₀).
    pub(super) fn against(&self, velocity: f64) -> f64 {
        if self.force > 0.0 { self.force * (velocity / self.speed).tanh() } else { 0.0 }
    }
}

/// What stiff and elastic columns share.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Parts {
    pub(super) gear: Gear,
    pub(super) friction: RackFriction,
    pub(super) assist: Option<Assist>,
}

/// The driver's angle with its derivatives, and the rack's force, within what a machine can do:
/// every product stays finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turned {
    pub(super) angle: f64,
    pub(super) rate: f64,
    pub(super) acceleration: f64,
    pub(super) force: f64,
}

impl Turned {
    pub(super) fn new(input: &DriverInput, rack_force_n: f64) -> Self {
        Self {
            angle: bounded(input.steering_angle_rad, 1e3),
            rate: bounded(input.steering_rate_rad_s, 1e4),
            acceleration: bounded(input.steering_acceleration_rad_s2, 1e7),
            force: bounded(rack_force_n, 1e8),
        }
    }
}

/// A stiff column.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mechanical {
    pub(super) parts: Parts,
}

impl Parts {
    /// Eq. (1).
    pub(super) fn load_nm(&self, mesh: &Meshing, force: f64, rack_velocity: f64) -> f64 {
        (force - self.friction.against(rack_velocity)) * mesh.arm + mesh.end_torque
    }
}

impl Steering for Mechanical {
    fn step(&mut self, input: &DriverInput, rack_force_n: f64, speed_m_s: f64, _step_s: f64) -> Steered {
        let turned = Turned::new(input, rack_force_n);
        let mesh = self.parts.gear.at(turned.angle);
        let rack = mesh.rack(turned.rate, turned.acceleration);
        let load = self.parts.load_nm(&mesh, turned.force, rack.rate);
        let assist = self.parts.assist.as_ref();
        let feedback_nm = assist.map_or(load, |it| it.hand_nm(it.factor(speed_m_s), load));
        Steered { rack, feedback_nm }
    }

    fn lock_rad(&self) -> f64 {
        self.parts.gear.lock_rad()
    }
}

impl Stateful for Mechanical {}
