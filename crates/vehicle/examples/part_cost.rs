//! What the parts of a whole vehicle cost: `part_cost [VEHICLE [MANOEUVRE [PART [ROUNDS]]]]` with
//! PART one of `subsystems`, `mechanism`, `whole`.
//!
//! One second of the manoeuvre is recorded; then the part is run alone over it, ROUNDS times, and
//! the fastest and the median round are printed. Run it under `valgrind --tool=callgrind
//! --toggle-collect='*replay*'` for instruction counts, which do not depend on a noisy machine.

use std::hint::black_box;
use std::time::Instant;
use vehicle::assembly::{Choice, Setup};
use vehicle::simulation::Simulation;
use vehicle::state::Stateful;
use vehicle::subsystems::External;
use vehicle::{DriverInput, Forces, Kinematics};

const STEP_S: f64 = 1e-3;
const STEPS: usize = 1_000;
/// The manoeuvre is then under way.
const BEFORE: usize = 3_000;

/// One second of a drive, with the states at its beginning.
struct Recording {
    motions: Vec<Kinematics>,
    inputs: Vec<DriverInput>,
    responses: Vec<Forces>,
    mechanism: Vec<f64>,
    subsystems: Vec<f64>,
}

fn state_of(part: &impl Stateful) -> Vec<f64> {
    let mut values = vec![0.0; 1_024];
    let count = part.save(&mut values);
    values.truncate(count);
    values
}

fn record(setup: &Setup) -> Result<Recording, Box<dyn std::error::Error>> {
    let mut simulation = Simulation::new(setup)?;
    for _ in 0..BEFORE {
        simulation.step();
    }
    let mut recording = Recording {
        motions: Vec::new(),
        inputs: Vec::new(),
        responses: Vec::new(),
        mechanism: state_of(simulation.mechanism()),
        subsystems: state_of(simulation.subsystems()),
    };
    for _ in 0..STEPS {
        recording.motions.push(*simulation.motion());
        simulation.step();
        recording.inputs.push(simulation.subsystems().state().input);
        recording.responses.push(*simulation.subsystems().response());
    }
    Ok(recording)
}

#[inline(never)]
fn replay(step: &mut dyn FnMut(usize)) {
    for index in 0..STEPS {
        step(index);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |place: usize, otherwise: &str| {
        let given = arguments.get(place).map(String::as_str);
        given.unwrap_or(otherwise).to_owned()
    };
    let part = argument(2, "subsystems");
    let rounds: usize = argument(3, "200").parse()?;
    let choice = Choice {
        vehicle: Some(argument(0, "hmmwv")),
        manoeuvre: argument(1, "iso-7401-sine-hmmwv"),
        ..Choice::default()
    };
    let setup = Setup::read(&choice, STEP_S)?;
    let recording = record(&setup)?;
    let (mut subsystems, mut mechanism) = (setup.subsystems()?, setup.mechanism()?);
    let mut whole = Simulation::new(&setup)?;
    let mut times = Vec::new();
    for _ in 0..rounds {
        mechanism.load(&recording.mechanism);
        subsystems.load(&recording.subsystems);
        if whole.has_finished() {
            whole = Simulation::new(&setup)?;
        }
        let begun = Instant::now();
        match part.as_str() {
            "subsystems" => replay(&mut |step| {
                let (motion, input) = (&recording.motions[step], &recording.inputs[step]);
                black_box(subsystems.answer(motion, input, &External::default()));
            }),
            "mechanism" => replay(&mut |step| {
                black_box(mechanism.step(&recording.responses[step]));
            }),
            "whole" => replay(&mut |_| {
                black_box(whole.step());
            }),
            other => return Err(format!("expected subsystems, mechanism or whole, found {other}").into()),
        }
        times.push(begun.elapsed().as_secs_f64() * 1e6 / STEPS as f64);
    }
    times.sort_by(f64::total_cmp);
    if let (Some(fastest), Some(median)) = (times.first(), times.get(times.len() / 2)) {
        println!("{part}: {fastest:.2} µs fastest, {median:.2} µs median per step");
    }
    Ok(())
}
