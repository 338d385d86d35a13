//! Sets of CPU numbers in the notations of the kernel.
//!
//! The kernel writes sets of CPUs in two ways: as a list (`0-3,5,8-11:2/4`) in `/sys` and on its
//! command line, and as a hexadecimal mask (`ff,00000003`) in `/proc/irq`. [`CpuList`] reads both,
//! so that every check and the CPU plan speak of CPUs in one type.
//!
//! `first-last:used/group` means: of each run of `group` CPUs from `first` to `last`, the first
//! `used`.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use thiserror::Error;

/// The largest CPU number accepted: no Linux kernel is built for more than 8192 CPUs, so a larger
/// number is a damaged file, and refusing it keeps `0-4000000000` from filling the memory.
pub const CPU_NUMBER_MAX: usize = 8191;

/// A set of CPU numbers, always in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CpuList(BTreeSet<usize>);

/// Why a text is not a list of CPUs.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CpuListError {
    /// A part is neither a number nor a range.
    #[error("expected a CPU number or a range such as 2-5, found {part:?} in {list:?}")]
    NotANumber {
        /// The part that could not be read.
        part: String,
        /// The whole list.
        list: String,
    },
    /// A range runs downwards.
    #[error("expected a rising range, found {first}-{last} in {list:?}")]
    Backwards {
        /// Where the range begins.
        first: usize,
        /// Where it ends.
        last: usize,
        /// The whole list.
        list: String,
    },
    /// The `used/group` part of a range is not possible.
    #[error("expected used/group with 1 <= used <= group after the colon, found {part:?} in {list:?}")]
    Stride {
        /// The part that could not be read.
        part: String,
        /// The whole list.
        list: String,
    },
    /// A CPU number is beyond what any kernel supports.
    #[error("expected CPU numbers up to {CPU_NUMBER_MAX}, found {cpu} in {list:?}")]
    TooLarge {
        /// The number found.
        cpu: usize,
        /// The whole list.
        list: String,
    },
}

impl CpuList {
    /// The set without any CPU.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a list from the kernel command line, where `all` means every CPU and `N` the last one.
    pub fn from_parameter(text: &str, cpu_last: usize) -> Result<Self, CpuListError> {
        let last = cpu_last.to_string();
        text.replace("all", "0-N").replace('N', &last).parse()
    }

    /// Reads a hexadecimal mask as in `/proc/irq/default_smp_affinity`: groups of 32 bits, the
    /// highest first.
    pub fn from_mask(text: &str) -> Result<Self, CpuListError> {
        let mut cpus = BTreeSet::new();
        for (group, digits) in text.trim().rsplit(',').enumerate() {
            let bits = u32::from_str_radix(digits, 16).map_err(|_| not_a_number(digits, text))?;
            cpus.extend((0..32).filter(|bit| bits & (1 << bit) != 0).map(|bit| group * 32 + bit));
        }
        check_size(&cpus, text)?;
        Ok(Self(cpus))
    }

    /// The hexadecimal mask of this set, as `/proc/irq/default_smp_affinity` takes it.
    pub fn to_mask(&self) -> String {
        let mut groups = vec![0_u32; self.0.last().map_or(0, |last| last / 32) + 1];
        for cpu in &self.0 {
            groups[cpu / 32] |= 1 << (cpu % 32);
        }
        let (last, rest) = groups.split_last().expect("at least one group");
        rest.iter().rev().fold(format!("{last:x}"), |mask, group| format!("{mask},{group:08x}"))
    }

    /// Whether the set holds this CPU.
    pub fn contains(&self, cpu: usize) -> bool {
        self.0.contains(&cpu)
    }

    /// Adds one CPU.
    pub fn insert(&mut self, cpu: usize) {
        self.0.insert(cpu);
    }

    /// Whether the set holds no CPU.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many CPUs the set holds.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The lowest CPU.
    pub fn first(&self) -> Option<usize> {
        self.0.first().copied()
    }

    /// The highest CPU.
    pub fn last(&self) -> Option<usize> {
        self.0.last().copied()
    }

    /// The CPUs in ascending order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        self.0.iter().copied()
    }

    /// The CPUs of either set.
    pub fn union(&self, other: &Self) -> Self {
        Self(&self.0 | &other.0)
    }

    /// The CPUs of both sets.
    pub fn intersection(&self, other: &Self) -> Self {
        Self(&self.0 & &other.0)
    }

    /// The CPUs of this set that the other lacks.
    pub fn difference(&self, other: &Self) -> Self {
        Self(&self.0 - &other.0)
    }

    /// Whether every CPU of this set is in the other.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.is_subset(&other.0)
    }
}

impl FromStr for CpuList {
    type Err = CpuListError;

    fn from_str(text: &str) -> Result<Self, CpuListError> {
        let list = text.trim();
        let mut cpus = BTreeSet::new();
        if list.is_empty() {
            return Ok(Self(cpus));
        }
        for part in list.split(',') {
            add_part(part.trim(), list, &mut cpus)?;
        }
        Ok(Self(cpus))
    }
}

/// Adds `N`, `N-M` or `N-M:used/group`.
fn add_part(part: &str, list: &str, cpus: &mut BTreeSet<usize>) -> Result<(), CpuListError> {
    let (range, stride) = match part.split_once(':') {
        Some((range, stride)) => (range, Some(stride)),
        None => (part, None),
    };
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let (first, last) = (number(first, part, list)?, number(last, part, list)?);
    if first > last {
        return Err(CpuListError::Backwards { first, last, list: list.into() });
    }
    let (used, group) = match stride {
        Some(stride) => used_and_group(stride, list)?,
        None => (1, 1),
    };
    cpus.extend((first..=last).filter(|cpu| (cpu - first) % group < used));
    Ok(())
}

fn used_and_group(stride: &str, list: &str) -> Result<(usize, usize), CpuListError> {
    stride
        .split_once('/')
        .and_then(|(used, group)| Some((used.parse().ok()?, group.parse().ok()?)))
        .filter(|(used, group): &(usize, usize)| 1 <= *used && used <= group)
        .ok_or_else(|| CpuListError::Stride { part: stride.into(), list: list.into() })
}

fn number(text: &str, part: &str, list: &str) -> Result<usize, CpuListError> {
    let cpu = text.parse().map_err(|_| not_a_number(part, list))?;
    if cpu > CPU_NUMBER_MAX {
        return Err(CpuListError::TooLarge { cpu, list: list.into() });
    }
    Ok(cpu)
}

fn not_a_number(part: &str, list: &str) -> CpuListError {
    CpuListError::NotANumber { part: part.into(), list: list.trim().into() }
}

fn check_size(cpus: &BTreeSet<usize>, list: &str) -> Result<(), CpuListError> {
    match cpus.last() {
        Some(&cpu) if cpu > CPU_NUMBER_MAX => Err(CpuListError::TooLarge { cpu, list: list.trim().into() }),
        _ => Ok(()),
    }
}

impl fmt::Display for CpuList {
    /// Writes the shortest list, `0-3,5`; the empty set as `none`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return out.pad("none");
        }
        let mut parts: Vec<(usize, usize)> = Vec::new();
        for cpu in self.iter() {
            match parts.last_mut() {
                Some((_, last)) if *last + 1 == cpu => *last = cpu,
                _ => parts.push((cpu, cpu)),
            }
        }
        let texts: Vec<String> = parts.into_iter().map(range_text).collect();
        out.pad(&texts.join(","))
    }
}

fn range_text((first, last): (usize, usize)) -> String {
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

impl FromIterator<usize> for CpuList {
    fn from_iter<Cpus: IntoIterator<Item = usize>>(cpus: Cpus) -> Self {
        Self(cpus.into_iter().collect())
    }
}

impl Serialize for CpuList {
    /// As an array of numbers: JSON readers need no parser for lists.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

#[cfg(test)]
#[path = "cpu_list_tests.rs"]
mod tests;
