//! What must hold for every steering system, the compliance of the axles, and bad files.

use crate::support::files::{self, assert_faults, refused_when_cut_off};
use crate::support::{saved, turned};
use proptest::prelude::*;
use rt::allocation::forbid;
use vehicle::files::Source;
use vehicle::steering::{self, Compliance, Steering};
use vehicle::{DriverInput, Vector3};

/// The last one is the car's file behind smoothed samples.
const SHIPPED: [&str; 5] = ["hmmwv", "passenger-car", "tractor-semitrailer", "buggy", "smoothed"];

fn text_of(name: &str) -> String {
    if name == "smoothed" {
        return text_of("passenger-car") + "\n[smoothing]\nbandwidth_rad_s = 80.0\n";
    }
    files::text_of("steering", name)
}

fn shipped(name: &str) -> Box<dyn Steering> {
    steering::read(&Source::new(name, text_of(name).as_bytes())).unwrap_or_else(|error| panic!("{error}"))
}

fn finite() -> impl Strategy<Value = f64> {
    prop_oneof![any::<f64>(), -10.0..10.0f64].prop_map(|it| if it.is_finite() { it } else { 1.0 })
}

fn any_input() -> impl Strategy<Value = DriverInput> {
    (finite(), finite(), finite()).prop_map(|(angle, rate, acceleration)| turned(angle, rate, acceleration))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Finite for all finite inputs, whatever came before; the rack stays between its ends; a
    /// restart gives the same bits.
    #[test]
    fn every_answer_is_finite_and_can_be_taken_over(
        steps in prop::collection::vec((any_input(), finite(), finite(), 0.0..0.05f64), 2..30),
    ) {
        for name in SHIPPED {
            let (mut steering, mut again) = (shipped(name), shipped(name));
            for (index, (input, force, speed, step_s)) in steps.iter().enumerate() {
                if index == steps.len() / 2 {
                    let values = saved(steering.as_ref());
                    prop_assert!(again.load(&values) == values.len() && values.iter().all(|it| it.is_finite()), "{name}");
                }
                let found = steering.step(input, *force, *speed, *step_s);
                let rack = found.rack;
                let all = [rack.value, rack.rate, rack.acceleration, found.feedback_nm];
                prop_assert!(all.iter().all(|it| it.is_finite()), "{name} {found:?}");
                if name != "buggy" {
                    // A motor by wire may run past what is asked of it; a gear may not run past its
                    // ends.
                    prop_assert!(rack.value.abs() < 0.41, "{name} {found:?}");
                }
                if index >= steps.len() / 2 {
                    prop_assert_eq!(found, again.step(input, *force, *speed, *step_s));
                }
            }
        }
    }

    /// Left and right are mirror images.
    #[test]
    fn left_and_right_are_alike(
        steps in prop::collection::vec((-12.0..12.0f64, -5.0..5.0f64, -5.0..5.0f64, -5000.0..5000.0f64), 1..40),
    ) {
        for name in SHIPPED {
            let (mut left, mut right) = (shipped(name), shipped(name));
            for (angle, rate, acceleration, force) in &steps {
                let input = |side: f64| turned(side * angle, side * rate, side * acceleration);
                let one = left.step(&input(1.0), *force, 15.0, 1e-3);
                let other = right.step(&input(-1.0), -force, 15.0, 1e-3);
                prop_assert_eq!(one.rack.value, -other.rack.value, "{}", name);
                prop_assert_eq!(one.rack.rate, -other.rack.rate);
                prop_assert_eq!(one.rack.acceleration, -other.rack.acceleration);
                prop_assert_eq!(one.feedback_nm, -other.feedback_nm);
            }
        }
    }

    /// Compliance turns the axle about the carrier's up by the steer angle and leans it by the
    /// camber angle, whatever the carrier's attitude; the axle stays a unit vector.
    #[test]
    fn compliance_turns_the_axle(
        turn in prop::array::uniform3(-1.0..1.0f64), force in -8000.0..8000.0f64, moment in -300.0..300.0f64,
    ) {
        let compliance = Compliance::linear([-1e-6, 3e-5, 3e-6, 1e-5]);
        let (steer, camber) = (compliance.steer_rad(force, moment), compliance.camber_rad(force, moment));
        prop_assert!((steer - (-1e-6 * force + 3e-5 * moment)).abs() < 1e-15);
        prop_assert!((camber - (3e-6 * force + 1e-5 * moment)).abs() < 1e-15);
        let pose = vehicle::Quaternion::exp(turn.into());
        let [forward, left, up] = Vector3::AXES.map(|axis| pose.rotate(axis));
        let axle = compliance.turned_axle(left, up, force, moment);
        // By spherical coordinates: along up sin γ, in the level plane turned by δ.
        prop_assert!((axle.norm() - 1.0).abs() < 1e-14);
        prop_assert!((axle.dot(up) - camber.sin()).abs() < 1e-14, "{}", axle.dot(up));
        prop_assert!((-axle.dot(forward) - camber.cos() * steer.sin()).abs() < 1e-14);
        prop_assert!((axle.dot(left) - camber.cos() * steer.cos()).abs() < 1e-14);
    }
}

#[test]
fn a_step_leaves_the_heap_alone() {
    for name in SHIPPED {
        let mut steering = shipped(name);
        let compliance = steering::read_compliance(&Source::new(name, text_of(name).as_bytes())).expect("reads");
        let (mut values, mut sum) = ([0.0; 16], 0.0);
        forbid(|| {
            for index in 0..200 {
                let input = turned(f64::from(index) * 0.1, 1.0, 0.0);
                sum += steering.step(&input, 1000.0, 10.0, 1e-3).rack.value.abs();
                steering.save(&mut values);
                steering.load(&values);
                for axle in &compliance {
                    sum += axle.turned_axle(Vector3::AXES[1], Vector3::AXES[2], 1000.0, 10.0).y;
                }
            }
        });
        assert!(sum > 0.0, "{name}");
    }
}

/// The car's file: front and rear, by hand. A table is odd, and level beyond its end.
#[test]
fn compliance_is_read_from_the_file() {
    let car = steering::read_compliance(&Source::new("car", text_of("passenger-car").as_bytes())).expect("reads");
    assert_eq!(car.len(), 2);
    assert!((car[0].steer_rad(3000.0, -50.0) - (-3.0e-3 - 1.5e-3)).abs() < 1e-15);
    assert!((car[1].steer_rad(3000.0, 0.0) - 1.05e-3).abs() < 1e-15);
    assert!((car[1].camber_rad(-2000.0, 0.0) + 6e-3).abs() < 1e-15);
    let table = text_of("hmmwv")
        + "\n[[compliance]]\nforce_n = [0.0, 1000.0, 4000.0]\nsteer_rad = [0.0, 0.002, 0.003]\nsteer_rad_nm = 1e-5\n";
    let table = steering::read_compliance(&Source::new("table", table.as_bytes())).expect("reads");
    for (force, expected) in [(500.0, 0.001), (-2500.0, -0.0025), (9000.0, 0.003)] {
        assert!((table[0].steer_rad(force, 0.0) - expected).abs() < 1e-15, "{force}");
    }
    assert!((table[0].steer_rad(500.0, 100.0) - 0.002).abs() < 1e-15);
    assert_eq!(table[0].camber_rad(500.0, 100.0), 0.0);
    assert!(steering::read_compliance(&Source::new("hmmwv", text_of("hmmwv").as_bytes())).expect("reads").is_empty());
}

#[test]
fn compliance_without_a_level_axle_leaves_it() {
    let up = Vector3::AXES[2];
    assert_eq!(Compliance::linear([1e-6; 4]).turned_axle(up, up, 1000.0, 0.0), up);
}

const FILE: &str = r#"kind = "rack-and-pinion"
[gear]
angle_rad = [0.0, 1.5, 4.5]
travel_per_rad = [0.0079, 0.0079, 0.0093]
[ends]
travel = 0.08
give = 0.001
[assist]
torque_nm = [0.0, 1.0, 2.0]
boost_nm = [0.0, 1.0, 5.0]
[column]
stiffness_nm_rad = 115.0
damping_nms_rad = 2.0
inertia_kg_m2 = 0.035
[[compliance]]
force_n = [0.0, 1000.0]
steer_rad = [0.0, 0.002]
"#;

#[test]
fn bad_files_name_line_and_field() {
    assert!(steering::read(&Source::new("good", FILE.as_bytes())).is_ok());
    let cases = [
        ("rack-and-pinion", "tiller", 1, "kind"),
        ("rack-and-pinion", "by-wire", 1, "kind"),
        ("[0.0, 1.5, 4.5]", "[0.0, 1.5, 1.5]", 3, "gear.angle_rad[2]"),
        ("[0.0, 1.5, 4.5]", "[0.0, 1.5]", 4, "gear.travel_per_rad"),
        ("0.0093]", "-0.0093]", 4, "gear.travel_per_rad[2]"),
        ("angle_rad = [0.0, 1.5, 4.5]\n", "", 2, "gear"),
        ("travel = 0.08", "travel = inf", 6, "ends.travel"),
        ("give = 0.001", "gift = 0.001", 7, "ends.gift"),
        ("boost_nm = [0.0, 1.0, 5.0]", "boost_nm = [0.5, 1.0, 5.0]", 10, "assist.boost_nm"),
        ("boost_nm = [0.0, 1.0, 5.0]", "boost_nm = [0.0, 6.0, 5.0]", 10, "assist.boost_nm[2]"),
        ("stiffness_nm_rad = 115.0", "stiffness_nm_rad = 0.0", 12, "column.stiffness_nm_rad"),
        ("inertia_kg_m2 = 0.035", "inertia_kg_m2 = \"light\"", 14, "column.inertia_kg_m2"),
        ("force_n = [0.0, 1000.0]\n", "", 16, "compliance[0].steer_rad"),
        ("steer_rad = [0.0, 0.002]", "steer_rad = [0.1, 0.002]", 17, "compliance[0].steer_rad"),
    ];
    assert_faults(FILE, &cases, steering::read);
}

/// A file is read or refused, whatever it contains: here every shipped file cut off at every place.
#[test]
fn files_that_are_cut_off_do_not_panic() {
    let refused: usize = SHIPPED.iter().map(|name| refused_when_cut_off(&text_of(name), 1, steering::read)).sum();
    assert!(refused > 1000, "{refused}");
}
