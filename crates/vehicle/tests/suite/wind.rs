//! The wind belongs to the manoeuvre: it blows whoever drives, a driver of another process too.

use vehicle::assembly::{Choice, Setup};
use vehicle::subsystems::External;
use vehicle::{DriverInput, Vector3};

#[test]
fn the_wind_of_a_manoeuvre_blows_on_any_driver() {
    let folder = tempfile::tempdir().expect("a folder");
    let manoeuvre = folder.path().join("crosswind.toml");
    let text = "name = \"crosswind\"\nvehicle = \"passenger-car\"\ninitial = { speed_m_s = 20.0 }\n\
        wind = { speed_m_s = [[0.0, 0.0], [1.0, 20.0]], direction_deg = 90.0, interpolation = \"linear\" }\n\
        steering = { kind = \"hold\", angle_deg = 0.0 }\n";
    std::fs::write(&manoeuvre, text).expect("written");
    let choice = Choice { manoeuvre: manoeuvre.display().to_string(), ..Choice::default() };
    let setup = Setup::read(&choice, 1e-3).expect("a vehicle");
    let (mechanism, mut subsystems) = (setup.mechanism().expect("it stands"), setup.subsystems().expect("models"));
    let mut motion = *mechanism.motion();
    // A driver of another process knows nothing of the wind.
    let driver = DriverInput::RELEASED;
    let mut air_at = |time_s: f64| {
        motion.time_s = time_s;
        subsystems.answer(&motion, &driver, &External::default());
        (subsystems.state().wind_m_s, subsystems.state().air_force_n)
    };
    let (calm, still) = air_at(0.0);
    assert_eq!(calm, Vector3::ZERO);
    // By the straight line of the table, half way up at 0.5 s; 90° is E's y, to the vehicle's left.
    let (wind, pushed) = air_at(0.5);
    assert!((wind - Vector3::new(0.0, 10.0, 0.0)).norm() < 1e-12, "{wind:?}");
    // models/aerodynamics/passenger-car.toml: F_y = ρ/2 A V² 2.3 β, with V² = 20² + 10² and
    // tan β = 10/20. The car stands level to within a thousandth.
    let expected_n = 0.5 * 1.225 * 2.1 * 500.0 * 2.3 * 0.5_f64.atan();
    assert!((pushed.y - expected_n).abs() < 1e-2 * expected_n, "{pushed:?}, expected {expected_n}");
    assert!(still.y.abs() < 1e-2 * expected_n, "{still:?}");
}
