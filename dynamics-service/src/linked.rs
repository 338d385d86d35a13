//! A vehicle whose subsystem models run in this process: the same models behind the same blocks, so the same bits.

use service::Answering;
use service::config::Settings;
use service::vehicle::VehicleSubsystems;
use shm_layout::{Wait, Waited};

use crate::exchange::Exchange;
use crate::vehicle::VehicleSimulation;

/// Dynamics and subsystems in one process. `/forces/` and `/vehicle/` are published as ever.
pub struct Linked {
    simulation: VehicleSimulation,
    subsystems: VehicleSubsystems,
}

impl Linked {
    /// Both halves, on the same region.
    pub fn new(simulation: VehicleSimulation, subsystems: VehicleSubsystems) -> Self {
        Self {
            simulation,
            subsystems,
        }
    }
}

impl Exchange for Linked {
    fn publish(&mut self, sample_ns: u64, wait: Wait) {
        self.simulation.publish(sample_ns, wait);
    }

    /// The answer is made here; only the subsystems of other processes are waited for.
    fn await_answer(&mut self, _deadline_ns: u64, wait: Wait) -> Waited {
        if self.subsystems.await_question(0, Wait::Spin) == Waited::Answered {
            self.subsystems.answer(wait);
        }
        self.simulation.await_answer(0, Wait::Spin)
    }

    fn has_begun(&self) -> bool {
        self.simulation.has_begun()
    }

    fn advance(&mut self) {
        self.simulation.advance();
    }

    fn step(&self) -> u64 {
        self.simulation.step()
    }

    fn misses(&self) -> u64 {
        self.simulation.misses()
    }

    fn warnings(&self) -> u64 {
        self.simulation.warnings() + self.subsystems.warnings()
    }

    fn status(&self) -> u64 {
        self.simulation.status()
    }

    fn take_settings(&mut self, settings: &Settings) {
        self.simulation.take_settings(settings);
        self.subsystems.take_settings(settings);
    }
}
