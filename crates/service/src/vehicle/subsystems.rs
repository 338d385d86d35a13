//! The subsystems of a vehicle and their blocks: everything about one answer except the clock.
//!
//! The question is `/kinematics/`, the answer is `/forces/` with the same step number, and `/vehicle/` tells the rest to displays. The driver is that of
//! the manoeuvre, in lock-step, or whoever writes `/driver/`; what `/driver/` says is latched when the question is answered.

use shm_layout::blocks::{self, Driver as DriverBlock, Forces, Kinematics, PlantInputs, Vehicle};
use shm_layout::clock::monotonic_ns;
use shm_layout::{Reader, Region, Stamp, Wait, Waited, Writer};
use vehicle::assembly::Setup;
use vehicle::memory::{Loader, Memory, Saver};
use vehicle::subsystems::Subsystems;
use vehicle::{Input, Motion};

use super::driving::{LiveDriver, stopping};
use super::external::Externals;
use super::{blocks as convert, signals};
use crate::config::{DriverSource, Settings, steps_in};
use crate::{Answering, Checkpoint, Config, JobError, StartError, missing};

/// The terms on which the models answer.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Who drives.
    pub driver: DriverSource,
    /// Age of the driver's data beyond which the vehicle stops.
    pub driver_timeout_ns: u64,
    /// How long the subsystems of other processes may take.
    pub external_ns: u64,
    /// After so many silent steps a subsystem of another process is gone, and after a gap of so many our wheels take the speed of the road again.
    pub hold_steps: u64,
}

impl Terms {
    /// The terms of a configuration for steps of this length.
    #[must_use]
    pub fn new(config: &Config, period_ns: u64) -> Self {
        Self::of(config.subsystem.driver, &Settings::of(config), period_ns)
    }

    /// The terms for this driver under these settings. Real-time safe.
    fn of(driver: DriverSource, settings: &Settings, period_ns: u64) -> Self {
        Self {
            driver,
            driver_timeout_ns: settings.driver_timeout_ms * 1_000_000,
            external_ns: settings.external_ns(period_ns),
            hold_steps: steps_in(settings.hold_forces_ms, period_ns),
        }
    }
}

/// The subsystems of a vehicle, which meet the other processes in the common blocks.
pub struct VehicleSubsystems {
    subsystems: Subsystems,
    driver: LiveDriver,
    externals: Externals,
    terms: Terms,
    step_s: f64,
    motion: Box<Motion>,
    last_input: Input,
    /// The step whose answer is in `forces`; 0 for none.
    answered_step: u64,
    /// The step after which the models stand; 0 at their beginning.
    state_step: u64,
    begun_ns: u64,
    forces: Box<Forces>,
    vehicle: Box<Vehicle>,
    shown: Box<PlantInputs>,
    kinematics_reader: Reader<Kinematics>,
    driver_reader: Reader<DriverBlock>,
    forces_writer: Writer<Forces>,
    vehicle_writer: Writer<Vehicle>,
    shown_writer: Writer<PlantInputs>,
    checkpoint: Checkpoint,
    warnings: u64,
    /// What the last answer had to do without.
    missing: u64,
}

impl VehicleSubsystems {
    /// Builds the models, claims their blocks, and goes on from the state that an earlier process of this run published.
    pub fn new(region: &Region, setup: &Setup, model_hash: u64, terms: Terms) -> Result<Self, StartError> {
        let mut shown = Box::new(PlantInputs::default());
        shown.input_count = signals::INPUT_COUNT as u64;
        let mut models = Self {
            subsystems: setup.subsystems().map_err(JobError::from)?,
            driver: LiveDriver::new(setup).map_err(JobError::from)?,
            externals: Externals::new(region, setup.external, terms.hold_steps),
            terms,
            step_s: setup.step_s,
            motion: Box::new(Motion::default()),
            last_input: Input::default(),
            answered_step: 0,
            state_step: 0,
            begun_ns: monotonic_ns(),
            forces: Box::new(Forces::default()),
            vehicle: Box::new(Vehicle::default()),
            shown,
            kinematics_reader: region.reader(blocks::KINEMATICS),
            driver_reader: region.reader(blocks::DRIVER),
            forces_writer: region.claim(blocks::FORCES)?,
            vehicle_writer: region.claim(blocks::VEHICLE)?,
            shown_writer: region.claim(blocks::PLANT_INPUTS)?,
            checkpoint: Checkpoint::claim(region, blocks::SUBSYSTEM_STATE, model_hash)?,
            warnings: 0,
            missing: 0,
        };
        models.resume(region);
        Ok(models)
    }

    fn resume(&mut self, region: &Region) {
        let Some(found) = self.checkpoint.earlier(region, blocks::SUBSYSTEM_STATE) else {
            return;
        };
        let numbers = crate::numbers(&found);
        let mut scratch = vec![0.0; numbers.len()];
        let mut saver = Saver::new(&mut scratch);
        self.save(&mut saver);
        if saver.count() != numbers.len() || !numbers.iter().all(|value| value.is_finite()) {
            tracing::warn!("the published state does not fit: starting from the initial state");
            return;
        }
        let mut loader = Loader::new(numbers);
        self.subsystems.load(&mut loader);
        self.driver.load(&mut loader);
        self.state_step = found.stamp.step;
        self.remember_last_answer(region);
        tracing::info!("going on after step {}", found.stamp.step);
    }

    fn save(&self, saver: &mut Saver<'_>) {
        self.subsystems.save(saver);
        self.driver.save(saver);
    }

    /// The answer that belongs to the restored state: if its question is still open, it is given again and not made anew.
    fn remember_last_answer(&mut self, region: &Region) {
        let mut given = region.reader(blocks::FORCES);
        match given.latest().map(|snapshot| *snapshot.value) {
            Some(answer) if answer.stamp.step == self.state_step => {
                *self.forces = answer;
                self.answered_step = self.state_step;
            }
            _ => self.answered_step = 0,
        }
    }

    /// Whether `/driver/` has ever held measured numbers.
    #[inline]
    fn driver_has_spoken(&mut self) -> bool {
        let latest = self.driver_reader.latest();
        latest.is_some_and(|snapshot| snapshot.value.age_ns != u64::MAX)
    }

    /// What the driver does in this step, and whether it is a safe stop.
    #[inline]
    fn input(&mut self, now_ns: u64) -> (Input, bool) {
        if self.terms.driver == DriverSource::Manoeuvre {
            return (self.driver.drive(&self.motion, self.step_s), false);
        }
        let latest = self.driver_reader.latest().map(|snapshot| *snapshot.value);
        match latest {
            Some(block) if block.age_at(now_ns) <= self.terms.driver_timeout_ns => {
                (convert::read_driver(&block), false)
            }
            // Nobody is there, or nothing new is heard of the wheel.
            _ => (stopping(&self.last_input), true),
        }
    }

    #[inline]
    fn make_answer(&mut self, stamp: Stamp, now_ns: u64, wait: Wait) {
        // After a long silence the state is of long ago.
        if self.state_step != 0 && stamp.step > self.state_step + 1 + self.terms.hold_steps {
            self.subsystems.resynchronise();
        }
        let (input, safe_stop) = self.input(now_ns);
        let (missed, outside) = (self.externals.misses, self.subsystems.loads_outside());
        let deadline_ns = now_ns + self.terms.external_ns;
        let external = self.externals.collect(stamp.step, deadline_ns, wait);
        let response = self.subsystems.answer(&self.motion, &input, &external);
        convert::write_forces(response, &mut self.forces);
        convert::write_vehicle(&self.motion, &self.subsystems, &mut self.vehicle);
        self.vehicle.safe_stop = u64::from(safe_stop);
        self.vehicle.manoeuvre_over = u64::from(self.driver.is_over());
        self.vehicle.external_misses = self.externals.misses;
        let shown = signals::inputs(self.subsystems.telemetry());
        self.shown.inputs[..shown.len()].copy_from_slice(&shown);
        let without = |is_missing: bool, bit: u64| if is_missing { bit } else { 0 };
        self.missing = without(safe_stop, missing::DRIVER)
            | without(self.externals.misses != missed, missing::EXTERNAL)
            | without(self.subsystems.loads_outside() != outside, missing::TYRE_FIT);
        self.warnings += u64::from(self.missing != 0);
        self.last_input = input;
        self.answered_step = stamp.step;
        self.state_step = stamp.step;
        self.forces.stamp = stamp;
    }
}

impl Answering for VehicleSubsystems {
    #[inline]
    fn await_question(&mut self, deadline_ns: u64, wait: Wait) -> Waited {
        self.kinematics_reader.wait_for_news(deadline_ns, wait)
    }

    fn question(&self) -> Option<Stamp> {
        self.kinematics_reader.last().map(|question| question.stamp)
    }

    #[inline]
    fn answer(&mut self, wait: Wait) -> bool {
        let now_ns = monotonic_ns();
        let waits_for_driver = self.terms.driver == DriverSource::Block && !self.driver_has_spoken();
        if waits_for_driver && now_ns < self.begun_ns + self.terms.driver_timeout_ns {
            return false;
        }
        let Some(question) = self.kinematics_reader.last() else {
            return false;
        };
        let stamp = question.stamp;
        // A restarted partner may ask for the same step again: it gets the same answer, and no model advances twice.
        if stamp.step != self.answered_step {
            convert::read_kinematics(question, &mut self.motion);
            self.make_answer(stamp, now_ns, wait);
        }
        self.forces.stamp.publish_ns = monotonic_ns();
        match wait {
            Wait::Spin => self.forces_writer.publish(&self.forces),
            Wait::Sleep => self.forces_writer.publish_and_wake(&self.forces),
        }
        self.vehicle.stamp = self.forces.stamp;
        self.shown.stamp = self.forces.stamp;
        self.vehicle_writer.publish(&self.vehicle);
        self.shown_writer.publish(&self.shown);
        let (subsystems, driver) = (&self.subsystems, &self.driver);
        self.checkpoint
            .publish(self.forces.stamp, self.motion.time_s, |states| {
                let mut saver = Saver::new(states);
                subsystems.save(&mut saver);
                driver.save(&mut saver);
                saver.count()
            });
        true
    }

    fn step(&self) -> u64 {
        self.answered_step
    }

    fn warnings(&self) -> u64 {
        self.warnings
    }

    fn missing(&self) -> u64 {
        self.missing
    }

    fn take_settings(&mut self, settings: &Settings) {
        let period_ns = (self.step_s * 1e9).round() as u64;
        self.terms = Terms::of(self.terms.driver, settings, period_ns);
        self.externals.set_hold_steps(self.terms.hold_steps);
    }
}
