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
use vehicle::{Coordinate, SteeredBy, SteeringMotion, Vector3};

use crate::driving::{LiveDriver, stopping};
use crate::external::Externals;
use crate::seat::Seat;
use crate::{Subsystems, Terms};

/// Largest torque of the steering wheel on the driver's hands (Nm): as declared.
const FEEDBACK_MAX_NM: f64 = 100.0;

/// All subsystems of a vehicle, and its driver.
pub struct VehicleSubsystems {
    models: Models,
    driver: LiveDriver,
    seat: Seat,
    externals: Externals,
    terms: Terms,
    step_s: f64,
    steered_by: SteeredBy,
    steering_limits: Coordinate,
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
            seat: Seat::new(region),
            externals: Externals::new(region, setup.external, setup.driver.steered_by, terms.hold_steps),
            terms,
            step_s: setup.step_s,
            steered_by: setup.driver.steered_by,
            steering_limits: SteeringMotion::limits(setup.driver.steered_by),
            last_input: DriverInput::RELEASED,
            driver_reader: region.reader(blocks::DRIVER),
            vehicle_writer: region.claim(blocks::VEHICLE)?,
        })
    }

    /// What the driver does in this step, and whether it is a safe stop.
    #[inline]
    fn input(&mut self, motion: &Kinematics, now_ns: u64) -> (DriverInput, bool) {
        let of_run = self.input_of_run(motion, now_ns);
        self.seat.input(of_run, &self.last_input, (now_ns, self.terms.driver_timeout_ns), self.step_s)
    }

    /// What the run's own driver does.
    #[inline]
    fn input_of_run(&mut self, motion: &Kinematics, now_ns: u64) -> (DriverInput, bool) {
        if self.terms.driver == DriverSource::Manoeuvre {
            return (self.driver.drive(motion, self.step_s), false);
        }
        match self.driver_reader.latest().map(|snapshot| snapshot.value) {
            Some(block) if block.age_at(now_ns) <= self.terms.driver_timeout_ns => {
                let imposed = imposed(block, self.steered_by, &self.steering_limits);
                (DriverInput { imposed, ..block.or_released() }, false)
            }
            // No driver, or nothing new of the steering wheel.
            _ => (stopping(&self.last_input), true),
        }
    }
}

/// What `/driver/` imposes on the steering of a vehicle, if it can be.
#[inline]
fn imposed(driver: &DriverInput, by: SteeredBy, most: &Coordinate) -> SteeringMotion {
    let is_possible = |asked: &Coordinate| {
        asked.value.abs() <= most.value
            && asked.rate.abs() <= most.rate
            && asked.acceleration.abs() <= most.acceleration
    };
    let asked = driver.imposed.known(by).filter(is_possible);
    asked.map_or(SteeringMotion::UNKNOWN, |asked| SteeringMotion::of(by, asked))
}

/// Cuts forces and torques off at their declared ranges, which only a vehicle that is thrown about
/// reaches.
#[inline]
fn limit(forces: &mut Forces) {
    const MOST: f64 = 1e6;
    let cut = |value: &mut Vector3| {
        let [x, y, z] = value.to_array().map(|part| part.clamp(-MOST, MOST));
        *value = Vector3::new(x, y, z);
    };
    cut(&mut forces.body_force_n);
    cut(&mut forces.body_torque_nm);
    for wheel in forces.wheels.iter_mut().take(forces.wheel_count as usize) {
        cut(&mut wheel.force_n);
        cut(&mut wheel.torque_nm);
    }
}

vehicle::stateful!(VehicleSubsystems, |it| it.models, it.driver, it.seat);

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
        limit(answer);
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
