//! A vehicle whose processes are objects in this one: the same code, without the clock.

use dynamics_service::{Exchange, Patience, VehicleSimulation};
use service::config::DriverSource;
use service::vehicle::{Terms, VehicleSubsystems};
use service::{Answering, Config, Job};
use shm_layout::{Region, Wait, Waited};
use vehicle::assembly::Setup;

/// Steps on held forces before the safe stop, in these tests.
pub const HOLD_STEPS: u64 = 100;
/// Steps in which answers take over from it.
pub const TAKEOVER_STEPS: u64 = 200;

/// A shipped manoeuvre with its own vehicle or another one.
pub fn job(manoeuvre: &str, vehicle: Option<&str>) -> Job {
    let mut config = Config::default();
    config.instance.scenario = manoeuvre.to_owned();
    config.instance.vehicle = vehicle.map(str::to_owned);
    Job::read(&config).expect("shipped files")
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
        let Job::Vehicle(setup) = job else {
            panic!("{} has no vehicle", job.name())
        };
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
    pub fn simulation(&self, region: &Region) -> VehicleSimulation {
        let patience = Patience {
            hold_steps: HOLD_STEPS,
            takeover_steps: TAKEOVER_STEPS,
        };
        VehicleSimulation::new(region, &self.setup, self.hashes[0], patience).expect("blocks to claim")
    }

    /// What `subsystem-service` answers with.
    pub fn subsystems(&self, region: &Region) -> VehicleSubsystems {
        VehicleSubsystems::new(region, &self.setup, self.hashes[1], self.terms).expect("blocks to claim")
    }

    /// What `daq-service` samples.
    pub fn driver(&self, region: &Region) -> daq_service::ScriptedDriver {
        daq_service::ScriptedDriver::new(region, &self.setup, self.hashes[1]).expect("blocks to claim")
    }
}

/// One exchange, as the two processes make it.
pub fn exchange(simulation: &mut dyn Exchange, subsystems: &mut dyn Answering) {
    simulation.publish(1, Wait::Spin);
    assert_eq!(subsystems.await_question(0, Wait::Spin), Waited::Answered);
    assert!(subsystems.answer(Wait::Spin), "nothing is waited for");
    assert_eq!(simulation.await_answer(0, Wait::Spin), Waited::Answered);
    simulation.advance();
}

/// A step that nobody answers.
pub fn silence(simulation: &mut dyn Exchange) {
    simulation.publish(1, Wait::Spin);
    assert_eq!(simulation.await_answer(0, Wait::Spin), Waited::Late);
    simulation.advance();
}
