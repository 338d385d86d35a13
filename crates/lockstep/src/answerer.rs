//! The side that answers: it waits for a question, asks its models, and publishes their answer with
//! the step of the question.

use shm_layout::blocks::SUBSYSTEM_STATE;
use shm_layout::{Block, ClaimError, Payload, Reader, Region, Stamp, Wait, Waited, Writer};

use crate::checkpoint::{Checkpoint, State};
use crate::{Clock, publish};

/// What an answer had to do without.
pub mod missing {
    /// The driver's data is too old.
    pub const DRIVER: u64 = 1;
    /// A subsystem of another process did not answer in time.
    pub const EXTERNAL: u64 = 1 << 1;
    /// The controller had to hold a demand or lacked an output of the plant.
    pub const SIGNAL: u64 = 1 << 2;
    /// A tyre carried a load outside the range for which its file was fitted.
    pub const TYRE_FIT: u64 = 1 << 3;
}

/// The circumstances of a question.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// Its step.
    pub step: u64,
    /// Steps since the models' last answer; 1 when none was left out, 0 for their first.
    pub passed_steps: u64,
    /// When it is answered (ns).
    pub now_ns: u64,
    /// How to wait for others.
    pub wait: Wait,
    clock: &'a Clock,
}

impl Asked<'_> {
    /// Until when to wait for others who may take so long (ns).
    #[must_use]
    pub fn deadline_ns(&self, within_ns: u64) -> u64 {
        self.clock.deadline_ns(self.now_ns + within_ns)
    }
}

/// The models that answer. Nothing in an answer allocates, locks or prints.
pub trait Responder: State {
    /// What they are asked.
    type Question: Payload;
    /// What they answer.
    type Answer: Payload + Default;
    /// The block of the questions.
    const QUESTION: Block<Self::Question>;
    /// The block of the answers.
    const ANSWER: Block<Self::Answer>;

    /// Whether the models know enough to answer, so long after their start (ns).
    fn is_ready(&mut self, waited_ns: u64) -> bool;

    /// Answers; returns bits of [`missing`].
    fn answer(&mut self, question: &Self::Question, asked: Asked<'_>, answer: &mut Self::Answer) -> u64;

    /// Tells displays what the answer does not.
    fn show(&mut self, _stamp: Stamp) {}
}

/// How the last question was dealt with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// When and for which step it was asked.
    pub question: Stamp,
    /// It was answered, and not left until more is known.
    pub is_answered: bool,
    /// The step that was answered last.
    pub step: u64,
    /// Bits of [`missing`] of the last answer.
    pub missing: u64,
    /// Answers that lacked something.
    pub warnings: u64,
}

/// Models that meet their asker in the common blocks.
pub struct Answerer<R: Responder> {
    /// The models.
    pub responder: R,
    clock: Clock,
    begun_ns: u64,
    answer: Box<R::Answer>,
    questions: Reader<R::Question>,
    answers: Writer<R::Answer>,
    checkpoint: Checkpoint,
    /// The step after which the models stand; 0 at their beginning.
    state_step: u64,
    reply: Reply,
}

impl<R: Responder> Answerer<R> {
    /// Claims the blocks and resumes from the state that an earlier process of this run published.
    pub fn new(region: &Region, responder: R, model_hash: u64, clock: Clock) -> Result<Self, ClaimError> {
        let mut answerer = Self {
            responder,
            begun_ns: clock.now_ns(),
            clock,
            answer: Box::new(R::Answer::default()),
            questions: region.reader(R::QUESTION),
            answers: region.claim(R::ANSWER)?,
            checkpoint: Checkpoint::claim(region, SUBSYSTEM_STATE, model_hash)?,
            state_step: 0,
            reply: Reply::default(),
        };
        if let Some(stamp) = answerer.checkpoint.resume(region, &mut answerer.responder) {
            answerer.state_step = stamp.step;
            answerer.take_last_answer(region, stamp);
        }
        Ok(answerer)
    }

    /// The answer of the restored state: if its question is still open, it is given again. Another
    /// process may have had the block meanwhile: both were published with one stamp.
    fn take_last_answer(&mut self, region: &Region, stamp: Stamp) {
        let mut given = region.reader(R::ANSWER);
        let newest = given.latest().filter(|newest| *newest.value.stamp() == stamp);
        if let Some(newest) = newest {
            *self.answer = *newest.value;
            self.reply.step = self.state_step;
        }
    }

    /// Waits for a question that has not been seen. Real-time safe.
    #[inline]
    pub fn await_question(&mut self, deadline_ns: u64, wait: Wait) -> Waited {
        self.questions.wait_for_news(self.clock.deadline_ns(deadline_ns), wait)
    }

    /// Answers the last question, unless the models do not know enough yet. Real-time safe.
    #[inline]
    pub fn answer(&mut self, wait: Wait) -> Reply {
        let now_ns = self.clock.now_ns();
        let Some(question) = self.questions.last() else {
            return self.reply;
        };
        let stamp = *question.stamp();
        self.reply.question = stamp;
        self.reply.is_answered = self.responder.is_ready(now_ns.saturating_sub(self.begun_ns));
        if !self.reply.is_answered {
            return self.reply;
        }
        // A restarted asker may repeat a question: the same answer again, no model advances twice.
        if stamp.step != self.reply.step {
            let passed_steps = match self.state_step {
                0 => 0,
                step => stamp.step.saturating_sub(step),
            };
            let asked = Asked { step: stamp.step, passed_steps, now_ns, wait, clock: &self.clock };
            self.reply.missing = self.responder.answer(question, asked, &mut self.answer);
            self.reply.warnings += u64::from(self.reply.missing != 0);
            self.reply.step = stamp.step;
            self.state_step = stamp.step;
        }
        let stamp = Stamp { publish_ns: self.clock.now_ns(), ..stamp };
        publish(&mut self.answers, &mut *self.answer, stamp, wait);
        self.responder.show(stamp);
        self.checkpoint.publish(stamp, f64::NAN, &self.responder);
        self.reply
    }

    /// How the last question was dealt with.
    #[must_use]
    pub fn reply(&self) -> Reply {
        self.reply
    }
}
