//! The things a real-time process asks for, and the answer to each.
//!
//! Each has a bit, so that a process can publish what it was given in one word of shared memory and
//! another can show it with [`Item::name`]. The bits never change their meaning; a new item takes
//! the next free one.

/// One thing that a real-time process asks of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// All present and future memory is locked: no page of it goes away. Bit 0.
    MemoryLocked,
    /// Stack and heap were touched in advance. Bit 1.
    MemoryPrefaulted,
    /// The thread runs on one CPU only. Bit 2.
    CpuPinned,
    /// The thread runs under `SCHED_FIFO`. Bit 3.
    FifoPriority,
    /// Idle CPUs are held to the wished wake-up latency. Bit 4.
    CpuLatencyHeld,
    /// The kernel does not limit the share of real-time threads. Bit 5.
    Unthrottled,
    /// Timers are not delayed to coalesce them with others. Bit 6.
    ExactTimers,
}

impl Item {
    /// All items, in the order in which they are asked for.
    pub const ALL: [Self; 7] = [
        Self::MemoryLocked,
        Self::MemoryPrefaulted,
        Self::CpuPinned,
        Self::FifoPriority,
        Self::CpuLatencyHeld,
        Self::Unthrottled,
        Self::ExactTimers,
    ];

    /// The bit of this item in [`super::Granted::granted_bits`].
    #[must_use]
    pub const fn bit(self) -> u64 {
        1 << self as u64
    }

    /// A short name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MemoryLocked => "memory locked",
            Self::MemoryPrefaulted => "memory prefaulted",
            Self::CpuPinned => "CPU pinned",
            Self::FifoPriority => "FIFO priority",
            Self::CpuLatencyHeld => "CPU latency held",
            Self::Unthrottled => "unthrottled",
            Self::ExactTimers => "exact timers",
        }
    }
}

/// The answer to one wish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was not asked for.
    NotWished,
    /// It is so.
    Granted,
    /// Not as it should be, but no wish was refused; the line says what to know.
    Warning(String),
    /// Refused; the line says what is missing, what that means and what fixes it.
    Missing(String),
}

impl Outcome {
    pub(super) fn missing(what: &str, meaning: &str, fix: &str) -> Self {
        Self::Missing(format!("{what}: {meaning}; to fix: {fix}"))
    }

    pub(super) fn warning(what: &str, meaning: &str, fix: &str) -> Self {
        Self::Warning(format!("{what}: {meaning}; to fix: {fix}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_have_bits_and_names_of_their_own() {
        let bits = Item::ALL.map(Item::bit);
        assert_eq!(bits, [1, 2, 4, 8, 16, 32, 64]);
        let mut names = Item::ALL.map(Item::name);
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
