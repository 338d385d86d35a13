//! What a run leaves behind: a plot, a table.
//!
//! The recorder looks at the blocks a hundred times a second like any other observer; the processes
//! do nothing for it.

use std::path::{Path, PathBuf};

use anyhow::Context;
use plant::simulation::Exchange;
use plant::{ControlStatus, StepStatus, Trace};
use service::Job;

use crate::commands::trace_files;
use crate::view::Observer;

/// Rows beyond which every second one is dropped and the pace halved, so that a run of days stays
/// small.
const ROWS_MAX: usize = 200_000;

/// Collects the signals of a run.
pub struct Recorder {
    trace: Trace,
    wanted: bool,
    last_step: u64,
    /// One row is kept of so many looks.
    every: u64,
    looks: u64,
}

impl Recorder {
    pub fn new(job: &Job, wanted: bool) -> Self {
        Self { trace: job.trace(), wanted, last_step: 0, every: 1, looks: 0 }
    }

    /// Adds a row if there is a new step.
    pub fn record(&mut self, observer: &mut Observer) {
        self.looks += 1;
        if !self.wanted || !self.looks.is_multiple_of(self.every) {
            return;
        }
        let Some(seen) = observer.exchange() else { return };
        if seen.step == self.last_step {
            return;
        }
        self.last_step = seen.step;
        self.trace.push(&Exchange {
            step: seen.step,
            time_s: seen.time_s,
            demands: &seen.demands,
            inputs: &seen.inputs,
            outputs: &seen.outputs,
            step_status: StepStatus::OK,
            control_status: ControlStatus::OK,
        });
        if self.trace.times_s().len() >= ROWS_MAX {
            self.trace.halve();
            self.every *= 2;
        }
    }

    pub fn into_trace(self) -> Trace {
        self.trace
    }
}

/// The files to write at the end, known to be writable from the start.
pub struct Outputs {
    plot: Option<PathBuf>,
    csv: Option<PathBuf>,
}

impl Outputs {
    /// Fails now rather than after an hour if a file cannot be written.
    pub fn open(plot: Option<&Path>, csv: Option<&Path>) -> anyhow::Result<Self> {
        for path in [plot, csv].into_iter().flatten() {
            let open = std::fs::OpenOptions::new().create(true).append(true).open(path);
            open.with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(Self { plot: plot.map(Path::to_owned), csv: csv.map(Path::to_owned) })
    }

    pub fn write(&self, trace: &Trace) -> anyhow::Result<()> {
        if let Some(path) = &self.csv {
            trace_files::write_csv(trace, path)?;
        }
        if let Some(path) = &self.plot {
            trace_files::write_plot(trace, path)?;
        }
        Ok(())
    }
}
