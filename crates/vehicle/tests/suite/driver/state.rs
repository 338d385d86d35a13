//! A driver that was saved and loaded goes on with the same bits; whatever it is shown, what it
//! does is finite and within its limits.

use crate::driver::bicycle::{self, Bicycle};
use crate::driver::{driver_of, imposed, manoeuvre, shipped_files};
use crate::support::saved;
use proptest::prelude::*;
use vehicle::{DriverInput, Kinematics, Quaternion, Vector3};

fn bits(input: &DriverInput) -> Vec<u64> {
    signals::Payload::words(input).to_vec()
}

fn start(vehicle: &mut Bicycle, manoeuvre: &vehicle::driver::Manoeuvre) {
    vehicle.forward = manoeuvre.initial.speed_m_s;
    (vehicle.x, vehicle.y) = (manoeuvre.initial.position_m[0], manoeuvre.initial.position_m[1]);
}

#[test]
fn every_shipped_manoeuvre_goes_on_with_the_same_bits() {
    for (name, text) in shipped_files() {
        let manoeuvre = manoeuvre(&text);
        let mut vehicle = bicycle::car();
        vehicle.setup.steered_by = manoeuvre.channel().imposes().unwrap_or_default();
        start(&mut vehicle, &manoeuvre);
        let mut first = manoeuvre.driver(&vehicle.setup).expect("a driver");
        for index in 0..3000 {
            let motion = vehicle.motion();
            let input = if index % 500 == 499 {
                // Another driver takes over from the saved numbers.
                let values = saved(first.as_ref());
                assert!(values.iter().all(|value| value.is_finite()), "{name}");
                let mut second = manoeuvre.driver(&vehicle.setup).expect("a driver");
                assert_eq!(second.load(&values), values.len(), "{name}");
                let input = second.drive(&motion, 0.004);
                assert_eq!(bits(&input), bits(&first.drive(&motion, 0.004)), "{name} at step {index}");
                assert_eq!(saved(second.as_ref()), saved(first.as_ref()));
                first = second;
                input
            } else {
                first.drive(&motion, 0.004)
            };
            vehicle.step(&input, 0.004);
        }
    }
}

fn any_motion() -> impl Strategy<Value = Kinematics> {
    let size = prop_oneof![Just(1.0), Just(30.0), Just(1e4), Just(1e12), Just(1e150), Just(1e300)];
    let vector = || {
        (prop::array::uniform3(-1.0..1.0_f64), size.clone())
            .prop_map(|(part, size)| Vector3::new(part[0], part[1], part[2]) * size)
    };
    let time = prop_oneof![0.0..100.0_f64, -1e300..1e300_f64];
    (time, vector(), vector(), vector(), vector(), vector()).prop_map(
        |(time_s, position, turn, velocity, rate, acceleration)| Kinematics {
            time_s,
            position_m: position,
            orientation: if turn.norm() < 1e3 { Quaternion::exp(turn) } else { Quaternion { w: 0.3, v: turn } },
            velocity_m_s: velocity,
            rate_rad_s: rate,
            acceleration_m_s2: acceleration,
            ..Kinematics::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn finite_motions_give_finite_inputs_within_limits(motions in prop::collection::vec(any_motion(), 1..12), step_s in 1e-5..0.1_f64) {
        for (name, text) in shipped_files() {
            let mut driver = driver_of(&text);
            for motion in &motions {
                let input = driver.drive(motion, step_s);
                driver.has_finished(motion);
                for pedal in [input.throttle_ratio, input.brake_ratio, input.clutch_ratio] {
                    prop_assert!((0.0..=1.0).contains(&pedal), "{}: {:?}", name, input);
                }
                let rack = imposed(&input).unwrap_or_default();
                for value in [input.steering_angle_rad, input.steering_rate_rad_s, input.steering_acceleration_rad_s2,
                    rack.value, rack.rate, rack.acceleration] {
                    prop_assert!(value.is_finite(), "{}: {:?}", name, input);
                }
            }
        }
    }
}
