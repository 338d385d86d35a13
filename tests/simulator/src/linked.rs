//! A vehicle whose processes are objects in this one, for tests that look at single steps.

use daq_service::{Scripted, ScriptedDriver};
use dynamics_service::{HoldTimes, VehicleModel};
use lockstep::{Answerer, Asker, Clock, Model, Responder};
use service::Job;
use service::config::DriverSource;
use shm_layout::{Region, RegionName, Wait, Waited};
use subsystems::{Terms, VehicleSubsystems};
use vehicle::assembly::Setup;

pub use crate::system::job;

/// Steps on held forces before the safe stop, in these tests.
pub const HOLD_STEPS: u64 = 100;
/// Steps in which answers take over from it.
pub const TAKEOVER_STEPS: u64 = 200;

/// A region of its own, as long as its folder.
pub fn temporary_region() -> (tempfile::TempDir, Region) {
    let folder = tempfile::tempdir_in("/dev/shm").expect("shared memory");
    let name = RegionName::in_directory(folder.path(), "simulator").expect("a good name");
    let region = Region::create(&name, None).expect("a region");
    (folder, region)
}

/// Makes the parts of a vehicle.
pub struct Vehicle {
    /// What was read.
    pub setup: Setup,
    hashes: [u64; 2],
    /// The terms of the subsystems.
    pub terms: Terms,
}

impl Vehicle {
    /// The vehicle of a job.
    pub fn new(job: &Job) -> Self {
        let Job::Vehicle(setup) = job else { panic!("{} has no vehicle", job.name()) };
        Self {
            setup: (**setup).clone(),
            hashes: [job.plant_hash(), job.controller_hash()],
            terms: Terms {
                driver: DriverSource::Manoeuvre,
                driver_timeout_ns: 1 << 40,
                external_ns: 0,
                hold_steps: HOLD_STEPS,
            },
        }
    }

    /// What `dynamics-service` steps.
    pub fn simulation(&self, region: &Region) -> Asker<VehicleModel> {
        self.simulation_on(region, Clock::Monotonic)
    }

    /// What `subsystem-service` answers with.
    pub fn subsystems(&self, region: &Region) -> Answerer<VehicleSubsystems> {
        self.subsystems_on(region, Clock::Monotonic)
    }

    /// What `daq-service` samples.
    pub fn driver(&self, region: &Region) -> Scripted<ScriptedDriver> {
        self.driver_on(region, Clock::Monotonic)
    }

    /// As [`Self::simulation`], on this clock.
    pub fn simulation_on(&self, region: &Region, clock: Clock) -> Asker<VehicleModel> {
        let hold_times = HoldTimes { hold_steps: HOLD_STEPS, takeover_steps: TAKEOVER_STEPS };
        let model = VehicleModel::new(&self.setup, hold_times).expect("a vehicle");
        Asker::new(region, model, self.hashes[0], clock).expect("blocks to claim")
    }

    /// As [`Self::subsystems`], on this clock.
    pub fn subsystems_on(&self, region: &Region, clock: Clock) -> Answerer<VehicleSubsystems> {
        let models = VehicleSubsystems::new(region, &self.setup, self.terms).expect("models");
        Answerer::new(region, models, self.hashes[1], clock).expect("blocks to claim")
    }

    /// As [`Self::driver`], on this clock.
    pub fn driver_on(&self, region: &Region, clock: Clock) -> Scripted<ScriptedDriver> {
        let script = ScriptedDriver::new(region, &self.setup, self.hashes[1]).expect("a driver");
        Scripted::new(region, script, clock).expect("blocks to claim")
    }
}

/// One exchange, as the two processes make it.
pub fn exchange<M: Model, R: Responder>(asker: &mut Asker<M>, answerer: &mut Answerer<R>) {
    asker.ask(1, Wait::Spin);
    assert_eq!(answerer.await_question(0, Wait::Spin), Waited::Answered);
    assert!(answerer.answer(Wait::Spin).is_answered, "nothing is waited for");
    assert_eq!(asker.await_answer(0, Wait::Spin), Waited::Answered);
    asker.advance();
}

/// A step without an answer.
pub fn silence<M: Model>(asker: &mut Asker<M>) {
    asker.ask(1, Wait::Spin);
    assert_eq!(asker.await_answer(0, Wait::Spin), Waited::Late);
    asker.advance();
}
