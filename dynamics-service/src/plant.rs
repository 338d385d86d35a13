//! Any plant as a model of the lock-step.

use lockstep::{Model, State, status};
use plant::{Plant, Scenario};
use shm_layout::Block;
use shm_layout::blocks::{self, PLANT_INPUTS_MAX, PlantInputs, PlantOutputs};

use crate::Dynamics;

/// A plant that keeps its last inputs while no answer comes.
pub struct PlantModel {
    plant: Box<dyn Plant>,
    step_s: f64,
    inputs: [f64; PLANT_INPUTS_MAX],
    input_count: usize,
    is_answered: bool,
}

impl PlantModel {
    /// The plant of a scenario in its initial state.
    pub fn new(scenario: &Scenario) -> Self {
        let plant = scenario.build_plant();
        let ports = &plant.description().inputs;
        let mut inputs = [0.0; PLANT_INPUTS_MAX];
        inputs.iter_mut().zip(ports).for_each(|(input, port)| *input = port.default);
        let input_count = ports.len().min(PLANT_INPUTS_MAX);
        Self { plant, step_s: scenario.step_s(), inputs, input_count, is_answered: false }
    }
}

impl State for PlantModel {
    fn save(&self, numbers: &mut [f64]) -> usize {
        let values = self.plant.state();
        let count = values.len().min(numbers.len());
        numbers[..count].copy_from_slice(&values[..count]);
        values.len()
    }

    fn load(&mut self, time_s: f64, numbers: &[f64]) -> Result<(), String> {
        self.plant.restore(time_s, numbers).map_err(|error| error.to_string())
    }
}

impl Model for PlantModel {
    type Question = PlantOutputs;
    type Answer = PlantInputs;
    const QUESTION: Block<PlantOutputs> = blocks::PLANT_OUTPUTS;
    const ANSWER: Block<PlantInputs> = blocks::PLANT_INPUTS;

    #[inline]
    fn fill(&mut self, question: &mut PlantOutputs, status: u64) {
        let count = self.plant.description().outputs.len().min(question.outputs.len());
        question.output_count = count as u64;
        self.plant.outputs(&mut question.outputs[..count]);
        question.time_s = self.plant.time_s();
        question.status = status;
    }

    /// The plant itself refuses inputs that are not finite.
    #[inline]
    fn take(&mut self, answer: Option<&PlantInputs>) -> bool {
        self.is_answered = answer.is_some();
        if let Some(answer) = answer {
            self.hold(answer);
        }
        self.is_answered
    }

    #[inline]
    fn step(&mut self, _before: &[f64]) -> u64 {
        let reported = self.plant.step(&self.inputs[..self.input_count], self.step_s);
        let held = if self.is_answered { 0 } else { status::ANSWER_HELD };
        u64::from(reported.bits()) | held
    }

    #[inline]
    fn hold(&mut self, answer: &PlantInputs) {
        let count = (answer.input_count as usize).min(self.input_count);
        self.inputs[..count].copy_from_slice(&answer.inputs[..count]);
    }

    fn time_s(&self) -> f64 {
        self.plant.time_s()
    }
}

impl Dynamics for PlantModel {}

#[cfg(test)]
mod tests {
    use super::*;
    use plant::StepStatus;

    /// `/plant_outputs/.status` has one vocabulary: the plant's own bits are its first ones.
    #[test]
    fn the_bits_of_a_plant_have_the_same_text_everywhere() {
        for (flag, text) in StepStatus::FLAGS {
            assert_eq!(status::text(u64::from(flag.bits())), *text);
        }
    }
}
