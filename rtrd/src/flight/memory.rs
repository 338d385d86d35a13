//! The memory of the flight recorder: the last seconds of every block, in a store whose size is
//! settled at the start.

use shm_layout::Region;
use shm_layout::blocks::CATALOGUE;
use shm_layout::clock::monotonic_ns;
use shm_layout::reader::WordReader;

use super::ring::{Full, Ring, Snapshot};

/// Room for one look at all blocks (bytes): a vehicle's blocks of one step need half of it. What
/// needs more is kept for a shorter time.
const BYTES_PER_LOOK: usize = 8 << 10;
/// Smallest and largest store (bytes): one look at blocks that are used to the last word finds room
/// in the smallest.
const BYTES: std::ops::RangeInclusive<usize> = (4 << 20)..=(256 << 20);

/// What was seen of one block.
struct Track {
    reader: WordReader,
    /// The newest snapshot, however old: a writer that is silent for long is what one looks for
    /// after a crash.
    newest: Vec<u64>,
    newest_ns: u64,
    sequence: u64,
    /// How many snapshots the store holds.
    kept: usize,
}

/// The last seconds of every block.
pub struct Memory {
    tracks: Vec<Track>,
    ring: Ring,
    window_ns: u64,
}

impl Memory {
    /// A memory of so many seconds with a look every `look_ms`.
    pub fn new(region: &Region, window_s: f64, look_ms: u64) -> Self {
        let tracks = CATALOGUE.iter().enumerate().map(|(index, entry)| Track {
            reader: region.word_reader(index),
            newest: Vec::with_capacity(entry.payload_words),
            newest_ns: 0,
            sequence: 0,
            kept: 0,
        });
        let looks = window_s * 1e3 / look_ms as f64;
        let bytes = (looks * BYTES_PER_LOOK as f64) as usize;
        Self {
            tracks: tracks.collect(),
            ring: Ring::new(bytes.clamp(*BYTES.start(), *BYTES.end()) / 8),
            window_ns: (window_s * 1e9) as u64,
        }
    }

    /// Keeps what is new, and forgets what is too old or has no more room.
    pub fn look(&mut self) {
        let seen_ns = monotonic_ns();
        for block in 0..self.tracks.len() {
            let track = &mut self.tracks[block];
            let sequence = track.reader.sequence();
            if sequence == track.sequence {
                continue;
            }
            let Some(words) = track.reader.latest() else {
                continue;
            };
            track.newest.clear();
            track.newest.extend_from_slice(words);
            (track.newest_ns, track.sequence) = (seen_ns, sequence);
            self.keep(block);
        }
        self.forget(seen_ns.saturating_sub(self.window_ns));
    }

    /// Puts the newest snapshot of a block into the store.
    fn keep(&mut self, block: usize) {
        loop {
            let Self { tracks, ring, .. } = self;
            if ring.push(&tracks[block].newest(block)) != Err(Full) {
                tracks[block].kept += 1;
                return;
            }
            if !self.drop_oldest() {
                return;
            }
        }
    }

    fn forget(&mut self, before_ns: u64) {
        while self.ring.oldest().is_some_and(|oldest| oldest.seen_ns < before_ns) {
            self.drop_oldest();
        }
    }

    /// Whether there was anything to forget.
    fn drop_oldest(&mut self) -> bool {
        let Some(block) = self.ring.oldest().map(|oldest| oldest.block) else {
            return false;
        };
        self.ring.drop_oldest();
        self.tracks[block].kept -= 1;
        true
    }

    /// What is known of the block at this position of the table, oldest first.
    pub fn snapshots(&self, block: usize) -> impl Iterator<Item = Snapshot<'_>> {
        let track = &self.tracks[block];
        let alone = (track.kept == 0 && track.sequence > 0).then(|| track.newest(block));
        let kept = self.ring.iter().filter(move |snapshot| snapshot.block == block);
        alone.into_iter().chain(kept)
    }
}

impl Track {
    fn newest(&self, block: usize) -> Snapshot<'_> {
        Snapshot::new(block, self.newest_ns, self.sequence, &self.newest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shm_layout::blocks::{self, DriverInput};
    use shm_layout::{RegionName, Writer};

    fn region() -> (tempfile::TempDir, Region, Writer<DriverInput>) {
        let folder = tempfile::tempdir().unwrap();
        let name = RegionName::in_directory(folder.path(), "memory").unwrap();
        let region = Region::create(&name, None).unwrap();
        let writer = region.claim(blocks::DRIVER).unwrap();
        (folder, region, writer)
    }

    #[test]
    fn each_write_that_is_seen_is_kept_once() {
        let (_folder, region, mut writer) = region();
        let mut memory = Memory::new(&region, 10.0, 5);
        memory.look();
        assert_eq!(memory.snapshots(blocks::DRIVER.index).count(), 0);
        for step in 1..=3 {
            let mut driver = DriverInput::default();
            driver.stamp.step = step;
            writer.publish(&driver);
            memory.look();
            memory.look();
        }
        let sequences: Vec<u64> = memory.snapshots(blocks::DRIVER.index).map(|snapshot| snapshot.sequence).collect();
        assert_eq!(sequences, [1, 2, 3]);
        assert_eq!(memory.snapshots(blocks::FORCES.index).count(), 0);
    }

    #[test]
    fn what_is_too_old_is_forgotten_but_for_the_last() {
        let (_folder, region, mut writer) = region();
        let mut memory = Memory::new(&region, 10.0, 5);
        for _ in 0..5 {
            writer.publish(&DriverInput::default());
            memory.look();
        }
        assert_eq!(memory.snapshots(blocks::DRIVER.index).count(), 5);
        memory.forget(u64::MAX);
        assert!(memory.ring.oldest().is_none());
        let left: Vec<u64> = memory.snapshots(blocks::DRIVER.index).map(|snapshot| snapshot.sequence).collect();
        assert_eq!(left, [5]);
    }

    /// A store for a tenth of a second, looked at a thousand times as often as it was made for: the
    /// newest are kept, and none of them is lost.
    #[test]
    fn what_has_no_more_room_goes_oldest_first() {
        let (_folder, region, mut writer) = region();
        let mut memory = Memory::new(&region, 0.1, 1000);
        let room = memory.ring.words();
        for step in 1..=200_000 {
            let mut driver = DriverInput::default();
            driver.stamp.step = step;
            writer.publish(&driver);
            memory.window_ns = u64::MAX;
            memory.look();
        }
        let sequences: Vec<u64> = memory.snapshots(blocks::DRIVER.index).map(|snapshot| snapshot.sequence).collect();
        assert!(sequences.len() > 1000 && sequences.len() < 200_000);
        assert_eq!(sequences.last(), Some(&200_000));
        assert!(sequences.is_sorted_by(|before, after| before + 1 == *after));
        assert_eq!(memory.ring.words(), room);
    }
}
