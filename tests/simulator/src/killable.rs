//! A process that can die anywhere in its turn: its models, wrapped, unwind out of the services'
//! own code where it is told to. The wrapper also keeps account of what was published, and can be
//! broken on purpose: the proof that the checks see it.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;

use bytemuck::Zeroable;
use dynamics_service::Dynamics;
use lockstep::status::{SAFE_STOP, STATE_HELD};
use lockstep::{Asked, Model, Responder, State};
use service::config::Settings;
use shm_layout::{Block, Layout, Payload, Stamp};
use subsystems::Subsystems;

named! {
    /// Where in its turn a process dies.
    Moment {
        BeforePublishing = "before it publishes",
        /// And nothing else is.
        AfterPublishing = "when its question or answer is out",
        BeforeTaking = "before it takes what the other side says",
        BeforeStep = "before it computes",
        /// From which the next one goes on.
        BeforeCheckpoint = "before it publishes its state",
    }
}

/// How models are broken, from step [`BROKEN_FROM`] on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Defect {
    /// The question says an earlier time.
    TimeBack,
    /// No step leads anywhere.
    TimeStands,
    /// The last bit of a number is another one.
    OtherBit,
    /// A number is NaN.
    NotANumber,
    /// A number is out of its range.
    OutOfRange,
    /// A missing answer is taken for the last one.
    NoSafeStop,
    /// The same, and the safe stop is only claimed.
    NoBrakes,
    /// The models never answer.
    NeverReady,
    /// An answer is NaN.
    AnswerNotANumber,
}

/// From this step on a broken model is broken.
pub const BROKEN_FROM: u64 = 1_000;

/// What unwinds a process that dies.
struct Killed;

/// Runs a part of a process's turn; `None` if the process died in it.
pub fn unless_killed<T>(turn: impl FnOnce() -> T) -> Option<T> {
    let is_killed = |cause: &Box<dyn Any + Send>| cause.is::<Killed>();
    match catch_unwind(AssertUnwindSafe(turn)) {
        Ok(value) => Some(value),
        Err(cause) if is_killed(&cause) => None,
        Err(cause) => resume_unwind(cause),
    }
}

/// What a process shares with the simulator, however often it is started.
#[derive(Debug, Default)]
pub struct Account {
    /// Where it dies next.
    pub dies_at: Cell<Option<Moment>>,
    /// How its models are broken, if they are.
    pub defect: Cell<Option<Defect>>,
    /// How often its block was published.
    pub published: Cell<u64>,
    /// The checksum of what was published last.
    pub checksum: Cell<u64>,
    /// That of what comes next.
    pending: Cell<u64>,
}

impl Account {
    fn pass(&self, moment: Moment) {
        if self.dies_at.get() == Some(moment) {
            self.dies_at.set(None);
            resume_unwind(Box::new(Killed));
        }
    }

    /// A payload was published.
    pub fn publish(&self, checksum: u64) {
        self.published.set(self.published.get() + 1);
        self.checksum.set(checksum);
        self.pending.set(checksum);
    }
}

/// Words of the stamp at the beginning of every payload.
pub const STAMP_WORDS: usize = size_of::<Stamp>() / 8;

/// The checksum of a payload without its stamp: FNV-1a over words.
#[must_use]
pub fn checksum<T: Payload>(payload: &T) -> u64 {
    let words = &payload.words()[STAMP_WORDS..payload.used_words()];
    words.iter().fold(0xcbf2_9ce4_8422_2325, |sum, word| fnv(sum, *word))
}

/// Adds a word to a checksum.
#[must_use]
pub fn fnv(sum: u64, word: u64) -> u64 {
    (sum ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(23)
}

/// Models that can die.
pub struct Killable<T> {
    inner: T,
    account: Rc<Account>,
    step: u64,
    /// The words of the last answer.
    last: Vec<u64>,
}

impl<T> Killable<T> {
    /// Those of a process that is started.
    pub fn new(inner: T, account: &Rc<Account>) -> Self {
        account.dies_at.set(None);
        account.pending.set(account.checksum.get());
        Self { inner, account: Rc::clone(account), step: 0, last: Vec::new() }
    }

    fn has(&self, defect: Defect) -> bool {
        self.step >= BROKEN_FROM && self.account.defect.get() == Some(defect)
    }

    fn spoil(&self, question: &mut impl Payload) {
        // The word behind the stamp is the time, the last one a number.
        let last = question.used_words() - 1;
        let words = question.words_mut();
        if self.has(Defect::TimeBack) {
            words[STAMP_WORDS] = (f64::from_bits(words[STAMP_WORDS]) - 0.5).to_bits();
        } else if self.has(Defect::OtherBit) {
            words[last] ^= 1;
        } else if self.has(Defect::NotANumber) {
            words[last] = f64::NAN.to_bits();
        } else if self.has(Defect::OutOfRange) {
            words[last] = 1e300_f64.to_bits();
        }
    }
}

impl<T: State> State for Killable<T> {
    fn save(&self, numbers: &mut [f64]) -> usize {
        self.account.pass(Moment::BeforeCheckpoint);
        self.inner.save(numbers)
    }

    fn load(&mut self, time_s: f64, numbers: &[f64]) -> Result<(), String> {
        self.inner.load(time_s, numbers)
    }
}

impl<M: Model> Model for Killable<M> {
    type Question = M::Question;
    type Answer = M::Answer;
    const QUESTION: Block<M::Question> = M::QUESTION;
    const ANSWER: Block<M::Answer> = M::ANSWER;

    fn fill(&mut self, question: &mut M::Question, status: u64) {
        self.inner.fill(question, status);
        self.step += 1;
        self.spoil(question);
        self.account.pass(Moment::BeforePublishing);
    }

    fn published(&mut self, question: &M::Question) {
        self.account.publish(checksum(question));
        self.account.pass(Moment::AfterPublishing);
        self.inner.published(question);
    }

    fn take(&mut self, answer: Option<&M::Answer>) -> bool {
        self.account.pass(Moment::BeforeTaking);
        if let Some(answer) = answer {
            self.last = answer.words().to_vec();
        } else if !self.last.is_empty() && (self.has(Defect::NoSafeStop) || self.has(Defect::NoBrakes)) {
            let mut last = M::Answer::zeroed();
            last.words_mut().copy_from_slice(&self.last);
            return self.inner.take(Some(&last));
        }
        self.inner.take(answer)
    }

    fn step(&mut self, before: &[f64]) -> u64 {
        self.account.pass(Moment::BeforeStep);
        if self.has(Defect::TimeStands) {
            return STATE_HELD;
        }
        let claimed = if self.has(Defect::NoBrakes) && self.step >= 2_100 { SAFE_STOP } else { 0 };
        self.inner.step(before) | claimed
    }

    fn hold(&mut self, answer: &M::Answer) {
        self.inner.hold(answer);
    }

    fn time_s(&self) -> f64 {
        self.inner.time_s()
    }

    fn others_sleep(&self) -> bool {
        self.inner.others_sleep()
    }
}

impl<M: Dynamics> Dynamics for Killable<M> {
    fn take_settings(&mut self, settings: &Settings) {
        self.inner.take_settings(settings);
    }
}

impl<R: Responder> Responder for Killable<R> {
    type Question = R::Question;
    type Answer = R::Answer;
    const QUESTION: Block<R::Question> = R::QUESTION;
    const ANSWER: Block<R::Answer> = R::ANSWER;

    fn is_ready(&mut self, waited_ns: u64) -> bool {
        self.account.pass(Moment::BeforeTaking);
        self.account.defect.get() != Some(Defect::NeverReady) && self.inner.is_ready(waited_ns)
    }

    fn answer(&mut self, question: &R::Question, asked: Asked<'_>, answer: &mut R::Answer) -> u64 {
        self.account.pass(Moment::BeforeStep);
        self.step = asked.step;
        let missing = self.inner.answer(question, asked, answer);
        if self.has(Defect::AnswerNotANumber) {
            let last = answer.used_words() - 1;
            answer.words_mut()[last] = f64::NAN.to_bits();
        }
        self.account.pending.set(checksum(answer));
        self.account.pass(Moment::BeforePublishing);
        missing
    }

    fn show(&mut self, stamp: Stamp) {
        self.account.publish(self.account.pending.get());
        self.account.pass(Moment::AfterPublishing);
        self.inner.show(stamp);
    }
}

impl<R: Subsystems> Subsystems for Killable<R> {
    fn take_settings(&mut self, settings: &Settings) {
        self.inner.take_settings(settings);
    }
}
