//! Runs that are broken on purpose: each check catches its own.

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;

use dynamics_service::Dynamics;
use lockstep::status::{SAFE_STOP, STATE_HELD};
use lockstep::{Asked, Model, Responder, State};
use service::config::{DriverSource, Settings};
use shm_layout::block::{block_bytes, offset};
use shm_layout::blocks::{FORCES, Forces, KINEMATICS, Kinematics};
use shm_layout::writer::PUBLISHED;
use shm_layout::{Block, Layout, Payload, Region, Stamp};
use simulator::checks::Checks;
use simulator::plan::{Fault, Kind, Plan, Role};
use simulator::{Offline, PlantSystem, System, VehicleSystem, World};
use subsystems::Subsystems;

/// From this step on a broken model is broken.
const BROKEN_FROM: u64 = 1_000;
/// Simulated time of these runs (s).
const SECONDS: f64 = 14.0;

/// How a model or the models that answer are broken.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Defect {
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
    /// Answers count fully at once.
    NoTakeOver,
    /// The models never answer.
    NeverReady,
    /// An answer is NaN.
    AnswerNotANumber,
}

/// A system with a defect.
struct Broken<S>(S, Defect);

struct BrokenParts<T, A> {
    inner: T,
    defect: Defect,
    step: u64,
    last: Option<Box<A>>,
}

fn without_take_over(settings: &Settings) -> Settings {
    Settings { takeover_ms: 0, ..*settings }
}

impl<S: System> System for Broken<S> {
    type Model = BrokenParts<S::Model, <S::Model as Model>::Answer>;
    type Responder = BrokenParts<S::Responder, ()>;
    type Script = S::Script;

    fn period_ns(&self) -> u64 {
        self.0.period_ns()
    }

    fn hashes(&self) -> [u64; 2] {
        self.0.hashes()
    }

    fn model(&self, settings: &Settings) -> Self::Model {
        let settings = if self.1 == Defect::NoTakeOver { without_take_over(settings) } else { *settings };
        BrokenParts { inner: self.0.model(&settings), defect: self.1, step: 0, last: None }
    }

    fn responder(&self, region: &Region, settings: &Settings) -> Self::Responder {
        BrokenParts { inner: self.0.responder(region, settings), defect: self.1, step: 0, last: None }
    }

    fn script(&self, region: &Region) -> S::Script {
        self.0.script(region)
    }

    fn offline(&self, seconds: f64) -> Option<Offline<Self>> {
        if self.1 == Defect::TimeBack { None } else { self.0.offline(seconds) }
    }

    fn progress(question: &<S::Model as Model>::Question) -> (f64, u64) {
        S::progress(question)
    }

    fn is_vehicle(&self) -> bool {
        self.0.is_vehicle()
    }
}

impl<T, A> BrokenParts<T, A> {
    fn is(&self, defects: &[Defect]) -> bool {
        self.step >= BROKEN_FROM && defects.contains(&self.defect)
    }
}

impl<T: State, A> State for BrokenParts<T, A> {
    fn save(&self, numbers: &mut [f64]) -> usize {
        self.inner.save(numbers)
    }

    fn load(&mut self, time_s: f64, numbers: &[f64]) -> Result<(), String> {
        self.inner.load(time_s, numbers)
    }
}

impl<M: Model> Model for BrokenParts<M, M::Answer> {
    type Question = M::Question;
    type Answer = M::Answer;
    const QUESTION: Block<M::Question> = M::QUESTION;
    const ANSWER: Block<M::Answer> = M::ANSWER;

    fn fill(&mut self, question: &mut M::Question, status: u64) {
        self.inner.fill(question, status);
        self.step += 1;
        // The word behind the stamp is the time, the last one a number.
        let last = question.used_words() - 1;
        let words = question.words_mut();
        if self.is(&[Defect::TimeBack]) {
            words[3] = (f64::from_bits(words[3]) - 0.5).to_bits();
        } else if self.is(&[Defect::OtherBit]) {
            words[last] ^= 1;
        } else if self.is(&[Defect::NotANumber]) {
            words[last] = f64::NAN.to_bits();
        } else if self.is(&[Defect::OutOfRange]) {
            words[last] = 1e300_f64.to_bits();
        }
    }

    fn published(&mut self, question: &M::Question) {
        self.inner.published(question);
    }

    fn take(&mut self, answer: Option<&M::Answer>) -> bool {
        let is_taken_as_given = self.is(&[Defect::NoSafeStop, Defect::NoBrakes]);
        if let Some(answer) = answer {
            self.last = Some(Box::new(*answer));
        }
        match &self.last {
            Some(last) if is_taken_as_given => self.inner.take(Some(last)),
            _ => self.inner.take(answer),
        }
    }

    fn step(&mut self, before: &[f64]) -> u64 {
        if self.is(&[Defect::TimeStands]) {
            return STATE_HELD;
        }
        let claimed = if self.is(&[Defect::NoBrakes]) && self.step >= 2_100 { SAFE_STOP } else { 0 };
        self.inner.step(before) | claimed
    }

    fn hold(&mut self, answer: &M::Answer) {
        self.inner.hold(answer);
    }

    fn time_s(&self) -> f64 {
        self.inner.time_s()
    }
}

impl<M: Dynamics> Dynamics for BrokenParts<M, M::Answer> {
    fn take_settings(&mut self, settings: &Settings) {
        self.inner.take_settings(settings);
    }
}

impl<R: Responder> Responder for BrokenParts<R, ()> {
    type Question = R::Question;
    type Answer = R::Answer;
    const QUESTION: Block<R::Question> = R::QUESTION;
    const ANSWER: Block<R::Answer> = R::ANSWER;

    fn is_ready(&mut self, waited_ns: u64) -> bool {
        self.defect != Defect::NeverReady && self.inner.is_ready(waited_ns)
    }

    fn answer(&mut self, question: &R::Question, asked: Asked<'_>, answer: &mut R::Answer) -> u64 {
        self.step = asked.step;
        let missing = self.inner.answer(question, asked, answer);
        if self.is(&[Defect::AnswerNotANumber]) {
            let last = answer.used_words() - 1;
            answer.words_mut()[last] = f64::NAN.to_bits();
        }
        missing
    }

    fn show(&mut self, stamp: Stamp) {
        self.inner.show(stamp);
    }
}

impl<R: Subsystems> Subsystems for BrokenParts<R, ()> {
    fn take_settings(&mut self, settings: &Settings) {
        self.inner.take_settings(settings);
    }
}

fn circuit() -> VehicleSystem {
    VehicleSystem::new("drive-default", None, DriverSource::Manoeuvre)
}

/// A silence of the subsystems, long enough for a safe stop.
fn silence() -> Plan {
    Plan { faults: vec![Fault { begin_s: 2.0, seconds: 2.0, kind: Kind::Stop(Role::Subsystem) }] }
}

/// What the checks find in a run in which somebody meddles with the region after each period.
fn found<S: System>(system: S, plan: Plan, mut meddle: impl FnMut(&Region, u64)) -> String {
    let mut world = World::new(system, plan, 0);
    let mut checks = Checks::new(&world, SECONDS);
    let (mut period, mut last) = (0, None);
    while world.time_s() < SECONDS {
        period += 1;
        last = world.period();
        meddle(&world.region, period);
        if let Err(found) = checks.look(&world, last) {
            return found;
        }
    }
    checks.finish(&world, last).err().unwrap_or_else(|| "nothing".to_owned())
}

#[test]
fn each_defect_of_a_model_is_caught() {
    for (defect, plan, expected) in [
        (Defect::TimeStands, Plan::default(), "s, expected 1 s"),
        (Defect::OtherBit, Plan::default(), "the bits of step 1000 are not those"),
        (Defect::NotANumber, Plan::default(), "is NaN, outside of"),
        (Defect::OutOfRange, Plan::default(), "outside of"),
        (Defect::NoSafeStop, silence(), "no safe stop"),
        (Defect::NoBrakes, silence(), "of a safe stop from"),
        (Defect::NoTakeOver, silence(), "the acceleration jumped by"),
        (Defect::NeverReady, Plan::default(), "time has never begun"),
        (Defect::AnswerNotANumber, Plan::default(), "is NaN, outside of"),
    ] {
        let found = found(Broken(circuit(), defect), plan, |_, _| {});
        assert!(found.contains(expected), "{defect:?}: {found}");
    }
}

#[test]
fn time_that_goes_back_is_caught() {
    let found = found(Broken(PlantSystem::new("tank-level"), Defect::TimeBack), Plan::default(), |_, _| {});
    assert!(found.contains("time went back"), "{found}");
}

/// A control: the same wrappers and the same plans without a defect.
#[test]
fn without_a_defect_nothing_is_found() {
    assert_eq!(found(circuit(), silence(), |_, _| {}), "nothing");
    assert_eq!(found(PlantSystem::new("tank-level"), silence(), |_, _| {}), "nothing");
}

/// Writes into the newest snapshot of a block, as no writer of ours does.
fn damage<T: Payload>(region: &Region, block: Block<T>, spoil: impl FnOnce(&mut [u64])) {
    let newest = *region.reader(block).latest().expect("it was published").value;
    let used = &newest.words()[..newest.used_words()];
    let file = OpenOptions::new().read(true).write(true).open(region.name().path()).expect("our region");
    let mut bytes = vec![0; block_bytes(block.entry())];
    file.read_exact_at(&mut bytes, offset(block.index) as u64).expect("a whole region");
    let words: Vec<u64> = bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("8"))).collect();
    let place = words.windows(used.len()).position(|window| window == used).expect("the newest slot");
    let mut spoilt = used.to_vec();
    spoil(&mut spoilt);
    let bytes: Vec<u8> = spoilt.iter().flat_map(|word| word.to_le_bytes()).collect();
    file.write_all_at(&bytes, (offset(block.index) + 8 * place) as u64).expect("our region");
}

fn at_period(wanted: u64, mut act: impl FnMut(&Region)) -> impl FnMut(&Region, u64) {
    move |region, period| {
        if period == wanted {
            act(region);
        }
    }
}

#[test]
fn a_torn_snapshot_is_caught() {
    let tear = |region: &Region| damage::<Kinematics>(region, KINEMATICS, |words| words[20..].fill(0));
    let found = found(circuit(), Plan::default(), at_period(500, tear));
    assert!(found.contains("/kinematics/: what was read is not what was written"), "{found}");
}

#[test]
fn a_lost_stamp_is_caught() {
    let lose = |region: &Region| damage(region, KINEMATICS, |words| words[0] = 3);
    let found = found(circuit(), Plan::default(), at_period(500, lose));
    assert!(found.contains("step 499 was followed by step 3"), "{found}");
}

#[test]
fn a_snapshot_that_is_never_whole_is_caught() {
    let found = found(
        circuit(),
        Plan::default(),
        at_period(500, |region| {
            let file = OpenOptions::new().read(true).write(true).open(region.name().path()).expect("ours");
            let place = (offset(FORCES.index) + 8 * PUBLISHED) as u64;
            let mut bytes = [0; 8];
            file.read_exact_at(&mut bytes, place).expect("a whole region");
            let next = u64::from_le_bytes(bytes) + 1;
            file.write_all_at(&next.to_le_bytes(), place).expect("ours");
        }),
    );
    assert!(found.contains("/forces/: no whole snapshot could be read"), "{found}");
}

/// A running process keeps the right to write its blocks; when it is dead, another owner is found.
#[test]
fn a_second_writer_is_refused_or_caught() {
    let plan = Plan { faults: vec![Fault { begin_s: 0.5, seconds: 0.3, kind: Kind::Die(Role::Subsystem, None) }] };
    let mut refused = 0;
    let found = found(circuit(), plan, |region, _| match region.claim(FORCES) {
        Err(_) => refused += 1,
        Ok(mut writer) => writer.publish(&Forces::default()),
    });
    assert_eq!(refused, 499);
    assert!(found.contains("/forces/: 2 owners, but only 1 are known"), "{found}");
}
