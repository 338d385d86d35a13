//! One suite for all plants, with every integration method: what the trait promises, and what a
//! real-time loop does to it.

use crate::outputs;
use plant::description::{Port, unit_suffix};
use plant::{Method, Plant, PlantKind, RestoreError, StepStatus};

/// Every kind with every method.
fn for_each(check: impl Fn(&str, &dyn Fn() -> Box<dyn Plant>, Method)) {
    for kind in PlantKind::ALL {
        for method in Method::all() {
            check(&format!("{kind} with {method}"), &|| crate::build(kind, &[], &[], method), method);
        }
    }
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// Inputs that wander through their ranges, and a little beyond, without a random generator.
fn wandering(plant: &dyn Plant, step: u32) -> Vec<f64> {
    let input = |(index, port): (usize, &Port)| {
        let wave = 0.5 + 0.55 * (f64::from(step) * 0.013 * (index + 1) as f64).sin();
        port.range.min + wave * port.range.span()
    };
    plant.description().inputs.iter().enumerate().map(input).collect()
}

#[test]
fn names_end_in_their_units_and_defaults_lie_in_their_ranges() {
    for_each(|name, build, _| {
        let plant = build();
        let (description, kind) = (plant.description(), plant.description().name.parse::<PlantKind>());
        let parameters = kind.expect("a kind").parameters();
        let ports = description.inputs.iter().chain(&description.outputs).chain(&description.states);
        for port in ports.chain(&parameters) {
            let ending = format!("_{}", unit_suffix(&port.unit));
            assert!(port.name.ends_with(&ending), "{name}: {} does not end in {ending}", port.name);
            assert!(port.range.contains(port.default), "{name}: {}", port.name);
            assert!(!port.meaning.is_empty(), "{name}: {}", port.name);
        }
        let names: std::collections::BTreeSet<&str> =
            description.outputs.iter().map(|port| port.name.as_str()).collect();
        assert_eq!(names.len(), description.outputs.len(), "{name}: names are unique");
    });
}

#[test]
fn states_and_outputs_stay_finite_and_in_range() {
    for_each(|name, build, _| {
        let mut plant = build();
        for step in 0..5000 {
            plant.step(&wandering(&*plant, step), 0.05);
            let description = plant.description();
            for (value, port) in outputs(&*plant).iter().zip(&description.outputs) {
                assert!(port.range.contains(*value), "{name} step {step}: {} = {value}", port.name);
            }
            assert_eq!(plant.state().len(), description.states.len() + description.inputs.len());
        }
    });
}

#[test]
fn the_same_inputs_give_the_same_bits() {
    for_each(|name, build, _| {
        let (mut first, mut second) = (build(), build());
        for step in 0..1000 {
            let inputs = wandering(&*first, step);
            assert_eq!(first.step(&inputs, 0.01), second.step(&inputs, 0.01));
        }
        assert_eq!(bits(first.state()), bits(second.state()), "{name}");
        first.reset();
        for step in 0..1000 {
            let inputs = wandering(&*first, step);
            first.step(&inputs, 0.01);
        }
        assert_eq!(bits(first.state()), bits(second.state()), "{name}: reset goes back to the start");
    });
}

#[test]
fn a_restored_plant_goes_on() {
    for_each(|name, build, method| {
        let (mut original, mut restored) = (build(), build());
        for step in 0..500 {
            original.step(&wandering(&*original, step), 0.01);
        }
        restored.restore(original.time_s(), original.state()).expect("its own state");
        assert_eq!(bits(&outputs(&*restored)), bits(&outputs(&*original)), "{name}: outputs at once");
        assert_eq!(restored.time_s(), original.time_s());
        for step in 500..1000 {
            let inputs = wandering(&*original, step);
            original.step(&inputs, 0.01);
            restored.step(&inputs, 0.01);
        }
        if method.is_one_step() {
            assert_eq!(bits(restored.state()), bits(original.state()), "{name}");
        }
        for (value, port) in outputs(&*restored).iter().zip(outputs(&*original)) {
            assert!((value - port).abs() < 1e-3 * port.abs().max(1.0), "{name}: {value} and {port}");
        }
    });
}

#[test]
fn a_state_that_is_not_its_own_is_refused_and_changes_nothing() {
    for_each(|name, build, _| {
        let mut plant = build();
        plant.step(&wandering(&*plant, 3), 0.1);
        let before = plant.state().to_vec();
        let with = |index: usize, value: f64| {
            let mut state = before.clone();
            state[index] = value;
            state
        };
        let last = before.len() - 1;
        assert!(matches!(plant.restore(0.0, &before[..last]), Err(RestoreError::Length { .. })), "{name}");
        assert!(matches!(plant.restore(0.0, &with(0, f64::NAN)), Err(RestoreError::NotFinite { index: 0, .. })));
        assert!(matches!(plant.restore(0.0, &with(0, -1.0)), Err(RestoreError::OutOfRange { index: 0, .. })));
        assert!(matches!(plant.restore(0.0, &with(last, 2.0)), Err(RestoreError::OutOfRange { .. })));
        assert!(matches!(plant.restore(f64::NAN, &before), Err(RestoreError::Time { .. })));
        assert_eq!(bits(plant.state()), bits(&before), "{name}");
    });
}

#[test]
fn bad_inputs_do_not_poison_the_state() {
    for_each(|name, build, _| {
        let (mut plant, mut twin) = (build(), build());
        let good: Vec<f64> = plant.description().inputs.iter().map(|port| port.range.max).collect();
        assert!(!plant.step(&good, 0.1).contains(StepStatus::INPUT_HELD), "{name}");
        twin.step(&good, 0.1);
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let status = plant.step(&vec![bad; good.len()], 0.1);
            assert!(status.contains(StepStatus::INPUT_HELD), "{name}: {status}");
            twin.step(&good, 0.1);
        }
        assert!(plant.step(&[], 0.1).contains(StepStatus::INPUT_HELD), "{name}: inputs are missing");
        twin.step(&good, 0.1);
        assert_eq!(bits(plant.state()), bits(twin.state()), "{name}: the last good inputs held");
    });
}

#[test]
fn inputs_before_the_first_good_one_are_the_defaults() {
    for_each(|name, build, _| {
        let (mut plant, mut twin) = (build(), build());
        let defaults: Vec<f64> = plant.description().inputs.iter().map(|port| port.default).collect();
        plant.step(&vec![f64::NAN; defaults.len()], 0.1);
        twin.step(&defaults, 0.1);
        assert_eq!(bits(plant.state()), bits(twin.state()), "{name}");
    });
}

#[test]
fn inputs_outside_their_range_are_clamped() {
    for_each(|name, build, _| {
        let (mut plant, mut twin) = (build(), build());
        let highest: Vec<f64> = plant.description().inputs.iter().map(|port| port.range.max).collect();
        let beyond: Vec<f64> = highest.iter().map(|value| value + 1e6).chain([7.0, 8.0]).collect();
        let status = plant.step(&beyond, 0.1);
        assert!(status.contains(StepStatus::INPUT_CLAMPED), "{name}: {status}");
        twin.step(&highest, 0.1);
        assert_eq!(bits(plant.state()), bits(twin.state()), "{name}");
    });
}

#[test]
fn a_step_of_no_length_does_nothing() {
    for_each(|name, build, _| {
        let mut plant = build();
        let before = plant.state().to_vec();
        for step_s in [0.0, -0.1, f64::NAN, f64::INFINITY] {
            assert_eq!(plant.step(&[1.0, 1.0], step_s), StepStatus::STEP_REJECTED, "{name}");
        }
        assert_eq!((bits(plant.state()), plant.time_s()), (bits(&before), 0.0), "{name}");
    });
}

#[test]
fn an_absurd_step_leaves_a_usable_state() {
    for_each(|name, build, _| {
        let mut plant = build();
        for step_s in [1e300, f64::MAX, 1e-300] {
            plant.step(&wandering(&*plant, 7), step_s);
            assert!(plant.state().iter().all(|value| value.is_finite()), "{name}: {:?}", plant.state());
        }
    });
}

#[test]
fn outputs_fill_what_is_offered() {
    for_each(|name, build, _| {
        let plant = build();
        let all = outputs(&*plant);
        let mut short = vec![f64::NAN; 1];
        plant.outputs(&mut short);
        assert_eq!(short, all[..1], "{name}");
        let mut long = vec![-7.0; all.len() + 3];
        plant.outputs(&mut long);
        assert_eq!(long[..all.len()], all[..]);
        assert_eq!(long[all.len()..], [-7.0; 3], "{name}: what is not its own stays");
    });
}

#[test]
fn time_is_the_number_of_steps() {
    for_each(|name, build, _| {
        let mut plant = build();
        (0..12_345).for_each(|_| {
            plant.step(&[0.5, 0.5], 0.001);
        });
        assert_eq!(plant.time_s(), 12_345.0 * 0.001, "{name}");
    });
}
