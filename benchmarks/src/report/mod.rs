//! What a group of benchmarks has to say: tables and verdicts for people, figures for programs.

mod statements;
mod table;

pub use statements::{Figure, Target};
pub use table::Table;

use crate::statistics::Summary;

#[derive(Debug)]
pub struct Report {
    group: &'static str,
    figures: Vec<Figure>,
    table: Table,
    targets: Vec<Target>,
    notes: Vec<String>,
}

impl Report {
    /// An empty report with the columns of its table.
    pub fn new(group: &'static str, columns: &[&str]) -> Self {
        let table = Table::new(columns);
        Self { group, figures: Vec::new(), table, targets: Vec::new(), notes: Vec::new() }
    }

    /// A group that cannot be measured here, and why.
    pub fn skipped(group: &'static str, why: &str) -> Self {
        let mut report = Self::new(group, &[]);
        report.note(format!("skipped: {why}"));
        report
    }

    /// A sentence below the table.
    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.table.row(cells);
    }

    /// A row that shows a distribution, with further cells behind it.
    pub fn row_of(&mut self, label: &str, summary: &Summary, further: impl IntoIterator<Item = String>) {
        let numbers = [summary.min, summary.p50, summary.p99, summary.max].map(short);
        self.row([label.to_owned()].into_iter().chain(numbers).chain(further));
    }

    /// A figure without a peer; its name is that of the group, a dot, and `what`.
    pub fn figure(&mut self, what: &str, value: f64, unit: &'static str) {
        self.figures.push(Figure::alone(self.name(what), value, unit));
    }

    /// Least, median, 99th percentile and most as four figures.
    pub fn figures_of(&mut self, what: &str, summary: &Summary, unit: &'static str) {
        let parts = [("min", summary.min), ("p50", summary.p50), ("p99", summary.p99), ("max", summary.max)];
        for (part, value) in parts {
            self.figure(&format!("{what}.{part}"), value, unit);
        }
    }

    /// A duration beside a peer's (less is better); returns the ratio.
    pub fn compare(&mut self, what: &str, value: f64, unit: &'static str, peer: &str, peer_value: f64) -> f64 {
        let figure = Figure::beside(self.name(what), value, unit, peer, peer_value);
        let ratio = figure.ratio.unwrap_or(f64::NAN);
        self.figures.push(figure);
        ratio
    }

    /// A requirement and whether it is met.
    pub fn target(&mut self, target: Target) {
        self.targets.push(target);
    }

    pub fn figures(&self) -> &[Figure] {
        &self.figures
    }

    fn name(&self, what: &str) -> String {
        format!("{}.{what}", self.group)
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        writeln!(formatter, "── {} ──", self.group)?;
        write!(formatter, "{}", self.table)?;
        for note in &self.notes {
            writeln!(formatter, "  {note}")?;
        }
        for target in &self.targets {
            writeln!(formatter, "  {target}")?;
        }
        Ok(())
    }
}

/// A number with about three significant digits.
pub fn short(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 0.1 || size == 0.0 => format!("{value:.2}"),
        _ => format!("{value:.2e}"),
    }
}

/// A ratio with its sign.
pub fn times(ratio: f64) -> String {
    format!("{} ×", short(ratio))
}

/// The cell that has nothing to say.
pub fn blank() -> String {
    "–".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_begin_with_the_group() {
        let mut report = Report::new("group", &["what", "min", "p50", "p99", "max"]);
        let summary = Summary { min: 1.0, p50: 2.0, p99: 3.0, max: 4.0, count: 9 };
        report.figures_of("thing", &summary, "ns");
        report.compare("thing.vs_peer", 2.0, "ns", "peer", 5.0);
        let names: Vec<&str> = report.figures().iter().map(|figure| figure.name.as_str()).collect();
        let expected =
            ["group.thing.min", "group.thing.p50", "group.thing.p99", "group.thing.max", "group.thing.vs_peer"];
        assert_eq!(names, expected);
    }

    #[test]
    fn three_digits_are_enough() {
        let shown = [1234.5, 12.34, 1.234, 0.5, 0.0, 0.001_23].map(short);
        assert_eq!(shown, ["1234", "12.3", "1.23", "0.50", "0.00", "1.23e-3"]);
    }
}
