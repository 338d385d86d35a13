//! What is particular to the tank and to the car: balances, limits, standstill.

use crate::outputs;
use plant::description::{ValueError, index_of, set, value};
use plant::{Method, Plant, PlantKind, StepStatus};

fn build(kind: PlantKind, changed: &[(&str, f64)], initial: &[(&str, f64)]) -> Box<dyn Plant> {
    crate::build(kind, changed, initial, Method::Rk4)
}

fn output(plant: &dyn Plant, name: &str) -> f64 {
    outputs(plant)[index_of(&plant.description().outputs, name).expect("an output")]
}

/// The erratum of RTSDS §5.1: 43.2 cm³/s flow out of the full tank, not 17.81.
#[test]
fn the_outflow_of_a_full_tank() {
    let plant = build(PlantKind::Tank, &[], &[("level_cm", 30.0)]);
    let outflow = output(&*plant, "outflow_cm3_s");
    assert!((outflow - 43.187).abs() < 1e-3, "{outflow}");
}

/// Water is neither made nor lost: the change of volume is the integral of the flows. RK4 at 1 ms
/// and the trapezoidal sum of the flows agree to the error of the sum, h²/12·T·|q̈| < 10⁻⁵ cm³.
#[test]
fn the_tank_keeps_its_water() {
    let (step_s, inputs) = (0.001, [0.7, 0.8]);
    let mut plant = build(PlantKind::Tank, &[], &[("level_cm", 8.0)]);
    plant.step(&inputs, step_s);
    let start = output(&*plant, "level_cm");
    let net = |plant: &dyn Plant| output(plant, "inflow_cm3_s") - output(plant, "outflow_cm3_s");
    let mut volume = 0.0;
    for _ in 0..5000 {
        let before = net(&*plant);
        plant.step(&inputs, step_s);
        volume += 0.5 * step_s * (before + net(&*plant));
    }
    let change = 15.518 * (output(&*plant, "level_cm") - start);
    assert!((change - volume).abs() < 1e-5, "{change} and {volume}");
}

#[test]
fn a_full_tank_runs_over_and_says_so() {
    let mut plant = build(PlantKind::Tank, &[], &[("level_cm", 29.9)]);
    let mut reached = false;
    for _ in 0..100 {
        reached |= plant.step(&[1.0, 0.0], 0.1).contains(StepStatus::LIMIT_REACHED);
    }
    assert!(reached && output(&*plant, "level_cm") == 30.0);
    let status = plant.step(&[0.0, 1.0], 0.1);
    assert!(status.is_ok() && output(&*plant, "level_cm") < 30.0, "and empties at once: {status}");
}

/// Newton's second law between the published outputs, at every speed below the limit.
#[test]
fn the_forces_of_the_car_balance() {
    let mut plant = build(PlantKind::Car, &[], &[]);
    for step in 0..2000 {
        let torque = 0.5 + 0.5 * (f64::from(step) * 0.01).sin();
        plant.step(&[torque, 0.3], 0.05);
        let force = output(&*plant, "traction_force_n") - output(&*plant, "resistance_force_n");
        let inertia = 450.0 * output(&*plant, "acceleration_m_s2");
        assert!((force - inertia).abs() < 1e-9 * 7700.0, "step {step}: {force} and {inertia}");
    }
}

/// Our Eq. (7): neither rolling resistance nor a slope moves a standing car, and it drives off as
/// soon as the motor wins. The printed Eq. 25 would give −0.147 m/s² on the level at no torque.
#[test]
fn a_standing_car_stays_until_the_motor_wins() {
    let mut plant = build(PlantKind::Car, &[], &[]);
    let rolling_ratio = 450.0 * 9.8 * 0.015 * 0.26 / 2000.0;
    for torque in [0.0, 0.5 * rolling_ratio, 0.999 * rolling_ratio] {
        let status = plant.step(&[torque, 0.0], 0.1);
        assert!(status.is_ok() && output(&*plant, "speed_m_s") == 0.0, "torque {torque}: {status}");
        assert_eq!(output(&*plant, "acceleration_m_s2"), 0.0);
        assert_eq!(output(&*plant, "resistance_force_n"), output(&*plant, "traction_force_n"));
    }
    plant.step(&[0.2, 1.0], 0.1);
    assert_eq!(output(&*plant, "speed_m_s"), 0.0, "a slope of 60 degrees is too much for 400 Nm");
    plant.step(&[1.01 * rolling_ratio, 0.0], 0.1);
    assert!(output(&*plant, "speed_m_s") > 0.0);
}

#[test]
fn a_rolling_car_stops_and_does_not_roll_back() {
    let mut plant = build(PlantKind::Car, &[], &[("speed_m_s", 5.0)]);
    let mut reached = false;
    for _ in 0..100 {
        reached |= plant.step(&[0.0, 0.5], 0.1).contains(StepStatus::LIMIT_REACHED);
    }
    assert!(reached && output(&*plant, "speed_m_s") == 0.0);
    let stopped_m = output(&*plant, "position_m");
    (0..100).for_each(|_| {
        plant.step(&[0.0, 1.0], 0.1);
    });
    assert_eq!(output(&*plant, "position_m"), stopped_m);
}

#[test]
fn the_speed_limit_holds() {
    let changed = [("torque_max_nm", 1e6), ("speed_max_m_s", 60.0)];
    let mut plant = build(PlantKind::Car, &changed, &[("speed_m_s", 59.0)]);
    let status = plant.step(&[1.0, 0.0], 0.1);
    assert!(status.contains(StepStatus::LIMIT_REACHED));
    assert_eq!((output(&*plant, "speed_m_s"), output(&*plant, "acceleration_m_s2")), (60.0, 0.0));
}

/// A step that would end in infinity keeps the state before it.
#[test]
fn a_state_that_would_not_be_finite_is_held() {
    let mut plant = build(PlantKind::Car, &[("torque_max_nm", 1e6), ("wheel_radius_m", 1e-3)], &[]);
    let status = plant.step(&[1.0, 0.0], f64::MAX);
    assert!(status.contains(StepStatus::STATE_HELD), "{status}");
    assert_eq!(output(&*plant, "speed_m_s"), 0.0);
    assert!(!plant.step(&[1.0, 0.0], 0.001).contains(StepStatus::STATE_HELD), "and the next step is good");
}

#[test]
fn parameters_are_checked_by_name_and_range() {
    let mut parameters = PlantKind::Car.parameters();
    let mut set = |name: &str, value: f64| set(&mut parameters, "a parameter", name, value);
    let unknown = set("mass", 1.0).expect_err("no such name");
    assert!(matches!(&unknown, ValueError::Unknown { .. }) && unknown.to_string().contains("mass_kg"));
    for value in [-1.0, 0.0, f64::NAN, f64::INFINITY] {
        let error = set("mass_kg", value).expect_err("impossible");
        assert!(matches!(error, ValueError::OutOfRange { .. }), "{error}");
    }
    set("mass_kg", 900.0).expect("a mass");
    assert_eq!(value(&parameters, "mass_kg"), 900.0);
}
