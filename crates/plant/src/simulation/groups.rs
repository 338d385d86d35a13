//! Columns that belong into one picture: those of one unit share an axis.

use super::{Column, ColumnKind, Trace};
use crate::description::unit_suffix;

/// Columns that share an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Group<'a> {
    /// The label of the axis: `speed [m/s]`.
    pub label: String,
    /// The columns; demands first, so that what happened is drawn over what was asked.
    pub columns: Vec<&'a Column>,
}

/// Groups the columns of a trace by unit: those of the outputs first, in their order, then the
/// inputs. Demands that go straight to an input are left out, because the input shows them.
pub fn group_by_unit(trace: &Trace) -> Vec<Group<'_>> {
    let is_input = |name: &str| trace.input(name).is_some();
    let shown: Vec<&Column> = trace
        .columns()
        .iter()
        .filter(|column| column.kind != ColumnKind::Demand || !is_input(&column.port.name))
        .collect();
    let outputs = trace.columns_of(ColumnKind::Output);
    let mut units: Vec<&str> = Vec::new();
    for column in outputs.chain(trace.columns()) {
        if !units.contains(&column.port.unit.as_str()) {
            units.push(&column.port.unit);
        }
    }
    let of_unit = |unit: &str| shown.iter().copied().filter(|column| column.port.unit == unit).collect();
    units.into_iter().map(|unit| Group { label: axis_label(unit), columns: of_unit(unit) }).collect()
}

/// The name of a column for people: `level`, `level, demand`.
pub fn title_of(column: &Column) -> String {
    let ending = format!("_{}", unit_suffix(&column.port.unit));
    let name = column.port.name.strip_suffix(&ending).unwrap_or(&column.port.name).replace('_', " ");
    if column.kind == ColumnKind::Demand { format!("{name}, demand") } else { name }
}

fn axis_label(unit: &str) -> String {
    let quantity = match unit {
        "cm" => "level",
        "cm³/s" => "flow",
        "m" => "position",
        "m/s" => "speed",
        "m/s²" => "acceleration",
        "N" => "force",
        "1" => "ratio",
        _ => "value",
    };
    format!("{quantity} [{unit}]")
}
