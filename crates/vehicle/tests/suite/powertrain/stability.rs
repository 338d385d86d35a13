//! Light wheels on a stiff driveline: no ringing, whatever the substep and the speed.

use crate::powertrain::rig::{SHIPPED, Wheels, drive, shipped};
use vehicle::DriverInput;

/// Light wheels that a tyre-like road holds near a speed: forwards, standing and backwards. After
/// two seconds nothing changes from substep to substep by more than 0.1 % of the greatest torque: a
/// chattering clutch, differential, governor or limiter would change by its whole capacity.
#[test]
fn no_part_chatters_at_any_substep() {
    let cases =
        [(None, 0.0), (None, 3.0), (None, 30.0), (None, 90.0), (Some(1), -4.0), (Some(-1), -6.0), (Some(-1), 0.0)];
    for (name, count) in SHIPPED {
        let (inertia_kg_m2, road_nms_rad) = if name == "tractor" { (20.0, 8000.0) } else { (1.0, 600.0) };
        for (gear, road_rad_s) in cases {
            for (throttle, substep_s) in [(0.0, 1e-3), (0.3, 5e-4), (1.0, 2.5e-4), (1.0, 1e-3)] {
                let mut train = shipped(name, count);
                let mut wheels = Wheels::new(count, inertia_kg_m2, road_rad_s);
                let input = DriverInput { gear: gear.unwrap_or(DriverInput::GEAR_UNKNOWN), ..drive(throttle) };
                let (mut greatest, mut change) = (1.0_f64, 0.0_f64);
                let steps = (2.5 / substep_s) as usize;
                for step in 0..steps {
                    let before = wheels.torque_nm.clone();
                    for (k, road) in wheels.road_nm.iter_mut().enumerate() {
                        *road = -road_nms_rad * (wheels.spin_rad_s[k] - road_rad_s);
                    }
                    wheels.step(&mut train, &input, substep_s, 1);
                    for (old, new) in before.iter().zip(&wheels.torque_nm) {
                        greatest = greatest.max(new.abs());
                        if step > 4 * steps / 5 {
                            change = change.max((new - old).abs());
                        }
                    }
                }
                assert!(
                    change < 1e-3 * greatest,
                    "{name}, gear {gear:?}, {road_rad_s} rad/s, throttle {throttle}, substep {substep_s}: {change} of {greatest} Nm"
                );
            }
        }
    }
}
