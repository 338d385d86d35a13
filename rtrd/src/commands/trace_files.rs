//! The files of a trace: a table for programs, a plot for people.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use plant::Trace;
use plant::simulation::{ColumnKind, group_by_unit, title_of, write_csv as write_rows};
use plot::{LinePlot, Panel, Series};

/// Writes the trace as CSV.
pub fn write_csv(trace: &Trace, path: &Path) -> anyhow::Result<()> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    write_rows(trace, BufWriter::new(file)).with_context(|| format!("cannot write {}", path.display()))?;
    said(&format!("wrote {} ({} rows)", path.display(), trace.times_s().len()));
    Ok(())
}

/// Draws the trace: one panel for each unit.
pub fn write_plot(trace: &Trace, path: &Path) -> anyhow::Result<()> {
    let times_s = trace.times_s();
    let panels = group_by_unit(trace).into_iter().map(|group| {
        let series = group.columns.iter().map(|column| {
            let points = times_s.iter().copied().zip(column.values.iter().copied()).collect();
            let series = Series::new(title_of(column), points);
            if column.kind == ColumnKind::Demand { series.dashed() } else { series }
        });
        Panel::new(group.label, series.collect())
    });
    let plot = LinePlot::new(trace.name(), "time [s]", panels.collect());
    plot.write_svg(path).with_context(|| format!("cannot draw {}", path.display()))?;
    said(&format!("wrote {}", path.display()));
    Ok(())
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
        println!("  {:6} {:26} {first:>12.4} → {last:>12.4}", column.kind.prefix(), column.port.name);
    }
}
