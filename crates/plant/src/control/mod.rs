//! What stands between the demands and the plant's inputs.
//!
//! The controller runs in lock-step with the plant: outputs y_k come in, inputs u_k go out, within
//! the same step. In RTSDS it was a microcontroller beside the simulator (Fig. 20); here it is a
//! process of its own.

mod pid;
pub use pid::{Pid, PidError, PidSettings};

use crate::description::{Description, Port};
use crate::plant::{RestoreError, accept, check_state};
use crate::status::ControlStatus;

/// What a controller says about itself.
#[derive(Clone, Debug, PartialEq)]
pub struct ControllerDescription {
    /// The short name by which scenarios ask for it: `pid`.
    pub name: String,
    /// The demands that [`Controller::update`] takes, in this order.
    pub demands: Vec<Port>,
    /// How many inputs of the plant it fills.
    pub input_count: usize,
}

/// Turns demands and measured outputs into the plant's inputs, once per step.
///
/// [`update`](Controller::update) neither allocates, locks, prints nor panics, whatever the slices
/// contain and however long they are.
pub trait Controller: Send {
    /// The demands that it understands.
    fn description(&self) -> &ControllerDescription;

    /// Back to the state before the first update.
    fn reset(&mut self);

    /// All that it remembers from one update to the next. Its length never changes.
    fn state(&self) -> &[f64];

    /// Goes on from a published state, without a bump. On an error nothing changes.
    fn restore(&mut self, state: &[f64]) -> Result<(), RestoreError>;

    /// Writes the inputs for a step that lasts `step_s`, as many as fit.
    fn update(&mut self, demands: &[f64], outputs: &[f64], step_s: f64, inputs: &mut [f64]) -> ControlStatus;
}

/// The demands that hold during the step, and what had to be done to them.
fn accept_demands(held: &mut [f64], offered: &[f64], ports: &[Port]) -> ControlStatus {
    accept(held, offered, ports, [ControlStatus::DEMAND_HELD, ControlStatus::DEMAND_CLAMPED])
}

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

    fn update(&mut self, demands: &[f64], _outputs: &[f64], _step_s: f64, inputs: &mut [f64]) -> ControlStatus {
        let status = accept_demands(&mut self.held, demands, &self.description.demands);
        inputs.iter_mut().zip(&self.held).for_each(|(input, held)| *input = *held);
        status
    }
}
