//! What the mechanism is told of the road: the forces of the step, or the loads of a vehicle that
//! stands.

use crate::contact::Contact;
use crate::terrain::{Ground, Hint, Terrain};
use crate::tyre::Tyre;
use crate::{Forces, Vector3, WheelKinematics};
use multibody::forces::ContactState;
use std::sync::Arc;

/// Wrenches that are held during the step.
pub(super) struct Held<'a>(pub(super) &'a Forces);

impl multibody::forces::Tyre for Held<'_> {
    fn wrench(&mut self, wheel: usize, _state: &ContactState) -> (Vector3, Vector3) {
        let response = &self.0.wheels[wheel];
        (response.force_n, response.torque_nm)
    }
}

/// Tyres that carry their load on a flat road without friction.
pub(super) struct Standing<'a>(pub(super) &'a [Arc<dyn Tyre>]);

impl multibody::forces::Tyre for Standing<'_> {
    fn wrench(&mut self, wheel: usize, state: &ContactState) -> (Vector3, Vector3) {
        let motion = WheelKinematics {
            position_m: state.centre,
            velocity_m_s: state.centre_velocity,
            axle: state.axis,
            carrier_rate_rad_s: state.angular_velocity,
        };
        let tyre = &self.0[wheel];
        let contact = Contact::find(&Level, &motion, tyre.radius_m(), &mut Hint::default());
        let load = tyre.load_n(contact.deflection_m, contact.deflection_rate_m_s, 0.0);
        let force = contact.normal * load.max(0.0);
        let torque = contact.arm.cross(force);
        (force, torque - state.axis * torque.dot(state.axis))
    }
}

struct Level;

impl Terrain for Level {
    fn at(&self, _x_m: f64, _y_m: f64, _hint: &mut Hint) -> Ground {
        Ground { height_m: 0.0, normal: Vector3::AXES[2], friction: 1.0 }
    }
}
