//! What is seen of the instance, once a second: progress, misses, memory, latencies.

use std::path::Path;

use rt::histogram::Histogram;
use rt::processes::resident_kib;
use rt::startup::Item;
use shm_layout::blocks::{self, Acquisition, CATALOGUE, Control, Health};
use shm_layout::clock::monotonic_ns;
use shm_layout::{Reader, Region};

use crate::reports::Reports;
use rtrd::PROCESSES;

/// One process at one moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    pub pid: u64,
    pub step: u64,
    pub misses: u64,
    pub overruns: u64,
    /// Periods that were left out.
    pub skipped: u64,
    /// When it said so, on the monotonic clock (ns).
    pub published_ns: u64,
    /// Period of its loop (ns).
    pub period_ns: u64,
    /// Its FIFO priority; 0 if it has none.
    pub fifo_priority: u64,
    /// Whether its memory is locked.
    pub locked: bool,
    /// Memory in use; 0 if the process is not there (KiB).
    pub memory_kib: u64,
    /// Time since it last reported (ms).
    pub silent_ms: f64,
}

/// The instance at one moment.
#[derive(Clone, Debug)]
pub struct Look {
    pub at_s: f64,
    pub processes: [Seen; PROCESSES.len()],
    pub restarts: u64,
    /// Memory of the supervisor (KiB).
    pub supervisor_kib: u64,
    /// Stream blocks that are missing, by their numbers.
    pub stream_lost: u64,
    pub stream_blocks: u64,
    /// Crash reports that were written since the run began.
    pub reports: u64,
    /// Latencies of each process since the last look; empty where they are not its own fault (see
    /// [`Watch::look`]).
    pub latencies: [Histogram; PROCESSES.len()],
}

/// Watches one instance.
pub struct Watch {
    health: [Reader<Health>; PROCESSES.len()],
    control: Reader<Control>,
    acquisition: Reader<Acquisition>,
    region: Region,
    last: [Option<(u64, Histogram)>; PROCESSES.len()],
    sequences: Vec<(u32, u64)>,
    last_step: u64,
    reports: Reports,
    /// Blocks whose count of writes or of owners went back, and steps that did.
    pub went_back: Vec<String>,
}

impl Watch {
    pub fn new(region: Region, reports: &Path) -> Self {
        Self {
            health: PROCESSES.map(|(_, block)| region.reader(block)),
            control: region.reader(blocks::CONTROL),
            acquisition: region.reader(blocks::ACQUISITION),
            last: [const { None }; PROCESSES.len()],
            sequences: vec![(0, 0); CATALOGUE.len()],
            last_step: 0,
            reports: Reports::new(reports),
            went_back: Vec::new(),
            region,
        }
    }

    /// The process number of each process, as its health says.
    pub fn pids(&mut self) -> [Option<u64>; PROCESSES.len()] {
        std::array::from_fn(|index| self.health[index].latest().map(|snapshot| snapshot.value.pid))
    }

    /// What the dynamics reports of itself.
    pub fn dynamics(&mut self) -> Option<Box<Health>> {
        let snapshot = self.health[PROCESSES.len() - 1].latest()?;
        Some(Box::new(*snapshot.value))
    }

    /// Whether the region is gone.
    pub fn is_over(&self) -> bool {
        self.region.is_removed()
    }

    /// Looks. Latencies of a process that was itself held back on purpose since the last look
    /// (`excused`) say nothing and are left out.
    pub fn look(&mut self, at_s: f64, excused: [bool; PROCESSES.len()]) -> Look {
        let now_ns = monotonic_ns();
        let mut look = Look {
            at_s,
            processes: Default::default(),
            restarts: 0,
            supervisor_kib: 0,
            stream_lost: 0,
            stream_blocks: 0,
            reports: self.reports.count(),
            latencies: [const { Histogram::new() }; PROCESSES.len()],
        };
        if let Some(control) = self.control.latest() {
            look.restarts = control.value.restarts.iter().sum();
            look.supervisor_kib = resident_kib(control.value.supervisor_pid);
        }
        if let Some(acquisition) = self.acquisition.latest() {
            let sources = &acquisition.value.sources;
            look.stream_lost = sources.iter().map(|source| source.lost).sum();
            look.stream_blocks = sources.iter().map(|source| source.blocks).sum();
        }
        for (index, excused) in excused.into_iter().enumerate() {
            let Some(health) = self.health[index].latest().map(|snapshot| Box::new(*snapshot.value)) else {
                continue;
            };
            look.processes[index] = Seen {
                pid: health.pid,
                step: health.stamp.step,
                misses: health.exchange_misses,
                overruns: health.overruns,
                skipped: health.skipped,
                published_ns: health.stamp.publish_ns,
                period_ns: health.period_ns,
                fifo_priority: health.fifo_priority,
                locked: health.granted_bits & Item::MemoryLocked.bit() != 0,
                memory_kib: resident_kib(health.pid),
                silent_ms: now_ns.saturating_sub(health.stamp.publish_ns) as f64 * 1e-6,
            };
            let latency = service::histogram_of(&health.latency);
            if !excused
                && let Some((pid, before)) = &self.last[index]
                && *pid == health.pid
            {
                look.latencies[index] = latency.since(before);
            }
            self.last[index] = Some((health.pid, latency));
        }
        self.check_order(look.processes[PROCESSES.len() - 1].step, at_s);
        look
    }

    fn check_order(&mut self, step: u64, at_s: f64) {
        if step < self.last_step {
            let line = format!("{at_s:.0} s: the step went back from {} to {step}", self.last_step);
            self.went_back.push(line);
        }
        self.last_step = step;
        for (index, entry) in CATALOGUE.iter().enumerate() {
            let status = self.region.block_status(index);
            let (generation, sequence) = self.sequences[index];
            if status.generation < generation || status.sequence < sequence {
                self.went_back.push(format!(
                    "{at_s:.0} s: block {} went back from write {sequence} of owner {generation} to write {} of owner {}",
                    entry.name, status.sequence, status.generation
                ));
            }
            self.sequences[index] = (status.generation, status.sequence);
        }
    }
}
