//! `daq-service`: publishes what the driver or operator asks for.

use clap::Parser;
use shm_layout::Role;

/// Publishes what the driver or operator asks for, always the most recent.
///
/// Usually started by `rtrd run`. SIGTERM or Ctrl-C ends it, SIGHUP resets its statistics.
#[derive(Parser)]
#[command(version, max_term_width = 110, args_conflicts_with_subcommands = true)]
struct Command {
    #[command(subcommand)]
    task: Option<Task>,
    #[command(flatten)]
    arguments: service::Arguments,
}

#[derive(clap::Subcommand)]
enum Task {
    Emulate(Box<daq_service::emulate::EmulateArguments>),
}

fn main() -> std::process::ExitCode {
    let command = Command::parse();
    match command.task {
        Some(Task::Emulate(arguments)) => daq_service::emulate::emulate(&arguments),
        None => service::main(Role::Daq, &command.arguments, daq_service::run),
    }
}
