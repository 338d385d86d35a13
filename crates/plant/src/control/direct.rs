//! The controller that is none: each demand is an input of the plant (RTSDS Fig. 13–17, 21, 22).

use super::{Controller, ControllerDescription, accept_demands};
use crate::description::Description;
use crate::plant::{RestoreError, check_state};
use crate::status::ControlStatus;

/// Passes demands on to the inputs of the same names.
#[derive(Clone, Debug)]
pub struct Direct {
    description: ControllerDescription,
    /// The last good value of each demand.
    held: Vec<f64>,
}

impl Direct {
    /// For a plant: its demands are the plant's inputs.
    pub fn new(plant: &Description) -> Self {
        let demands = plant.inputs.clone();
        let held = demands.iter().map(|port| port.default).collect();
        let description = ControllerDescription { name: "direct".into(), input_count: demands.len(), demands };
        Direct { description, held }
    }
}

impl Controller for Direct {
    fn description(&self) -> &ControllerDescription {
        &self.description
    }

    fn reset(&mut self) {
        for (held, port) in self.held.iter_mut().zip(&self.description.demands) {
            *held = port.default;
        }
    }

    fn state(&self) -> &[f64] {
        &self.held
    }

    fn restore(&mut self, state: &[f64]) -> Result<(), RestoreError> {
        check_state(state, self.held.len())?;
        self.held.copy_from_slice(state);
        Ok(())
    }

    fn update(
        &mut self,
        _time_s: f64,
        demands: &[f64],
        _outputs: &[f64],
        _step_s: f64,
        inputs: &mut [f64],
    ) -> ControlStatus {
        let status = accept_demands(&mut self.held, demands, &self.description.demands);
        inputs.iter_mut().zip(&self.held).for_each(|(input, held)| *input = *held);
        status
    }
}
