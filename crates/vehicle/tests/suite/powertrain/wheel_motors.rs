//! Motors at the wheels against closed forms, and bad files.

use crate::powertrain::rig::{RPM, drive, text};
use crate::support::files::assert_faults;
use vehicle::DriverInput;
use vehicle::files::Source;
use vehicle::powertrain::{Drive, Powertrain, read};

/// Two motors of 100 Nm and 20 kW (corner at 200 rad/s) behind 5 to 1.
const PLAIN: &str = r#"
kind = "wheel-motors"
[[motors]]
wheels = [3, 4]
ratio = 5.0
torque_max_nm = 100.0
power_max_w = 20e3
speed_max_rpm = 9549.296585513720       # 1000 rad/s
regeneration = 0.5
inertia_kg_m2 = 0.04
"#;

fn parse(text: &str) -> Box<dyn Powertrain> {
    read(&Source::new("test.toml", text.as_bytes()), 4).unwrap_or_else(|error| panic!("{error}"))
}

fn at(train: &mut dyn Powertrain, input: &DriverInput, spin: [f64; 4]) -> Drive {
    let mut drive = Drive::new(4);
    train.begin_step(input, &spin, 1e-3);
    train.torques(&spin, 1e-3, &mut drive);
    drive
}

/// 5 × 100 Nm below the corner, 20 kW over the wheel's speed above it (the curve's chords are 0.1 %
/// off), and each wheel by its own speed: nothing joins them.
#[test]
fn each_wheel_has_torque_then_power_by_its_own_speed() {
    let mut train = parse(PLAIN);
    let found = at(&mut *train, &drive(1.0), [7.0, 9.0, 20.0, 100.0]);
    assert_eq!(found.torque_nm[..3], [0.0, 0.0, 500.0]);
    assert!((found.torque_nm[3] / 200.0 - 1.0).abs() < 1e-3, "{}", found.torque_nm[3]);
    assert_eq!(found.inertia_kg_m2[..4], [0.0, 0.0, 1.0, 1.0]);
    let coupled = (0..4).flat_map(|row| (0..4).map(move |column| (row, column)));
    for (row, column) in coupled.filter(|(row, column)| row != column) {
        assert_eq!(found.damping[row * 4 + column], 0.0);
    }
    // −dT/dΩ of 20 kW/Ω at 100 rad/s is 2 Nms/rad; a chord of the curve is a few per cent off.
    assert!((found.damping[15] / 2.0 - 1.0).abs() < 0.05, "{}", found.damping[15]);
}

/// A released pedal brakes with half of it, reverse turns it round, neutral lets it roll.
#[test]
fn regeneration_reverse_and_neutral() {
    let mut train = parse(PLAIN);
    assert_eq!(at(&mut *train, &drive(0.0), [20.0; 4]).torque_nm[3], -250.0);
    let gear = |gear: i32| DriverInput { gear: i64::from(gear), ..drive(1.0) };
    assert_eq!(at(&mut *train, &gear(-1), [-20.0; 4]).torque_nm[3], -500.0);
    assert_eq!(at(&mut *train, &gear(0), [20.0; 4]).torque_nm[3], 0.0);
}

/// Wheels of 2 kg m² that turn freely get 500 Nm and carry rotors of 25 × 0.04 = 1 kg m²: 500/3
/// rad/s² each. The body gets what wheels and rotors gain: per side 2 × 166.7 Nm of the wheel and
/// 0.04 × 5 × 166.7 Nm of the rotor, backwards.
#[test]
fn the_body_gets_what_wheels_and_rotors_gain() {
    let mut train = parse(PLAIN);
    let drive_now = at(&mut *train, &drive(1.0), [10.0; 4]);
    let acceleration = drive_now.torque_nm[3] / (2.0 + drive_now.inertia_kg_m2[3]);
    assert!((acceleration - 500.0 / 3.0).abs() < 1e-9);
    train.advance(&[10.0 + 1e-3 * acceleration; 4], 1e-3);
    let expected = -2.0 * (2.0 + 0.04 * 5.0) * acceleration;
    let found = train.body_torque_nm().y;
    assert!((found / expected - 1.0).abs() < 1e-9, "{found} Nm, expected {expected} Nm");
    let shown = train.instruments();
    assert_eq!((shown.gear, shown.engine_torque_nm), (1, 200.0));
    assert!((shown.engine_speed_rad_s - 5.0 * (10.0 + 1e-3 * acceleration)).abs() < 1e-9);
}

/// The shipped file has the power of the single motor of `electric-car.toml`: 150 kW at 100 rad/s
/// of the wheels.
#[test]
fn the_shipped_motors_have_their_power() {
    let mut train = parse(&text("wheel-motors"));
    let found = at(&mut *train, &drive(1.0), [100.0; 4]);
    let power: f64 = found.torque_nm.iter().map(|torque| torque * 100.0).sum();
    assert!((power / 150e3 - 1.0).abs() < 1e-3, "{power} W");
    const { assert!(16000.0 * RPM / 9.0 > 100.0, "below its greatest speed") };
}

#[test]
fn bad_files_name_line_and_field() {
    let cases = [
        ("\"wheel-motors\"", "\"steam\"", 2, "kind"),
        ("[3, 4]", "[3, 5]", 4, "motors[0].wheels[1]"),
        ("[3, 4]", "[3, 3]", 4, "motors[0].wheels[1]"),
        ("ratio = 5.0", "ratio = 0.0", 5, "motors[0].ratio"),
        ("power_max_w = 20e3", "power_max_w = nan", 7, "motors[0].power_max_w"),
        ("regeneration = 0.5", "regeneration = 1.5", 9, "motors[0].regeneration"),
        ("inertia_kg_m2", "inertia", 10, "motors[0].inertia"),
    ];
    assert_faults(PLAIN, &cases, |source| read(source, 4));
}
