//! What one step costs the simulation process, waiting excluded: publish the outputs, read the
//! inputs, step the plant.
//!
//! The answer to the outputs is already there when it is read, so nothing but the work itself is
//! measured. It is the share of the period that is gone before anything else happens.

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Context as _, Result};
use plant::{Plant, Scenario};
use shm_layout::blocks::{PLANT_INPUTS, PLANT_OUTPUTS, PlantInputs, PlantOutputs};
use shm_layout::{Reader, Writer};

use super::Context;
use crate::place::pause;
use crate::report::Report;
use crate::session::Session;
use crate::statistics::Summary;

pub const NAME: &str = "step-path";
const SCENARIOS: [&str; 2] = ["tank-level", "car-cruise"];
const ROUNDS: u64 = 200;
const STEPS: u64 = 5_000;
const WARM_UP_ROUNDS: u64 = 3;

pub fn run(context: &Context) -> Result<Report> {
    let mut report = Report::new(NAME, &["ns per step", "min", "p50", "p99", "max"]);
    for scenario in SCENARIOS {
        let rounds = context.effort(ROUNDS);
        let (alone, whole) = context.place.seat().run(|| measure(context.session, scenario, rounds))?;
        report.row_of(&format!("{scenario}, step alone"), &alone, []);
        report.row_of(&format!("{scenario}, publish, read, step"), &whole, []);
        report.figures_of(&format!("{scenario}.step"), &alone, "ns");
        report.figures_of(&format!("{scenario}.publish_read_step"), &whole, "ns");
    }
    report.note("one process; the inputs are there when they are read");
    Ok(report)
}

fn measure(session: &Session, scenario: &str, rounds: u64) -> Result<(Summary, Summary)> {
    let mut path = StepPath::new(session, scenario)?;
    for _ in 0..WARM_UP_ROUNDS {
        path.round(StepPath::whole);
    }
    let (mut alone_ns, mut whole_ns) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        pause();
        alone_ns.push(path.round(StepPath::step));
        whole_ns.push(path.round(StepPath::whole));
    }
    let summary = |times_ns| Summary::of(times_ns).context("no round was measured");
    Ok((summary(alone_ns)?, summary(whole_ns)?))
}

/// What `dynamics-service` holds.
struct StepPath {
    plant: Box<dyn Plant>,
    step_s: f64,
    outputs: PlantOutputs,
    inputs: PlantInputs,
    writer: Writer<PlantOutputs>,
    reader: Reader<PlantInputs>,
    /// Held so that the block has an owner while it is read.
    _answerer: Writer<PlantInputs>,
}

impl StepPath {
    fn new(session: &Session, scenario: &str) -> Result<Self> {
        let scenario = Scenario::builtin(scenario).with_context(|| format!("no scenario {scenario}"))?;
        let region = session.open_region()?;
        let plant = scenario.build_plant();
        let description = plant.description();
        let outputs = PlantOutputs { output_count: description.outputs.len() as u64, ..PlantOutputs::default() };
        let inputs = PlantInputs { input_count: description.inputs.len() as u64, ..PlantInputs::default() };
        let mut answerer = region.claim(PLANT_INPUTS)?;
        answerer.publish(&inputs);
        Ok(Self {
            step_s: scenario.step_s(),
            plant,
            outputs,
            inputs,
            writer: region.claim(PLANT_OUTPUTS)?,
            reader: region.reader(PLANT_INPUTS),
            _answerer: answerer,
        })
    }

    fn round(&mut self, work: fn(&mut Self)) -> f64 {
        self.plant.reset();
        let start = Instant::now();
        for _ in 0..STEPS {
            work(self);
        }
        start.elapsed().as_nanos() as f64 / STEPS as f64
    }

    fn step(&mut self) {
        let used = self.inputs.input_count as usize;
        black_box(self.plant.step(&self.inputs.inputs[..used], self.step_s));
    }

    fn whole(&mut self) {
        let used = self.outputs.output_count as usize;
        self.plant.outputs(&mut self.outputs.outputs[..used]);
        self.outputs.stamp.step += 1;
        self.writer.publish(&self.outputs);
        if let Some(answer) = self.reader.latest() {
            let used = answer.value.input_count as usize;
            black_box(self.plant.step(&answer.value.inputs[..used], self.step_s));
        }
    }
}
