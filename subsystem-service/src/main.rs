//! `subsystem-service`: answers each step of `dynamics-service`.

use clap::Parser;
use shm_layout::Role;

/// Answers each step of dynamics-service with the inputs of the plant.
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
    service::main(Role::Subsystem, &Command::parse().arguments, subsystem_service::run)
}
