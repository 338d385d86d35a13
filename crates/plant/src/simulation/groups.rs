//! The columns of a trace in the order in which people look at them.

use super::{Column, ColumnKind, Trace};

/// What a plot shows: outputs first, so that a reader sees them at the top, then inputs; a demand
/// comes before what it is the demand of, so that what happened is drawn over what was asked.
/// Demands that go straight to an input are left out, because the input shows them.
pub fn shown(trace: &Trace) -> Vec<&Column> {
    let column = |kind| trace.columns_of(kind);
    let demands: Vec<&Column> =
        column(ColumnKind::Demand).filter(|demand| trace.input(&demand.port.name).is_none()).collect();
    let of = |name: &str| demands.iter().copied().find(|demand| demand.port.name == name);
    let outputs = column(ColumnKind::Output).flat_map(|output| of(&output.port.name).into_iter().chain([output]));
    let alone = demands.iter().copied().filter(|demand| trace.output(&demand.port.name).is_none());
    outputs.chain(alone).chain(column(ColumnKind::Input)).collect()
}
