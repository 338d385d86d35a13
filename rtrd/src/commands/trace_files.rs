//! The files of a trace: a table for programs, a plot for people.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use plant::Trace;
use plant::simulation::{Column, ColumnKind, shown, write_csv as write_rows};
use plot::{LinePlot, Panel, Quantity, Series, panels};

/// Writes the trace as CSV.
pub fn write_csv(trace: &Trace, path: &Path) -> anyhow::Result<()> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    write_rows(trace, BufWriter::new(file)).with_context(|| format!("cannot write {}", path.display()))?;
    said(&format!("wrote {} ({} rows)", path.display(), trace.times_s().len()));
    Ok(())
}

/// Draws the trace over time, and the path of what has one.
pub fn write_plot(trace: &Trace, path: &Path) -> anyhow::Result<()> {
    let quantities: Vec<Quantity> = shown(trace).into_iter().map(quantity).collect();
    let over_time = LinePlot::new(trace.name(), "time [s]", panels(trace.times_s(), &quantities));
    let plots: Vec<LinePlot> = [over_time].into_iter().chain(path_of(trace)).collect();
    plot::write_svg(path, &plots)?;
    said(&format!("wrote {}", path.display()));
    Ok(())
}

/// Draws the path alone.
pub fn write_path(trace: &Trace, path: &Path) -> anyhow::Result<()> {
    path_of(trace).context("there is no path to draw")?.write_svg(path)?;
    said(&format!("wrote {}", path.display()));
    Ok(())
}

fn quantity(column: &Column) -> Quantity {
    let quantity = Quantity::named(&column.port.name, column.values.clone());
    if column.kind == ColumnKind::Demand { quantity.demanded() } else { quantity }
}

/// A vehicle's path, seen from above.
fn path_of(trace: &Trace) -> Option<LinePlot> {
    let (x, y) = (trace.output("x_m")?, trace.output("y_m")?);
    let points = x.iter().copied().zip(y.iter().copied()).collect();
    let panel = Panel::new("y [m]", vec![Series::new("path", points)]);
    Some(LinePlot::new("path, seen from above", "x [m]", vec![panel]).with_equal_scales())
}

/// The files count, not whether anybody still reads about them.
fn said(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Prints where each column began and ended.
pub fn print_ends(trace: &Trace) {
    for column in trace.columns() {
        let (first, last) = (column.values.first().copied(), column.values.last().copied());
        let (first, last) = (first.unwrap_or(f64::NAN), last.unwrap_or(f64::NAN));
        println!("  {:32} {first:>12.4} → {last:>12.4}", column.file_name(trace));
    }
}
