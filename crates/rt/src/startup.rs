//! The start of a real-time process: everything it asks of the machine, and what it was given.
//!
//! A loop that meets its deadlines on an idle machine can still miss them because of memory that
//! was paged out, a CPU that slept deeply, a scheduler that preferred somebody else. [`enter`] asks
//! for what prevents that, in this order, each on its own:
//!
//! 1. all memory locked;
//! 2. stack and heap touched in advance, and kept by the allocator;
//! 3. the calling thread pinned to one CPU;
//! 4. the calling thread under `SCHED_FIFO`;
//! 5. the CPUs kept out of deep sleep for as long as [`Granted`] lives;
//! 6. a look at the kernel's real-time throttling;
//! 7. timers of the calling thread exact to 1 ns even when it did not get `SCHED_FIFO`.
//!
//! Without the rights for some of it, a process still runs: each missing right is one line that
//! says what is missing, what that means and the command that fixes it. [`Wishes::require`] turns
//! them into an error.
//!
//! Call it on the thread that runs the loop. Threads started *afterwards* inherit the CPU and the
//! priority: start those that are not real-time before, after a [`step_aside`] in case the process
//! itself was started real-time.

mod item;
mod memory;
mod power;
mod scheduling;
mod stepping_aside;

pub use item::{Item, Outcome};
pub use memory::{LOCKED_MEMORY_BYTES, share_one_heap};
pub use stepping_aside::{leave, step_aside};

use std::fs::File;

/// What a process asks of the machine. The default asks for nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// The CPU to which the thread is pinned.
    pub cpu: Option<usize>,
    /// Priority under `SCHED_FIFO`, 1 (lowest) to 99.
    pub fifo_priority: Option<u8>,
    /// Lock all present and future memory.
    pub lock_memory: bool,
    /// The wake-up latency of idle CPUs to which the machine is held (µs); 0 keeps them awake.
    pub dma_latency_us: Option<i32>,
    /// Stack to touch in advance (bytes); 0 leaves it alone.
    pub prefault_stack_bytes: usize,
    /// Heap to touch in advance and never give back (bytes); 0 leaves it alone.
    pub prefault_heap_bytes: usize,
    /// A wish that is not granted is an error.
    pub require: bool,
}

/// A start-up that was required to be complete and was not.
#[derive(Debug, thiserror::Error)]
pub enum StartupError {
    /// One line for each wish that was not granted.
    #[error("real time is required, but {} not granted:{}", counted(.lines), listed(.lines))]
    Missing {
        /// What is missing, what it means, how to fix it.
        lines: Vec<String>,
    },
}

fn counted(lines: &[String]) -> String {
    if lines.len() == 1 { "one wish is".to_owned() } else { format!("{} wishes are", lines.len()) }
}

fn listed(lines: &[String]) -> String {
    lines.iter().map(|line| format!("\n  - {line}")).collect()
}

/// What the machine gave. Keep it for the life of the process: dropping it lets the CPUs sleep
/// deeply again.
#[derive(Debug)]
pub struct Granted {
    outcomes: [(Item, Outcome); Item::ALL.len()],
    _cpu_latency: Option<File>,
}

impl Granted {
    /// Every item with its outcome, in the order in which they were asked for.
    pub fn outcomes(&self) -> impl Iterator<Item = (Item, &Outcome)> {
        self.outcomes.iter().map(|(item, outcome)| (*item, outcome))
    }

    /// One line for each wish that was not granted.
    pub fn missing(&self) -> impl Iterator<Item = &str> {
        self.outcomes.iter().filter_map(|(_, outcome)| match outcome {
            Outcome::Missing(line) => Some(line.as_str()),
            _ => None,
        })
    }

    /// One line for each thing that is worth knowing but prevents nothing.
    pub fn warnings(&self) -> impl Iterator<Item = &str> {
        self.outcomes.iter().filter_map(|(_, outcome)| match outcome {
            Outcome::Warning(line) => Some(line.as_str()),
            _ => None,
        })
    }

    /// The [`Item::bit`]s of all that was granted, for another process to show.
    #[must_use]
    pub fn granted_bits(&self) -> u64 {
        self.bits_of(|outcome| matches!(outcome, Outcome::Granted))
    }

    /// The [`Item::bit`]s of all that was wished and not granted.
    #[must_use]
    pub fn missing_bits(&self) -> u64 {
        self.bits_of(|outcome| matches!(outcome, Outcome::Missing(_)))
    }

    /// Whether the thread runs under `SCHED_FIFO` in locked memory: without either, a deadline is
    /// only a hope.
    #[must_use]
    pub fn is_real_time(&self) -> bool {
        let both = Item::FifoPriority.bit() | Item::MemoryLocked.bit();
        self.granted_bits() & both == both
    }

    fn bits_of(&self, wanted: impl Fn(&Outcome) -> bool) -> u64 {
        let chosen = self.outcomes.iter().filter(|(_, outcome)| wanted(outcome));
        chosen.fold(0, |bits, (item, _)| bits | item.bit())
    }
}

/// Asks the machine for all that `wishes` names, for the calling thread and its process.
///
/// # Errors
/// When [`Wishes::require`] is set and a wish was not granted; the error lists them all. What was
/// granted before that stays in force, except for the hold on the CPUs' sleep: the caller is
/// expected to end.
pub fn enter(wishes: &Wishes) -> Result<Granted, StartupError> {
    let memory_locked = memory::lock(wishes);
    let memory_prefaulted = memory::prefault(wishes);
    let cpu_pinned = scheduling::pin(wishes.cpu);
    let fifo_priority = scheduling::enter_fifo(wishes.fifo_priority);
    let (cpu_latency_held, cpu_latency) = power::hold_cpu_latency(wishes.dma_latency_us);
    let granted = Granted {
        outcomes: [
            (Item::MemoryLocked, memory_locked),
            (Item::MemoryPrefaulted, memory_prefaulted),
            (Item::CpuPinned, cpu_pinned),
            (Item::FifoPriority, fifo_priority),
            (Item::CpuLatencyHeld, cpu_latency_held),
            (Item::Unthrottled, scheduling::check_throttling(wishes.fifo_priority)),
            (Item::ExactTimers, scheduling::make_timers_exact()),
        ],
        _cpu_latency: cpu_latency,
    };
    if wishes.require && granted.missing_bits() != 0 {
        return Err(StartupError::Missing { lines: granted.missing().map(str::to_owned).collect() });
    }
    Ok(granted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn granted(outcome_of: impl Fn(Item) -> Outcome) -> Granted {
        Granted { outcomes: Item::ALL.map(|item| (item, outcome_of(item))), _cpu_latency: None }
    }

    #[test]
    fn bits_follow_the_outcomes() {
        let some = granted(|item| match item {
            Item::MemoryLocked => Outcome::Missing("memory line".to_owned()),
            Item::Unthrottled => Outcome::Warning("throttling line".to_owned()),
            Item::CpuPinned => Outcome::NotWished,
            _ => Outcome::Granted,
        });
        let others = Item::MemoryLocked.bit() | Item::Unthrottled.bit() | Item::CpuPinned.bit();
        assert_eq!(some.granted_bits(), Item::ALL.iter().fold(0, |bits, item| bits | item.bit()) & !others);
        assert_eq!(some.missing_bits(), Item::MemoryLocked.bit());
        assert_eq!(some.missing().collect::<Vec<_>>(), ["memory line"]);
        assert_eq!(some.warnings().collect::<Vec<_>>(), ["throttling line"]);
    }

    #[test]
    fn real_time_is_fifo_and_locked_memory() {
        let without = |absent: Item| granted(|item| if item == absent { Outcome::NotWished } else { Outcome::Granted });
        assert!(!without(Item::FifoPriority).is_real_time());
        assert!(!without(Item::MemoryLocked).is_real_time());
        assert!(without(Item::CpuLatencyHeld).is_real_time());
    }

    #[test]
    fn no_wishes_change_only_the_timers() {
        let granted = enter(&Wishes { require: true, ..Wishes::default() }).unwrap();
        assert_eq!(granted.granted_bits(), Item::ExactTimers.bit());
        assert_eq!(granted.missing_bits(), 0);
        assert_eq!(nix::sys::prctl::get_timerslack(), Ok(1));
    }
}
