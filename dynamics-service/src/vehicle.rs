//! The mechanism of a vehicle and its blocks: everything about one step except the clock.
//!
//! Each step publishes `/kinematics/` and waits for `/forces/` of the same number. When nobody answers, the vehicle coasts on its last forces for a
//! stated time, then brakes by itself to a safe stop. An answer that comes after that takes over gradually, so that nothing jumps.

use service::vehicle::{blocks as convert, signals};
use service::{Checkpoint, StartError};
use shm_layout::blocks::{self, Forces, Kinematics, PlantOutputs};
use shm_layout::clock::monotonic_ns;
use shm_layout::{Reader, Region, Stamp, Wait, Waited, Writer};
use vehicle::assembly::Setup;
use vehicle::mechanism::Mechanism;
use vehicle::memory::{Loader, Memory, Saver};
use vehicle::safe_stop::SafeStop;
use vehicle::{Rack, Response};

use crate::exchange::Exchange;

/// Forces and torques beyond this are not those of a vehicle (N, Nm).
const ABSURD: f64 = 1e8;

/// How long the vehicle bears silence, in steps.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Steps on the last forces.
    pub hold_steps: u64,
    /// Steps in which answers take over from a safe stop.
    pub takeover_steps: u64,
}

/// A vehicle that meets the other processes in the common blocks.
pub struct VehicleSimulation {
    mechanism: Mechanism,
    safe_stop: SafeStop,
    patience: Patience,
    step: u64,
    step_s: f64,
    kinematics: Box<Kinematics>,
    outputs: Box<PlantOutputs>,
    response: Box<Response>,
    answered: Box<Response>,
    answered_once: bool,
    /// Steps since the last answer.
    silent: u64,
    /// Steps until answers count fully again.
    takeover: u64,
    kinematics_writer: Writer<Kinematics>,
    outputs_writer: Writer<PlantOutputs>,
    forces_reader: Reader<Forces>,
    checkpoint: Checkpoint,
    misses: u64,
    warnings: u64,
}

impl VehicleSimulation {
    /// Places the vehicle, claims its blocks, and goes on from the state that an earlier process of this run published.
    pub fn new(
        region: &Region,
        setup: &Setup,
        model_hash: u64,
        patience: Patience,
    ) -> Result<Self, StartError> {
        let mut outputs = Box::new(PlantOutputs::default());
        outputs.output_count = signals::OUTPUT_COUNT as u64;
        outputs.status = 0;
        let mut simulation = Self {
            mechanism: setup.mechanism().map_err(service::JobError::from)?,
            safe_stop: SafeStop::new(setup.tyres.clone(), setup.terrain.clone()),
            patience,
            step: 1,
            step_s: setup.step_s,
            kinematics: Box::new(Kinematics::default()),
            outputs,
            response: Box::new(Response::default()),
            answered: Box::new(Response::default()),
            answered_once: false,
            silent: 0,
            takeover: 0,
            kinematics_writer: region.claim(blocks::KINEMATICS)?,
            outputs_writer: region.claim(blocks::PLANT_OUTPUTS)?,
            forces_reader: region.reader(blocks::FORCES),
            checkpoint: Checkpoint::claim(region, blocks::PLANT_STATE, model_hash)?,
            misses: 0,
            warnings: 0,
        };
        simulation.resume(region);
        Ok(simulation)
    }

    fn resume(&mut self, region: &Region) {
        let Some(found) = self.checkpoint.earlier(region, blocks::PLANT_STATE) else {
            return;
        };
        let numbers = service::numbers(&found);
        let mut scratch = vec![0.0; numbers.len()];
        let mut saver = Saver::new(&mut scratch);
        self.mechanism.save(&mut saver);
        if saver.count() != numbers.len() || !numbers.iter().all(|value| value.is_finite()) {
            tracing::warn!("the published state does not fit: starting from the initial state");
            return;
        }
        self.mechanism.load(&mut Loader::new(numbers));
        self.step = found.stamp.step;
        self.answered_once = true;
        tracing::info!("going on at step {} ({:.3} s)", self.step, found.time_s);
    }

    /// The response for the step: the answer, the last one, or the safe stop.
    fn choose_response(&mut self) {
        let last_rack = self.response.rack.displacement;
        if self.silent > self.patience.hold_steps {
            *self.response = self.safe_stop.respond(self.mechanism.motion(), last_rack);
            self.takeover = self.patience.takeover_steps;
        } else if self.silent > 0 {
            self.response.rack = Rack {
                displacement: last_rack,
                ..Rack::default()
            };
        } else if self.takeover > 0 {
            let own = self.safe_stop.respond(self.mechanism.motion(), last_rack);
            let share = 1.0 / self.takeover as f64;
            *self.response = blended(&own, &self.answered, share, self.step_s);
            self.takeover -= 1;
        } else {
            *self.response = *self.answered;
        }
    }
}

impl Exchange for VehicleSimulation {
    #[inline]
    fn publish(&mut self, sample_ns: u64, wait: Wait) {
        let motion = self.mechanism.motion();
        convert::write_kinematics(motion, &mut self.kinematics);
        let shown = signals::outputs(motion);
        self.outputs.outputs[..shown.len()].copy_from_slice(&shown);
        self.outputs.time_s = motion.time_s;
        let stamp = Stamp {
            step: self.step,
            sample_ns,
            publish_ns: monotonic_ns(),
        };
        self.kinematics.stamp = stamp;
        self.outputs.stamp = stamp;
        match wait {
            Wait::Spin => self.kinematics_writer.publish(&self.kinematics),
            Wait::Sleep => self.kinematics_writer.publish_and_wake(&self.kinematics),
        }
        self.outputs_writer.publish(&self.outputs);
    }

    #[inline]
    fn await_answer(&mut self, deadline_ns: u64, wait: Wait) -> Waited {
        let waited = self.forces_reader.wait_for_step(self.step, deadline_ns, wait);
        let usable = match (waited, self.forces_reader.last()) {
            (Waited::Answered, Some(block)) => {
                convert::read_forces(block, &mut self.answered);
                let fits = self.answered.wheel_count == self.mechanism.motion().wheel_count;
                let usable = fits && is_sane(&self.answered);
                self.warnings += u64::from(!usable);
                usable
            }
            _ => {
                self.misses += u64::from(self.has_begun());
                false
            }
        };
        if usable {
            self.answered_once = true;
            self.silent = 0;
        } else {
            self.silent += 1;
        }
        waited
    }

    fn has_begun(&self) -> bool {
        self.answered_once
    }

    #[inline]
    fn advance(&mut self) {
        self.choose_response();
        let status = self.mechanism.step(&self.response);
        self.warnings += u64::from(status.violation > 1e-6);
        self.step += 1;
        let stamp = Stamp {
            step: self.step,
            ..self.kinematics.stamp
        };
        let mechanism = &self.mechanism;
        self.checkpoint
            .publish(stamp, mechanism.motion().time_s, |states| {
                let mut saver = Saver::new(states);
                mechanism.save(&mut saver);
                saver.count()
            });
    }

    fn step(&self) -> u64 {
        self.step
    }

    fn misses(&self) -> u64 {
        self.misses
    }

    fn warnings(&self) -> u64 {
        self.warnings
    }
}

/// Whether every number is one of a vehicle.
fn is_sane(response: &Response) -> bool {
    let sane = |value: vehicle::Vector3| value.is_finite() && value.norm() < ABSURD;
    let rack = response.rack;
    let rack_is_sane = [rack.displacement, rack.velocity, rack.acceleration]
        .iter()
        .all(|value| value.abs() < ABSURD);
    rack_is_sane
        && sane(response.body_force)
        && sane(response.body_torque)
        && response.wheels[..response.wheel_count]
            .iter()
            .all(|wheel| sane(wheel.force) && sane(wheel.torque))
}

/// Between the safe stop's response and an answer. The rack moves a share of its way in each step.
fn blended(own: &Response, answer: &Response, share: f64, step_s: f64) -> Response {
    let mix = |from: vehicle::Vector3, to: vehicle::Vector3| from * (1.0 - share) + to * share;
    let mut response = *answer;
    response.body_force = mix(own.body_force, answer.body_force);
    response.body_torque = mix(own.body_torque, answer.body_torque);
    for (wheel, own) in response.wheels.iter_mut().zip(&own.wheels) {
        wheel.force = mix(own.force, wheel.force);
        wheel.torque = mix(own.torque, wheel.torque);
    }
    let way = share * (answer.rack.displacement - own.rack.displacement);
    response.rack = Rack {
        displacement: own.rack.displacement + way,
        velocity: way / step_s,
        acceleration: 0.0,
    };
    response
}
