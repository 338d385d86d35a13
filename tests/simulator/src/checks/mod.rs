//! What must hold after every period, whatever goes wrong. All is seen from outside, as any other
//! process sees it.

pub mod blocks;
mod time;
mod vehicle;

use daq_service::Script;
use lockstep::Model;
use shm_layout::blocks::{
    DAQ_STATE, KINEMATICS, Kinematics, PLANT_STATE, SUBSYSTEM_STATE, StateVector, VEHICLE, VehicleState,
};
use shm_layout::{Payload, Region};

use crate::plan::Role;
use crate::system::{Offline, System};
use crate::world::{Made, World};
use blocks::{BlockCheck, Writers};
use time::TimeCheck;
use vehicle::VehicleChecks;

/// What was found, in words.
pub type Found = Result<(), String>;

type Question<S> = <<S as System>::Model as Model>::Question;
type Said<S> = <<S as System>::Script as Script>::Said;
type Answer<S> = <<S as System>::Model as Model>::Answer;

/// All checks of a run.
pub struct Checks<S: System> {
    question: BlockCheck<Question<S>>,
    answer: BlockCheck<Answer<S>>,
    driver: BlockCheck<Said<S>>,
    kinematics: BlockCheck<Kinematics>,
    shown: BlockCheck<VehicleState>,
    states: [BlockCheck<StateVector>; 3],
    time: TimeCheck,
    vehicle: VehicleChecks,
    offline: Option<Offline<S>>,
    asked: u64,
}

impl<S: System> Checks<S> {
    /// The checks of a run of this length.
    pub fn new(world: &World<S>, seconds: f64) -> Self {
        let region = &Region::observe(world.region.name()).expect("the region is there");
        Self {
            question: BlockCheck::new(region, S::Model::QUESTION),
            answer: BlockCheck::new(region, S::Model::ANSWER),
            driver: BlockCheck::new(region, S::Script::BLOCK),
            kinematics: BlockCheck::new(region, KINEMATICS),
            shown: BlockCheck::new(region, VEHICLE),
            states: [PLANT_STATE, SUBSYSTEM_STATE, DAQ_STATE].map(|block| BlockCheck::new(region, block)),
            time: TimeCheck::default(),
            vehicle: VehicleChecks::default(),
            offline: world.system.offline(seconds),
            asked: 0,
        }
    }

    /// Looks at everything after a period.
    pub fn look(&mut self, world: &World<S>, made: Option<Made>) -> Found {
        self.blocks(world)?;
        let step_s = world.system.period_ns() as f64 * 1e-9;
        if let Some(question) = self.question.last() {
            self.time.look(question.stamp().step, S::progress(question).0, step_s, made)?;
        }
        self.same_bits(world)?;
        if let (Some(made), Some(motion)) = (made, self.kinematics.last())
            && world.system.is_vehicle()
            && made.report.step > motion.stamp.step
        {
            self.vehicle.look(made, motion, &world.taken[0], !world.plan.is_wild())?;
        }
        Ok(())
    }

    fn blocks(&mut self, world: &World<S>) -> Found {
        let is_vehicle = world.system.is_vehicle();
        let writers = |role: Role| world.writers(role);
        let [daq, subsystem, dynamics] = Role::ALL.map(writers);
        let uncounted = |writers| Writers { account: None, is_nonsense: false, ..writers };
        self.question.look(dynamics)?;
        self.answer.look(subsystem)?;
        self.driver.look(daq)?;
        self.states[0].look(uncounted(dynamics))?;
        self.states[1].look(uncounted(subsystem))?;
        if is_vehicle {
            self.kinematics.look(uncounted(dynamics))?;
            let is_wild = world.plan.is_wild();
            self.shown.look(Writers { is_wild, ..uncounted(subsystem) })?;
            self.states[2].look(uncounted(daq))?;
        }
        Ok(())
    }

    /// Until something goes wrong, every question has the bits of the offline simulation.
    fn same_bits(&mut self, world: &World<S>) -> Found {
        if world.time_s() >= world.plan.first_s() {
            self.offline = None;
        }
        let (Some(question), Some(offline)) = (self.question.last(), &mut self.offline) else {
            return Ok(());
        };
        let step = question.stamp().step;
        if step > self.asked {
            self.asked = step;
            if !offline(question) {
                return Err(format!("the bits of step {step} are not those of the offline simulation"));
            }
        }
        Ok(())
    }

    /// At the end of a run.
    pub fn finish(&self, world: &World<S>, last: Option<Made>) -> Found {
        self.time.finish()?;
        let Some(made) = last else {
            return Err("the dynamics made no step in the last period".to_owned());
        };
        if world.system.is_vehicle() && !world.plan.is_wild() {
            self.vehicle.finish(made.report.status)
        } else {
            Ok(())
        }
    }

    /// A checksum over all questions and answers.
    #[must_use]
    pub fn digest(&self) -> u64 {
        self.question.digest ^ self.answer.digest.rotate_left(1) ^ self.driver.digest.rotate_left(2)
    }

    /// The largest change of a vehicle's acceleration from one step to the next (m/s²).
    #[must_use]
    pub fn jump_m_s2(&self) -> f64 {
        self.vehicle.jump_m_s2
    }

    /// Step and status of the newest question.
    #[must_use]
    pub fn newest(&self) -> (u64, u64) {
        self.question.last().map_or((0, 0), |question| (question.stamp().step, S::progress(question).1))
    }
}
