//! The models that answer the dynamics: a plant's controller, or all subsystems of a vehicle.
//!
//! `subsystem-service` runs them in a process of its own; `dynamics-service` can link them.

mod controller;
mod driving;
mod external;
mod seat;
mod vehicle;

use lockstep::Responder;
use service::Config;
use service::config::{DriverSource, Settings, steps_in};

pub use controller::PlantController;
pub use driving::{LiveDriver, STOPPING_BRAKE};
pub use vehicle::VehicleSubsystems;

/// Models whose terms a reload may change.
pub trait Subsystems: Responder {
    /// Takes over settings that were changed. Real-time safe.
    fn take_settings(&mut self, settings: &Settings);
}

/// The terms on which the models answer.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Who drives.
    pub driver: DriverSource,
    /// Age of the driver's data beyond which the vehicle stops.
    pub driver_timeout_ns: u64,
    /// How long the subsystems of other processes may take.
    pub external_ns: u64,
    /// After so many silent steps a subsystem of another process is gone, and after a gap of so
    /// many our wheels take the speed of the road again.
    pub hold_steps: u64,
}

impl Terms {
    /// The terms of a configuration for steps of this length.
    #[must_use]
    pub fn new(config: &Config, period_ns: u64) -> Self {
        Self::of(config.subsystem.driver, &Settings::of(config), period_ns)
    }

    /// The terms for this driver under these settings. Real-time safe.
    #[must_use]
    pub fn of(driver: DriverSource, settings: &Settings, period_ns: u64) -> Self {
        Self {
            driver,
            driver_timeout_ns: settings.driver_timeout_ms * 1_000_000,
            external_ns: settings.external_ns(period_ns),
            hold_steps: steps_in(settings.hold_forces_ms, period_ns),
        }
    }
}
