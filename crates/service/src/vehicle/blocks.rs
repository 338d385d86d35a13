//! Between the physics and the shared blocks: plain copies, bit by bit.

use shm_layout::blocks::{Driver, Forces, Kinematics, Vehicle, WheelKinematics};
use vehicle::subsystems::{Subsystems, Telemetry};
use vehicle::{Input, Motion, Quaternion, Rack, Response, Vector3, WHEELS_MAX, WheelMotion, WheelResponse};

/// The wheels of both sides are the same.
const _: () = assert!(WHEELS_MAX == shm_layout::blocks::WHEELS_MAX);

/// Fills `/kinematics/`, except its stamp.
pub fn write_kinematics(motion: &Motion, block: &mut Kinematics) {
    block.time_s = motion.time_s;
    [block.position_x_m, block.position_y_m, block.position_z_m] = motion.position.to_array();
    [block.orientation_w, block.orientation_x, block.orientation_y, block.orientation_z] =
        motion.orientation.to_wxyz();
    [block.velocity_x_m_s, block.velocity_y_m_s, block.velocity_z_m_s] = motion.velocity.to_array();
    [block.rate_x_rad_s, block.rate_y_rad_s, block.rate_z_rad_s] = motion.rate.to_array();
    [block.acceleration_x_m_s2, block.acceleration_y_m_s2, block.acceleration_z_m_s2] =
        motion.acceleration.to_array();
    block.rack_force_n = motion.rack_force_n;
    block.wheel_count = motion.wheel_count as u64;
    for (place, wheel) in block.wheels.iter_mut().zip(&motion.wheels[..motion.wheel_count]) {
        [place.position_x_m, place.position_y_m, place.position_z_m] = wheel.centre.to_array();
        [place.velocity_x_m_s, place.velocity_y_m_s, place.velocity_z_m_s] = wheel.velocity.to_array();
        [place.axle_x, place.axle_y, place.axle_z] = wheel.axle.to_array();
        [place.carrier_rate_x_rad_s, place.carrier_rate_y_rad_s, place.carrier_rate_z_rad_s] =
            wheel.carrier_rate.to_array();
    }
}

/// Reads `/kinematics/`.
pub fn read_kinematics(block: &Kinematics, motion: &mut Motion) {
    motion.time_s = block.time_s;
    motion.position = Vector3::new(block.position_x_m, block.position_y_m, block.position_z_m);
    motion.orientation = Quaternion::from_wxyz([
        block.orientation_w,
        block.orientation_x,
        block.orientation_y,
        block.orientation_z,
    ]);
    motion.velocity = Vector3::new(block.velocity_x_m_s, block.velocity_y_m_s, block.velocity_z_m_s);
    motion.rate = Vector3::new(block.rate_x_rad_s, block.rate_y_rad_s, block.rate_z_rad_s);
    motion.acceleration =
        Vector3::new(block.acceleration_x_m_s2, block.acceleration_y_m_s2, block.acceleration_z_m_s2);
    motion.rack_force_n = block.rack_force_n;
    motion.wheel_count = (block.wheel_count as usize).min(WHEELS_MAX);
    for (place, wheel) in motion.wheels.iter_mut().zip(&block.wheels[..motion.wheel_count]) {
        *place = wheel_motion(wheel);
    }
}

fn wheel_motion(wheel: &WheelKinematics) -> WheelMotion {
    WheelMotion {
        centre: Vector3::new(wheel.position_x_m, wheel.position_y_m, wheel.position_z_m),
        velocity: Vector3::new(wheel.velocity_x_m_s, wheel.velocity_y_m_s, wheel.velocity_z_m_s),
        axle: Vector3::new(wheel.axle_x, wheel.axle_y, wheel.axle_z),
        carrier_rate: Vector3::new(
            wheel.carrier_rate_x_rad_s,
            wheel.carrier_rate_y_rad_s,
            wheel.carrier_rate_z_rad_s,
        ),
    }
}

/// Fills `/forces/`, except its stamp.
pub fn write_forces(response: &Response, block: &mut Forces) {
    [block.body_force_x_n, block.body_force_y_n, block.body_force_z_n] = response.body_force.to_array();
    [block.body_torque_x_nm, block.body_torque_y_nm, block.body_torque_z_nm] =
        response.body_torque.to_array();
    block.rack_displacement_m = response.rack.displacement;
    block.rack_velocity_m_s = response.rack.velocity;
    block.rack_acceleration_m_s2 = response.rack.acceleration;
    block.wheel_count = response.wheel_count as u64;
    for (place, wheel) in block.wheels.iter_mut().zip(&response.wheels[..response.wheel_count]) {
        [place.force_x_n, place.force_y_n, place.force_z_n] = wheel.force.to_array();
        [place.torque_x_nm, place.torque_y_nm, place.torque_z_nm] = wheel.torque.to_array();
    }
}

/// Reads `/forces/`.
pub fn read_forces(block: &Forces, response: &mut Response) {
    response.body_force = Vector3::new(block.body_force_x_n, block.body_force_y_n, block.body_force_z_n);
    response.body_torque =
        Vector3::new(block.body_torque_x_nm, block.body_torque_y_nm, block.body_torque_z_nm);
    response.rack = Rack {
        displacement: block.rack_displacement_m,
        velocity: block.rack_velocity_m_s,
        acceleration: block.rack_acceleration_m_s2,
    };
    response.wheel_count = (block.wheel_count as usize).min(WHEELS_MAX);
    for (place, wheel) in response.wheels.iter_mut().zip(&block.wheels[..response.wheel_count]) {
        *place = WheelResponse {
            force: Vector3::new(wheel.force_x_n, wheel.force_y_n, wheel.force_z_n),
            torque: Vector3::new(wheel.torque_x_nm, wheel.torque_y_nm, wheel.torque_z_nm),
        };
    }
}

/// Fills `/vehicle/`, except its stamp and counts.
pub fn write_vehicle(motion: &Motion, subsystems: &Subsystems, block: &mut Vehicle) {
    let telemetry: &Telemetry = subsystems.telemetry();
    block.speed_m_s = motion.velocity.x;
    block.engine_speed_rad_s = telemetry.instruments.engine_speed_rad_s;
    block.engine_torque_nm = telemetry.instruments.engine_torque_nm;
    block.gear = i64::from(telemetry.instruments.gear);
    block.steering_feedback_nm = telemetry.feedback_nm;
    block.antilock_ratio = telemetry.antilock;
    block.steering_angle_rad = telemetry.input.steering_angle_rad;
    block.throttle_ratio = telemetry.input.throttle;
    block.brake_ratio = telemetry.input.brake;
    block.wheel_count = motion.wheel_count as u64;
    let spins = subsystems.rotation().wheels();
    for (wheel, spin) in spins.iter().enumerate().take(motion.wheel_count) {
        let (forces, contact) = (&telemetry.wheels[wheel], &telemetry.contacts[wheel]);
        let place = &mut block.wheels[wheel];
        place.slip_ratio = forces.slip_ratio;
        place.slip_angle_rad = forces.slip_angle_rad();
        place.load_n = forces.load_n;
        place.camber_rad = contact.camber_rad;
        place.friction = contact.friction;
        place.longitudinal_force_n = forces.longitudinal_n;
        place.lateral_force_n = forces.lateral_n;
        place.aligning_torque_nm = forces.aligning_nm;
        place.spin_angle_rad = spin.angle_rad;
        place.spin_rate_rad_s = spin.spin_rad_s;
        place.drive_torque_nm = forces.drive_nm;
        place.brake_torque_nm = forces.brake_nm;
    }
}

/// Fills the pedals and the steering wheel of `/driver/`.
pub fn write_driver(input: &Input, block: &mut Driver) {
    block.steering_angle_rad = input.steering_angle_rad;
    block.steering_rate_rad_s = input.steering_rate_rad_s;
    block.steering_acceleration_rad_s2 = input.steering_acceleration_rad_s2;
    block.throttle_ratio = input.throttle;
    block.brake_ratio = input.brake;
    block.brake_pressure_bar = input.brake_pressure_bar.unwrap_or(f64::NAN);
    block.clutch_ratio = input.clutch;
    block.gear = input.gear.map_or(GEAR_UNKNOWN, i64::from);
}

/// `/driver/` says so where no driver chooses a gear.
const GEAR_UNKNOWN: i64 = -128;

/// Reads the pedals and the steering wheel of `/driver/`; what is not known keeps its neutral
/// value.
#[must_use]
pub fn read_driver(block: &Driver) -> Input {
    let known = |value: f64, neutral: f64| if value.is_finite() { value } else { neutral };
    Input {
        steering_angle_rad: known(block.steering_angle_rad, 0.0),
        steering_rate_rad_s: known(block.steering_rate_rad_s, 0.0),
        steering_acceleration_rad_s2: known(block.steering_acceleration_rad_s2, 0.0),
        throttle: known(block.throttle_ratio, 0.0).clamp(0.0, 1.0),
        brake: known(block.brake_ratio, 0.0).clamp(0.0, 1.0),
        brake_pressure_bar: Some(block.brake_pressure_bar).filter(|value| value.is_finite()),
        clutch: known(block.clutch_ratio, 0.0).clamp(0.0, 1.0),
        gear: i32::try_from(block.gear).ok().filter(|_| block.gear != GEAR_UNKNOWN),
        ..Input::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(seed: &mut f64) -> Vector3 {
        let mut next = || {
            *seed += 0.137;
            *seed
        };
        Vector3::new(next(), next(), next())
    }

    #[test]
    fn a_motion_comes_back_bit_by_bit() {
        let mut seed = 1.0;
        let mut motion = Motion {
            time_s: 3.5,
            position: vector(&mut seed),
            orientation: Quaternion::from_wxyz([0.5, 0.1, -0.2, 0.3]),
            velocity: vector(&mut seed),
            rate: vector(&mut seed),
            acceleration: vector(&mut seed),
            rack_force_n: -7.25,
            wheel_count: 12,
            ..Motion::default()
        };
        for wheel in &mut motion.wheels[..12] {
            *wheel = WheelMotion {
                centre: vector(&mut seed),
                velocity: vector(&mut seed),
                axle: vector(&mut seed),
                carrier_rate: vector(&mut seed),
            };
        }
        let (mut block, mut back) = (Kinematics::default(), Motion::default());
        write_kinematics(&motion, &mut block);
        read_kinematics(&block, &mut back);
        assert_eq!(motion, back);
    }

    #[test]
    fn a_response_comes_back_bit_by_bit() {
        let mut seed = -4.0;
        let mut response = Response {
            body_force: vector(&mut seed),
            body_torque: vector(&mut seed),
            rack: Rack { displacement: 0.01, velocity: -0.2, acceleration: 3.0 },
            wheel_count: 6,
            ..Response::default()
        };
        for wheel in &mut response.wheels[..6] {
            *wheel = WheelResponse { force: vector(&mut seed), torque: vector(&mut seed) };
        }
        let (mut block, mut back) = (Forces::default(), Response::default());
        write_forces(&response, &mut block);
        read_forces(&block, &mut back);
        assert_eq!(response, back);
    }

    #[test]
    fn a_driver_who_says_nothing_does_nothing() {
        assert_eq!(read_driver(&Driver::default()), Input::default());
        let input = Input {
            steering_angle_rad: 0.5,
            throttle: 0.25,
            brake: 0.75,
            gear: Some(-1),
            brake_pressure_bar: Some(12.0),
            ..Input::default()
        };
        let mut block = Driver::default();
        write_driver(&input, &mut block);
        assert_eq!(read_driver(&block), input);
    }
}
