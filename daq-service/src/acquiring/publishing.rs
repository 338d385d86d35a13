//! From the pipeline's outputs to the words of `/driver/` and `/sensors/`.

use acquisition::plan::{ChannelPlan, Derivative};
use acquisition::{Pipeline, Plan, Reading};
use service::vehicle::{blocks as convert, signals};
use service::{Job, StartError};
use shm_layout::blocks::{self, Acquisition, Driver, Sensors};
use shm_layout::clock::monotonic_ns;
use shm_layout::signals::{Library, Signal};
use shm_layout::{Kind, Payload, Region, Stamp, Writer};

use super::{Slot, status};

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

/// A block with the words that this process fills.
struct Filled<T> {
    block: Box<T>,
    writer: Writer<T>,
    words: Vec<Word>,
    /// The channels whose numbers are in it.
    channels: Vec<usize>,
}

impl<T: Payload> Filled<T> {
    #[inline]
    fn fill(&mut self, outputs: &[f64]) {
        let words = self.block.words_mut();
        for place in &self.words {
            words[place.word] = place.bits(outputs[place.output]);
        }
    }

    /// Until when all its numbers are known: a block is as old as its oldest number. 0 if one was
    /// never heard of; none without channels.
    #[inline]
    fn sample_ns(&self, readings: &[Reading]) -> Option<u64> {
        let known = self.channels.iter().map(|channel| readings[*channel].known_ns);
        known.min()
    }
}

/// How old a block is when it is published; what was never measured is older than anything.
#[inline]
fn age_ns(stamp: Stamp) -> u64 {
    match stamp.sample_ns {
        0 => u64::MAX,
        sample_ns => stamp.publish_ns.saturating_sub(sample_ns),
    }
}

/// The blocks that the acquisition writes.
pub(super) struct Publishing {
    driver: Filled<Driver>,
    sensors: Option<Filled<Sensors>>,
    status: Box<Acquisition>,
    status_writer: Writer<Acquisition>,
    /// A vehicle's watchers are shown what its driver does.
    shows_driver: bool,
    publications: u64,
}

impl Publishing {
    /// Finds the words and claims the blocks; `/sensors/` only if something goes there.
    pub(super) fn new(region: &Region, plan: &Plan, job: &Job) -> Result<Self, StartError> {
        let library = Library::new();
        let (mut driver_words, mut sensor_words) = (Vec::new(), Vec::new());
        let mut sensors = Box::new(Sensors::default());
        // A further channel that nobody measures is unknown, and not zero.
        sensors.channels.fill(f64::NAN);
        for (output, name) in plan.signals.iter().enumerate() {
            let signal = find(&library, name).ok_or_else(|| no_signal(plan, name))?;
            let words = match signal.entry().name {
                "driver" => &mut driver_words,
                _ => &mut sensor_words,
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
        let sensors = if sensor_words.is_empty() {
            None
        } else {
            Some(Filled {
                block: sensors,
                writer: region.claim(blocks::SENSORS)?,
                words: sensor_words,
                channels: channels_of(plan, "sensors."),
            })
        };
        let mut status = Box::new(Acquisition::default());
        status.source_count = plan.sources.len() as u64;
        status.channel_count = plan.channels.len() as u64;
        Ok(Self {
            driver: Filled {
                block: new_driver(job),
                writer: region.claim(blocks::DRIVER)?,
                words: driver_words,
                channels: channels_of(plan, "driver."),
            },
            sensors,
            status,
            status_writer: region.claim(blocks::ACQUISITION)?,
            shows_driver: matches!(job, Job::Vehicle(_)),
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
        let driver_ns = self.fill_driver(pipeline, now_ns);
        let (outputs, readings) = (pipeline.outputs(), pipeline.channels());
        let driver = &mut self.driver.block;
        driver.stamp = stamp(driver_ns);
        driver.age_ns = age_ns(driver.stamp);
        self.driver.writer.publish(driver);
        if let Some(sensors) = &mut self.sensors {
            let sensors_ns = sensors.sample_ns(readings).unwrap_or(0);
            sensors.fill(outputs);
            sensors.block.stamp = stamp(sensors_ns);
            sensors.block.age_ns = age_ns(sensors.block.stamp);
            sensors.writer.publish(&sensors.block);
        }
    }

    /// Puts the driver's values into the block that is published next; until when they are known
    /// (ns).
    #[inline]
    pub(super) fn fill_driver(&mut self, pipeline: &Pipeline, now_ns: u64) -> u64 {
        // What a plant is asked for without a channel is the scenario's word, which holds; a
        // vehicle without a driver's channel has no driver.
        let unmeasured_ns = if self.shows_driver { 0 } else { now_ns };
        self.driver.fill(pipeline.outputs());
        let driver = &mut self.driver.block;
        if self.shows_driver {
            let shown = signals::demands(&convert::read_driver(driver));
            driver.demands[..shown.len()].copy_from_slice(&shown);
        }
        self.driver.sample_ns(pipeline.channels()).unwrap_or(unmeasured_ns)
    }

    /// Publishes how sources and channels are, with the time of the newest sample of all.
    #[inline]
    pub(super) fn publish_status(&mut self, slots: &[Slot], channels: &[Reading]) {
        // Before it is filled: at this time the values can be read.
        let publish_ns = monotonic_ns();
        status::fill(&mut self.status, slots, channels);
        let newest_ns = slots.iter().map(|slot| slot.newest.sample_ns).max();
        self.status.stamp = Stamp { step: self.publications, sample_ns: newest_ns.unwrap_or(0), publish_ns };
        self.status_writer.publish(&self.status);
    }
}

/// The channels whose values, rates or accelerations go to a block; a rate that another channel
/// measures brings that one in.
fn channels_of(plan: &Plan, block: &str) -> Vec<usize> {
    let goes_there =
        |channel: &ChannelPlan| channel.targets.iter().any(|target| target.signal.starts_with(block));
    let mut channels = Vec::new();
    for (index, channel) in plan.channels.iter().enumerate().filter(|(_, channel)| goes_there(channel)) {
        channels.push(index);
        if let Derivative::Measured { channel, .. } = channel.derivative {
            channels.push(channel);
        }
    }
    channels
}

/// A driver who has said nothing yet. The demands of a plant that no channel gives keep the value
/// that the scenario begins with.
fn new_driver(job: &Job) -> Box<Driver> {
    let mut driver = Box::new(Driver::default());
    match job {
        Job::Vehicle(_) => driver.demand_count = signals::DEMAND_COUNT as u64,
        Job::Plant(scenario) => {
            let demands = scenario.demands();
            let count = demands.len().min(driver.demands.len());
            driver.demand_count = count as u64;
            demands.values(0.0, &mut driver.demands[..count]);
        }
    }
    driver
}

/// A number of `/driver/` or `/sensors/` that a channel may give.
fn find<'a>(library: &'a Library, name: &str) -> Option<&'a Signal> {
    let signal = library.by_name(name)?;
    let block = signal.entry().name;
    let is_ours = ["driver", "sensors"].contains(&block);
    let is_number = matches!(signal.field.kind, Kind::Float | Kind::Signed);
    (is_ours && is_number).then_some(signal)
}

fn no_signal(plan: &Plan, name: &str) -> StartError {
    StartError::Acquisition(format!(
        "{}: target `{name}` is no number that the acquisition writes; expected one of /driver/ or /sensors/, such as \
         driver.throttle_ratio (`rtrd signals --list` has them all)",
        plan.file
    ))
}

fn index_in(name: &str, array: &str) -> Option<u64> {
    name.strip_prefix(array)?.strip_suffix(']')?.parse().ok()
}
