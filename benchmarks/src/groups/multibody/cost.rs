//! What a step costs: in all rounds, and in those with the core to ourselves.

use super::contenders::Case;
use crate::neighbour::Rounds;
use crate::report::{Report, blank, short};
use crate::statistics::Summary;

/// The cost of a step (µs).
pub struct Cost {
    pub all: Summary,
    /// `None` if there were too few of these rounds.
    alone: Option<Summary>,
}

impl Cost {
    /// From nanoseconds; `None` if nothing was measured.
    pub fn of(rounds: &Rounds, least_probe_ns: f64) -> Option<Self> {
        Some(Self {
            all: Summary::of(rounds.all())?.scaled(1e-3),
            alone: rounds.alone(least_probe_ns).map(|summary| summary.scaled(1e-3)),
        })
    }

    /// Median with the core to ourselves; of all rounds if there were too few of these.
    pub fn alone_us(&self) -> f64 {
        self.alone.map_or(self.all.p50, |alone| alone.p50)
    }

    /// The same for a table.
    pub fn alone_cell(&self) -> String {
        self.alone.map_or_else(blank, |alone| short(alone.p50))
    }

    pub fn add_to(&self, report: &mut Report, key: &str) {
        report.figures_of(key, &self.all, "µs");
        if let Some(alone) = &self.alone {
            report.figures_of(&format!("{key}.alone"), alone, "µs");
        }
    }

    /// A peer's median over ours, of all rounds and alone.
    pub fn beside(&self, report: &mut Report, key: &str, case: &Case, theirs: &Cost) -> [f64; 2] {
        let parts = [
            ("p50", self.all.p50, theirs.all.p50),
            ("min", self.all.min, theirs.all.min),
            ("alone", self.alone_us(), theirs.alone_us()),
        ];
        let [median, _, alone] = parts.map(|(part, ours, theirs)| {
            let what = format!("{key}.{part}.vs_{}", case.key);
            report.compare(&what, ours, "µs", case.label, theirs)
        });
        [median, alone]
    }
}
