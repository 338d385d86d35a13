//! What a vehicle does when its subsystems are gone: it brakes gently, keeps its course as well as
//! it can, and stands.
//!
//! A tyre here has no memory and no file of its own: with load N and the velocity (V_x, V_y) of the
//! contact
//! ```text
//! F_x = −0.3 N sat(V_x / 0.5 m/s),     F_y = −0.6 N sat(8 V_y / max(|V_x|, 4 m/s)),     sat(s) = s / √(1 + s²)
//! ```

use crate::contact::Contact;
use crate::rotation::on_carrier;
use crate::terrain::{Hint, Terrain};
use crate::tyre::Tyre;
use crate::{Coordinate, Forces, Kinematics, SteeredBy, SteeringMotion, WHEELS_MAX, WheelState};
use std::sync::Arc;

/// Deceleration over gravity.
const BRAKING: f64 = 0.3;
/// Lateral force over load at most.
const GRIP: f64 = 0.6;
/// Below this speed the brake turns into a damper (m/s).
const STANDING_M_S: f64 = 0.5;
/// Lateral slip stiffness over load and grip.
const CORNERING: f64 = 8.0;
/// Below this speed it falls, so that a step of 1 ms can hold what it does to an axle (m/s): with
/// 50 kN on 200 kg it damps with 300 /s here, and a step bears some 500 /s.
const SLIDING_M_S: f64 = 4.0;

/// Answers without subsystems.
pub struct SafeStop {
    tyres: Vec<Arc<dyn Tyre>>,
    terrain: Arc<dyn Terrain>,
    steered_by: SteeredBy,
    hints: [Hint; WHEELS_MAX],
}

impl SafeStop {
    /// For a vehicle on a road.
    #[must_use]
    pub fn new(tyres: Vec<Arc<dyn Tyre>>, terrain: Arc<dyn Terrain>, steered_by: SteeredBy) -> Self {
        Self { tyres, terrain, steered_by, hints: [Hint::default(); WHEELS_MAX] }
    }

    /// Forces that bring the vehicle to rest; the steering stays where it is.
    pub fn respond(&mut self, motion: &Kinematics, steering: f64) -> Forces {
        let mut response = Forces {
            steering: SteeringMotion::of(self.steered_by, Coordinate::at_rest(steering)),
            wheel_count: motion.wheel_count,
            ..Forces::default()
        };
        let wheels = motion.wheels().iter();
        for (number, (wheel, tyre)) in wheels.zip(&self.tyres).enumerate() {
            let hint = &mut self.hints[number];
            let contact = Contact::find(&*self.terrain, wheel, tyre.radius_m(), hint);
            let load_n = tyre.load_n(contact.deflection_m, contact.deflection_rate_m_s, 0.0).max(0.0);
            let forward = contact.forward_m_s;
            let slip = CORNERING * contact.sideways_m_s / forward.abs().max(SLIDING_M_S);
            let forces = WheelState {
                load_n,
                longitudinal_force_n: -BRAKING * load_n * saturated(forward / STANDING_M_S),
                lateral_force_n: -GRIP * load_n * saturated(slip),
                // The brake holds what the road turns.
                brake_torque_nm: BRAKING * load_n * saturated(forward / STANDING_M_S) * -tyre.radius_m(),
                ..WheelState::default()
            };
            response.wheels[number] = on_carrier(wheel, &contact, &forces, 0.0, 0.0);
        }
        response
    }
}

fn saturated(value: f64) -> f64 {
    value / (1.0 + value * value).sqrt()
}
