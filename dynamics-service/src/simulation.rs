//! The plant and its blocks: everything about one step except the clock.

use plant::{Plant, Scenario, StepStatus};
use service::Checkpoint;
use shm_layout::blocks::{self, PLANT_INPUTS_MAX, PlantInputs, PlantOutputs};
use shm_layout::clock::monotonic_ns;
use shm_layout::{ClaimError, Reader, Region, Stamp, Wait, Waited, Writer};

use crate::exchange::Exchange;

/// What a step may report that is worth counting: something was refused, not merely limited by nature.
const WORTH_COUNTING: [StepStatus; 4] = [
    StepStatus::INPUT_HELD,
    StepStatus::INPUT_CLAMPED,
    StepStatus::STATE_HELD,
    StepStatus::STEP_REJECTED,
];

/// A plant that meets the other processes in the common blocks. Nothing in a step allocates, locks or prints.
pub struct Simulation {
    plant: Box<dyn Plant>,
    step_s: f64,
    step: u64,
    outputs: Box<PlantOutputs>,
    inputs: [f64; PLANT_INPUTS_MAX],
    input_count: usize,
    answered_once: bool,
    outputs_writer: Writer<PlantOutputs>,
    checkpoint: Checkpoint,
    inputs_reader: Reader<PlantInputs>,
    exchange_misses: u64,
    model_warnings: u64,
}

impl Simulation {
    /// Builds the plant, claims its blocks, and goes on from the state that an earlier process of this run published.
    pub fn new(region: &Region, scenario: &Scenario) -> Result<Self, ClaimError> {
        let plant = scenario.build_plant();
        let description = plant.description();
        let input_count = description.inputs.len().min(PLANT_INPUTS_MAX);
        let mut inputs = [0.0; PLANT_INPUTS_MAX];
        for (input, port) in inputs.iter_mut().zip(&description.inputs) {
            *input = port.default;
        }
        let mut outputs = Box::new(PlantOutputs::default());
        outputs.output_count = description.outputs.len().min(outputs.outputs.len()) as u64;
        let hash = service::model_hash(description);
        let checkpoint = Checkpoint::claim(region, blocks::PLANT_STATE, hash)?;
        let mut simulation = Self {
            plant,
            step_s: scenario.step_s(),
            step: 1,
            outputs,
            inputs,
            input_count,
            answered_once: false,
            outputs_writer: region.claim(blocks::PLANT_OUTPUTS)?,
            checkpoint,
            inputs_reader: region.reader(blocks::PLANT_INPUTS),
            exchange_misses: 0,
            model_warnings: 0,
        };
        simulation.resume(region);
        Ok(simulation)
    }

    fn resume(&mut self, region: &Region) {
        let Some(found) = self.checkpoint.earlier(region, blocks::PLANT_STATE) else {
            return;
        };
        match self.plant.restore(found.time_s, service::numbers(&found)) {
            Ok(()) => {
                self.step = found.stamp.step;
                tracing::info!("going on at step {} ({:.3} s)", self.step, found.time_s);
            }
            Err(error) => tracing::warn!("starting from the initial state: {error}"),
        }
    }
}

impl Exchange for Simulation {
    /// Publishes the outputs of this step, and wakes those who sleep until then.
    #[inline]
    fn publish(&mut self, sample_ns: u64, wait: Wait) {
        let count = self.outputs.output_count as usize;
        self.plant.outputs(&mut self.outputs.outputs[..count]);
        self.outputs.time_s = self.plant.time_s();
        self.outputs.stamp.step = self.step;
        self.outputs.stamp.sample_ns = sample_ns;
        self.outputs.stamp.publish_ns = monotonic_ns();
        match wait {
            Wait::Spin => self.outputs_writer.publish(&self.outputs),
            Wait::Sleep => self.outputs_writer.publish_and_wake(&self.outputs),
        }
    }

    /// Waits for the inputs of this step. If they are late, the last ones are held and the miss is counted.
    #[inline]
    fn await_answer(&mut self, deadline_ns: u64, wait: Wait) -> Waited {
        let waited = self.inputs_reader.wait_for_step(self.step, deadline_ns, wait);
        match (waited, self.inputs_reader.last()) {
            (Waited::Answered, Some(answer)) => {
                let count = (answer.input_count as usize).min(self.input_count);
                self.inputs[..count].copy_from_slice(&answer.inputs[..count]);
                self.answered_once = true;
            }
            // Before the first answer ever, time has not begun: nothing is missed.
            _ => self.exchange_misses += u64::from(self.has_begun()),
        }
        waited
    }

    /// Whether anybody has ever answered: simulated time begins with the first answer.
    fn has_begun(&self) -> bool {
        self.answered_once || self.step > 1
    }

    /// Makes the step with the inputs that there are, and publishes the state.
    #[inline]
    fn advance(&mut self) {
        let status = self.plant.step(&self.inputs[..self.input_count], self.step_s);
        self.model_warnings += u64::from(WORTH_COUNTING.iter().any(|flag| status.contains(*flag)));
        self.outputs.status = u64::from(status.bits());
        self.step += 1;
        self.publish_state();
    }

    /// Number of the step that comes next.
    fn step(&self) -> u64 {
        self.step
    }

    fn misses(&self) -> u64 {
        self.exchange_misses
    }

    fn warnings(&self) -> u64 {
        self.model_warnings
    }
}

impl Simulation {
    #[inline]
    fn publish_state(&mut self) {
        let stamp = Stamp {
            step: self.step,
            ..self.outputs.stamp
        };
        let values = self.plant.state();
        self.checkpoint.publish(stamp, self.plant.time_s(), |states| {
            let count = values.len().min(states.len());
            states[..count].copy_from_slice(&values[..count]);
            count
        });
    }
}
