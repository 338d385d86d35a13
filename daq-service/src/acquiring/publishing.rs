//! From the pipeline's outputs to the words of `/driver/` and `/sensors/`.

use acquisition::{Plan, Reading};
use service::vehicle::{blocks as convert, signals};
use service::{Job, StartError};
use shm_layout::blocks::{self, Acquisition, Driver, Sensors};
use shm_layout::clock::monotonic_ns;
use shm_layout::signals::{Library, Signal};
use shm_layout::{Kind, Payload, Region, Writer};

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
}

impl<T: Payload> Filled<T> {
    #[inline]
    fn fill(&mut self, outputs: &[f64]) {
        let words = self.block.words_mut();
        for place in &self.words {
            words[place.word] = place.bits(outputs[place.output]);
        }
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

    /// Publishes the values, measured at `sample_ns`.
    #[inline]
    pub(super) fn publish_values(&mut self, outputs: &[f64], sample_ns: u64) {
        self.publications += 1;
        let stamp = |publish_ns| shm_layout::Stamp {
            step: self.publications,
            sample_ns,
            publish_ns,
        };
        self.driver.fill(outputs);
        let driver = &mut self.driver.block;
        if self.shows_driver {
            let shown = signals::demands(&convert::read_driver(driver));
            driver.demands[..shown.len()].copy_from_slice(&shown);
        }
        driver.stamp = stamp(monotonic_ns());
        self.driver.writer.publish(driver);
        if let Some(sensors) = &mut self.sensors {
            sensors.fill(outputs);
            sensors.block.stamp = stamp(monotonic_ns());
            sensors.writer.publish(&sensors.block);
        }
    }

    /// Publishes how sources and channels are.
    #[inline]
    pub(super) fn publish_status(&mut self, slots: &[Slot], channels: &[Reading]) {
        status::fill(&mut self.status, slots, channels);
        self.status.stamp = self.driver.block.stamp;
        self.status.stamp.publish_ns = monotonic_ns();
        self.status_writer.publish(&self.status);
    }
}

/// A driver who has said nothing yet. The demands of a plant that no channel gives keep the value that the scenario begins with.
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
