//! The controller of a plant as a model that answers.

use lockstep::{Asked, Responder, State, missing};
use plant::{ControlStatus, Controller, Scenario};
use service::config::Settings;
use shm_layout::blocks::{self, Demands, Overrides, PlantInputs, PlantOutputs};
use shm_layout::{Block, Payload, Reader, Region};

use crate::Subsystems;

/// What an answer may report that is worth counting.
const WORTH_COUNTING: [ControlStatus; 2] = [ControlStatus::DEMAND_HELD, ControlStatus::OUTPUT_MISSING];

/// A plant's controller, which follows the demands of `/demands/`.
pub struct PlantController {
    controller: Box<dyn Controller>,
    step_s: f64,
    demands_reader: Reader<Demands>,
    overrides_reader: Reader<Overrides>,
    /// What the operator asks for, with what a person at the gateway changed.
    demands: Box<Demands>,
    driver_timeout_ns: u64,
}

impl PlantController {
    /// The controller of a scenario.
    pub fn new(region: &Region, scenario: &Scenario, driver_timeout_ns: u64) -> Self {
        Self {
            controller: scenario.build_controller(),
            step_s: scenario.step_s(),
            demands_reader: region.reader(blocks::DEMANDS),
            overrides_reader: region.reader(blocks::OVERRIDES),
            demands: Box::default(),
            driver_timeout_ns,
        }
    }
}

impl State for PlantController {
    fn save(&self, numbers: &mut [f64]) -> usize {
        let values = self.controller.state();
        let count = values.len().min(numbers.len());
        numbers[..count].copy_from_slice(&values[..count]);
        values.len()
    }

    fn load(&mut self, _time_s: f64, numbers: &[f64]) -> Result<(), String> {
        self.controller.restore(numbers).map_err(|error| error.to_string())
    }
}

impl Responder for PlantController {
    type Question = PlantOutputs;
    type Answer = PlantInputs;
    const QUESTION: Block<PlantOutputs> = blocks::PLANT_OUTPUTS;
    const ANSWER: Block<PlantInputs> = blocks::PLANT_INPUTS;

    #[inline]
    fn is_ready(&mut self, waited_ns: u64) -> bool {
        self.demands_reader.latest().is_some() || waited_ns >= self.driver_timeout_ns
    }

    #[inline]
    fn answer(&mut self, question: &PlantOutputs, asked: Asked<'_>, answer: &mut PlantInputs) -> u64 {
        let newest = self.demands_reader.last();
        let outputs = &question.outputs[..(question.output_count as usize).min(question.outputs.len())];
        self.demands.demand_count = 0;
        if let Some(newest) = newest {
            self.demands.copy_used_from(newest);
        }
        let overrides = self.overrides_reader.latest().map(|snapshot| snapshot.value);
        if let Some(overrides) = overrides.filter(|it| it.are_fresh(asked.now_ns, self.driver_timeout_ns)) {
            overrides.apply(blocks::DEMANDS, &mut *self.demands);
        }
        let count = (self.demands.demand_count as usize).min(self.demands.demands.len());
        let demands = &self.demands.demands[..count];
        let count = self.controller.description().input_count.min(answer.inputs.len());
        answer.input_count = count as u64;
        let inputs = &mut answer.inputs[..count];
        let status = self.controller.update(demands, outputs, self.step_s, inputs);
        answer.driver_age_ns = newest.map_or(u64::MAX, |newest| newest.age_at(asked.now_ns));
        let is_old = answer.driver_age_ns > self.driver_timeout_ns;
        let is_held = WORTH_COUNTING.iter().any(|flag| status.contains(*flag));
        (u64::from(is_old) * missing::DRIVER) | (u64::from(is_held) * missing::SIGNAL)
    }
}

impl Subsystems for PlantController {
    fn take_settings(&mut self, settings: &Settings) {
        self.driver_timeout_ns = settings.driver_timeout_ms * 1_000_000;
    }
}
