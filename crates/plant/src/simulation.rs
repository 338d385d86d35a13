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

use crate::control::ControllerDescription;
use crate::description::{Description, Port};
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
        let control_status = controller.update(&demands, &outputs, step_s, &mut inputs);
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

/// On which side of the plant a column was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// r_k, what was asked.
    Demand,
    /// u_k, what the controller answered.
    Input,
    /// y_k, what the plant showed.
    Output,
}

/// One quantity over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// On which side of the plant it was taken.
    pub kind: ColumnKind,
    /// Name, unit and range.
    pub port: Port,
    /// One value per time.
    pub values: Vec<f64>,
}

impl Column {
    /// The name in a file; a demand of what is measured too says so.
    pub fn file_name(&self, trace: &Trace) -> String {
        let is_measured = self.kind == ColumnKind::Demand
            && trace.columns.iter().any(|it| it.kind != self.kind && it.port.name == self.port.name);
        if is_measured { format!("demand_{}", self.port.name) } else { self.port.name.clone() }
    }
}

/// All columns of a run, and what was reported on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    name: String,
    times_s: Vec<f64>,
    columns: Vec<Column>,
    step_status: StepStatus,
    control_status: ControlStatus,
}

impl Trace {
    /// Columns for demands and for what a plant shows, with room for all rows of a scenario.
    pub(super) fn new(scenario: &Scenario, plant: &Description, controller: &ControllerDescription) -> Self {
        let rows = scenario.step_count() as usize + 1;
        let column = |kind| move |port: &Port| Column { kind, port: port.clone(), values: Vec::with_capacity(rows) };
        let demands = controller.demands.iter().map(column(ColumnKind::Demand));
        let inputs = plant.inputs.iter().map(column(ColumnKind::Input));
        let outputs = plant.outputs.iter().map(column(ColumnKind::Output));
        Trace {
            name: scenario.name().into(),
            times_s: Vec::with_capacity(rows),
            columns: demands.chain(inputs).chain(outputs).collect(),
            step_status: StepStatus::OK,
            control_status: ControlStatus::OK,
        }
    }

    pub(super) fn push(&mut self, exchange: &Exchange<'_>) {
        self.times_s.push(exchange.time_s);
        let values = exchange.demands.iter().chain(exchange.inputs).chain(exchange.outputs);
        for (column, value) in self.columns.iter_mut().zip(values) {
            column.values.push(*value);
        }
        self.step_status |= exchange.step_status;
        self.control_status |= exchange.control_status;
    }

    /// The scenario that ran.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The times of the rows (s).
    pub fn times_s(&self) -> &[f64] {
        &self.times_s
    }

    /// The columns: demands, inputs, outputs.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The columns of one kind.
    pub fn columns_of(&self, kind: ColumnKind) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(move |column| column.kind == kind)
    }

    /// A demand by name.
    pub fn demand(&self, name: &str) -> Option<&[f64]> {
        self.find(ColumnKind::Demand, name)
    }

    /// An input by name.
    pub fn input(&self, name: &str) -> Option<&[f64]> {
        self.find(ColumnKind::Input, name)
    }

    /// An output by name.
    pub fn output(&self, name: &str) -> Option<&[f64]> {
        self.find(ColumnKind::Output, name)
    }

    /// Everything that any step reported.
    pub fn step_status(&self) -> StepStatus {
        self.step_status
    }

    /// Everything that any answer of the controller reported.
    pub fn control_status(&self) -> ControlStatus {
        self.control_status
    }

    fn find(&self, kind: ColumnKind, name: &str) -> Option<&[f64]> {
        self.columns_of(kind).find(|column| column.port.name == name).map(|column| column.values.as_slice())
    }
}
