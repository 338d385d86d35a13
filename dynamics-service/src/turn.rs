//! One turn of the loop, between waking and accounting: ask, take the answer, step, report.
//!
//! The process makes these calls on the machine's clock and waits between them; a simulator makes
//! them on a clock of its own.

use lockstep::{Answerer, Asker, Report};
use rt::events::Reporter;
use rt::histogram::Histogram;
use rt::periodic::LoopStatistics;
use service::LoopAccount;
use service::config::Settings;
use shm_layout::{Wait, Waited};
use subsystems::{Subsystems, VehicleSubsystems};

use crate::Dynamics;
use crate::events::Watch;

/// A model with all that a turn needs. Everything but making one is real-time safe.
pub struct Turn<M: Dynamics> {
    asker: Asker<M>,
    /// Subsystem models that run in this process.
    linked: Option<Answerer<VehicleSubsystems>>,
    wait: Wait,
    period_ns: u64,
    answer_ns: u64,
    watch: Watch,
}

impl<M: Dynamics> Turn<M> {
    /// Turns of a model in steps of this length, with its subsystems if they run in this process.
    pub fn new(
        asker: Asker<M>,
        linked: Option<Answerer<VehicleSubsystems>>,
        settings: &Settings,
        period_ns: u64,
        wait: Wait,
    ) -> Self {
        let answer_ns = settings.answer_ns(period_ns);
        Self { asker, linked, wait, period_ns, answer_ns, watch: Watch::new(period_ns) }
    }

    /// Publishes the question of the step that was due at this time. Models in this process answer
    /// at once; only the subsystems of other processes are waited for.
    #[inline]
    pub fn ask(&mut self, due_ns: u64) {
        self.asker.ask(due_ns, self.wait);
        if let Some(linked) = &mut self.linked
            && linked.await_question(0, Wait::Spin) == Waited::Answered
        {
            linked.answer(self.wait);
        }
    }

    /// Takes the answer, which may come until some time after the beginning of the step.
    #[inline]
    pub fn await_answer(&mut self, begun_ns: u64) -> Waited {
        self.asker.await_answer(begun_ns + self.answer_ns, self.wait)
    }

    /// Makes the step, unless no answer has ever come: simulated time begins with the first.
    #[inline]
    pub fn advance(&mut self) {
        if self.asker.has_begun() {
            self.asker.advance();
        }
    }

    /// Reports how the step went, which was over so long after it was due (ns).
    #[inline]
    pub fn look(&mut self, over_ns: u64, reporter: &mut Reporter) {
        if self.asker.has_begun() {
            self.watch.look(&self.asker.report(), over_ns, reporter);
        }
    }

    /// Takes over settings that were changed.
    pub fn take_settings(&mut self, settings: &Settings) {
        self.answer_ns = settings.answer_ns(self.period_ns);
        self.asker.model.take_settings(settings);
        if let Some(linked) = &mut self.linked {
            linked.responder.take_settings(settings);
        }
    }

    /// How the last step went.
    #[must_use]
    pub fn report(&self) -> Report {
        self.asker.report()
    }

    /// What was counted.
    pub fn account<'a>(&self, statistics: &'a LoopStatistics, exchange: &'a Histogram) -> LoopAccount<'a> {
        let report = self.report();
        let linked_warnings = self.linked.as_ref().map_or(0, |linked| linked.reply().warnings);
        LoopAccount {
            exchange: Some(exchange),
            misses: report.misses,
            warnings: report.warnings + linked_warnings,
            ..LoopAccount::new(report.step, statistics)
        }
    }
}
