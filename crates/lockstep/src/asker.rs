//! The side that asks: it publishes a question, waits for the answer of the same step, and steps
//! its model with it.

use shm_layout::blocks::PLANT_STATE;
use shm_layout::{Block, ClaimError, Payload, Reader, Region, Stamp, Wait, Waited, Writer};

use crate::checkpoint::{Checkpoint, State};
use crate::{Clock, publish, status};

/// What is stepped: a plant or the mechanism of a vehicle. Nothing in it allocates, locks or
/// prints.
pub trait Model: State {
    /// What it publishes at the beginning of a step.
    type Question: Payload + Default;
    /// What it is answered.
    type Answer: Payload;
    /// The block of the questions.
    const QUESTION: Block<Self::Question>;
    /// The block of the answers.
    const ANSWER: Block<Self::Answer>;

    /// Fills the question, except its stamp; the bits of [`status`] tell how the last step went.
    fn fill(&mut self, question: &mut Self::Question, status: u64);

    /// The question was published.
    fn published(&mut self, _question: &Self::Question) {}

    /// Takes the answer to this step, `None` if there is none; returns whether it can be used.
    fn take(&mut self, answer: Option<&Self::Answer>) -> bool;

    /// Steps with the answer that was taken; without a usable one it decides itself. `before` is
    /// its state before the step. Returns bits of [`status`].
    fn step(&mut self, before: &[f64]) -> u64;

    /// After [`State::load`]: the newest answer of the run that is resumed.
    fn hold(&mut self, answer: &Self::Answer);

    /// Simulated time at the beginning of the next step.
    fn time_s(&self) -> f64;

    /// Whether processes of others sleep until the next question, even if ours spin.
    fn others_sleep(&self) -> bool {
        false
    }
}

/// How the last step went, and what was counted so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The step that comes next.
    pub step: u64,
    /// Bits of [`status`].
    pub status: u64,
    /// The answer to the last step did not come in time.
    pub is_late: bool,
    /// Answers that did not come in time.
    pub misses: u64,
    /// Steps with something of [`status::WARNINGS`].
    pub warnings: u64,
}

/// A model that meets its answerer in the common blocks, step by step.
pub struct Asker<M: Model> {
    /// What is stepped.
    pub model: M,
    clock: Clock,
    question: Box<M::Question>,
    questions: Writer<M::Question>,
    answers: Reader<M::Answer>,
    checkpoint: Checkpoint,
    has_begun: bool,
    is_refused: bool,
    report: Report,
}

impl<M: Model> Asker<M> {
    /// Claims the blocks and resumes from the state that an earlier process of this run published.
    pub fn new(region: &Region, model: M, model_hash: u64, clock: Clock) -> Result<Self, ClaimError> {
        let mut asker = Self {
            model,
            clock,
            question: Box::new(M::Question::default()),
            questions: region.claim(M::QUESTION)?,
            answers: region.reader(M::ANSWER),
            checkpoint: Checkpoint::claim(region, PLANT_STATE, model_hash)?,
            has_begun: false,
            is_refused: false,
            report: Report { step: 1, ..Report::default() },
        };
        if let Some(stamp) = asker.checkpoint.resume(region, &mut asker.model) {
            asker.report.step = stamp.step;
            asker.has_begun = true;
            if let Some(newest) = asker.answers.latest() {
                asker.model.hold(newest.value);
            }
        }
        // Not published: before the first step there is nothing to resume from.
        asker.checkpoint.keep(asker.state_stamp(), asker.model.time_s(), &asker.model);
        Ok(asker)
    }

    /// Publishes the question of this step. Real-time safe.
    #[inline]
    pub fn ask(&mut self, sample_ns: u64, wait: Wait) {
        self.model.fill(&mut self.question, self.report.status);
        let wait = if self.model.others_sleep() { Wait::Sleep } else { wait };
        let publish_ns = self.clock.now_ns();
        let stamp = Stamp { step: self.report.step, sample_ns, publish_ns };
        publish(&mut self.questions, &mut *self.question, stamp, wait);
        self.model.published(&self.question);
    }

    /// Waits for the answer to this step; a deadline of 0 looks once. Real-time safe.
    #[inline]
    pub fn await_answer(&mut self, deadline_ns: u64, wait: Wait) -> Waited {
        let waited = self.answers.wait_for_step(self.report.step, self.clock.deadline_ns(deadline_ns), wait);
        let is_answered = waited == Waited::Answered;
        let answer = if is_answered { self.answers.last() } else { None };
        let is_usable = self.model.take(answer);
        self.is_refused = is_answered && !is_usable;
        // Before the first answer ever, time has not begun: nothing is missed.
        self.report.is_late = !is_answered && self.has_begun;
        self.report.misses += u64::from(self.report.is_late);
        self.has_begun |= is_usable;
        waited
    }

    /// Whether a usable answer has ever come: simulated time begins with the first.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// Makes the step and publishes the state after it. Real-time safe.
    #[inline]
    pub fn advance(&mut self) {
        let mut status = self.model.step(self.checkpoint.kept());
        if self.is_refused {
            status |= status::ANSWER_REFUSED;
        }
        self.report.status = status;
        self.report.warnings += u64::from(status & status::WARNINGS != 0);
        self.report.step += 1;
        self.checkpoint.publish(self.state_stamp(), self.model.time_s(), &self.model);
    }

    /// How the last step went.
    #[must_use]
    pub fn report(&self) -> Report {
        self.report
    }

    fn state_stamp(&self) -> Stamp {
        Stamp { step: self.report.step, ..*self.question.stamp() }
    }
}
