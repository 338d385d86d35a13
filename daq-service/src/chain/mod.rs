//! The sources of an acquisition file, through their channels, into the shared blocks.
//!
//! One opportunity: take everything that has arrived, feed it to the channels, publish. What is
//! looked up by name is looked up before the loop.

mod publishing;
mod waiting;

use std::os::fd::BorrowedFd;

use acquisition::sources::reopening::{OpenerHooks, Reopening};
use acquisition::{Pipeline, Plan, Sample, Source, State};
use rt::periodic::LoopStatistics;
use service::{Job, LoopAccount, StartError};
use shm_layout::blocks::{self, VehicleState};
use shm_layout::{Reader, Region};

pub use publishing::Aged;
use publishing::Publishing;
pub use waiting::Waiting;

/// How long the torque of the vehicle's last answer is returned (ns).
const TORQUE_HOLDS_NS: u64 = 100_000_000;

/// One source in operation.
struct Slot {
    source: Reopening,
    state: State,
    /// Its channels have found their numbers.
    bound: bool,
    newest: Sample,
}

/// Everything between the sources and the blocks.
pub struct MeasuringChain {
    slots: Vec<Slot>,
    pipeline: Pipeline,
    /// Keeps the code and the data of a block in the caches while nothing comes; its results are
    /// not used.
    warm_up: Pipeline,
    publishing: Publishing,
    vehicle_reader: Reader<VehicleState>,
    /// Without new samples it is published once in this time (ns).
    period_ns: u64,
    has_new_samples: bool,
    published_ns: u64,
}

impl MeasuringChain {
    /// Opens the sources and claims the blocks. A source that is not there yet is a warning, and is
    /// opened when it comes.
    pub fn new(region: &Region, plan: Plan, job: &Job) -> Result<Self, StartError> {
        let (mut pipeline, mut warm_up) = (Pipeline::new(&plan), Pipeline::new(&plan));
        let publishing = Publishing::new(region, &plan, job)?;
        let terms = OpenerHooks { prepare: rt::startup::leave, report: |news| tracing::info!("{news}") };
        let mut slots = Vec::new();
        for (index, planned) in plan.sources.into_iter().enumerate() {
            let (source, problem) = Reopening::start(&planned.name, planned.opening, terms);
            if let Some(problem) = problem {
                tracing::warn!("source {}: {problem}; it is opened when it is there", planned.name);
                pipeline.lost(index);
            } else {
                let numbers = source.channels();
                pipeline
                    .bind(index, numbers)
                    .map_err(|unbound| StartError::Acquisition(pipeline.explain(unbound, numbers).to_string()))?;
                // It has the same channels.
                let _ = warm_up.bind(index, numbers);
            }
            slots.push(Slot {
                bound: source.is_open(),
                state: if source.is_open() { State::Waiting } else { State::Gone },
                source,
                newest: Sample::empty(0),
            });
        }
        Ok(Self {
            slots,
            pipeline,
            warm_up,
            publishing,
            vehicle_reader: region.reader(blocks::VEHICLE),
            period_ns: 0,
            has_new_samples: true,
            published_ns: 0,
        })
    }

    /// Publishes at most once in this time unless there are new samples.
    #[must_use]
    pub fn with_period_ns(mut self, period_ns: u64) -> Self {
        self.period_ns = period_ns;
        self
    }

    /// Takes everything that has arrived; says how many blocks that were. Real-time safe.
    #[inline]
    pub fn take(&mut self, now_ns: u64) -> u64 {
        let Self { slots, pipeline, .. } = self;
        let mut samples = 0_u64;
        for (index, slot) in slots.iter_mut().enumerate() {
            if slot.source.receive() {
                // Another device with other numbers stays unbound, and its channels stale.
                slot.bound = pipeline.bind(index, slot.source.channels()).is_ok();
            }
            let Slot { bound, newest, .. } = slot;
            let state = slot.source.take_received(now_ns, &mut |sample| {
                samples += 1;
                *newest = *sample;
                if *bound {
                    pipeline.feed(index, sample);
                }
            });
            if state == State::Gone && slot.state != State::Gone {
                pipeline.lost(index);
                // Whatever comes next has to find its numbers first.
                slot.bound = false;
            }
            slot.state = state;
        }
        self.has_new_samples |= samples > 0;
        samples
    }

    /// Brings the channels up to date and publishes them: new samples at once, so that each has one
    /// publication; without any, ages and faults once in a period. Real-time safe.
    #[inline]
    pub fn publish(&mut self, now_ns: u64) {
        let is_due = now_ns >= self.published_ns + self.period_ns;
        if !std::mem::take(&mut self.has_new_samples) && !is_due {
            return;
        }
        self.published_ns = now_ns;
        self.pipeline.tick(now_ns);
        self.publishing.publish_values(&self.pipeline, now_ns);
        self.publishing.publish_status(&self.slots, self.pipeline.channels());
    }

    /// Cache warm-up: processes the newest block up to publication, so that the next one is
    /// processed from the caches. Real-time safe.
    #[inline]
    pub fn warm_caches(&mut self, now_ns: u64) {
        for (index, slot) in self.slots.iter().enumerate().filter(|(_, slot)| slot.bound) {
            let sample_ns = now_ns;
            self.warm_up.feed(index, &Sample { sample_ns, ..slot.newest });
        }
        self.warm_up.tick(now_ns);
        self.pipeline.tick(now_ns);
        self.publishing.fill_asked(&self.pipeline, now_ns);
    }

    /// Gives the steering torque of the vehicle to the sources. Real-time safe.
    #[inline]
    pub fn return_torque(&mut self, now_ns: u64) {
        let Some(vehicle) = self.vehicle_reader.latest() else {
            return;
        };
        let torque_nm = vehicle.value.steering_feedback_nm;
        // Without an update the sources take the torque away: that of a simulation that is gone
        // must not stay.
        let age_ns = now_ns.saturating_sub(vehicle.value.stamp.publish_ns);
        if torque_nm.is_finite() && age_ns <= TORQUE_HOLDS_NS {
            for slot in &mut self.slots {
                slot.source.set_torque(torque_nm, now_ns);
            }
        }
    }

    /// How often it was published.
    #[must_use]
    pub fn publications(&self) -> u64 {
        self.publishing.publications()
    }

    /// How often a fault has begun, in all channels.
    #[must_use]
    pub fn faults(&self) -> u64 {
        self.pipeline.channels().iter().map(|channel| channel.fault_count).sum()
    }

    /// With what is wrong with the channels now, what is done about it, and how often it was.
    /// Real-time safe.
    pub fn account<'a>(&self, statistics: &'a LoopStatistics) -> LoopAccount<'a> {
        LoopAccount {
            warnings: self.faults(),
            input_faults: self.pipeline.faults().0,
            input_reaction: self.pipeline.reaction() as u64,
            ..LoopAccount::new(self.publications(), statistics)
        }
    }

    /// What to wait for, source by source.
    fn descriptor(&self, index: usize) -> Option<BorrowedFd<'_>> {
        self.slots.get(index)?.source.descriptor()
    }
}

#[cfg(test)]
mod tests;
