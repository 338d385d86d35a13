//! Which forces a step is made with: the answer, the last ones, those of a safe stop, or a mixture that takes over from it.
//!
//! ```text
//!  answered ──► the answer
//!  silent for up to `hold_steps` ──► the last forces, the rack stays where it is         FORCES_HELD
//!  silent for longer ──► safe stop: the vehicle brakes by itself                           SAFE_STOP
//!  answered again, n-th of N = `takeover_steps` ──► (1 − n/N) safe stop + n/N answer        TAKING_OVER
//! ```
//! In the takeover the rack moves an equal part of its remaining way in each step.

use service::config::{Settings, steps_in};
use service::vehicle::status::{FORCES_HELD, SAFE_STOP, TAKING_OVER};
use vehicle::safe_stop::SafeStop;
use vehicle::{Motion, Rack, Response, Vector3};

/// How long the vehicle bears silence, in steps.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Steps on the last forces.
    pub hold_steps: u64,
    /// Steps in which answers take over from a safe stop.
    pub takeover_steps: u64,
}

impl Patience {
    /// That of these settings, for steps of this length. Real-time safe.
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
    patience: Patience,
    step_s: f64,
    /// Steps since the last answer that could be used.
    pub silent: u64,
    /// Steps until answers count fully again.
    pub takeover: u64,
    /// What the last step was made with.
    pub response: Box<Response>,
}

impl Chooser {
    pub fn new(safe_stop: SafeStop, patience: Patience, step_s: f64) -> Self {
        Self {
            safe_stop,
            patience,
            step_s,
            silent: 0,
            takeover: 0,
            response: Box::new(Response::default()),
        }
    }

    /// The response for the step that begins with this motion, and what is to be said of it.
    #[inline]
    pub fn choose(&mut self, motion: &Motion, answered: &Response) -> u64 {
        let rack = self.response.rack.displacement;
        if self.silent > self.patience.hold_steps {
            self.stop_safely(motion);
            SAFE_STOP
        } else if self.silent > 0 {
            self.response.rack = standing(rack);
            FORCES_HELD
        } else if self.takeover > 0 {
            let own = self.safe_stop.respond(motion, rack);
            let total = self.patience.takeover_steps.max(self.takeover) as f64;
            let share = 1.0 - (self.takeover - 1) as f64 / total;
            *self.response = blended(&own, answered, share);
            let way = (answered.rack.displacement - rack) / self.takeover as f64;
            self.response.rack = Rack {
                displacement: rack + way,
                velocity: way / self.step_s,
                acceleration: 0.0,
            };
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
        self.takeover = self.patience.takeover_steps;
    }

    /// Changes how long silence is borne. A takeover that is under way keeps its remaining steps. Real-time safe.
    pub fn set_patience(&mut self, patience: Patience) {
        self.patience = patience;
    }

    /// How many steps ago the rack last went where an answer wanted it; `None` while it is led there slowly.
    pub fn rack_age(&self) -> Option<u64> {
        (self.takeover == 0).then_some(self.silent + 1)
    }
}

fn standing(displacement: f64) -> Rack {
    Rack {
        displacement,
        ..Rack::default()
    }
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
