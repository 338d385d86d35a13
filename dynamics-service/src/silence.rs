//! Which forces a step is made with: the answer, the last ones, those of a safe stop, or a mixture
//! that takes over from it.
//!
//! ```text
//!  answered ──► the answer
//!  silent for up to `hold_steps` ──► the last forces, the rack stays where it is    ANSWER_HELD
//!  silent for longer ──► safe stop: the vehicle brakes by itself                     SAFE_STOP
//!  answered again, n-th of N = `takeover_steps` ──► (1 − n/N) safe stop + n/N answer  TAKING_OVER
//! ```
//! In the take-over the rack moves an equal part of its remaining distance in each step.

use lockstep::status::{ANSWER_HELD, SAFE_STOP, TAKING_OVER};
use service::config::{Settings, steps_in};
use vehicle::safe_stop::SafeStop;
use vehicle::state::{Loader, Saver, Stateful};
use vehicle::{Coordinate, Forces, Kinematics, SteeredBy, SteeringMotion, Vector3};

/// How long the last forces are held and a take-over lasts, in steps.
#[derive(Clone, Copy, Debug)]
pub struct HoldTimes {
    /// Steps on the last forces.
    pub hold_steps: u64,
    /// Steps in which answers take over from a safe stop.
    pub takeover_steps: u64,
}

impl HoldTimes {
    /// Those of these settings, for steps of this length. Real-time safe.
    #[must_use]
    pub fn of(settings: &Settings, period_ns: u64) -> Self {
        Self {
            hold_steps: steps_in(settings.hold_forces_ms, period_ns),
            takeover_steps: steps_in(settings.takeover_ms, period_ns),
        }
    }
}

/// Chooses the forces of each step.
pub struct Chooser {
    safe_stop: SafeStop,
    hold_times: HoldTimes,
    steered_by: SteeredBy,
    step_s: f64,
    /// Steps since the last answer that could be used.
    pub silent: u64,
    /// Steps until answers count fully again.
    pub takeover: u64,
    /// What the last step was made with.
    pub response: Box<Forces>,
}

impl Chooser {
    pub fn new(safe_stop: SafeStop, hold_times: HoldTimes, steered_by: SteeredBy, step_s: f64) -> Self {
        Self {
            safe_stop,
            hold_times,
            steered_by,
            step_s,
            silent: 0,
            takeover: 0,
            response: Box::new(Forces {
                steering: SteeringMotion::of(steered_by, Coordinate::default()),
                ..Forces::default()
            }),
        }
    }

    /// Chooses the response for the step that begins with this motion; returns its status.
    #[inline]
    pub fn choose(&mut self, motion: &Kinematics, answered: &Forces) -> u64 {
        let steering = self.steering();
        if self.silent > self.hold_times.hold_steps {
            self.stop_safely(motion);
            SAFE_STOP
        } else if self.silent > 0 {
            self.steer_to(steering);
            ANSWER_HELD
        } else if self.takeover > 0 {
            let own = self.safe_stop.respond(motion, steering);
            let total = self.hold_times.takeover_steps.max(self.takeover) as f64;
            let share = 1.0 - (self.takeover - 1) as f64 / total;
            *self.response = blended(&own, answered, share);
            let goal = answered.steering.coordinate(self.steered_by).value;
            let distance = (goal - steering) / self.takeover as f64;
            let led = Coordinate { value: steering + distance, rate: distance / self.step_s, acceleration: 0.0 };
            self.response.steering = SteeringMotion::of(self.steered_by, led);
            self.takeover -= 1;
            TAKING_OVER
        } else {
            *self.response = *answered;
            0
        }
    }

    /// The response of the safe stop, from which answers will have to take over.
    pub fn stop_safely(&mut self, motion: &Kinematics) {
        *self.response = self.safe_stop.respond(motion, self.steering());
        self.takeover = self.hold_times.takeover_steps;
    }

    /// Where the rack, or the angle of the steered wheels, was put last.
    pub fn steering(&self) -> f64 {
        self.response.steering.coordinate(self.steered_by).value
    }

    /// Puts it somewhere and leaves it there.
    pub fn steer_to(&mut self, value: f64) {
        self.response.steering = SteeringMotion::of(self.steered_by, Coordinate::at_rest(value));
    }

    /// Changes the times. A take-over that is under way keeps its remaining steps. Real-time safe.
    pub fn set_hold_times(&mut self, hold_times: HoldTimes) {
        self.hold_times = hold_times;
    }

    /// How many steps ago the steering last went where an answer wanted it; `None` while it is led
    /// there slowly.
    pub fn steering_age(&self) -> Option<u64> {
        (self.takeover == 0).then_some(self.silent + 1)
    }
}

impl Stateful for Chooser {
    fn put(&self, saver: &mut Saver<'_>) {
        self.silent.put(saver);
        self.takeover.put(saver);
        self.steering().put(saver);
    }

    fn take(&mut self, loader: &mut Loader<'_>) {
        let mut steering = 0.0;
        self.silent.take(loader);
        self.takeover.take(loader);
        steering.take(loader);
        self.steer_to(steering);
    }
}

fn blended(own: &Forces, answer: &Forces, share: f64) -> Forces {
    let mix = |from: Vector3, to: Vector3| from * (1.0 - share) + to * share;
    let mut response = *answer;
    response.body_force_n = mix(own.body_force_n, answer.body_force_n);
    response.body_torque_nm = mix(own.body_torque_nm, answer.body_torque_nm);
    for (wheel, own) in response.wheels.iter_mut().zip(&own.wheels) {
        wheel.force_n = mix(own.force_n, wheel.force_n);
        wheel.torque_nm = mix(own.torque_nm, wheel.torque_nm);
    }
    response
}
