//! What an answer, and the motion after it, may be for a vehicle: the dynamics check both.

use vehicle::{Motion, Rack, Response, Vector3};

/// Largest force on one wheel or on the body, over the vehicle's weight. A wheel that hits the
/// edge of a hole has about 3.
const FORCE_OVER_WEIGHT: f64 = 10.0;
/// Its largest lever (m).
const LEVER_M: f64 = 2.0;
/// Largest displacement of a rack (m).
const RACK_MAX_M: f64 = 0.3;
/// Largest angle of a wheel that is steered by one (rad).
const ANGLE_MAX_RAD: f64 = 1.5;
/// Largest speed of a rack that is told (m/s or rad/s).
const RACK_SPEED_MAX: f64 = 20.0;
/// What a rack moves in a silence (m/s or rad/s): a fast hand.
const HAND_SPEED: f64 = 0.5;
/// Largest acceleration of a vehicle's origin (m/s²).
const ACCELERATION_MAX_M_S2: f64 = 1_000.0;
/// Largest speed (m/s) and rate of turn (rad/s) of a vehicle.
const SPEED_MAX_M_S: f64 = 300.0;
const RATE_MAX_RAD_S: f64 = 100.0;

/// The bounds for one vehicle.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    force_n: f64,
    torque_nm: f64,
    wheel_count: usize,
    rack_max: f64,
    step_s: f64,
}

impl Bounds {
    /// For a vehicle of this mass (kg) and with so many wheels, which a rack or angles steer, in
    /// steps of this length (s).
    pub fn new(mass_kg: f64, wheel_count: usize, has_rack: bool, step_s: f64) -> Self {
        let force_n = FORCE_OVER_WEIGHT * mass_kg * 9.81;
        Self {
            force_n,
            torque_nm: force_n * LEVER_M,
            wheel_count,
            rack_max: if has_rack { RACK_MAX_M } else { ANGLE_MAX_RAD },
            step_s,
        }
    }

    /// Whether this vehicle can be given an answer. The rack was last moved so many steps ago;
    /// `None` where it will be led slowly.
    pub fn allow(&self, response: &Response, last_rack: f64, steps: Option<u64>) -> bool {
        let within = |value: Vector3, most: f64| value.is_finite() && value.norm() <= most;
        response.wheel_count == self.wheel_count
            && within(response.body_force, self.force_n)
            && within(response.body_torque, self.torque_nm)
            && self.allow_rack(&response.rack, last_rack, steps)
            && response.wheels[..response.wheel_count]
                .iter()
                .all(|wheel| within(wheel.force, self.force_n) && within(wheel.torque, self.torque_nm))
    }

    fn allow_rack(&self, rack: &Rack, last: f64, steps: Option<u64>) -> bool {
        let distance =
            steps.map_or(f64::INFINITY, |steps| (RACK_SPEED_MAX + HAND_SPEED * steps as f64) * self.step_s);
        // A comparison with NaN is false.
        rack.displacement.abs() <= self.rack_max
            && rack.velocity.abs() <= RACK_SPEED_MAX
            && rack.acceleration.is_finite()
            && (rack.displacement - last).abs() <= distance
    }
}

/// Whether a vehicle can move like this.
pub fn is_possible_motion(motion: &Motion) -> bool {
    let wheels = &motion.wheels[..motion.wheel_count];
    motion.position.is_finite()
        && motion.velocity.norm() <= SPEED_MAX_M_S
        && motion.rate.norm() <= RATE_MAX_RAD_S
        && motion.acceleration.norm() <= ACCELERATION_MAX_M_S2
        && wheels.iter().all(|wheel| wheel.centre.is_finite() && wheel.velocity.norm() <= SPEED_MAX_M_S)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good() -> Response {
        let mut response = Response { wheel_count: 4, ..Response::default() };
        for wheel in &mut response.wheels[..4] {
            wheel.force = Vector3::new(1e3, -2e3, 6e3);
        }
        response
    }

    #[test]
    fn an_impossible_answer_is_refused() {
        let bounds = Bounds::new(2_500.0, 4, true, 1e-3);
        assert!(bounds.allow(&good(), 0.0, Some(1)));
        let spoils: [fn(&mut Response); 8] = [
            |response| response.wheel_count = 3,
            |response| response.wheels[3].force.z = f64::NAN,
            |response| response.wheels[0].torque.y = f64::INFINITY,
            |response| response.wheels[2].force.x = 1e6,
            |response| response.body_force.x = -1e7,
            |response| response.rack.displacement = 0.05,
            |response| response.rack.velocity = f64::NAN,
            |response| response.rack.acceleration = f64::NEG_INFINITY,
        ];
        for (number, spoil) in spoils.iter().enumerate() {
            let mut response = good();
            spoil(&mut response);
            assert!(!bounds.allow(&response, 0.0, Some(1)), "{number}");
        }
    }

    #[test]
    fn a_rack_may_move_further_after_a_silence() {
        let bounds = Bounds::new(2_500.0, 4, true, 1e-3);
        let mut response = good();
        response.rack.displacement = 0.05;
        assert!(bounds.allow(&response, 0.0, Some(100)));
    }

    #[test]
    fn an_impossible_motion_is_found() {
        let mut motion = Motion::default();
        assert!(is_possible_motion(&motion));
        motion.velocity.y = f64::NAN;
        assert!(!is_possible_motion(&motion));
        motion = Motion::default();
        motion.acceleration.z = 2e3;
        assert!(!is_possible_motion(&motion));
    }
}
