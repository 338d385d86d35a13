//! The blocks as an observer sees them: who writes each, how often, and how old it is.

use rt::processes::is_alive;
use shm_layout::blocks::CATALOGUE;
use shm_layout::clock::monotonic_ns;
use shm_layout::{BlockStatus, Region};
use std::collections::VecDeque;

/// A rate is taken over about this time: long enough to be steady, short enough to notice a writer
/// that stops.
const RATE_OVER_NS: u64 = 1_000_000_000;

/// Who writes a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    None,
    Alive(u32),
    /// It was killed and has no successor yet.
    Dead(u32),
}

#[derive(Clone, Debug, PartialEq)]
pub struct BlockView {
    pub name: &'static str,
    /// The process that writes it by default.
    pub writer: &'static str,
    pub owner: Owner,
    /// How many owners it has had; 0 if it was never claimed.
    pub generation: u32,
    /// `None` at the first look.
    pub writes_per_s: Option<f64>,
    /// Time since the last write; `None` before the first.
    pub age_ns: Option<u64>,
}

/// Looks at all blocks again and again.
#[derive(Default)]
pub struct BlockWatch {
    rates: Rates,
}

impl BlockWatch {
    pub fn look(&mut self, region: &Region) -> Vec<BlockView> {
        let now_ns = monotonic_ns();
        let statuses: Vec<BlockStatus> = (0..CATALOGUE.len()).map(|index| region.block_status(index)).collect();
        let sequences = statuses.iter().map(|status| status.sequence).collect();
        let rates = self.rates.update(now_ns, sequences);
        let blocks = CATALOGUE.iter().zip(statuses).zip(rates).map(|((entry, status), rate)| BlockView {
            name: entry.name,
            writer: service::short_name(entry.writer),
            owner: owner(status.owner_pid),
            generation: status.generation,
            writes_per_s: rate,
            age_ns: status.publish_ns.map(|publish_ns| now_ns.saturating_sub(publish_ns)),
        });
        blocks.collect()
    }
}

fn owner(pid: Option<u32>) -> Owner {
    match pid {
        None => Owner::None,
        Some(pid) if is_alive(pid.into()) => Owner::Alive(pid),
        Some(pid) => Owner::Dead(pid),
    }
}

/// Writes per second from numbers of writes at some moments.
#[derive(Default)]
struct Rates {
    earlier: VecDeque<(u64, Vec<u64>)>,
}

impl Rates {
    /// Takes the newest numbers; the rates over the last while, `None` for each at the first call.
    fn update(&mut self, now_ns: u64, sequences: Vec<u64>) -> Vec<Option<f64>> {
        // Of all that is old enough, only the newest is of use.
        while self.earlier.get(1).is_some_and(|(then_ns, _)| now_ns.saturating_sub(*then_ns) >= RATE_OVER_NS) {
            self.earlier.pop_front();
        }
        let rates = match self.earlier.front() {
            Some((then_ns, then)) if now_ns > *then_ns => {
                let elapsed_s = (now_ns - then_ns) as f64 * 1e-9;
                let rate = |(now, then): (&u64, &u64)| Some(now.saturating_sub(*then) as f64 / elapsed_s);
                sequences.iter().zip(then).map(rate).collect()
            }
            _ => vec![None; sequences.len()],
        };
        self.earlier.push_back((now_ns, sequences));
        rates
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shm_layout::{RegionName, blocks};

    const MS: u64 = 1_000_000;

    #[test]
    fn a_rate_needs_two_looks_and_follows_the_last_second() {
        let mut rates = Rates::default();
        assert_eq!(rates.update(0, vec![5]), [None]);
        assert_eq!(rates.update(250 * MS, vec![30]), [Some(100.0)]);
        for (look, writes) in (2..=12).zip((30..).step_by(5)) {
            rates.update(look * 250 * MS, vec![writes]);
        }
        // The first quarter of a second, with its 25 writes, is long past.
        assert_eq!(rates.update(13 * 250 * MS, vec![85]), [Some(20.0)]);
        assert!(rates.earlier.len() <= 6, "{}", rates.earlier.len());
    }

    #[test]
    fn two_looks_at_the_same_moment_are_no_division_by_zero() {
        let mut rates = Rates::default();
        rates.update(7, vec![1]);
        assert_eq!(rates.update(7, vec![2]), [None]);
    }

    #[test]
    fn an_owner_is_alive_or_dead() {
        assert_eq!(owner(None), Owner::None);
        assert_eq!(owner(Some(std::process::id())), Owner::Alive(std::process::id()));
        assert_eq!(owner(Some(u32::MAX)), Owner::Dead(u32::MAX));
    }

    #[test]
    fn a_live_block_is_seen_with_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let name = RegionName::in_directory(folder.path(), "watch").unwrap();
        let region = Region::create(&name, None).unwrap();
        let mut writer = region.claim(blocks::DRIVER).unwrap();
        writer.publish(&blocks::DriverInput::default());
        let seen = BlockWatch::default().look(&region);
        let driver = &seen[blocks::DRIVER.index];
        assert_eq!((driver.name, driver.writer, driver.generation), ("driver", "daq", 1));
        assert_eq!(driver.owner, Owner::Alive(std::process::id()));
        assert!(driver.age_ns.is_some());
        assert_eq!(seen[blocks::FORCES.index].generation, 0);
    }
}
