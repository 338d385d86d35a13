//! The mechanism of a vehicle as a model of the lock-step.
//!
//! The question is `/kinematics/`, the answer `/forces/`. Without an answer the vehicle coasts on
//! its last forces for a stated time, then brakes by itself to a safe stop; an answer that comes
//! after that takes over gradually ([`crate::silence`]).
//!
//! A step that leaves the range of possible motion is repeated from the state before it with the
//! forces of a safe stop; if that fails too, the vehicle goes on from its settled initial state. So
//! simulated time goes on whatever the answers were.

use lockstep::{Model, State, status};
use service::config::Settings;
use service::{JobError, StartError};
use shm_layout::blocks::{self, Forces, Kinematics};
use shm_layout::{Block, Payload};
use vehicle::assembly::{ExternalSubsystems, Setup};
use vehicle::bounds::{Bounds, is_possible_motion};
use vehicle::mechanism::Mechanism;
use vehicle::safe_stop::SafeStop;
use vehicle::state::Stateful;

use crate::Dynamics;
use crate::silence::{Chooser, HoldTimes};

/// Loops that are open by more than this did not close (m or rad).
const OPEN: f64 = 1e-6;

/// The mechanism of a vehicle and what it does without answers.
pub struct VehicleModel {
    mechanism: Mechanism,
    chooser: Chooser,
    bounds: Bounds,
    step_s: f64,
    /// Settled on the road: what a vehicle goes on from whose own state is lost.
    settled: Vec<f64>,
    answered: Box<Forces>,
    others_sleep: bool,
}

impl VehicleModel {
    /// Places the vehicle.
    pub fn new(setup: &Setup, hold_times: HoldTimes) -> Result<Self, StartError> {
        let mechanism = setup.mechanism().map_err(JobError::from)?;
        let mass_kg = setup.description.bodies.iter().map(|body| body.mass).sum();
        let wheel_count = mechanism.motion().wheel_count;
        let steered_by = setup.driver.steered_by;
        let safe_stop = SafeStop::new(setup.tyres.clone(), setup.terrain.clone(), steered_by);
        let mut model = Self {
            mechanism,
            chooser: Chooser::new(safe_stop, hold_times, steered_by, setup.step_s),
            bounds: Bounds::new(mass_kg, wheel_count, steered_by, setup.step_s),
            step_s: setup.step_s,
            settled: Vec::new(),
            answered: Box::new(Forces::default()),
            others_sleep: setup.external != ExternalSubsystems::default(),
        };
        model.settled = vec![0.0; Stateful::save(&model, &mut [])];
        let mut numbers = std::mem::take(&mut model.settled);
        Stateful::save(&model, &mut numbers);
        model.settled = numbers;
        Ok(model)
    }

    /// Whether the vehicle can be in the state that it is in.
    fn is_possible(&self) -> bool {
        let state = self.mechanism.state();
        let mut numbers = state.position.iter().chain(&state.velocity);
        is_possible_motion(self.mechanism.motion()) && numbers.all(|value| value.is_finite())
    }

    /// Makes the step again from the state before it, with the forces of a safe stop.
    #[cold]
    fn repeat_step(&mut self, before: &[f64]) -> u64 {
        self.mechanism.load(before);
        self.chooser.stop_safely(self.mechanism.motion());
        self.mechanism.step(&self.chooser.response);
        if self.is_possible() {
            return status::STEP_REPEATED;
        }
        let time_s = before[0] + self.step_s;
        self.reset(time_s);
        status::STEP_REPEATED | status::STATE_RESET
    }

    /// Puts the vehicle into its settled initial state; only time goes on.
    fn reset(&mut self, time_s: f64) {
        // The first number of a mechanism's state is its time.
        self.settled[0] = time_s;
        self.mechanism.load(&self.settled);
        self.chooser.steer_to(0.0);
        self.chooser.stop_safely(self.mechanism.motion());
    }
}

vehicle::stateful!(VehicleModel, |it| it.mechanism, it.chooser);

impl State for VehicleModel {
    fn save(&self, numbers: &mut [f64]) -> usize {
        Stateful::save(self, numbers)
    }

    fn load(&mut self, _time_s: f64, numbers: &[f64]) -> Result<(), String> {
        self.mechanism.load(numbers);
        if !self.is_possible() {
            self.mechanism.load(&self.settled);
            return Err("the published state is none of this vehicle".to_owned());
        }
        Stateful::load(self, numbers);
        Ok(())
    }
}

impl Model for VehicleModel {
    type Question = Kinematics;
    type Answer = Forces;
    const QUESTION: Block<Kinematics> = blocks::KINEMATICS;
    const ANSWER: Block<Forces> = blocks::FORCES;

    #[inline]
    fn fill(&mut self, question: &mut Kinematics, status: u64) {
        question.copy_used_from(self.mechanism.motion());
        question.status = status;
    }

    #[inline]
    fn take(&mut self, answer: Option<&Forces>) -> bool {
        let is_usable = answer.is_some_and(|forces| {
            self.answered.copy_used_from(forces);
            self.bounds.allow(forces, self.chooser.steering(), self.chooser.steering_age())
        });
        self.chooser.silent = if is_usable { 0 } else { self.chooser.silent + 1 };
        is_usable
    }

    #[inline]
    fn step(&mut self, before: &[f64]) -> u64 {
        let status = self.chooser.choose(self.mechanism.motion(), &self.answered);
        let outcome = self.mechanism.step(&self.chooser.response);
        if !self.is_possible() {
            status | self.repeat_step(before)
        } else if outcome.violation.is_nan() || outcome.violation > OPEN {
            status | status::LOOPS_OPEN
        } else {
            status
        }
    }

    /// Until an answer comes, the forces that the last process of this run used hold.
    fn hold(&mut self, answer: &Forces) {
        let steering = self.chooser.steering();
        *self.answered = *answer;
        if self.bounds.allow(answer, steering, None) {
            *self.chooser.response = *answer;
        }
        self.chooser.steer_to(steering);
    }

    fn time_s(&self) -> f64 {
        self.mechanism.motion().time_s
    }

    fn others_sleep(&self) -> bool {
        self.others_sleep
    }
}

impl Dynamics for VehicleModel {
    fn take_settings(&mut self, settings: &Settings) {
        let period_ns = (self.step_s * 1e9).round() as u64;
        self.chooser.set_hold_times(HoldTimes::of(settings, period_ns));
    }
}
