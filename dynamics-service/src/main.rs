//! `dynamics-service`: steps one plant on the clock, in lock-step with `subsystem-service`.

use clap::Parser;
use shm_layout::Role;

/// Steps one plant on the clock, in lock-step with subsystem-service.
///
/// Usually started by `rtrd run`. SIGTERM or Ctrl-C ends it, SIGHUP makes it read its
/// configuration again and start its statistics anew.
#[derive(Parser)]
#[command(version)]
struct Command {
    #[command(flatten)]
    arguments: service::Arguments,
}

fn main() -> std::process::ExitCode {
    service::main(Role::Dynamics, &Command::parse().arguments, dynamics_service::run)
}
