//! The whole life of a service process.

use std::process::ExitCode;

use shm_layout::{RegionError, Role, Wait};

use crate::arguments::Arguments;
use crate::logging::start_logging;
use crate::placement::Placement;
use crate::start::{StartError, Started, start};

/// Starts the service, runs it until it is asked to stop, and leaves nothing behind.
pub fn main(role: Role, arguments: &Arguments, run: fn(&Started) -> Result<(), StartError>) -> ExitCode {
    start_logging();
    let ended = start(role, arguments).and_then(|started| {
        let ended = run(&started);
        // Nobody listens where there is no systemd.
        let _ = rt::notify::stopping();
        leave(started);
        ended
    });
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Says that the loop begins: to systemd, and to people.
pub fn announce(placement: &Placement, doing: &str) {
    let waiting = match placement.wait {
        Wait::Spin => "spinning",
        Wait::Sleep => "sleeping",
    };
    tracing::info!("{doing} on CPU {} (lock-step by {waiting})", placement.cpu);
    let _ = rt::notify::ready();
}

/// The last one to leave removes the region.
fn leave(started: Started) {
    match started.region.close_and_remove() {
        Ok(_) | Err(RegionError::InUse { .. }) => {}
        Err(error) => tracing::warn!("{error}"),
    }
}
