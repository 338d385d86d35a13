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

    /// The set-up that this machine grants, and one line that says what both programs have to do without, if anything.
    pub fn granted(&self, answer: &Answer) -> (Self, Option<String>) {
        let is_refused = |item: Item| answer.refused.contains(&item.bit());
        let setup = Self {
            priority: if is_refused(Item::FifoPriority) {
                0
            } else {
                self.priority
            },
            lock_memory: !is_refused(Item::MemoryLocked),
            ..self.clone()
        };
        let wishes = [
            (Item::FifoPriority, format!("FIFO priority {}", self.priority)),
            (Item::MemoryLocked, "locked memory".to_owned()),
            (Item::CpuPinned, "a fixed CPU".to_owned()),
            (Item::CpuLatencyHeld, "a hold on the CPUs' sleep".to_owned()),
        ];
        let without = wishes.into_iter().filter(|(item, _)| is_refused(*item));
        let without: Vec<String> = without.map(|(_, name)| name).collect();
        let line = format!(
            "the rights are missing, so both run without {} (`rtrd check` says how to get them)",
            without.join(", ")
        );
        (setup, (!without.is_empty()).then_some(line))
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
    fn what_is_refused_is_left_out_for_both_and_said_in_one_line() {
        let wished = Setup::wished(1_000, 80, 1);
        let refusing = |items: &[Item]| Answer {
            refused: items.iter().map(|item| item.bit()).collect(),
            ..Answer::default()
        };
        assert_eq!(wished.granted(&refusing(&[])), (wished.clone(), None));
        let (setup, line) = wished.granted(&refusing(&[Item::FifoPriority, Item::MemoryLocked]));
        assert_eq!((setup.priority, setup.lock_memory), (0, false));
        let line = line.unwrap();
        assert!(
            line.contains("both run without FIFO priority 80, locked memory ("),
            "{line}"
        );
        assert!(!line.contains('\n'));
    }

    #[test]
    fn a_lost_period_always_has_a_bin() {
        assert_eq!(Setup::wished(1_000, 80, 1).bins, 20_000);
        assert_eq!(Setup::wished(50_000, 80, 1).bins, 100_000);
    }
}
