//! What both programs are told to do.

use rt::startup::Item;

use super::companion::Answer;

/// Bins of one microsecond: what is later than the last is counted but not told apart.
const BINS_MIN: u64 = 20_000;

/// How both programs run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Time from one wake-up to the next.
    pub period_us: u64,
    /// FIFO priority; 0 for the ordinary scheduler.
    pub priority: u8,
    /// The CPU that the loop is pinned to.
    pub cpu: usize,
    /// All memory is locked.
    pub lock_memory: bool,
    /// Bins of one microsecond.
    pub bins: usize,
}

impl Setup {
    /// The set-up that is wished for.
    pub fn wished(period_us: u64, priority: u8, cpu: usize) -> Self {
        Self {
            period_us,
            priority,
            cpu,
            lock_memory: true,
            // Two periods at least: a wake-up that loses a period must be told apart.
            bins: BINS_MIN.max(2 * period_us) as usize,
        }
    }

    /// The set-up that this machine grants, and one line for each thing that both programs have to do without.
    pub fn granted(&self, answer: &Answer) -> (Self, Vec<String>) {
        let setup = Self {
            priority: if answer.refused(Item::FifoPriority).is_some() {
                0
            } else {
                self.priority
            },
            lock_memory: answer.refused(Item::MemoryLocked).is_none(),
            ..self.clone()
        };
        let without = [
            ("both run without priority", Item::FifoPriority),
            ("both run without locked memory", Item::MemoryLocked),
            ("both run unpinned", Item::CpuPinned),
            ("both run while the CPUs may sleep deeply", Item::CpuLatencyHeld),
        ];
        let lines = without.iter().filter_map(|(meaning, item)| {
            let reason = answer.refused(*item)?;
            Some(format!("{meaning}: {reason}"))
        });
        let lines = lines.collect();
        (setup, lines)
    }

    /// The set-up in one line.
    pub fn describe(&self) -> String {
        let scheduler = match self.priority {
            0 => "ordinary scheduler".to_owned(),
            priority => format!("SCHED_FIFO {priority}"),
        };
        let memory = if self.lock_memory {
            "memory locked"
        } else {
            "memory not locked"
        };
        format!(
            "period {} µs · {scheduler} · CPU {} · {memory}",
            self.period_us, self.cpu
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_is_left_out_for_both_and_said() {
        let wished = Setup::wished(1_000, 80, 1);
        let refusing = |items: &[Item]| Answer {
            refused: items
                .iter()
                .map(|item| (item.bit(), "no right".to_owned()))
                .collect(),
            ..Answer::default()
        };
        assert_eq!(wished.granted(&refusing(&[])), (wished.clone(), vec![]));
        let (setup, lines) = wished.granted(&refusing(&[Item::FifoPriority, Item::MemoryLocked]));
        assert_eq!((setup.priority, setup.lock_memory), (0, false));
        assert_eq!(lines[0], "both run without priority: no right");
        assert_eq!(lines.len(), 2);
    }

    #[test]
    fn a_lost_period_always_has_a_bin() {
        assert_eq!(Setup::wished(1_000, 80, 1).bins, 20_000);
        assert_eq!(Setup::wished(50_000, 80, 1).bins, 100_000);
    }
}
