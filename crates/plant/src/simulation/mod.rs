//! A scenario without processes and clocks, as fast as the machine goes.
//!
//! Each step is the lock-step exchange of the real-time processes in the same order, so an offline
//! trace is what a live run without delays gives, bit for bit:
//!
//! ```text
//! t_k = k·h          time is a product, not a running sum
//! y_k = G(x_k, u_{k−1})   the plant publishes its outputs
//! r_k = r(t_k)            the demands of this moment
//! u_k = C(r_k, y_k)       the controller answers
//! x_{k+1} = F(x_k, u_k)   the plant makes its step
//! ```

mod trace;

pub use trace::{Column, ColumnKind, Trace};

use crate::scenario::Scenario;
use crate::status::{ControlStatus, StepStatus};

/// All that is known when the controller has answered, before the plant makes its step.
#[derive(Clone, Copy, Debug)]
pub struct Exchange<'a> {
    /// k, counted from 0.
    pub step: u64,
    /// t_k (s).
    pub time_s: f64,
    /// r_k.
    pub demands: &'a [f64],
    /// u_k.
    pub inputs: &'a [f64],
    /// y_k.
    pub outputs: &'a [f64],
    /// What the step that led here reported.
    pub step_status: StepStatus,
    /// What the controller reported.
    pub control_status: ControlStatus,
}

/// Runs a scenario from its initial state to its duration; `observer` sees every exchange.
pub fn simulate(scenario: &Scenario, mut observer: impl FnMut(&Exchange<'_>)) -> Trace {
    let mut plant = scenario.build_plant();
    let mut controller = scenario.build_controller();
    let mut trace = Trace::new(scenario, plant.description(), controller.description());
    let mut demands = vec![0.0; scenario.demands().len()];
    let mut inputs = vec![0.0; plant.description().inputs.len()];
    let mut outputs = vec![0.0; plant.description().outputs.len()];
    let (step_s, step_count) = (scenario.step_s(), scenario.step_count());
    let mut step_status = StepStatus::OK;
    for step in 0..=step_count {
        let time_s = step as f64 * step_s;
        plant.outputs(&mut outputs);
        scenario.demands().values(time_s, &mut demands);
        let control_status = controller.update(time_s, &demands, &outputs, step_s, &mut inputs);
        let exchange = Exchange {
            step,
            time_s,
            demands: &demands,
            inputs: &inputs,
            outputs: &outputs,
            step_status,
            control_status,
        };
        trace.push(&exchange);
        observer(&exchange);
        if step < step_count {
            step_status = plant.step(&inputs, step_s);
        }
    }
    trace
}
