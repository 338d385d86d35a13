//! The whole life of a service process.

use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, FromArgMatches};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use shm_layout::block::LAYOUT_HASH;
use shm_layout::{Region, RegionError, Role};

use crate::arguments::Arguments;
use crate::logging::start_logging_as;
use crate::start::{StartError, Started, start};

/// Exit code of a service whose configuration is wrong (`EX_CONFIG` of sysexits.h): the units do
/// not start it again, since only a person can correct that.
const WRONG_CONFIGURATION: u8 = 78;
/// How often an orphan looks whether it is the last, 10 ms apart.
const LOOKS_AFTER_SUPERVISOR: usize = 100;

/// How services without commands of their own are used.
const USE: &str = "Usually started by `rtrd run`. SIGTERM or Ctrl-C ends it, SIGHUP makes it read its configuration again and \
                   start its statistics anew.";

/// The `main` of a service without commands of its own: reads its command line, then as [`main`].
pub fn main_of(role: Role, about: &'static str, run: fn(&Started) -> Result<(), StartError>) -> ExitCode {
    let command = clap::Command::new(role.name()).version(env!("CARGO_PKG_VERSION"));
    let command = command.about(about).long_about(format!("{about}.\n\n{USE}"));
    let matches = Arguments::augment_args(command).get_matches();
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    main(role, &arguments, run)
}

/// Starts the service, runs it until it is asked to stop, and leaves nothing behind.
pub fn main(role: Role, arguments: &Arguments, run: fn(&Started) -> Result<(), StartError>) -> ExitCode {
    if arguments.layout_hash {
        println!("{LAYOUT_HASH:016x}");
        return ExitCode::SUCCESS;
    }
    start_logging_as(role.name(), &instance_name(arguments));
    end_with_a_core();
    let ended = start(role, arguments).and_then(|started| {
        let ended = run(&started);
        // Without systemd there is no listener.
        let _ = rt::notify::stopping();
        leave(started, arguments.supervisor);
        ended
    });
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error}");
            if error.is_wrong_configuration() { ExitCode::from(WRONG_CONFIGURATION) } else { ExitCode::FAILURE }
        }
    }
}

/// The name for messages; a configuration that cannot be read is reported by them.
fn instance_name(arguments: &Arguments) -> String {
    let configured = arguments.configuration().map(|config| config.instance.name);
    configured.unwrap_or_else(|_| arguments.instance.clone().unwrap_or_default())
}

/// Says that the loop begins: to systemd, and to people.
pub(crate) fn announce(doing: &str) {
    tracing::info!("{doing}");
    // Without systemd there is no listener.
    let _ = rt::notify::ready();
}

/// The last one to leave removes the region. Under a supervisor that is the supervisor, unless it
/// was killed.
fn leave(started: Started, supervisor: Option<i32>) {
    let name = started.region.name().clone();
    drop(started);
    let orphaned = || supervisor.is_some_and(is_gone);
    if supervisor.is_some() && !orphaned() {
        return;
    }
    // A killed supervisor lets go of the region only when the last of its threads is gone, a little
    // after our signal.
    for _ in 0..LOOKS_AFTER_SUPERVISOR {
        match Region::remove_stale(&name) {
            Err(RegionError::InUse { .. }) if orphaned() => std::thread::sleep(Duration::from_millis(10)),
            Ok(_) | Err(RegionError::InUse { .. }) => break,
            Err(error) => {
                tracing::warn!("{error}");
                break;
            }
        }
    }
}

/// Whether the supervisor has died or is dying.
fn is_gone(supervisor: i32) -> bool {
    let is_alive = u64::try_from(supervisor).is_ok_and(rt::processes::is_alive);
    nix::unistd::getppid().as_raw() != supervisor || !is_alive
}

/// From now on a panic is a message and an abort. Unwinding would run destructors over a state that
/// is no longer consistent, give the blocks back as if all were well, and leave no core.
fn end_with_a_core() {
    std::panic::set_hook(Box::new(|panic| {
        tracing::error!("panic: {panic}");
        std::process::abort();
    }));
    // As large as the administrator allows. Without the right to it there is a message only.
    let raised = getrlimit(Resource::RLIMIT_CORE).and_then(|(_, hard)| setrlimit(Resource::RLIMIT_CORE, hard, hard));
    if let Err(errno) = raised {
        tracing::debug!("core dumps stay as they are: {errno}");
    }
}
