//! One suite for all controllers, and what is particular to the PID controller.

use crate::build;
use plant::control::{Direct, Pid, PidError, PidSettings};
use plant::description::Description;
use plant::{ControlStatus, Controller, Method, PlantKind, RestoreError};

const STEP_S: f64 = 0.1;

fn description() -> Description {
    build(PlantKind::Tank, &[], &[], Method::Rk4).description().clone()
}

fn settings(kp: f64, ki: f64, kd: f64) -> PidSettings {
    PidSettings {
        measured: "level_cm".into(),
        driven: "inlet_valve_ratio".into(),
        kp,
        ki,
        kd,
        derivative_filter_s: None,
        error_full_scale: None,
    }
}

fn pid(kp: f64, ki: f64, kd: f64) -> Pid {
    Pid::new(&description(), &settings(kp, ki, kd)).expect("valid settings")
}

fn all() -> Vec<Box<dyn Controller>> {
    vec![Box::new(Direct::new(&description())), Box::new(pid(2.0, 0.2, 0.05))]
}

/// One update with a level; gives the valve and the status.
fn update(controller: &mut dyn Controller, demands: &[f64], level_cm: f64) -> ([f64; 2], ControlStatus) {
    let mut inputs = [f64::NAN; 2];
    let status = controller.update(demands, &[level_cm, 0.0, 0.0], STEP_S, &mut inputs);
    (inputs, status)
}

fn demands(controller: &dyn Controller, first: f64) -> Vec<f64> {
    let others = controller.description().demands.iter().skip(1).map(|port| port.default);
    [first].into_iter().chain(others).collect()
}

#[test]
fn demands_and_inputs_are_described() {
    let names = |controller: &dyn Controller| {
        controller.description().demands.iter().map(|port| port.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&Direct::new(&description())), ["inlet_valve_ratio", "outlet_valve_ratio"]);
    assert_eq!(names(&pid(1.0, 0.0, 0.0)), ["level_cm", "outlet_valve_ratio"]);
    for controller in all() {
        assert_eq!(controller.description().input_count, 2);
    }
}

#[test]
fn answers_are_inputs_that_the_plant_accepts() {
    for mut controller in all() {
        for step in 0..500 {
            let level_cm = 15.0 + 16.0 * (f64::from(step) * 0.1).sin();
            let (inputs, _) = update(&mut *controller, &[0.4, 0.6], level_cm);
            assert!(inputs.iter().all(|input| (0.0..=1.0).contains(input)), "{inputs:?}");
        }
    }
}

#[test]
fn bad_demands_hold_the_last_good_ones() {
    for mut controller in all() {
        let good = demands(&*controller, 0.3);
        let (before, _) = update(&mut *controller, &good, 0.2);
        controller.reset();
        update(&mut *controller, &good, 0.2);
        let state = controller.state().to_vec();
        for bad in [vec![f64::NAN; 2], vec![f64::INFINITY; 2], vec![]] {
            controller.restore(&state).expect("its own state");
            let (inputs, status) = update(&mut *controller, &bad, 0.2);
            assert!(status.contains(ControlStatus::DEMAND_HELD), "{status}");
            assert!((inputs[0] - before[0]).abs() < 0.01 && inputs[1] == before[1], "{inputs:?} {before:?}");
        }
        let (_, status) = update(&mut *controller, &[1e9, 0.5], 0.2);
        assert!(status.contains(ControlStatus::DEMAND_CLAMPED), "{status}");
    }
}

#[test]
fn a_restored_controller_gives_the_answers_of_the_old_one() {
    for (mut old, mut new) in all().into_iter().zip(all()) {
        let demands = demands(&*old, 0.5);
        for step in 0..100 {
            update(&mut *old, &demands, f64::from(step) * 0.1);
        }
        new.restore(old.state()).expect("its own state");
        for step in 100..200 {
            let (from_old, from_new) = (
                update(&mut *old, &demands, f64::from(step) * 0.1),
                update(&mut *new, &demands, f64::from(step) * 0.1),
            );
            assert_eq!(from_old.0.map(f64::to_bits), from_new.0.map(f64::to_bits));
        }
    }
}

#[test]
fn a_state_that_is_not_its_own_is_refused() {
    for mut controller in all() {
        let state = controller.state().to_vec();
        let short = controller.restore(&state[1..]);
        assert!(matches!(short, Err(RestoreError::Length { .. })));
        let mut broken = state.clone();
        broken[0] = f64::NAN;
        assert!(matches!(controller.restore(&broken), Err(RestoreError::NotFinite { index: 0, .. })));
        assert_eq!(controller.state(), state);
    }
}

#[test]
fn slices_of_any_length_are_survived() {
    for mut controller in all() {
        for length in [0, 1, 5] {
            let mut inputs = vec![0.5; length];
            controller.update(&vec![0.5; length], &vec![0.5; length], STEP_S, &mut inputs);
            assert!(inputs.iter().all(|input| input.is_finite()), "{inputs:?}");
        }
    }
}

/// Eq. (1), (3): an error of 3 cm of 30 is 0.1, times k_p = 2.
#[test]
fn the_proportional_part_scales_the_error() {
    let (inputs, status) = update(&mut pid(2.0, 0.0, 0.0), &[15.0, 1.0], 12.0);
    assert!((inputs[0] - 0.2).abs() < 1e-15 && inputs[1] == 1.0 && status.is_ok(), "{inputs:?} {status}");
    let raw = PidSettings { error_full_scale: Some(1.0), ..settings(0.1, 0.0, 0.0) };
    let mut raw = Pid::new(&description(), &raw).expect("valid settings");
    let (inputs, _) = update(&mut raw, &[15.0, 1.0], 12.0);
    assert!((inputs[0] - 0.3).abs() < 1e-15, "raw centimetres: {inputs:?}");
}

/// Eq. (5): after k updates with an error of 0.1 the sum is k·k_i·h·0.1; the first answer has none
/// of it.
#[test]
fn the_integral_part_sums_the_error() {
    let mut pid = pid(0.0, 2.0, 0.0);
    for count in 0..20 {
        let (inputs, _) = update(&mut pid, &[15.0, 1.0], 12.0);
        let expected = f64::from(count) * 2.0 * STEP_S * 0.1;
        assert!((inputs[0] - expected).abs() < 1e-12, "{count}: {inputs:?}");
    }
}

/// Eq. (2): the level falls by 3 cm/s, 0.1 of the full scale each second; k_d = 2 gives 0.2 once
/// the filter has settled, and a step of the demand gives nothing.
#[test]
fn the_derivative_part_sees_the_measurement_only() {
    let filtered = PidSettings { derivative_filter_s: Some(0.2), ..settings(0.0, 0.0, 2.0) };
    let mut pid = Pid::new(&description(), &filtered).expect("valid settings");
    let mut last = 0.0;
    for step in 0..80 {
        let (inputs, _) = update(&mut pid, &[15.0, 1.0], 30.0 - 3.0 * STEP_S * f64::from(step));
        assert!(inputs[0] >= last, "the filter rises");
        last = inputs[0];
    }
    assert!((last - 0.2).abs() < 1e-9, "{last}");
    let (inputs, _) = update(&mut pid, &[25.0, 1.0], 30.0 - 3.0 * STEP_S * 80.0);
    assert!((inputs[0] - 0.2).abs() < 1e-9, "no kick: {inputs:?}");
}

/// The sum must not grow while the valve is shut or full: after a long saturation the answer leaves
/// the end as soon as the error changes its sign. Without Eq. (5)'s condition the sum would be 100
/// · its range.
#[test]
fn saturation_does_not_wind_up() {
    let mut pid = pid(1.0, 1.0, 0.0);
    for _ in 0..1000 {
        let (inputs, status) = update(&mut pid, &[30.0, 1.0], 0.0);
        assert!(inputs[0] == 1.0 || !status.contains(ControlStatus::SATURATED));
    }
    let (inputs, _) = update(&mut pid, &[15.0, 1.0], 18.0);
    assert!(inputs[0] < 1.0, "{inputs:?}");
    for _ in 0..1000 {
        update(&mut pid, &[0.0, 1.0], 30.0);
    }
    let (inputs, _) = update(&mut pid, &[18.0, 1.0], 15.0);
    assert!(inputs[0] > 0.0, "{inputs:?}");
}

#[test]
fn a_missing_or_absurd_output_repeats_the_last_answer() {
    let mut pid = pid(2.0, 0.2, 0.05);
    let (before, _) = update(&mut pid, &[15.0, 1.0], 12.0);
    let state = pid.state().to_vec();
    for level_cm in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -f64::MAX] {
        let (inputs, status) = update(&mut pid, &[15.0, 1.0], level_cm);
        if status.contains(ControlStatus::OUTPUT_MISSING) {
            assert_eq!(inputs, before, "{level_cm}");
        }
        assert!(pid.state().iter().all(|value| value.is_finite()), "{level_cm}: {:?}", pid.state());
        pid.restore(&state).expect("its own state");
    }
    let mut inputs = [0.0; 2];
    let status = pid.update(&[15.0, 1.0], &[12.0], f64::NAN, &mut inputs);
    assert!(status.contains(ControlStatus::OUTPUT_MISSING) && inputs == before, "a step of no length");
}

#[test]
fn impossible_settings_are_refused_by_name() {
    let refuse = |settings: PidSettings| Pid::new(&description(), &settings).expect_err("impossible");
    let unknown = refuse(PidSettings { measured: "speed_m_s".into(), ..settings(1.0, 0.0, 0.0) });
    assert!(matches!(&unknown, PidError::Measured(_)) && unknown.to_string().contains("level_cm"));
    let unknown = refuse(PidSettings { driven: "level_cm".into(), ..settings(1.0, 0.0, 0.0) });
    assert!(matches!(&unknown, PidError::Driven(_)) && unknown.to_string().contains("inlet_valve_ratio"));
    assert!(matches!(refuse(settings(1.0, f64::NAN, 0.0)), PidError::Number { field: "ki", .. }));
    let filter = PidSettings { derivative_filter_s: Some(-1.0), ..settings(1.0, 0.0, 0.0) };
    assert!(matches!(refuse(filter), PidError::Number { field: "derivative_filter_s", .. }));
    let scale = PidSettings { error_full_scale: Some(0.0), ..settings(1.0, 0.0, 0.0) };
    assert!(matches!(refuse(scale), PidError::Number { field: "error_full_scale", .. }));
}
