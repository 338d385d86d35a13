//! The hardware counter behind the monotonic clock.

use serde::Serialize;

use super::tree::Tree;

const FOLDER: &str = "sys/devices/system/clocksource/clocksource0";

/// The clock source in use and those that could be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ClockSource {
    /// The one in use; `None` when the kernel does not say.
    pub current: Option<String>,
    /// All that the kernel offers.
    pub available: Vec<String>,
}

impl ClockSource {
    pub(crate) fn read(tree: &Tree) -> Self {
        let available = tree.text(&format!("{FOLDER}/available_clocksource")).unwrap_or_default();
        Self {
            current: tree.text(&format!("{FOLDER}/current_clocksource")),
            available: available.split_whitespace().map(str::to_owned).collect(),
        }
    }

    /// Whether the kernel offers this one.
    pub fn offers(&self, name: &str) -> bool {
        self.available.iter().any(|available| available == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::sample::SampleTree;

    #[test]
    fn the_current_and_the_available_ones_are_read() {
        let found = ClockSource::read(&Tree::new(SampleTree::healthy().root()));
        assert_eq!(found.current.as_deref(), Some("tsc"));
        assert!(found.offers("hpet") && found.offers("tsc") && !found.offers("ts"));
    }

    #[test]
    fn a_kernel_that_does_not_say_gives_none() {
        let tree = SampleTree::healthy().without("sys/devices/system/clocksource");
        assert_eq!(ClockSource::read(&Tree::new(tree.root())), ClockSource::default());
    }
}
