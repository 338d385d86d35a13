//! `daq-service`: publishes what the driver or operator asks for.

use clap::Parser;
use shm_layout::Role;

/// Publishes what the driver or operator asks for, always the most recent.
///
/// Usually started by `rtrd run`. SIGTERM or Ctrl-C ends it, SIGHUP starts its statistics anew.
#[derive(Parser)]
#[command(version)]
struct Command {
    #[command(flatten)]
    arguments: service::Arguments,
}

fn main() -> std::process::ExitCode {
    service::main(Role::Daq, &Command::parse().arguments, daq_service::run)
}
