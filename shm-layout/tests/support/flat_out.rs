//! The two parts of the stress: a writer that writes flat out, and a reader that holds every
//! snapshot against the pattern. The tests and the long run (`examples/stress.rs`) share them.
#![allow(dead_code, reason = "each program uses its part")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use shm_layout::blocks::{PLANT_OUTPUTS, PlantOutputs};
use shm_layout::{Reader, Region, RegionName};

use crate::pattern;

/// Writes between two looks at whether to stop.
const WRITES_PER_LOOK: usize = 1024;
/// How often a reader looks for a write that must come, a millisecond apart.
const LOOKS_FOR_WRITE: usize = 60_000;

/// What a reader found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Snapshots that were read.
    pub reads: u64,
    /// Snapshots that were not whole, or older than one before.
    pub torn: u64,
    /// Snapshots that took more than one attempt.
    pub retried: u64,
    /// Reads in which the writer overtook every attempt, so that the last snapshot was held.
    pub held: u64,
    /// Most attempts of one read.
    pub attempts_max: u64,
    /// Snapshots that were newer than the one before.
    pub fresh: u64,
}

impl Tally {
    /// As one process tells it to another.
    pub fn to_line(self) -> String {
        serde_json::to_string(&self).expect("numbers can be written")
    }

    /// What another process told.
    pub fn of_line(line: &str) -> Self {
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// This and another reader's.
    pub fn with(self, other: Self) -> Self {
        Self {
            reads: self.reads + other.reads,
            torn: self.torn + other.torn,
            retried: self.retried + other.retried,
            held: self.held + other.held,
            attempts_max: self.attempts_max.max(other.attempts_max),
            fresh: self.fresh + other.fresh,
        }
    }
}

/// Writes flat out until standard input ends, which it also does when the parent dies. Returns the
/// number of writes.
pub fn write_flat_out(name: &RegionName) -> u64 {
    let region = Region::open(name, None).expect("the parent has made the region");
    let mut writer = region.claim(PLANT_OUTPUTS).expect("nobody else writes");
    let stop = Arc::new(AtomicBool::new(false));
    let told = stop.clone();
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_line(&mut String::new());
        told.store(true, Ordering::Relaxed);
    });
    let mut payload = PlantOutputs::default();
    while !stop.load(Ordering::Relaxed) {
        for _ in 0..WRITES_PER_LOOK {
            pattern::fill(&mut payload, writer.sequence() + 1);
            writer.publish(&payload);
        }
    }
    writer.sequence()
}

/// Waits until this write has been made.
pub fn wait_for_write(reader: &mut Reader<PlantOutputs>, sequence: u64) {
    let found = (0..LOOKS_FOR_WRITE).any(|_| {
        std::thread::sleep(Duration::from_millis(1));
        reader.latest().is_some_and(|snapshot| snapshot.sequence >= sequence)
    });
    assert!(found, "the writer has not made write {sequence}");
}

/// Reads so often, and holds every snapshot against the pattern.
pub fn read(name: &RegionName, reads: u64) -> Tally {
    let region = Region::open(name, None).expect("the parent has made the region");
    let mut reader = region.reader(PLANT_OUTPUTS);
    wait_for_write(&mut reader, 1);
    let mut tally = Tally::default();
    let mut last = 0;
    for _ in 0..reads {
        let snapshot = reader.latest().expect("there was one before");
        let whole = snapshot.sequence >= last && pattern::is_whole(snapshot.value, snapshot.sequence);
        tally = tally.with(Tally {
            reads: 1,
            torn: u64::from(!whole),
            retried: u64::from(snapshot.attempts > 1),
            held: u64::from(snapshot.held),
            attempts_max: u64::from(snapshot.attempts),
            fresh: u64::from(snapshot.sequence > last),
        });
        last = snapshot.sequence;
    }
    tally
}
