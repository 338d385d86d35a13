//! What a whole vehicle costs: its subsystems, its mechanism, and both together offline.
//!
//! A manoeuvre is driven once and its motions, inputs and responses are kept; then each part is run
//! alone over the same sequence, so that it does the work that it does on the road, and the whole
//! vehicle drives the same second again. The target of 100 times real time is for steps of 1 ms.
//! What a question to a road costs is reported for each kind of road.
//!
//! Medians are reported of all rounds, and with the core to ourselves ([`crate::neighbour`]): for
//! that the second is put together from the medians of its parts, because no neighbour is away for
//! so long. The latter are judged.

mod roads;

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Context as _, Result};
use vehicle::assembly::{Choice, Setup};
use vehicle::simulation::Simulation;
use vehicle::state::Stateful;
use vehicle::subsystems::External;
use vehicle::{DriverInput, Forces, Kinematics};

use super::Context;
use crate::neighbour::{self, Rounds, watched};
use crate::place::pause;
use crate::report::{Report, Target, blank, short};
use crate::statistics::Summary;

pub const NAME: &str = "vehicle";
const VEHICLES: [(&str, &str); 3] = [
    ("hmmwv", "iso-7401-sine-hmmwv"),
    ("passenger-car", "iso-7401-sine"),
    ("tractor-semitrailer", "iso-7401-sine-truck"),
];
const STEP_S: f64 = 1e-3;
const SECONDS_US: f64 = 1e6;
const ROUNDS: u64 = 400;
/// Steps of a round, and of its parts; and those before the first one: the manoeuvre is then under
/// way.
const STEPS: usize = 1_000;
const PART: usize = 50;
const BEFORE: usize = 3_000;
/// Numbers of the largest state; what does not fit is noticed.
const STATE_MAX: usize = 4_096;

pub fn run(context: &Context) -> Result<Report> {
    let columns = ["µs per step", "min", "p50", "p99", "max", "p50 alone"];
    let mut report = Report::new(NAME, &columns);
    for (name, manoeuvre) in VEHICLES {
        let rounds = context.effort(ROUNDS);
        let costs = context.place.seat().run(|| measure(name, manoeuvre, rounds))?;
        let parts = [("subsystems", &costs.subsystems), ("mechanism", &costs.mechanism), ("whole step", &costs.whole)];
        for (part, cost) in parts {
            let key = format!("{name}.{}", part.replace(' ', "_"));
            let alone = cost.alone_us.map_or_else(blank, short);
            report.row_of(&format!("{name}, {part}"), &cost.all, [alone]);
            report.figures_of(&key, &cost.all, "µs");
            if let Some(alone_us) = cost.alone_us {
                report.figure(&format!("{key}.alone.p50"), alone_us, "µs");
            }
        }
        if name == "hmmwv" {
            let times = STEP_S * SECONDS_US / costs.whole.all.p50;
            let what = "subsystems of four wheels, p50 alone";
            let cost = &costs.subsystems;
            report.target(Target::at_most(what, 3.0, "µs", cost.alone_us.unwrap_or(cost.all.p50)));
            report.target(Target::at_least("offline, times real time, p50 of all rounds", 100.0, "×", times));
        }
    }
    roads::measure(context, &mut report)?;
    report.note("one core, no processes; each round is 1,000 steps of 1 ms of the same second of a sine steer");
    Ok(report)
}

struct Costs {
    subsystems: Cost,
    mechanism: Cost,
    whole: Cost,
}

/// Microseconds a step.
struct Cost {
    all: Summary,
    /// Median with the core to ourselves; `None` if it was ours too seldom.
    alone_us: Option<f64>,
}

impl Cost {
    fn of(parts: &[Rounds], least_probe_ns: f64) -> Result<Self> {
        let parts_us: Vec<Vec<f64>> = parts.iter().map(Rounds::all).collect();
        let rounds = parts_us.first().map_or(0, Vec::len);
        let mean = |round: usize| parts_us.iter().map(|part| part[round]).sum::<f64>() / parts.len() as f64;
        let alone = parts.iter().map(|part| Some(part.alone(least_probe_ns)?.p50));
        let alone_us: Option<f64> = alone.sum();
        Ok(Self {
            all: Summary::of((0..rounds).map(mean).collect()).context("no round was measured")?,
            alone_us: alone_us.map(|sum| sum / parts.len() as f64),
        })
    }
}

/// One second of a drive.
struct Recording {
    motions: Vec<Kinematics>,
    inputs: Vec<DriverInput>,
    responses: Vec<Forces>,
    /// States at its beginning.
    mechanism: Vec<f64>,
    subsystems: Vec<f64>,
    whole: Vec<f64>,
}

fn state_of(part: &impl Stateful) -> Vec<f64> {
    let mut values = vec![0.0; STATE_MAX];
    let count = part.save(&mut values);
    assert!(count <= STATE_MAX, "a state of {count} numbers, expected at most {STATE_MAX}");
    values.truncate(count);
    values
}

fn measure(name: &str, manoeuvre: &str, rounds: u64) -> Result<Costs> {
    let choice = Choice { vehicle: Some(name.to_owned()), manoeuvre: manoeuvre.to_owned(), ..Choice::default() };
    let setup = Setup::read(&choice, STEP_S)?;
    let recording = record(&setup)?;
    let (mut subsystems, mut mechanism) = (setup.subsystems()?, setup.mechanism()?);
    mechanism.load(&recording.mechanism);
    subsystems.load(&recording.subsystems);
    let mut whole = Simulation::new(&setup)?;
    whole.load(&recording.whole);
    let mut times = [const { [const { Rounds::new() }; STEPS / PART] }; 3];
    for _ in 0..rounds {
        pause();
        time(&mut times[0], |step| {
            let (motion, input) = (&recording.motions[step], &recording.inputs[step]);
            black_box(subsystems.answer(motion, input, &External::default()));
        });
        time(&mut times[1], |step| {
            black_box(mechanism.step(&recording.responses[step]));
        });
        time(&mut times[2], |_| {
            black_box(whole.step());
        });
        mechanism.load(&recording.mechanism);
        subsystems.load(&recording.subsystems);
        whole.load(&recording.whole);
    }
    let least_probe_ns = neighbour::least_probe_ns(times.iter().flatten());
    let [subsystems, mechanism, whole] = times.map(|parts| Cost::of(&parts, least_probe_ns));
    Ok(Costs { subsystems: subsystems?, mechanism: mechanism?, whole: whole? })
}

fn record(setup: &Setup) -> Result<Recording> {
    let mut simulation = Simulation::new(setup)?;
    for _ in 0..BEFORE {
        simulation.step();
    }
    let mut recording = Recording {
        motions: Vec::with_capacity(STEPS),
        inputs: Vec::with_capacity(STEPS),
        responses: Vec::with_capacity(STEPS),
        mechanism: state_of(simulation.mechanism()),
        subsystems: state_of(simulation.subsystems()),
        whole: state_of(&simulation),
    };
    for _ in 0..STEPS {
        recording.motions.push(*simulation.motion());
        simulation.step();
        recording.inputs.push(simulation.subsystems().state().input);
        recording.responses.push(*simulation.subsystems().response());
    }
    Ok(recording)
}

/// Times the parts of a round.
fn time(parts: &mut [Rounds], mut work: impl FnMut(usize)) {
    for (number, part) in parts.iter_mut().enumerate() {
        part.push(watched(|| {
            let begun = Instant::now();
            (number * PART..(number + 1) * PART).for_each(&mut work);
            begun.elapsed().as_secs_f64() * SECONDS_US / PART as f64
        }));
    }
}
