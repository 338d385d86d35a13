//! One step between two processes: question *k*, answer *k*, deadline, hold, resume.
//!
//! ```text
//!   Asker (dynamics)                                   Answerer (subsystems)
//!   ask            ── question, step k ──►             await_question
//!   await_answer   ◄── answer, step k ───              answer        (k again: the same answer again)
//!   advance        ── state, step k + 1 ─► own block   state, step k ─► own block
//! ```
//! The [`Asker`] steps a [`Model`], the [`Answerer`] asks a [`Responder`]; both hold for any plant
//! and any vehicle. All waiting is between these calls and all time comes from a [`Clock`], so that
//! the same code runs in two processes on the machine's clock, in one process without waiting, and
//! in one thread on a clock that a test turns. docs/decisions/0015-lock-step.md says why.

mod answerer;
mod asker;
mod checkpoint;
pub mod status;

use std::cell::Cell;
use std::rc::Rc;

use shm_layout::clock::monotonic_ns;
use shm_layout::{Payload, Stamp, Wait, Writer};

pub use answerer::{Answerer, Asked, Reply, Responder, missing};
pub use asker::{Asker, Model, Report};
pub use checkpoint::{Checkpoint, State};

/// Stamps a payload and publishes it; wakes those who sleep until then.
#[inline]
fn publish<T: Payload>(writer: &mut Writer<T>, payload: &mut T, stamp: Stamp, wait: Wait) {
    payload.set_stamp(stamp);
    match wait {
        Wait::Spin => writer.publish(payload),
        Wait::Sleep => writer.publish_and_wake(payload),
    }
}

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
