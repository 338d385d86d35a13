//! Setting off, stalling, standing and the clutch.

use crate::powertrain::rig::{PLAIN, Rolling, drive, parse, shipped, text};
use vehicle::DriverInput;
use vehicle::powertrain::Powertrain;

/// The automatic clutch sets off with a loaded car without stalling, slips until the speeds meet,
/// then locks for good.
#[test]
fn an_automatic_clutch_sets_off_and_locks() {
    let mut train = shipped("passenger-car", 4);
    let mut car = Rolling::new(4, 1800.0, 0.326, 0.0);
    let (mut slips, mut lowest) = (0, f64::INFINITY);
    let mut locked_before = false;
    for _ in 0..2500 {
        let input = DriverInput { gear: 1, ..drive(0.6) };
        car.step(&mut train, &input, 1e-3, 4);
        let engine = train.instruments().engine_speed_rad_s;
        let locked = (engine - train.input_rad_s()).abs() < 1e-9;
        slips += usize::from(locked_before && !locked);
        locked_before = locked;
        lowest = lowest.min(engine);
    }
    assert!(locked_before && slips == 0, "it opened {slips} times");
    assert!(lowest > 83.0, "idle is 83.8 rad/s: {lowest}");
    assert!(car.speed_m_s > 5.0);
}

/// Braking to a stop in gear: the automatic clutch opens and the engine idles.
#[test]
fn an_automatic_clutch_opens_before_the_engine_stalls() {
    let mut train = shipped("passenger-car", 4);
    let mut car = Rolling::new(4, 1800.0, 0.326, 12.0);
    for _ in 0..6000 {
        car.resistance_n = if car.speed_m_s > 0.0 { 8000.0 } else { 0.0 };
        car.step(&mut train, &drive(0.0), 1e-3, 4);
        car.speed_m_s = car.speed_m_s.max(0.0);
    }
    let idle = train.instruments().engine_speed_rad_s;
    assert!((idle - 800.0 * std::f64::consts::PI / 30.0).abs() < 0.5, "{idle}");
    assert_eq!(train.instruments().gear, 1);
}

/// A driver with a pedal who lets the clutch come without throttle at a standstill stalls the
/// engine; pressing the pedal starts it again.
#[test]
fn a_stalled_engine_starts_again_when_the_clutch_is_pressed() {
    let manual = text("passenger-car").replace("operated_by = \"automatic\"", "operated_by = \"pedal\"");
    let mut train = parse(&manual, 4);
    let mut car = Rolling::new(4, 1e9, 0.326, 0.0);
    let held = |clutch: f64| DriverInput { clutch_ratio: clutch, gear: 1, ..DriverInput::RELEASED };
    car.run(&mut train, &held(0.0), 1000, 4);
    assert!(train.instruments().engine_speed_rad_s.abs() < 1.0, "{:?}", train.instruments());
    car.run(&mut train, &held(1.0), 2000, 4);
    assert!((train.instruments().engine_speed_rad_s - 83.8).abs() < 0.5, "{:?}", train.instruments());
}

/// In neutral the pedal turns the engine and not the wheels; it goes up to the limiter and idles
/// again.
#[test]
fn neutral_lets_the_engine_turn_alone() {
    for name in ["hmmwv", "passenger-car", "buggy"] {
        let mut train = shipped(name, 4);
        let mut car = Rolling::new(4, 1500.0, 0.3, 0.0);
        let neutral = |throttle| DriverInput { gear: 0, ..drive(throttle) };
        car.run(&mut train, &neutral(1.0), 4000, 4);
        let fast = train.instruments().engine_speed_rad_s;
        assert!(fast > 250.0 && car.speed_m_s == 0.0, "{name}: {fast} {}", car.speed_m_s);
        car.run(&mut train, &neutral(0.0), 20_000, 4);
        let idle = train.instruments().engine_speed_rad_s;
        assert!((70.0..100.0).contains(&idle), "{name}: {idle}");
    }
}

/// A converter creeps: in drive with released pedals the car moves off slowly, and a held one
/// stands with the engine near idle.
#[test]
fn a_converter_creeps_from_idle() {
    let mut train = shipped("hmmwv", 4);
    let mut car = Rolling::new(4, 2577.0, 0.47, 0.0);
    car.run(&mut train, &drive(0.0), 5000, 4);
    assert!((0.3..4.0).contains(&car.speed_m_s), "{}", car.speed_m_s);
    let droop = train.instruments().engine_speed_rad_s / 73.3;
    assert!((0.9..1.01).contains(&droop), "{droop}");
}

/// Lock-up: at speed engine and turbine turn as one, and opening for the next shift does not jerk
/// the engine.
#[test]
fn lock_up_joins_engine_and_turbine() {
    let mut train = shipped("hmmwv", 4);
    let mut car = Rolling::new(4, 2577.0, 0.47, 12.0);
    car.resistance_n = 1000.0;
    car.run(&mut train, &drive(0.15), 5000, 4);
    assert_eq!(train.instruments().engine_speed_rad_s, train.input_rad_s());
}

/// Substeps of 0.25 ms and 1 ms give the same launch: the difference falls with the substep (first
/// order), and is below 1 % after 6 s.
#[test]
fn the_substep_does_not_matter() {
    for name in ["hmmwv", "passenger-car", "buggy", "electric-car"] {
        let speed = |substeps: usize| {
            let mut train = shipped(name, 4);
            let mut car = Rolling::new(4, 1500.0, 0.3, 0.0);
            car.run(&mut train, &drive(0.7), 6000, substeps);
            car.speed_m_s
        };
        let (coarse, fine, finest) = (speed(1), speed(4), speed(16));
        assert!((coarse / finest - 1.0).abs() < 0.01, "{name}: {coarse} {fine} {finest}");
        assert!((fine / finest - 1.0).abs() < 0.005, "{name}: {coarse} {fine} {finest}");
    }
}

/// An electric car of 1500 kg that rolls at 10 m/s with the pedal released brakes with 0.2 of its
/// torque: 60 Nm · 9 · 0.3⁻¹, friction adds 3 %.
#[test]
fn an_electric_motor_brakes_with_its_pedal_released() {
    let mut train = shipped("electric-car", 4);
    let mut car = Rolling::new(4, 1500.0, 0.3, 10.0);
    car.step(&mut train, &drive(0.0), 1e-3, 4);
    car.step(&mut train, &drive(0.0), 1e-3, 4);
    let inertia = 1500.0 * 0.09 + 2.0 * 0.05 + 0.04 * 81.0 * 1.03;
    let deceleration = 60.0 * 9.0 * 1.03 / inertia * 0.3;
    assert!((10.0 - car.speed_m_s - 2e-3 * deceleration).abs() < 1e-3 * deceleration, "{}", car.speed_m_s);
    assert!(train.instruments().engine_power_w < 0.0);
}

#[test]
fn a_new_powertrain_takes_over_a_rolling_vehicle_without_a_jump() {
    for (name, wheels) in crate::powertrain::rig::SHIPPED {
        let mut train = shipped(name, wheels);
        let mut car = Rolling::new(wheels, 3000.0, 0.4, 14.0);
        car.step(&mut train, &drive(0.2), 1e-3, 4);
        assert!((car.speed_m_s - 14.0).abs() < 0.01, "{name}: {}", car.speed_m_s);
    }
    let mut train = parse(PLAIN, 4);
    let mut car = Rolling::new(4, 3000.0, 0.4, 14.0);
    car.step(&mut train, &drive(0.2), 1e-3, 4);
    assert!((car.speed_m_s - 14.0).abs() < 0.01);
}
