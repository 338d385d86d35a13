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
use vehicle::{Motion, Rack, Response, Vector3};

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
    step_s: f64,
    /// Steps since the last answer that could be used.
    pub silent: u64,
    /// Steps until answers count fully again.
    pub takeover: u64,
    /// What the last step was made with.
    pub response: Box<Response>,
}

impl Chooser {
    pub fn new(safe_stop: SafeStop, hold_times: HoldTimes, step_s: f64) -> Self {
        Self {
            safe_stop,
            hold_times,
            step_s,
            silent: 0,
            takeover: 0,
            response: Box::new(Response::default()),
        }
    }

    /// Chooses the response for the step that begins with this motion; returns its status.
    #[inline]
    pub fn choose(&mut self, motion: &Motion, answered: &Response) -> u64 {
        let rack = self.response.rack.displacement;
        if self.silent > self.hold_times.hold_steps {
            self.stop_safely(motion);
            SAFE_STOP
        } else if self.silent > 0 {
            self.response.rack = at_rest(rack);
            ANSWER_HELD
        } else if self.takeover > 0 {
            let own = self.safe_stop.respond(motion, rack);
            let total = self.hold_times.takeover_steps.max(self.takeover) as f64;
            let share = 1.0 - (self.takeover - 1) as f64 / total;
            *self.response = blended(&own, answered, share);
            let distance = (answered.rack.displacement - rack) / self.takeover as f64;
            self.response.rack =
                Rack { displacement: rack + distance, velocity: distance / self.step_s, acceleration: 0.0 };
            self.takeover -= 1;
            TAKING_OVER
        } else {
            *self.response = *answered;
            0
        }
    }

    /// The response of the safe stop, from which answers will have to take over.
    pub fn stop_safely(&mut self, motion: &Motion) {
        *self.response = self.safe_stop.respond(motion, self.response.rack.displacement);
        self.takeover = self.hold_times.takeover_steps;
    }

    /// Changes the times. A take-over that is under way keeps its remaining steps. Real-time safe.
    pub fn set_hold_times(&mut self, hold_times: HoldTimes) {
        self.hold_times = hold_times;
    }

    /// How many steps ago the rack last went where an answer wanted it; `None` while it is led
    /// there slowly.
    pub fn rack_age(&self) -> Option<u64> {
        (self.takeover == 0).then_some(self.silent + 1)
    }
}

fn at_rest(displacement: f64) -> Rack {
    Rack { displacement, ..Rack::default() }
}

fn blended(own: &Response, answer: &Response, share: f64) -> Response {
    let mix = |from: Vector3, to: Vector3| from * (1.0 - share) + to * share;
    let mut response = *answer;
    response.body_force = mix(own.body_force, answer.body_force);
    response.body_torque = mix(own.body_torque, answer.body_torque);
    for (wheel, own) in response.wheels.iter_mut().zip(&own.wheels) {
        wheel.force = mix(own.force, wheel.force);
        wheel.torque = mix(own.torque, wheel.torque);
    }
    response
}
