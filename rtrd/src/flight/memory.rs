//! The memory of the flight recorder: a window of snapshots per block.

use std::collections::VecDeque;

use shm_layout::Region;
use shm_layout::blocks::CATALOGUE;
use shm_layout::clock::monotonic_ns;
use shm_layout::reader::WordReader;

/// More than this is not kept, however long the window is: the oldest snapshots go first.
const BYTES_MAX: usize = 256 << 20;

/// One look at one block.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// When it was seen, on the monotonic clock (ns).
    pub seen_ns: u64,
    /// How many writes the block had had.
    pub sequence: u64,
    /// The payload without the zeros at its end.
    pub words: Box<[u64]>,
}

/// What was seen of one block.
struct Track {
    reader: WordReader,
    snapshots: VecDeque<Snapshot>,
    last_sequence: u64,
}

/// The last seconds of every block.
pub struct Memory {
    tracks: Vec<Track>,
    window_ns: u64,
    bytes: usize,
}

impl Memory {
    /// A memory of so many seconds.
    pub fn new(region: &Region, window_s: f64) -> Self {
        let tracks = (0..CATALOGUE.len()).map(|index| Track {
            reader: region.word_reader(index),
            snapshots: VecDeque::new(),
            last_sequence: 0,
        });
        Self {
            tracks: tracks.collect(),
            window_ns: (window_s * 1e9) as u64,
            bytes: 0,
        }
    }

    /// Keeps what is new, and forgets what is too old.
    pub fn look(&mut self) {
        let seen_ns = monotonic_ns();
        for track in &mut self.tracks {
            let sequence = track.reader.sequence();
            if sequence == track.last_sequence {
                continue;
            }
            let Some(words) = track.reader.latest() else {
                continue;
            };
            track.last_sequence = sequence;
            let used = words
                .iter()
                .rposition(|word| *word != 0)
                .map_or(0, |last| last + 1);
            self.bytes += used * 8;
            track.snapshots.push_back(Snapshot {
                seen_ns,
                sequence,
                words: words[..used].into(),
            });
        }
        self.forget(seen_ns.saturating_sub(self.window_ns));
    }

    /// The last snapshot of a block stays, however old: a writer that is silent for long is what one looks for after a crash.
    fn forget(&mut self, before_ns: u64) {
        for track in &mut self.tracks {
            while track.snapshots.len() > 1
                && (track.snapshots[0].seen_ns < before_ns || self.bytes > BYTES_MAX)
                && let Some(old) = track.snapshots.pop_front()
            {
                self.bytes -= old.words.len() * 8;
            }
        }
    }

    /// What is known of the block at this position of the table, oldest first.
    pub fn snapshots(&self, block: usize) -> impl ExactSizeIterator<Item = &Snapshot> {
        self.tracks[block].snapshots.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shm_layout::blocks::{self, Driver};
    use shm_layout::{RegionName, Writer};

    fn region() -> (tempfile::TempDir, Region, Writer<Driver>) {
        let folder = tempfile::tempdir().unwrap();
        let name = RegionName::in_directory(folder.path(), "memory").unwrap();
        let region = Region::create(&name, None).unwrap();
        let writer = region.claim(blocks::DRIVER).unwrap();
        (folder, region, writer)
    }

    #[test]
    fn each_write_that_is_seen_is_kept_once() {
        let (_folder, region, mut writer) = region();
        let mut memory = Memory::new(&region, 10.0);
        memory.look();
        assert_eq!(memory.snapshots(blocks::DRIVER.index).len(), 0);
        for step in 1..=3 {
            let mut driver = Driver::default();
            driver.stamp.step = step;
            writer.publish(&driver);
            memory.look();
            memory.look();
        }
        let sequences: Vec<u64> = memory
            .snapshots(blocks::DRIVER.index)
            .map(|snapshot| snapshot.sequence)
            .collect();
        assert_eq!(sequences, [1, 2, 3]);
        assert_eq!(memory.snapshots(blocks::FORCES.index).len(), 0);
    }

    #[test]
    fn what_is_too_old_is_forgotten_but_for_the_last() {
        let (_folder, region, mut writer) = region();
        let mut memory = Memory::new(&region, 10.0);
        for _ in 0..5 {
            writer.publish(&Driver::default());
            memory.look();
        }
        assert!(memory.bytes > 0);
        memory.forget(u64::MAX);
        let left: Vec<u64> = memory
            .snapshots(blocks::DRIVER.index)
            .map(|snapshot| snapshot.sequence)
            .collect();
        assert_eq!(left, [5]);
        let kept = memory.snapshots(blocks::DRIVER.index).next().unwrap();
        assert_eq!(memory.bytes, kept.words.len() * 8);
    }
}
