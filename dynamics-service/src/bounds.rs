//! What an answer, and the motion after it, may be for a vehicle: the dynamics check both.

use vehicle::{Coordinate, Forces, Kinematics, SteeredBy, SteeringMotion, Vector3};

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

/// Whether a vehicle can move like this.
pub fn is_possible_motion(motion: &Kinematics) -> bool {
    let is_place = |place: Vector3| place.to_array().iter().all(|value| value.abs() <= PLACE_MAX_M);
    // The load that is not known is that on what does not steer.
    let is_load = |load: f64| load.is_nan() || load.abs() <= STEERING_LOAD_MAX;
    is_place(motion.position_m)
        && is_load(motion.rack_force_n)
        && is_load(motion.steer_torque_nm)
        && motion.velocity_m_s.norm() <= SPEED_MAX_M_S
        && motion.rate_rad_s.norm() <= RATE_MAX_RAD_S
        && motion.acceleration_m_s2.norm() <= ACCELERATION_MAX_M_S2
        && motion.wheels().iter().all(|wheel| {
            is_place(wheel.position_m)
                && wheel.velocity_m_s.norm() <= SPEED_MAX_M_S
                && wheel.carrier_rate_rad_s.norm() <= RATE_MAX_RAD_S
        })
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
