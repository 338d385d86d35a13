//! One turn of the loop, between waking and accounting: take the question, answer, report.
//!
//! The process makes these calls on the machine's clock and waits between them; a simulator makes
//! them on a clock of its own.

use lockstep::{Answerer, Reply};
use rt::events::Reporter;
use rt::periodic::LoopStatistics;
use service::LoopAccount;
use service::config::Settings;
use shm_layout::{Wait, Waited};
use subsystems::Subsystems;

use crate::events::Watch;

/// Models with all that a turn needs. Everything but making one is real-time safe.
pub struct Turn<R: Subsystems> {
    answerer: Answerer<R>,
    wait: Wait,
    watch: Watch,
}

impl<R: Subsystems> Turn<R> {
    /// Turns of these models.
    pub fn new(answerer: Answerer<R>, wait: Wait) -> Self {
        let watch = Watch::new(&answerer.reply());
        Self { answerer, wait, watch }
    }

    /// Waits for a question that has not been seen.
    #[inline]
    pub fn await_question(&mut self, deadline_ns: u64) -> Waited {
        self.answerer.await_question(deadline_ns, self.wait)
    }

    /// Answers it and reports how that went.
    #[inline]
    pub fn answer(&mut self, reporter: &mut Reporter) -> Reply {
        let reply = self.answerer.answer(self.wait);
        self.watch.look(&reply, reporter);
        reply
    }

    /// Takes over settings that were changed.
    pub fn take_settings(&mut self, settings: &Settings) {
        self.answerer.responder.take_settings(settings);
    }

    /// How the last question was dealt with.
    #[must_use]
    pub fn reply(&self) -> Reply {
        self.answerer.reply()
    }

    /// What was counted.
    pub fn account<'a>(&self, statistics: &'a LoopStatistics) -> LoopAccount<'a> {
        let reply = self.reply();
        LoopAccount { warnings: reply.warnings, ..LoopAccount::new(reply.step, statistics) }
    }
}
