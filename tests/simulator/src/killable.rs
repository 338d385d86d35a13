//! A process that can die anywhere in its turn: its models, wrapped, unwind out of the services'
//! own code where it is told to. The wrapper also keeps account of what was published.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;

use dynamics_service::Dynamics;
use lockstep::{Asked, Model, Responder, State};
use service::config::Settings;
use shm_layout::{Block, Payload, Stamp};
use subsystems::Subsystems;

/// Where in its turn a process dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Before it publishes.
    BeforePublishing,
    /// When its question or answer is out, and nothing else.
    AfterPublishing,
    /// When everything is out, before it takes what the other side says.
    BeforeTaking,
    /// When it has taken that, before it computes.
    BeforeStep,
    /// Before it publishes the state from which the next one goes on.
    BeforeCheckpoint,
}

/// All moments.
pub const MOMENTS: [Moment; 5] = [
    Moment::BeforePublishing,
    Moment::AfterPublishing,
    Moment::BeforeTaking,
    Moment::BeforeStep,
    Moment::BeforeCheckpoint,
];

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
}

impl<T> Killable<T> {
    /// Those of a process that is started.
    pub fn new(inner: T, account: &Rc<Account>) -> Self {
        account.dies_at.set(None);
        account.pending.set(account.checksum.get());
        Self { inner, account: Rc::clone(account) }
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
        self.account.pass(Moment::BeforePublishing);
    }

    fn published(&mut self, question: &M::Question) {
        self.account.publish(checksum(question));
        self.account.pass(Moment::AfterPublishing);
        self.inner.published(question);
    }

    fn take(&mut self, answer: Option<&M::Answer>) -> bool {
        self.account.pass(Moment::BeforeTaking);
        self.inner.take(answer)
    }

    fn step(&mut self, before: &[f64]) -> u64 {
        self.account.pass(Moment::BeforeStep);
        self.inner.step(before)
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
        self.inner.is_ready(waited_ns)
    }

    fn answer(&mut self, question: &R::Question, asked: Asked<'_>, answer: &mut R::Answer) -> u64 {
        self.account.pass(Moment::BeforeStep);
        let missing = self.inner.answer(question, asked, answer);
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
