//! `rtrd`: the command line and supervisor.

mod commands;
mod run;
mod view;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

/// Real-time vehicle simulation: separate processes on their own CPUs that meet in shared memory.
///
/// Begin with `rtrd run`: it needs no rights, no files and no real-time kernel, and says what it does without.
#[derive(Parser)]
#[command(version, max_term_width = 110)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::RunArguments),
    Check(commands::check::CheckArguments),
    Jitter(commands::jitter::JitterArguments),
    #[command(hide = true)]
    JitterCompanion(commands::jitter::CompanionArguments),
    Sim(commands::sim::SimArguments),
    Scenarios(commands::scenarios::ScenariosArguments),
    Config(commands::config::ConfigArguments),
    Clean(commands::clean::CleanArguments),
    Signals(commands::signals::SignalsArguments),
    Completions(commands::completions::CompletionsArguments),
}

fn main() -> ExitCode {
    service::start_logging();
    let ended = match Arguments::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Check(arguments) => commands::check::check(&arguments),
        Command::Jitter(arguments) => commands::jitter::jitter(&arguments),
        Command::JitterCompanion(arguments) => commands::jitter::companion(&arguments),
        Command::Sim(arguments) => commands::sim::sim(&arguments),
        Command::Scenarios(arguments) => commands::scenarios::scenarios(&arguments),
        Command::Config(arguments) => commands::config::config(&arguments),
        Command::Clean(arguments) => commands::clean::clean(&arguments),
        Command::Signals(arguments) => commands::signals::signals(&arguments),
        Command::Completions(arguments) => {
            commands::completions::completions(&arguments, &mut Arguments::command());
            Ok(ExitCode::SUCCESS)
        }
    };
    ended.unwrap_or_else(|error| {
        eprintln!("rtrd: {error:#}");
        ExitCode::FAILURE
    })
}
