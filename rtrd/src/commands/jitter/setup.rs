//! What of the wished set-up this machine grants.

use rt::cyclictest::Setup;
use rt::startup::Item;

use super::measurement::Answer;

/// The set-up that this machine grants, and one line that says what both programs have to do
/// without, if anything.
pub fn granted(wished: &Setup, answer: &Answer) -> (Setup, Option<String>) {
    let is_refused = |item: Item| answer.refused.contains(&item.bit());
    let setup = Setup {
        priority: if is_refused(Item::FifoPriority) { 0 } else { wished.priority },
        lock_memory: !is_refused(Item::MemoryLocked),
        ..wished.clone()
    };
    let wishes = [
        (Item::FifoPriority, format!("FIFO priority {}", wished.priority)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_is_left_out_for_both_and_said_in_one_line() {
        let wished = Setup::wished(1_000, 80, 1);
        let refusing =
            |items: &[Item]| Answer { refused: items.iter().map(|item| item.bit()).collect(), ..Answer::default() };
        assert_eq!(granted(&wished, &refusing(&[])), (wished.clone(), None));
        let (setup, line) = granted(&wished, &refusing(&[Item::FifoPriority, Item::MemoryLocked]));
        assert_eq!((setup.priority, setup.lock_memory), (0, false));
        let line = line.unwrap();
        assert!(line.contains("both run without FIFO priority 80, locked memory ("), "{line}");
        assert!(!line.contains('\n'));
    }
}
