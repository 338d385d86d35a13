//! What a run leaves behind: a plot, a table, crash reports.
//!
//! The recorder looks at the blocks a hundred times a second like any other observer; the processes
//! do nothing for it.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::thread::Builder;

use service::Companion;
use shm_layout::RegionName;

use super::child::Line;
use crate::commands::signal_table::SignalTable;
use crate::flight::{Folder, Recording};
use crate::view::Observer;

/// Rows beyond which every second one is dropped and the pace halved, so that a run of days stays
/// small.
const ROWS_MAX: usize = 200_000;

/// Collects the signals of a run.
pub struct Recorder {
    /// Made with the first row, when it is known what there is.
    table: Option<SignalTable>,
    wanted: Option<Vec<String>>,
    title: String,
    last_time_s: f64,
    /// One row is kept of so many looks.
    every: u64,
    looks: u64,
}

impl Recorder {
    /// A recorder of these signals; none if nothing is to be written.
    pub fn new(title: &str, wanted: Option<Vec<String>>) -> Self {
        let title = title.to_owned();
        Self { table: None, wanted, title, last_time_s: f64::NEG_INFINITY, every: 1, looks: 0 }
    }

    /// Adds a row if there is a new step.
    pub fn record(&mut self, observer: &mut Observer) -> anyhow::Result<()> {
        self.looks += 1;
        let Some(patterns) = &self.wanted else { return Ok(()) };
        let signals = &mut observer.signals;
        if !self.looks.is_multiple_of(self.every) || !signals.look_at_one_step() {
            return Ok(());
        }
        let block = if signals.is_vehicle() { "kinematics.time_s" } else { "plant_outputs.time_s" };
        let Some(time_s) = signals.value(block).filter(|time_s| *time_s > self.last_time_s) else {
            return Ok(());
        };
        self.last_time_s = time_s;
        if self.table.is_none() {
            let (dictionary, blocks) = (&signals.dictionary, &signals.blocks);
            self.table = Some(SignalTable::new(&self.title, dictionary, blocks, patterns)?);
        }
        if let Some(table) = &mut self.table {
            table.push(time_s, &signals.blocks);
            if table.row_count() >= ROWS_MAX {
                table.halve();
                self.every *= 2;
            }
        }
        Ok(())
    }

    pub fn into_table(self) -> Option<SignalTable> {
        self.table
    }
}

/// The last seconds that a crash report holds.
const WINDOW_S: f64 = 10.0;
/// Time between two looks of the flight recorder (ms).
const LOOK_MS: u64 = 5;
/// Crash reports that are kept.
const KEEP: usize = 20;

/// Starts the flight recorder: a thread beside the supervisor, which must never wait for a disk.
/// Reports go to this folder, or to the usual one.
pub fn record_flight(
    region: &RegionName,
    instance: &str,
    folder: Option<PathBuf>,
    lines: Sender<Line>,
) -> std::io::Result<Companion> {
    let recording = Recording {
        region: region.clone(),
        instance: instance.to_owned(),
        folder: Folder::new(folder.unwrap_or_else(Folder::usual), KEEP),
        window_s: WINDOW_S,
        look_ms: LOOK_MS,
    };
    Companion::start(Builder::new().name("flight recorder".to_owned()), move |ended| {
        recording.record(&mut || !ended.load(Ordering::Relaxed), &|| false, &mut |line| {
            // The supervisor may have ended already.
            let _ = lines.send(Line { process: "flight recorder", text: format!("INFO {line}") });
        });
    })
}
