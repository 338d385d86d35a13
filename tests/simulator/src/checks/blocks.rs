//! Each block: whole, in its ranges, from its one writer, its steps never back.

use shm_layout::blocks::KINEMATICS;
use shm_layout::{Block, Payload, Reader, Region};

use super::Found;
use crate::killable::{Account, STAMP_WORDS, checksum};
use crate::ranges::Ranges;

/// Numbers that their writer may not know: they are what their declaration calls invalid.
/// They are found by the beginnings of their names.
const MAY_BE_UNKNOWN: &[(&str, &[&str])] = &[
    ("driver", &[""]),
    ("subsystem_state", &["time_s"]),
    ("kinematics", &["rack_force_n", "steer_torque_nm"]),
    // Either a rack steers, or an angle.
    ("forces", &["rack_", "angle_", "rate_rad_s", "acceleration_rad_s2"]),
    // The subsystems show nothing before the first answer of their own.
    ("vehicle", &[""]),
];
/// Blocks whose numbers count from the start of their process.
const COUNTED_FROM_START: &[&str] = &["driver", "demands", "daq_state"];

/// Who is known to have written a block.
#[derive(Clone, Copy)]
pub struct Writers<'a> {
    /// Lives of its process.
    pub starts: u64,
    /// How often another one had the right to write it.
    pub other_owners: u64,
    /// Somebody who says nonsense may have written it last.
    pub is_nonsense: bool,
    /// Its numbers need only be finite: a vehicle was thrown about, and this shows it.
    pub is_wild: bool,
    /// What its process and the others have published, where that is counted.
    pub account: Option<&'a Account>,
}

/// One block, seen by an onlooker.
pub struct BlockCheck<T> {
    name: &'static str,
    reader: Reader<T>,
    ranges: Ranges<T>,
    step: u64,
    generation: u64,
    /// What this step must be asked with again.
    asked: Vec<u64>,
    /// A checksum over all that was seen.
    pub digest: u64,
}

impl<T: Payload> BlockCheck<T> {
    /// An onlooker of this block.
    pub fn new(region: &Region, block: Block<T>) -> Self {
        let name = block.entry().name;
        Self {
            name,
            reader: region.reader(block),
            ranges: Ranges::default(),
            step: 0,
            generation: 0,
            asked: Vec::new(),
            digest: 0,
        }
    }

    /// The newest snapshot.
    pub fn last(&self) -> Option<&T> {
        self.reader.last()
    }

    /// Looks at what is new.
    pub fn look(&mut self, writers: Writers<'_>) -> Found {
        let known = self.reader.last_sequence();
        let Some(snapshot) = self.reader.latest() else {
            return Ok(());
        };
        let (sequence, generation) = (snapshot.sequence, u64::from(snapshot.generation));
        if snapshot.held {
            return Err(format!("/{}/: no whole snapshot could be read", self.name));
        }
        if sequence < known {
            return Err(format!("/{}/: write {known} was followed by write {sequence}", self.name));
        }
        if sequence == known {
            return Ok(());
        }
        self.one_writer(sequence, generation, writers)?;
        self.whole(writers)?;
        let is_new_owner = std::mem::replace(&mut self.generation, generation) != generation;
        if writers.is_nonsense || (is_new_owner && COUNTED_FROM_START.contains(&self.name)) {
            self.step = 0;
            return Ok(());
        }
        self.in_range(writers.is_wild)?;
        self.steps_forward()
    }

    fn one_writer(&self, sequence: u64, generation: u64, writers: Writers<'_>) -> Found {
        let owners = writers.starts + writers.other_owners;
        if generation > owners {
            return Err(format!("/{}/: {generation} owners, but only {owners} are known", self.name));
        }
        match writers.account.map(|account| account.published.get()) {
            Some(published) if published != sequence => {
                Err(format!("/{}/: {sequence} writes, of which {published} are its owner's", self.name))
            }
            _ => Ok(()),
        }
    }

    fn whole(&mut self, writers: Writers<'_>) -> Found {
        let Some(last) = self.reader.last() else {
            return Ok(());
        };
        let found = checksum(last);
        self.digest = crate::killable::fnv(self.digest, found);
        match writers.account.map(|account| account.checksum.get()) {
            Some(expected) if expected != found => {
                Err(format!("/{}/: what was read is not what was written", self.name))
            }
            _ => Ok(()),
        }
    }

    fn in_range(&self, is_wild: bool) -> Found {
        let Some(last) = self.reader.last() else {
            return Ok(());
        };
        let unknown = MAY_BE_UNKNOWN.iter().find(|(name, _)| *name == self.name);
        let is_allowed =
            |field: &str| unknown.is_some_and(|(_, names)| names.iter().any(|name| field.starts_with(name)));
        let mut outside = self.ranges.outside(last).filter(|range| {
            let value = range.value(last.words()[range.word]);
            let invalid = range.field.invalid.parse::<f64>().unwrap_or(f64::NAN);
            let is_unknown = value == invalid || (value.is_nan() && invalid.is_nan());
            !(is_unknown && is_allowed(range.field.name) || is_wild && value.is_finite())
        });
        match outside.next() {
            None => Ok(()),
            Some(range) => Err(format!(
                "/{}/.{} (word {}) is {}, outside of {}",
                self.name,
                range.field.name,
                range.word,
                range.value(last.words()[range.word]),
                range.field.range
            )),
        }
    }

    fn steps_forward(&mut self) -> Found {
        let before = self.step;
        self.step = self.reader.last().map_or(0, |last| last.stamp().step);
        if self.step < before {
            return Err(format!("/{}/: step {before} was followed by step {}", self.name, self.step));
        }
        if self.name == KINEMATICS.entry().name
            && let Some(last) = self.reader.last()
        {
            let words = &last.words()[STAMP_WORDS..last.used_words()];
            let other = words.iter().zip(&self.asked).position(|(one, other)| !is_same(*one, *other));
            if let Some(word) = other.filter(|_| self.step == before) {
                let name = self.ranges.words[STAMP_WORDS + word].field.name;
                return Err(format!("/{}/: step {before} was asked again with another {name}", self.name));
            }
            self.asked.clear();
            self.asked.extend(words);
        }
        Ok(())
    }
}

/// Whether two numbers are the same but for rounding: a mechanism that is taken up again closes its
/// loops anew.
fn is_same(one: u64, other: u64) -> bool {
    const ROUNDING: f64 = 1e-9;
    let values = [one, other].map(f64::from_bits);
    one == other || (values[0] - values[1]).abs() <= ROUNDING * (1.0 + values[0].abs())
}
