//! The clock of a lock-step: the machine's, or one that a test turns.

use std::cell::Cell;
use std::rc::Rc;

use shm_layout::clock::monotonic_ns;

/// Where the time of stamps and ages comes from.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    /// The monotonic clock of the machine.
    #[default]
    Monotonic,
    /// A time that somebody else turns (ns).
    Virtual(Rc<Cell<u64>>),
}

impl Clock {
    /// The time now. Real-time safe.
    #[inline]
    #[must_use]
    pub fn now_ns(&self) -> u64 {
        match self {
            Self::Monotonic => monotonic_ns(),
            Self::Virtual(now_ns) => now_ns.get(),
        }
    }

    /// Until when to wait for what is due then. On a virtual clock no time passes while somebody
    /// waits: what is not there yet is looked for once. Real-time safe.
    #[inline]
    #[must_use]
    pub fn deadline_ns(&self, due_ns: u64) -> u64 {
        match self {
            Self::Monotonic => due_ns,
            Self::Virtual(_) => 0,
        }
    }
}
