//! The offline simulation is the exchange of the real-time processes, step by step.

use crate::shipped;
use plant::simulation::ColumnKind;
use plant::{Scenario, StepStatus, simulate};

/// The loop that the processes make between them, written out: outputs, demands, answer, step.
fn by_hand(scenario: &Scenario, restart_at: Option<u64>) -> Vec<Vec<f64>> {
    let (mut plant, mut controller) = (scenario.build_plant(), scenario.build_controller());
    let (mut demands, mut inputs, mut outputs) = ([0.0; 8], [0.0; 8], [0.0; 16]);
    let counts = (scenario.demands().len(), plant.description().inputs.len(), plant.description().outputs.len());
    let mut rows = Vec::new();
    for step in 0..=scenario.step_count() {
        if restart_at == Some(step) {
            // both processes die and come back with what they last published
            let (time_s, plant_state) = (plant.time_s(), plant.state().to_vec());
            let controller_state = controller.state().to_vec();
            (plant, controller) = (scenario.build_plant(), scenario.build_controller());
            plant.restore(time_s, &plant_state).expect("its own state");
            controller.restore(&controller_state).expect("its own state");
        }
        let time_s = step as f64 * scenario.step_s();
        plant.outputs(&mut outputs[..counts.2]);
        scenario.demands().values(time_s, &mut demands[..counts.0]);
        let (asked, seen) = (&demands[..counts.0], &outputs[..counts.2]);
        controller.update(asked, seen, scenario.step_s(), &mut inputs[..counts.1]);
        rows.push([&demands[..counts.0], &inputs[..counts.1], &outputs[..counts.2]].concat());
        plant.step(&inputs[..counts.1], scenario.step_s());
    }
    rows
}

fn assert_same_bits(scenario: &Scenario, rows: &[Vec<f64>]) {
    let trace = simulate(scenario, |_| {});
    assert_eq!(rows.len(), trace.times_s().len());
    for (index, column) in trace.columns().iter().enumerate() {
        for (row, value) in column.values.iter().enumerate() {
            let found = rows[row][index];
            assert_eq!(found.to_bits(), value.to_bits(), "{} {} row {row}", scenario.name(), column.port.name);
        }
    }
}

#[test]
fn a_simulation_is_the_exchange_bit_for_bit() {
    for name in Scenario::builtin_names() {
        let scenario = shipped(name);
        assert_same_bits(&scenario, &by_hand(&scenario, None));
    }
}

/// All shipped scenarios use one-step methods, so a restart of both processes leaves no trace at
/// all.
#[test]
fn a_restart_half_way_changes_no_bit() {
    for name in Scenario::builtin_names() {
        let scenario = shipped(name);
        assert_same_bits(&scenario, &by_hand(&scenario, Some(scenario.step_count() / 3)));
    }
}

#[test]
fn the_observer_sees_every_exchange() {
    let scenario = shipped("tank-fig18");
    let mut seen = 0;
    let trace = simulate(&scenario, |exchange| {
        assert_eq!(exchange.step, seen);
        assert_eq!(exchange.time_s, seen as f64 * 0.1);
        assert_eq!((exchange.demands.len(), exchange.inputs.len(), exchange.outputs.len()), (2, 2, 3));
        seen += 1;
    });
    assert_eq!((seen, trace.times_s().len()), (1001, 1001));
    assert_eq!(trace.columns_of(ColumnKind::Output).count(), 3);
    assert!(trace.output("level_cm").is_some() && trace.output("inlet_valve_ratio").is_none());
    assert!(trace.demand("level_cm").is_some() && trace.input("inlet_valve_ratio").is_some());
}

/// The default scenario must be worth watching: each demand is reached within its 20 s, again and
/// again.
#[test]
fn the_default_loops_follow_their_demands() {
    for (name, output, period_s, tolerance) in
        [("tank-level", "level_cm", 20.0, 0.15), ("car-cruise", "speed_m_s", 30.0, 0.5)]
    {
        let scenario = shipped(name);
        let trace = simulate(&scenario, |_| {});
        let (demand, found) = (trace.demand(output).expect("a demand"), trace.output(output).expect("an output"));
        let per_period = (period_s / scenario.step_s()).round() as usize;
        for end in (per_period..=scenario.step_count() as usize).step_by(per_period) {
            let (demand, found) = (demand[end - 1], found[end - 1]);
            assert!((found - demand).abs() < tolerance, "{name} at row {end}: {found}, demanded {demand}");
        }
        assert!(!trace.step_status().contains(StepStatus::STATE_HELD), "{}", trace.step_status());
    }
}
