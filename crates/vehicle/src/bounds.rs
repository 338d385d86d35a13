//! What an answer, and the motion after it, may be for a vehicle: the dynamics check both, and an
//! offline run checks the motion.

use crate::{Coordinate, Forces, Kinematics, SteeredBy, SteeringMotion, Vector3};

/// Largest force on one wheel or on the body, over the vehicle's weight. A wheel that hits the
/// edge of a hole has about 3.
const FORCE_OVER_WEIGHT: f64 = 10.0;
/// Its largest lever (m).
const LEVER_M: f64 = 2.0;
/// What the steering moves while no answer comes (m/s or rad/s): a fast hand.
const HAND_SPEED: f64 = 0.5;
/// Largest acceleration of a vehicle's origin (m/s²).
const ACCELERATION_MAX_M_S2: f64 = 1_000.0;
/// Largest speed (m/s) and rate of turn (rad/s) of a vehicle.
const SPEED_MAX_M_S: f64 = 300.0;
const RATE_MAX_RAD_S: f64 = 100.0;
/// Largest coordinate of a place (m), and load on a rack or a steered angle (N or Nm): as declared.
const PLACE_MAX_M: f64 = 1e6;
const STEERING_LOAD_MAX: f64 = 1e6;

/// The bounds for one vehicle.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    force_n: f64,
    torque_nm: f64,
    wheel_count: u64,
    steered_by: SteeredBy,
    steering: Coordinate,
    step_s: f64,
}

impl Bounds {
    /// For a vehicle of this mass (kg) and with so many wheels, which a rack or angles steer, in
    /// steps of this length (s).
    #[must_use]
    pub fn new(mass_kg: f64, wheel_count: u64, steered_by: SteeredBy, step_s: f64) -> Self {
        let force_n = FORCE_OVER_WEIGHT * mass_kg * 9.81;
        Self {
            force_n,
            torque_nm: force_n * LEVER_M,
            wheel_count,
            steered_by,
            steering: SteeringMotion::limits(steered_by),
            step_s,
        }
    }

    /// Whether this vehicle can be given an answer. The steering was last moved so many steps ago;
    /// `None` where it will be led slowly.
    #[must_use]
    pub fn allow(&self, response: &Forces, last_steering: f64, steps: Option<u64>) -> bool {
        let within = |value: Vector3, most: f64| value.is_finite() && value.norm() <= most;
        response.wheel_count == self.wheel_count
            && within(response.body_force_n, self.force_n)
            && within(response.body_torque_nm, self.torque_nm)
            && self.allow_steering(&response.steering, last_steering, steps)
            && response
                .wheels()
                .iter()
                .all(|wheel| within(wheel.force_n, self.force_n) && within(wheel.torque_nm, self.torque_nm))
    }

    fn allow_steering(&self, steering: &SteeringMotion, last: f64, steps: Option<u64>) -> bool {
        let (most, asked) = (&self.steering, steering.coordinate(self.steered_by));
        let distance = steps.map_or(f64::INFINITY, |steps| (most.rate + HAND_SPEED * steps as f64) * self.step_s);
        // A comparison with NaN is false.
        asked.value.abs() <= most.value
            && asked.rate.abs() <= most.rate
            && asked.acceleration.abs() <= most.acceleration
            && (asked.value - last).abs() <= distance
    }
}

/// What of a motion is beyond all vehicles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impossible {
    /// What it is, with its unit last.
    pub quantity: &'static str,
    /// At which wheel; `None` for the vehicle's origin.
    pub wheel: Option<usize>,
    /// Its size.
    pub found: f64,
    /// Its largest size.
    pub allowed: f64,
}

/// Whether a vehicle can move like this.
#[must_use]
pub fn is_possible_motion(motion: &Kinematics) -> bool {
    find_impossible(motion).is_none()
}

/// The first quantity of a motion that no vehicle can have.
#[must_use]
#[inline]
pub fn find_impossible(motion: &Kinematics) -> Option<Impossible> {
    let beyond = |quantity, wheel, found: f64, allowed: f64| {
        // A comparison with NaN is false.
        let is_within = found <= allowed;
        (!is_within).then_some(Impossible { quantity, wheel, found, allowed })
    };
    // The load that is not known is that on what does not steer.
    let load = |load: f64| if load.is_nan() { 0.0 } else { load.abs() };
    let of_origin = beyond("speed_m_s", None, motion.velocity_m_s.norm(), SPEED_MAX_M_S)
        .or_else(|| beyond("rate_of_turn_rad_s", None, motion.rate_rad_s.norm(), RATE_MAX_RAD_S))
        .or_else(|| beyond("acceleration_m_s2", None, motion.acceleration_m_s2.norm(), ACCELERATION_MAX_M_S2))
        .or_else(|| beyond("place_m", None, largest(motion.position_m), PLACE_MAX_M))
        .or_else(|| beyond("rack_force_n", None, load(motion.rack_force_n), STEERING_LOAD_MAX))
        .or_else(|| beyond("steer_torque_nm", None, load(motion.steer_torque_nm), STEERING_LOAD_MAX));
    of_origin.or_else(|| {
        motion.wheels().iter().enumerate().find_map(|(number, wheel)| {
            beyond("speed_m_s", Some(number), wheel.velocity_m_s.norm(), SPEED_MAX_M_S)
                .or_else(|| beyond("rate_of_turn_rad_s", Some(number), wheel.carrier_rate_rad_s.norm(), RATE_MAX_RAD_S))
                .or_else(|| beyond("place_m", Some(number), largest(wheel.position_m), PLACE_MAX_M))
        })
    })
}

/// The largest part; NaN where one is.
#[inline]
fn largest(place: Vector3) -> f64 {
    place.to_array().into_iter().fold(0.0, |most: f64, part| if part.abs() <= most { most } else { part.abs() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good() -> Forces {
        let steering = SteeringMotion::of(SteeredBy::Rack, Coordinate::default());
        let mut response = Forces { wheel_count: 4, steering, ..Forces::default() };
        for wheel in &mut response.wheels[..4] {
            wheel.force_n = Vector3::new(1e3, -2e3, 6e3);
        }
        response
    }

    #[test]
    fn an_impossible_answer_is_refused() {
        let bounds = Bounds::new(2_500.0, 4, SteeredBy::Rack, 1e-3);
        assert!(bounds.allow(&good(), 0.0, Some(1)));
        let spoils: [fn(&mut Forces); 8] = [
            |response| response.wheel_count = 3,
            |response| response.wheels[3].force_n.z = f64::NAN,
            |response| response.wheels[0].torque_nm.y = f64::INFINITY,
            |response| response.wheels[2].force_n.x = 1e6,
            |response| response.body_force_n.x = -1e7,
            |response| response.steering.rack_displacement_m = 0.05,
            |response| response.steering.rack_velocity_m_s = f64::NAN,
            |response| response.steering.rack_acceleration_m_s2 = 1e5,
        ];
        for (number, spoil) in spoils.iter().enumerate() {
            let mut response = good();
            spoil(&mut response);
            assert!(!bounds.allow(&response, 0.0, Some(1)), "{number}");
        }
    }

    #[test]
    fn the_steering_may_move_further_after_a_silence() {
        let bounds = Bounds::new(2_500.0, 4, SteeredBy::Rack, 1e-3);
        let mut response = good();
        response.steering.rack_displacement_m = 0.05;
        assert!(bounds.allow(&response, 0.0, Some(100)));
    }

    #[test]
    fn an_impossible_motion_is_found() {
        let mut motion = Kinematics::default();
        assert!(is_possible_motion(&motion));
        motion.velocity_m_s.y = f64::NAN;
        assert!(!is_possible_motion(&motion));
        let spoils: [fn(&mut Kinematics); 6] = [
            |motion| motion.acceleration_m_s2.z = 2e3,
            |motion| motion.position_m.x = -2e6,
            |motion| motion.rack_force_n = 1.2e6,
            |motion| motion.steer_torque_nm = f64::NEG_INFINITY,
            |motion| motion.wheels[1].position_m.z = f64::INFINITY,
            |motion| motion.wheels[3].carrier_rate_rad_s.y = 101.0,
        ];
        for (number, spoil) in spoils.iter().enumerate() {
            motion = Kinematics { wheel_count: 4, ..Kinematics::default() };
            assert!(is_possible_motion(&motion));
            spoil(&mut motion);
            assert!(!is_possible_motion(&motion), "{number}");
        }
    }
}
