//! Signals over time, by the names of the dictionary: a table for programs, a plot for people. One
//! row is one step.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use plant::Trace;
use plant::simulation::ColumnKind;
use plot::{LinePlot, Panel, Quantity, Series, panels};
use shm_layout::signals::dictionary::fits;
use shm_layout::signals::views::VIEWS;
use shm_layout::signals::{Blocks, Dictionary, Entry};
use vehicle::files::did_you_mean;

use super::signals::choose;
use crate::output;

/// What a plot does not show unless it is asked for: a reader looks at some dozens of lines at
/// most.
const PLOTTED_MAX: usize = 40;

pub struct SignalTable {
    title: String,
    entries: Vec<Entry>,
    pub times_s: Vec<f64>,
    pub columns: Vec<Column>,
}

pub struct Column {
    pub name: String,
    pub values: Vec<f64>,
}

impl SignalTable {
    /// Without rows: the chosen signals of those that the blocks have; those that people watch
    /// where none are chosen.
    pub fn new(title: &str, dictionary: &Dictionary, blocks: &Blocks, patterns: &[String]) -> anyhow::Result<Self> {
        let all = match patterns {
            [] => usual(dictionary, blocks),
            patterns => choose(dictionary, patterns)?,
        };
        let mut entries: Vec<Entry> = Vec::new();
        for entry in all.into_iter().filter(|entry| entry.value(blocks).is_some() && entry.name != "time_s") {
            if entries.iter().all(|known| known.number != entry.number) {
                entries.push(entry.clone());
            }
        }
        let names = entries.iter().map(|entry| entry.name.clone()).collect();
        Ok(Self { entries, ..Self::of_columns(title, names) })
    }

    /// Without rows: columns of these names.
    pub fn of_columns(title: &str, names: Vec<String>) -> Self {
        let columns = names.into_iter().map(|name| Column { name, values: Vec::new() }).collect();
        Self { title: title.to_owned(), entries: Vec::new(), times_s: Vec::new(), columns }
    }

    /// The columns of a plant's trace, or those that are chosen.
    pub fn of_trace(trace: &Trace, patterns: &[String]) -> anyhow::Result<Self> {
        let kinds = [ColumnKind::Output, ColumnKind::Input, ColumnKind::Demand];
        let columns = kinds.into_iter().flat_map(|kind| trace.columns_of(kind));
        let mut columns: Vec<Column> =
            columns.map(|column| Column { name: column.file_name(trace), values: column.values.clone() }).collect();
        for pattern in patterns {
            if !columns.iter().any(|column| is_meant(pattern, &column.name)) {
                let nearest = did_you_mean(pattern, columns.iter().map(|column| column.name.as_str()));
                let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
                bail!("--signals {pattern}: no such signal; expected some of {}{nearest}", names.join(", "));
            }
        }
        columns.retain(|column| patterns.is_empty() || patterns.iter().any(|pattern| is_meant(pattern, &column.name)));
        let (title, times_s) = (trace.name().to_owned(), trace.times_s().to_vec());
        Ok(Self { title, entries: Vec::new(), times_s, columns })
    }

    /// Adds a row: the values of one step.
    pub fn push(&mut self, time_s: f64, blocks: &Blocks) {
        let values: Vec<f64> = self.entries.iter().map(|entry| entry.value(blocks).unwrap_or(f64::NAN)).collect();
        self.push_row(time_s, &values);
    }

    /// Adds a row: a number for each column.
    pub fn push_row(&mut self, time_s: f64, values: &[f64]) {
        self.times_s.push(time_s);
        self.columns.iter_mut().zip(values).for_each(|(column, value)| column.values.push(*value));
    }

    /// Adds a column that was worked out elsewhere, with as many rows.
    pub fn add(&mut self, name: &str, values: &[f64]) {
        if values.len() == self.times_s.len() {
            self.columns.push(Column { name: name.to_owned(), values: values.to_vec() });
        }
    }

    pub fn row_count(&self) -> usize {
        self.times_s.len()
    }

    pub fn halve(&mut self) {
        for values in self.columns.iter_mut().map(|column| &mut column.values).chain([&mut self.times_s]) {
            let mut row = 0;
            values.retain(|_| {
                row += 1;
                row % 2 == 1
            });
        }
    }

    /// Writes the files that are wanted: a table, a plot.
    pub fn write(&self, csv: Option<&PathBuf>, plot: Option<&PathBuf>) -> anyhow::Result<()> {
        csv.map_or(Ok(()), |path| self.write_csv(path))?;
        plot.map_or(Ok(()), |path| self.write_plot(path))
    }

    /// Writes the table as CSV; numbers have the fewest digits that read back as the same bits.
    pub fn write_csv(&self, path: &Path) -> anyhow::Result<()> {
        let write = || -> std::io::Result<()> { self.write_rows(BufWriter::new(File::create(path)?)) };
        write().with_context(|| format!("cannot write {}", path.display()))?;
        output::say_wrote(path, &format!(" ({} rows)", self.times_s.len()));
        Ok(())
    }

    fn write_rows(&self, file: impl Write) -> std::io::Result<()> {
        let mut writer = csv::Writer::from_writer(file);
        let names = self.columns.iter().map(|column| column.name.as_str());
        writer.write_record(["time_s"].into_iter().chain(names))?;
        for (row, time_s) in self.times_s.iter().enumerate() {
            let values = self.columns.iter().map(|column| column.values[row]);
            writer.write_record([*time_s].into_iter().chain(values).map(|value| format!("{value:?}")))?;
        }
        writer.flush()
    }

    /// Draws the columns over time, and the path of what has one.
    fn write_plot(&self, path: &Path) -> anyhow::Result<()> {
        let quantities: Vec<Quantity> = self.columns.iter().take(PLOTTED_MAX).map(quantity).collect();
        let over_time = LinePlot::new(&self.title, "time [s]", panels(&self.times_s, &quantities));
        let plots: Vec<LinePlot> = [over_time].into_iter().chain(self.path()).collect();
        plot::write_svg(path, &plots)?;
        output::say_wrote(path, "");
        Ok(())
    }

    pub fn write_path(&self, path: &Path) -> anyhow::Result<()> {
        self.path().context("there is no path to draw")?.write_svg(path)?;
        output::say_wrote(path, "");
        Ok(())
    }

    /// A vehicle's path, seen from above.
    fn path(&self) -> Option<LinePlot> {
        let find = |name: &str| self.columns.iter().find(|column| column.name == name);
        let (x, y) = (&find("x_m")?.values, &find("y_m")?.values);
        let points = x.iter().copied().zip(y.iter().copied()).collect();
        let panel = Panel::new("y [m]", vec![Series::new("path", points)]);
        Some(LinePlot::new("path, seen from above", "x [m]", vec![panel]).with_equal_scales())
    }

    /// Prints where each column began and ended.
    pub fn print_ends(&self) {
        for column in self.columns.iter().take(PLOTTED_MAX) {
            let (first, last) = (column.values.first().copied(), column.values.last().copied());
            let (first, last) = (first.unwrap_or(f64::NAN), last.unwrap_or(f64::NAN));
            println!("  {:32} {first:>12.4} → {last:>12.4}", column.name);
        }
    }
}

/// What people watch: the views of a vehicle, the named numbers of a plant but its state.
fn usual<'a>(dictionary: &'a Dictionary, blocks: &Blocks) -> Vec<&'a Entry> {
    let is_known = |entry: &&Entry| entry.value(blocks).is_some_and(|value| !value.is_nan());
    if blocks.has(shm_layout::blocks::KINEMATICS.index) {
        return VIEWS.iter().filter_map(|view| dictionary.find(view.name)).filter(is_known).collect();
    }
    let state = shm_layout::blocks::PLANT_STATE.index;
    dictionary.entries().iter().filter(|entry| entry.is_of_run && entry.block != state).collect()
}

fn is_meant(pattern: &str, name: &str) -> bool {
    if pattern.contains('*') { fits(pattern, name) } else { name == pattern }
}

fn quantity(column: &Column) -> Quantity {
    match column.name.strip_prefix("demand_") {
        Some(name) => Quantity::named(name, column.values.clone()).demanded(),
        None => Quantity::named(&column.name, column.values.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plant::{Scenario, simulate};
    use vehicle::files::{Gaps, Source, Table};

    /// Every shipped scenario gives a table that reads back as the same bits.
    #[test]
    fn a_table_reads_back_as_the_same_bits() {
        for name in Scenario::builtin_names() {
            let trace = simulate(&Scenario::builtin(name).unwrap(), |_| {});
            let table = SignalTable::of_trace(&trace, &[]).unwrap();
            let mut text = Vec::new();
            table.write_rows(&mut text).unwrap();
            let read = Table::over_time(&Source::new(name, &text), Gaps::Refused).unwrap();
            let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
            assert_eq!(read.names().skip(1).collect::<Vec<_>>(), names);
            assert_eq!(read.time_s(), trace.times_s());
            let columns: Vec<&Vec<f64>> = table.columns.iter().map(|column| &column.values).collect();
            assert_eq!(read.columns()[1..].iter().collect::<Vec<_>>(), columns, "{name}");
        }
    }

    #[test]
    fn columns_are_chosen_by_pattern_and_unknown_ones_are_refused() {
        let trace = simulate(&Scenario::builtin("tank-fig18").unwrap(), |_| {});
        let names = |pattern: &str| -> anyhow::Result<Vec<String>> {
            let table = SignalTable::of_trace(&trace, &[pattern.to_owned()])?;
            Ok(table.columns.into_iter().map(|column| column.name).collect())
        };
        assert_eq!(names("level_cm").unwrap(), ["level_cm"]);
        assert_eq!(names("*level_cm").unwrap(), ["level_cm", "demand_level_cm"]);
        let error = names("levle_cm").unwrap_err().to_string();
        assert!(error.ends_with("did you mean `level_cm`?"), "{error}");
    }
}
