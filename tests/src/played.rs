//! Sources that a test plays by hand, and the acquisition's own code behind them.

use std::collections::VecDeque;
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use acquisition::plan::{Settings, SourceKind};
use acquisition::{Clock, Counters, OpenError, Opening, Plan, Sample, Source, State};
use daq_service::MeasuringChain;
use files::Found;
use rt::periodic::LoopStatistics;
use service::Job;
use shm_layout::blocks::{self, Acquisition, DriverInput, Sensors};
use shm_layout::clock::monotonic_ns;
use shm_layout::{Block, Payload, Region};
use simulator::linked::temporary_region;

use crate::live::eventually;

/// How every acquisition file begins.
pub const FORMAT: &str = "format = \"rtrd-acquisition-1\"\n";

/// A channel of the same name as its raw number, with further settings.
pub fn channel(name: &str, source: &str, settings: &str) -> String {
    format!("[[channel]]\nname = \"{name}\"\nsource = \"{source}\"\nraw = \"{name}\"\n{settings}\n")
}

/// Room for what comes and goes, so that the source itself leaves the heap alone.
const ROOM: usize = 1024;

#[derive(Default)]
struct Wire {
    names: Vec<String>,
    unplugged: bool,
    /// How often something was plugged in.
    plugged: u64,
    waiting: VecDeque<Sample>,
    torques: Vec<f64>,
}

/// The test's end of a source.
#[derive(Clone)]
pub struct Hand(Arc<Mutex<Wire>>);

impl Hand {
    /// A source with these numbers.
    pub fn new(names: &[&str]) -> Self {
        let hand = Self(Arc::default());
        hand.plug_in(names);
        let mut wire = hand.wire();
        wire.waiting.reserve(ROOM);
        wire.torques.reserve(ROOM);
        drop(wire);
        hand
    }

    fn wire(&self) -> MutexGuard<'_, Wire> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Delivers numbers that were measured at this time.
    pub fn deliver_at(&self, sample_ns: u64, numbers: &[f64]) {
        let mut sample = Sample::empty(sample_ns);
        for (channel, number) in numbers.iter().enumerate() {
            sample.set(channel, *number);
        }
        self.wire().waiting.push_back(sample);
    }

    /// Delivers numbers that are measured now.
    pub fn deliver(&self, numbers: &[f64]) {
        self.deliver_at(monotonic_ns(), numbers);
    }

    /// Pulls the plug.
    pub fn unplug(&self) {
        self.wire().unplugged = true;
    }

    /// Plugs in a device with these numbers, in the place of the one before.
    pub fn plug_in(&self, names: &[&str]) {
        let mut wire = self.wire();
        wire.names = names.iter().map(|name| (*name).to_owned()).collect();
        wire.unplugged = false;
        wire.plugged += 1;
    }

    /// The torques that were asked for (Nm), since this was last asked.
    pub fn torques(&self) -> Vec<f64> {
        let mut wire = self.wire();
        wire.torques.drain(..).collect()
    }
}

impl Opening for Hand {
    fn open(&self, counters: Counters) -> Result<Box<dyn Source>, OpenError> {
        let wire = self.wire();
        if wire.unplugged {
            return Err(OpenError { place: "the test".to_owned(), problem: "unplugged".to_owned() });
        }
        Ok(Box::new(Played { names: wire.names.clone(), plugged: wire.plugged, hand: self.clone(), counters }))
    }
}

struct Played {
    names: Vec<String>,
    plugged: u64,
    hand: Hand,
    counters: Counters,
}

impl Source for Played {
    fn channels(&self) -> &[String] {
        &self.names
    }

    fn clock(&self) -> Clock {
        Clock::Arrival
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        None
    }

    fn take(&mut self, _now_ns: u64, each: &mut dyn FnMut(&Sample)) -> State {
        let mut wire = self.hand.wire();
        if wire.unplugged || wire.plugged != self.plugged {
            return State::Gone;
        }
        while let Some(sample) = wire.waiting.pop_front() {
            self.counters.blocks += 1;
            each(&sample);
        }
        State::Flowing
    }

    fn counters(&self) -> &Counters {
        &self.counters
    }

    fn set_torque(&mut self, torque_nm: f64, _now_ns: u64) {
        self.hand.wire().torques.push(torque_nm);
    }
}

/// Stands in the file for a source that a hand plays.
#[derive(serde::Deserialize)]
struct Unplugged {}

impl Settings for Unplugged {
    fn opening(self, _: Option<&Path>) -> Result<Box<dyn Opening>, String> {
        Ok(Box::new(Hand::new(&[])))
    }
}

/// An acquisition with its blocks, without its process.
pub struct Bench {
    /// The code of `daq-service`.
    pub chain: MeasuringChain,
    /// Where it publishes.
    pub region: Region,
    _folder: tempfile::TempDir,
}

impl Bench {
    /// An acquisition file for this job.
    pub fn new(plan: Plan, job: &Job) -> Self {
        let (folder, region) = temporary_region();
        Self { chain: MeasuringChain::new(&region, plan, job).expect("a good file"), region, _folder: folder }
    }

    /// An acquisition file whose sources are played: the kind of each is the place of its hand.
    pub fn played(text: &str, hands: &[&Hand], job: &Job) -> Self {
        let text = format!("{FORMAT}{text}");
        let kinds = ["0", "1", "2"].map(SourceKind::new::<Unplugged>);
        let plan = Plan::parse(&Found::new("test.toml", text), &kinds);
        let mut plan = plan.unwrap_or_else(|error| panic!("{error}"));
        for source in &mut plan.sources {
            let place: usize = source.kind.parse().expect("the place of a hand");
            source.opening = Box::new(hands[place].clone());
        }
        Self::new(plan, job)
    }

    /// One turn of the loop.
    pub fn turn(&mut self) {
        self.turn_at(monotonic_ns());
    }

    /// The same at this time; how many blocks were taken. Real-time safe.
    pub fn turn_at(&mut self, now_ns: u64) -> u64 {
        let blocks = self.chain.take(now_ns);
        self.chain.publish(now_ns);
        self.chain.return_torque(now_ns);
        blocks
    }

    fn look<T: Payload>(&self, block: Block<T>) -> T {
        let mut reader = self.region.reader(block);
        *reader.latest().expect("it was published").value
    }

    /// `/driver/`.
    pub fn driver(&self) -> DriverInput {
        self.look(blocks::DRIVER)
    }

    /// `/sensors/`.
    pub fn sensors(&self) -> Sensors {
        self.look(blocks::SENSORS)
    }

    /// `/acquisition/`.
    pub fn status(&self) -> Acquisition {
        self.look(blocks::ACQUISITION)
    }

    /// What is wrong, and what is done about it, as the health block has it.
    pub fn health(&self) -> (u64, u64) {
        let statistics = LoopStatistics::default();
        let account = self.chain.account(&statistics);
        (account.input_faults, account.input_reaction)
    }

    /// Turns until it is as wanted.
    pub fn until(&mut self, what: &str, mut wanted: impl FnMut(&Self) -> bool) {
        eventually(what, || {
            self.turn();
            wanted(self).then_some(())
        });
    }
}
