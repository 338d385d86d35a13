//! The plant and its blocks: everything about one step except the clock.

use plant::{Plant, Scenario, StepStatus};
use shm_layout::blocks::{self, PLANT_INPUTS_MAX, PlantInputs, PlantOutputs, StateVector};
use shm_layout::clock::monotonic_ns;
use shm_layout::{ClaimError, Reader, Region, Wait, Waited, Writer};

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
    model_hash: u64,
    step: u64,
    outputs: Box<PlantOutputs>,
    state: Box<StateVector>,
    inputs: [f64; PLANT_INPUTS_MAX],
    input_count: usize,
    answered_once: bool,
    outputs_writer: Writer<PlantOutputs>,
    state_writer: Writer<StateVector>,
    inputs_reader: Reader<PlantInputs>,
    /// Answers that did not come in time.
    pub exchange_misses: u64,
    /// Steps that had to refuse or clamp something.
    pub model_warnings: u64,
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
        let mut simulation = Self {
            model_hash: service::model_hash(description),
            plant,
            step_s: scenario.step_s(),
            step: 1,
            outputs,
            state: Box::new(StateVector::default()),
            inputs,
            input_count,
            answered_once: false,
            outputs_writer: region.claim(blocks::PLANT_OUTPUTS)?,
            state_writer: region.claim(blocks::PLANT_STATE)?,
            inputs_reader: region.reader(blocks::PLANT_INPUTS),
            exchange_misses: 0,
            model_warnings: 0,
        };
        simulation.resume(region);
        Ok(simulation)
    }

    fn resume(&mut self, region: &Region) {
        let mut earlier = region.reader(blocks::PLANT_STATE);
        let Some(found) = earlier.latest().map(|snapshot| snapshot.value) else {
            return;
        };
        if found.model_hash != self.model_hash {
            tracing::warn!("the published state belongs to another model: starting from the initial state");
            return;
        }
        let count = (found.state_count as usize).min(found.states.len());
        match self.plant.restore(found.time_s, &found.states[..count]) {
            Ok(()) => {
                self.step = found.stamp.step;
                tracing::info!("going on at step {} ({:.3} s)", self.step, found.time_s);
            }
            Err(error) => tracing::warn!("starting from the initial state: {error}"),
        }
    }

    /// Publishes the outputs of this step, and wakes those who sleep until then.
    #[inline]
    pub fn publish_outputs(&mut self, sample_ns: u64, wait: Wait) {
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
    pub fn await_inputs(&mut self, deadline_ns: u64, wait: Wait) -> Waited {
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
    pub fn has_begun(&self) -> bool {
        self.answered_once || self.step > 1
    }

    /// Makes the step with the inputs that there are, and publishes the state.
    #[inline]
    pub fn advance(&mut self) -> StepStatus {
        let status = self.plant.step(&self.inputs[..self.input_count], self.step_s);
        self.model_warnings += u64::from(WORTH_COUNTING.iter().any(|flag| status.contains(*flag)));
        self.outputs.status = u64::from(status.bits());
        self.step += 1;
        self.publish_state();
        status
    }

    #[inline]
    fn publish_state(&mut self) {
        let values = self.plant.state();
        let count = values.len().min(self.state.states.len());
        self.state.states[..count].copy_from_slice(&values[..count]);
        self.state.state_count = count as u64;
        self.state.model_hash = self.model_hash;
        self.state.time_s = self.plant.time_s();
        self.state.stamp.step = self.step;
        self.state.stamp.sample_ns = self.outputs.stamp.sample_ns;
        self.state.stamp.publish_ns = self.outputs.stamp.publish_ns;
        self.state_writer.publish(&self.state);
    }

    /// Number of the step that comes next.
    pub fn step(&self) -> u64 {
        self.step
    }
}
