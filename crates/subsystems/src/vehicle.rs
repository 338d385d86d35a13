//! The subsystems of a vehicle as models that answer.
//!
//! The question is `/kinematics/`, the answer `/forces/`; `/vehicle/` tells the rest to displays.
//! The driver is that of the manoeuvre, in lock-step, or whoever writes `/driver/`; what `/driver/`
//! says is latched when the question is answered.

use lockstep::{Asked, Responder, State, missing};
use service::config::{DriverSource, Settings};
use service::{JobError, StartError};
use shm_layout::blocks::{self, DriverInput, Forces, Kinematics, VehicleState};
use shm_layout::{Block, Payload, Reader, Region, Stamp, Writer};
use vehicle::assembly::Setup;
use vehicle::state::Stateful;
use vehicle::subsystems::Subsystems as Models;

use crate::driving::{LiveDriver, stopping};
use crate::external::Externals;
use crate::{Subsystems, Terms};

/// Largest torque of the steering wheel on the driver's hands (Nm): as declared.
const FEEDBACK_MAX_NM: f64 = 100.0;

/// All subsystems of a vehicle, and its driver.
pub struct VehicleSubsystems {
    models: Models,
    driver: LiveDriver,
    externals: Externals,
    terms: Terms,
    step_s: f64,
    last_input: DriverInput,
    driver_reader: Reader<DriverInput>,
    vehicle_writer: Writer<VehicleState>,
}

impl VehicleSubsystems {
    /// Builds the models and claims the block for displays.
    pub fn new(region: &Region, setup: &Setup, terms: Terms) -> Result<Self, StartError> {
        Ok(Self {
            models: setup.subsystems().map_err(JobError::from)?,
            driver: LiveDriver::new(setup).map_err(JobError::from)?,
            externals: Externals::new(region, setup.external, setup.driver.steered_by, terms.hold_steps),
            terms,
            step_s: setup.step_s,
            last_input: DriverInput::RELEASED,
            driver_reader: region.reader(blocks::DRIVER),
            vehicle_writer: region.claim(blocks::VEHICLE)?,
        })
    }

    /// What the driver does in this step, and whether it is a safe stop.
    #[inline]
    fn input(&mut self, motion: &Kinematics, now_ns: u64) -> (DriverInput, bool) {
        if self.terms.driver == DriverSource::Manoeuvre {
            return (self.driver.drive(motion, self.step_s), false);
        }
        match self.driver_reader.latest().map(|snapshot| snapshot.value) {
            Some(block) if block.age_at(now_ns) <= self.terms.driver_timeout_ns => {
                (block.or_released(), false)
            }
            // No driver, or nothing new of the steering wheel.
            _ => (stopping(&self.last_input), true),
        }
    }
}

vehicle::stateful!(VehicleSubsystems, |it| it.models, it.driver);

impl State for VehicleSubsystems {
    fn save(&self, numbers: &mut [f64]) -> usize {
        Stateful::save(self, numbers)
    }

    fn load(&mut self, _time_s: f64, numbers: &[f64]) -> Result<(), String> {
        Stateful::load(self, numbers);
        Ok(())
    }
}

impl Responder for VehicleSubsystems {
    type Question = Kinematics;
    type Answer = Forces;
    const QUESTION: Block<Kinematics> = blocks::KINEMATICS;
    const ANSWER: Block<Forces> = blocks::FORCES;

    #[inline]
    fn is_ready(&mut self, waited_ns: u64) -> bool {
        // Numbers that were never measured have no age.
        self.terms.driver == DriverSource::Manoeuvre
            || self.driver_reader.latest().is_some_and(|newest| newest.value.age_ns != u64::MAX)
            || waited_ns >= self.terms.driver_timeout_ns
    }

    #[inline]
    fn answer(&mut self, question: &Kinematics, asked: Asked<'_>, answer: &mut Forces) -> u64 {
        // After a long silence the state is of long ago.
        if asked.passed_steps > 1 + self.terms.hold_steps {
            self.models.resynchronise();
        }
        let (input, is_stopping) = self.input(question, asked.now_ns);
        let (missed, outside) = (self.externals.misses, self.models.state().loads_outside);
        let deadline_ns = asked.deadline_ns(self.terms.external_ns);
        let external = self.externals.collect(asked.step, deadline_ns, asked.wait);
        answer.copy_used_from(self.models.answer(question, &input, &external));
        let state = self.models.state_mut();
        state.safe_stop = u64::from(is_stopping);
        state.manoeuvre_over = u64::from(self.driver.is_over());
        state.external_misses = self.externals.misses;
        // It turns a driver's hands: whatever the forces are, it stays in its declared range.
        state.steering_feedback_nm = state.steering_feedback_nm.clamp(-FEEDBACK_MAX_NM, FEEDBACK_MAX_NM);
        self.last_input = input;
        (u64::from(is_stopping) * missing::DRIVER)
            | (u64::from(self.externals.misses != missed) * missing::EXTERNAL)
            | (u64::from(self.models.state().loads_outside != outside) * missing::TYRE_FIT)
    }

    #[inline]
    fn show(&mut self, stamp: Stamp) {
        let state = self.models.state_mut();
        state.stamp = stamp;
        self.vehicle_writer.publish(state);
    }
}

impl Subsystems for VehicleSubsystems {
    fn take_settings(&mut self, settings: &Settings) {
        let period_ns = (self.step_s * 1e9).round() as u64;
        self.terms = Terms::of(self.terms.driver, settings, period_ns);
        self.externals.set_hold_steps(self.terms.hold_steps);
    }
}
