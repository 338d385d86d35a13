//! The mechanism of a vehicle and its blocks: everything about one step except the clock.
//!
//! Each step publishes `/kinematics/` and waits for `/forces/` of the same number. When nobody answers, the vehicle coasts on its last forces for a
//! stated time, then brakes by itself to a safe stop. An answer that comes after that takes over gradually, so that nothing jumps. `status` in
//! `/plant_outputs/` says which ([`service::vehicle::status`]).

use multibody::JointKind;
use service::config::Settings;
use service::vehicle::status::{ANSWER_REFUSED, LOOPS_OPEN, STEP_REPEATED};
use service::vehicle::{blocks as convert, signals};
use service::{Checkpoint, StartError};
use shm_layout::blocks::{self, Forces, Kinematics, PlantOutputs};
use shm_layout::clock::monotonic_ns;
use shm_layout::{Reader, Region, Stamp, Wait, Waited, Writer};
use vehicle::Response;
use vehicle::assembly::{ExternalSubsystems, Setup};
use vehicle::mechanism::Mechanism;
use vehicle::memory::{Loader, Memory, Saver};
use vehicle::safe_stop::SafeStop;

use crate::bounds::{Bounds, is_motion_of_a_vehicle};
use crate::exchange::Exchange;
use crate::response::{Chooser, Patience};

/// Loops that are open by more than this did not close (m or rad).
const OPEN: f64 = 1e-6;

/// A vehicle that meets the other processes in the common blocks.
pub struct VehicleSimulation {
    mechanism: Mechanism,
    chooser: Chooser,
    bounds: Bounds,
    period_ns: u64,
    step: u64,
    kinematics: Box<Kinematics>,
    outputs: Box<PlantOutputs>,
    answered: Box<Response>,
    answered_once: bool,
    refused: bool,
    /// Processes of the user's sleep until the next question, even if ours spin.
    others_sleep: bool,
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
        let mechanism = setup.mechanism().map_err(service::JobError::from)?;
        let mass_kg = setup.description.bodies.iter().map(|body| body.mass).sum();
        let wheel_count = mechanism.motion().wheel_count;
        let safe_stop = SafeStop::new(setup.tyres.clone(), setup.terrain.clone());
        let mut simulation = Self {
            mechanism,
            chooser: Chooser::new(safe_stop, patience, setup.step_s),
            bounds: Bounds::new(mass_kg, wheel_count, has_rack(setup), setup.step_s),
            period_ns: (setup.step_s * 1e9).round() as u64,
            step: 1,
            kinematics: Box::new(Kinematics::default()),
            outputs,
            answered: Box::new(Response::default()),
            answered_once: false,
            refused: false,
            others_sleep: setup.external != ExternalSubsystems::default(),
            kinematics_writer: region.claim(blocks::KINEMATICS)?,
            outputs_writer: region.claim(blocks::PLANT_OUTPUTS)?,
            forces_reader: region.reader(blocks::FORCES),
            checkpoint: Checkpoint::claim(region, blocks::PLANT_STATE, model_hash)?,
            misses: 0,
            warnings: 0,
        };
        simulation.resume(region);
        // What a step that goes wrong is made again from.
        simulation.save();
        Ok(simulation)
    }

    fn resume(&mut self, region: &Region) {
        let Some(found) = self.checkpoint.earlier(region, blocks::PLANT_STATE) else {
            return;
        };
        let numbers = service::numbers(&found);
        let mut scratch = vec![0.0; numbers.len()];
        let mut saver = Saver::new(&mut scratch);
        put(&self.mechanism, &self.chooser, &mut saver);
        if saver.count() != numbers.len() || !numbers.iter().all(|value| value.is_finite()) {
            tracing::warn!("the published state does not fit: starting from the initial state");
            return;
        }
        let mut loader = Loader::new(numbers);
        self.mechanism.load(&mut loader);
        self.chooser.silent = loader.take() as u64;
        self.chooser.takeover = loader.take() as u64;
        self.chooser.response.rack.displacement = loader.take();
        self.hold_last_answer();
        self.step = found.stamp.step;
        self.answered_once = true;
        tracing::info!("going on at step {} ({:.3} s)", self.step, found.time_s);
    }

    /// Until somebody answers, the forces that the last process of this run used hold.
    fn hold_last_answer(&mut self) {
        let rack = self.chooser.response.rack.displacement;
        if let Some(snapshot) = self.forces_reader.latest() {
            convert::read_forces(snapshot.value, &mut self.answered);
            if self.bounds.allow(&self.answered, rack, None) {
                *self.chooser.response = *self.answered;
            }
        }
        self.chooser.response.rack.displacement = rack;
    }

    /// Keeps the state and publishes it.
    #[inline]
    fn save(&mut self) {
        let stamp = Stamp {
            step: self.step,
            ..self.kinematics.stamp
        };
        let (mechanism, chooser) = (&self.mechanism, &self.chooser);
        let time_s = mechanism.motion().time_s;
        // Before the first step there is nothing to go on from.
        let publishes = self.step > 1;
        self.checkpoint.keep(stamp, time_s, publishes, |states| {
            let mut saver = Saver::new(states);
            put(mechanism, chooser, &mut saver);
            saver.count()
        });
    }

    /// A step went where no vehicle goes: made again from the state before it, with the forces of a safe stop.
    #[cold]
    fn repeat_step(&mut self) {
        self.mechanism.load(&mut Loader::new(self.checkpoint.kept()));
        self.chooser.stop_safely(self.mechanism.motion());
        self.mechanism.step(&self.chooser.response);
        if !is_motion_of_a_vehicle(self.mechanism.motion()) {
            self.mechanism.load(&mut Loader::new(self.checkpoint.kept()));
        }
    }
}

/// Whether a displacement steers the vehicle, and not an angle.
fn has_rack(setup: &Setup) -> bool {
    let joints = setup.description.joints.iter();
    let steered = |name: &str| setup.vehicle.steered.iter().any(|(known, _)| known == name);
    let mut steered = joints.filter(|joint| steered(&joint.name));
    steered.any(|joint| joint.kind == JointKind::Translational)
}

fn put(mechanism: &Mechanism, chooser: &Chooser, saver: &mut Saver<'_>) {
    mechanism.save(saver);
    saver.put(chooser.silent as f64);
    saver.put(chooser.takeover as f64);
    saver.put(chooser.response.rack.displacement);
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
            Wait::Spin if !self.others_sleep => self.kinematics_writer.publish(&self.kinematics),
            _ => self.kinematics_writer.publish_and_wake(&self.kinematics),
        }
        self.outputs_writer.publish(&self.outputs);
    }

    #[inline]
    fn await_answer(&mut self, deadline_ns: u64, wait: Wait) -> Waited {
        let waited = self.forces_reader.wait_for_step(self.step, deadline_ns, wait);
        self.refused = false;
        let usable = match (waited, self.forces_reader.last()) {
            (Waited::Answered, Some(block)) => {
                convert::read_forces(block, &mut self.answered);
                let rack = self.chooser.response.rack.displacement;
                self.refused = !self.bounds.allow(&self.answered, rack, self.chooser.rack_age());
                !self.refused
            }
            _ => {
                // Before the first answer ever, time has not begun: nothing is missed.
                self.misses += u64::from(self.has_begun());
                false
            }
        };
        if usable {
            self.answered_once = true;
            self.chooser.silent = 0;
        } else {
            self.chooser.silent += 1;
        }
        waited
    }

    fn has_begun(&self) -> bool {
        self.answered_once
    }

    #[inline]
    fn advance(&mut self) {
        let mut status = self.chooser.choose(self.mechanism.motion(), &self.answered);
        let outcome = self.mechanism.step(&self.chooser.response);
        if !is_motion_of_a_vehicle(self.mechanism.motion()) {
            self.repeat_step();
            status |= STEP_REPEATED;
        } else if outcome.violation.is_nan() || outcome.violation > OPEN {
            status |= LOOPS_OPEN;
        }
        if self.refused {
            status |= ANSWER_REFUSED;
        }
        self.warnings += u64::from(status & (ANSWER_REFUSED | STEP_REPEATED | LOOPS_OPEN) != 0);
        self.outputs.status = status;
        self.step += 1;
        self.save();
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

    fn status(&self) -> u64 {
        self.outputs.status
    }

    fn take_settings(&mut self, settings: &Settings) {
        self.chooser.set_patience(Patience::of(settings, self.period_ns));
    }
}
