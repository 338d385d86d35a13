//! Nothing to answer: the dynamics run the subsystem models themselves.

use rt::clock::sleep_until_ns;
use service::Answering;
use shm_layout::{Stamp, Wait, Waited};

/// Never sees a question. The process still lives, reports its health, and can be watched and ended as ever.
pub struct Idle;

impl Answering for Idle {
    fn await_question(&mut self, deadline_ns: u64, _wait: Wait) -> Waited {
        // A signal ends it early; the flags are looked at next.
        let _ = sleep_until_ns(deadline_ns);
        Waited::Late
    }

    fn question(&self) -> Option<Stamp> {
        None
    }

    fn answer(&mut self, _wait: Wait) -> bool {
        false
    }

    fn step(&self) -> u64 {
        0
    }

    fn warnings(&self) -> u64 {
        0
    }
}
