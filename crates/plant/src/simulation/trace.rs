//! What a run left behind: columns of numbers over time.

use super::Exchange;
use crate::control::ControllerDescription;
use crate::description::{Description, Port};
use crate::scenario::Scenario;
use crate::status::{ControlStatus, StepStatus};

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
