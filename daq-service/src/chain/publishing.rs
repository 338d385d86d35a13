//! From the pipeline's outputs to the words of `/driver/`, `/demands/` and `/sensors/`, and how
//! sources and channels are to `/acquisition/`.

use acquisition::plan::{ChannelPlan, Derivative};
use acquisition::{Clock, Pipeline, Plan, Reading, Source, State};
use service::{Job, StartError};
use shm_layout::blocks::{self, Acquisition, ChannelStatus, Demands, DriverInput, Sensors, SourceStatus};
use shm_layout::clock::monotonic_ns;
use shm_layout::signals::{Library, Signal};
use shm_layout::{Block, ClaimError, Kind, Payload, Region, Stamp, Writer};

use super::Slot;

/// Where one output goes.
struct Word {
    output: usize,
    word: usize,
    kind: Kind,
    /// What is written where there is nothing to say.
    unknown: u64,
}

impl Word {
    #[inline]
    fn bits(&self, value: f64) -> u64 {
        match self.kind {
            Kind::Float => value.to_bits(),
            _ if value.is_finite() => (value.round() as i64).cast_unsigned(),
            _ => self.unknown,
        }
    }
}

/// A block that says how old it is.
pub trait Aged: Payload {
    /// How old it was when it was published (ns).
    fn set_age_ns(&mut self, age_ns: u64);
}

impl Aged for DriverInput {
    fn set_age_ns(&mut self, age_ns: u64) {
        self.age_ns = age_ns;
    }
}

impl Aged for Demands {
    fn set_age_ns(&mut self, age_ns: u64) {
        self.age_ns = age_ns;
    }
}

impl Aged for Sensors {
    fn set_age_ns(&mut self, age_ns: u64) {
        self.age_ns = age_ns;
    }
}

/// A block with the words that this process fills.
struct Filled<T> {
    block: Box<T>,
    writer: Writer<T>,
    words: Vec<Word>,
    /// The channels whose numbers are in it.
    channels: Vec<usize>,
}

impl<T: Aged> Filled<T> {
    fn claim(region: &Region, key: Block<T>, block: Box<T>, words: Vec<Word>, plan: &Plan) -> Result<Self, ClaimError> {
        let channels = channels_of(plan, &format!("{}.", key.entry().name));
        Ok(Self { block, writer: region.claim(key)?, words, channels })
    }
}

/// What the loop does with a block of any type.
trait Publish: Send {
    fn fill(&mut self, outputs: &[f64]);

    /// Until when all its numbers are known: a block is as old as its oldest number. 0 if one was
    /// never heard of; none without channels.
    fn sample_ns(&self, readings: &[Reading]) -> Option<u64>;

    fn publish(&mut self, stamp: Stamp);
}

impl<T: Aged + Send> Publish for Filled<T> {
    #[inline]
    fn fill(&mut self, outputs: &[f64]) {
        let words = self.block.words_mut();
        for place in &self.words {
            words[place.word] = place.bits(outputs[place.output]);
        }
    }

    #[inline]
    fn sample_ns(&self, readings: &[Reading]) -> Option<u64> {
        let known = self.channels.iter().map(|channel| readings[*channel].known_ns);
        known.min()
    }

    #[inline]
    fn publish(&mut self, stamp: Stamp) {
        // What was never measured is older than anything.
        let age_ns = if stamp.sample_ns == 0 { u64::MAX } else { stamp.publish_ns.saturating_sub(stamp.sample_ns) };
        self.block.set_stamp(stamp);
        self.block.set_age_ns(age_ns);
        self.writer.publish(&self.block);
    }
}

/// The blocks that the acquisition writes.
pub(super) struct Publishing {
    /// What is asked for: by the driver of a vehicle, or by the operator of a plant.
    asked: Box<dyn Publish>,
    is_vehicle: bool,
    sensors: Option<Filled<Sensors>>,
    status: Box<Acquisition>,
    status_writer: Writer<Acquisition>,
    publications: u64,
}

impl Publishing {
    /// Finds the words and claims the blocks; `/sensors/` only if something goes there.
    pub(super) fn new(region: &Region, plan: &Plan, job: &Job) -> Result<Self, StartError> {
        let library = Library::new();
        let (mut asked_words, mut sensor_words) = (Vec::new(), Vec::new());
        let mut sensors = Box::new(Sensors::default());
        for (output, name) in plan.signals.iter().enumerate() {
            let signal = find(&library, job, name).ok_or_else(|| no_signal(plan, job, name))?;
            let words = match signal.entry().name {
                "sensors" => &mut sensor_words,
                _ => &mut asked_words,
            };
            if let Some(channel) = index_in(name, "sensors.channels[") {
                sensors.channel_count = sensors.channel_count.max(channel + 1);
            }
            words.push(Word {
                output,
                word: signal.word,
                kind: signal.field.kind,
                unknown: signal.field.invalid.parse::<i64>().unwrap_or(0).cast_unsigned(),
            });
        }
        let has_sensors = !sensor_words.is_empty();
        let claim_sensors = || Filled::claim(region, blocks::SENSORS, sensors, sensor_words, plan);
        let sensors = has_sensors.then(claim_sensors).transpose()?;
        let asked: Box<dyn Publish> = match job {
            Job::Vehicle(_) => Box::new(Filled::claim(region, blocks::DRIVER, Box::default(), asked_words, plan)?),
            Job::Plant(scenario) => {
                let initial = initial_demands(scenario.demands());
                Box::new(Filled::claim(region, blocks::DEMANDS, initial, asked_words, plan)?)
            }
        };
        let mut status = Box::new(Acquisition::default());
        status.source_count = plan.sources.len() as u64;
        status.channel_count = plan.channels.len() as u64;
        Ok(Self {
            asked,
            is_vehicle: matches!(job, Job::Vehicle(_)),
            sensors,
            status,
            status_writer: region.claim(blocks::ACQUISITION)?,
            publications: 0,
        })
    }

    pub(super) fn publications(&self) -> u64 {
        self.publications
    }

    /// Publishes the values as they were at the last tick, `now_ns`.
    #[inline]
    pub(super) fn publish_values(&mut self, pipeline: &Pipeline, now_ns: u64) {
        self.publications += 1;
        let step = self.publications;
        let stamp = |sample_ns| Stamp { step, sample_ns, publish_ns: monotonic_ns() };
        let asked_ns = self.fill_asked(pipeline, now_ns);
        let (outputs, readings) = (pipeline.outputs(), pipeline.channels());
        self.asked.publish(stamp(asked_ns));
        if let Some(sensors) = &mut self.sensors {
            let sensors_ns = sensors.sample_ns(readings).unwrap_or(0);
            sensors.fill(outputs);
            sensors.publish(stamp(sensors_ns));
        }
    }

    /// Puts what is asked for into the block that is published next; until when it is known (ns).
    #[inline]
    pub(super) fn fill_asked(&mut self, pipeline: &Pipeline, now_ns: u64) -> u64 {
        self.asked.fill(pipeline.outputs());
        // A vehicle without a driver's channel has no driver. What a plant is asked for without a
        // channel is the scenario's word, which holds.
        let unmeasured_ns = if self.is_vehicle { 0 } else { now_ns };
        self.asked.sample_ns(pipeline.channels()).unwrap_or(unmeasured_ns)
    }

    /// Publishes how sources and channels are, with the time of the newest sample of all.
    #[inline]
    pub(super) fn publish_status(&mut self, slots: &[Slot], channels: &[Reading]) {
        // Before it is filled: at this time the values can be read.
        let publish_ns = monotonic_ns();
        fill_status(&mut self.status, slots, channels);
        let newest_ns = slots.iter().map(|slot| slot.newest.sample_ns).max();
        self.status.stamp = Stamp { step: self.publications, sample_ns: newest_ns.unwrap_or(0), publish_ns };
        self.status_writer.publish(&self.status);
    }
}

/// The channels whose values, rates or accelerations go to a block; a rate that another channel
/// measures brings that one in.
fn channels_of(plan: &Plan, block: &str) -> Vec<usize> {
    let goes_there = |channel: &ChannelPlan| channel.targets.iter().any(|target| target.signal.starts_with(block));
    let mut channels = Vec::new();
    for (index, channel) in plan.channels.iter().enumerate().filter(|(_, channel)| goes_there(channel)) {
        channels.push(index);
        if let Derivative::Measured { channel, .. } = channel.derivative {
            channels.push(channel);
        }
    }
    channels
}

/// The demands of a plant that no channel gives keep the value that the scenario begins with.
fn initial_demands(demands: &plant::Demands) -> Box<Demands> {
    let mut block = Box::new(Demands::default());
    let count = demands.len().min(block.demands.len());
    block.demand_count = count as u64;
    demands.values(0.0, &mut block.demands[..count]);
    block
}

/// The block of what is asked for.
fn asked_block(job: &Job) -> &'static str {
    match job {
        Job::Vehicle(_) => "driver",
        Job::Plant(_) => "demands",
    }
}

/// A number that a channel may give.
fn find<'a>(library: &'a Library, job: &Job, name: &str) -> Option<&'a Signal> {
    let signal = library.by_name(name)?;
    let is_ours = [asked_block(job), "sensors"].contains(&signal.entry().name);
    let is_number = matches!(signal.field.kind, Kind::Float | Kind::Signed);
    (is_ours && is_number).then_some(signal)
}

fn no_signal(plan: &Plan, job: &Job, name: &str) -> StartError {
    let (block, example) = match job {
        Job::Vehicle(_) => ("driver", "driver.throttle_ratio"),
        Job::Plant(_) => ("demands", "demands.demands[0]"),
    };
    StartError::Acquisition(format!(
        "{}: target `{name}` is no number that the acquisition writes here; expected one of /{block}/ or /sensors/, \
         such as {example} (`rtrd signals` has them all)",
        plan.file
    ))
}

fn index_in(name: &str, array: &str) -> Option<u64> {
    name.strip_prefix(array)?.strip_suffix(']')?.parse().ok()
}

/// The number of a state in the block.
const fn state_number(state: State) -> u64 {
    match state {
        State::Waiting => 1,
        State::Flowing => 2,
        State::Stalled => 3,
        State::Gone => 4,
        State::Ended => 5,
        State::Swapped => 6,
    }
}

/// The number of a clock in the block.
const fn clock_number(clock: Clock) -> u64 {
    match clock {
        Clock::Arrival => 1,
        Clock::Kernel => 2,
        Clock::Hardware => 3,
        Clock::Recorded => 4,
    }
}

/// Fills the block, except its stamp and counts. Real-time safe.
#[inline]
fn fill_status(block: &mut Acquisition, slots: &[Slot], channels: &[Reading]) {
    for (place, slot) in block.sources.iter_mut().zip(slots) {
        let counters = slot.source.counters();
        *place = SourceStatus {
            state: state_number(slot.state),
            clock: clock_number(slot.source.clock()),
            sample_ns: slot.newest.sample_ns,
            blocks: counters.blocks,
            bytes: counters.bytes,
            empty_reads: counters.empty_reads,
            bursts: counters.bursts,
            largest_burst: counters.largest_burst,
            remainders: counters.remainders,
            lost: counters.lost,
            duplicated: counters.duplicated,
            corrupted: counters.corrupted,
            resynchronised: counters.resynchronised,
            reconnects: counters.reconnects,
        };
    }
    for (place, channel) in block.channels.iter_mut().zip(channels) {
        *place = ChannelStatus {
            raw: channel.raw,
            value: channel.value,
            rate: channel.rate,
            acceleration: channel.acceleration,
            sample_ns: channel.sample_ns,
            age_ns: channel.age_ns,
            faults: channel.faults.0,
            reaction: channel.reaction as u64,
            fault_count: channel.fault_count,
        };
    }
}
