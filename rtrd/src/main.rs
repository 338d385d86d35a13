//! `rtrd`: the command line and supervisor.

mod commands;
mod run;
mod top;
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
    Top(top::TopArguments),
    Check(commands::check::CheckArguments),
    Jitter(commands::jitter::JitterArguments),
    Sim(commands::sim::SimArguments),
    Report(commands::report::ReportArguments),
    Scenarios(commands::scenarios::ScenariosArguments),
    Topology(commands::topology::TopologyArguments),
    Equilibrium(commands::equilibrium::EquilibriumArguments),
    Linearise(commands::linearise::LineariseArguments),
    Road(commands::road::RoadArguments),
    Daq(commands::daq::DaqArguments),
    Config(commands::config::ConfigArguments),
    Clean(commands::clean::CleanArguments),
    Signals(commands::signals::SignalsArguments),
    Completions(commands::completions::CompletionsArguments),
}

fn main() -> ExitCode {
    service::start_logging();
    let ended = commands::jitter::companion().unwrap_or_else(|| obey(Arguments::parse().command));
    ended.unwrap_or_else(|error| {
        eprintln!("rtrd: {error:#}");
        ExitCode::FAILURE
    })
}

fn obey(command: Command) -> anyhow::Result<ExitCode> {
    let has_children = matches!(command, Command::Run(_) | Command::Jitter(_) | Command::Top(_));
    if !has_children && let Err(error) = rt::signals::end_on_broken_pipe() {
        eprintln!("rtrd: {error}");
    }
    match command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Top(arguments) => top::top(&arguments),
        Command::Check(arguments) => commands::check::check(&arguments),
        Command::Jitter(arguments) => commands::jitter::jitter(&arguments),
        Command::Sim(arguments) => commands::sim::sim(&arguments),
        Command::Report(arguments) => commands::report::report(&arguments),
        Command::Scenarios(arguments) => commands::scenarios::scenarios(&arguments),
        Command::Topology(arguments) => commands::topology::topology(&arguments),
        Command::Equilibrium(arguments) => commands::equilibrium::equilibrium(&arguments),
        Command::Linearise(arguments) => commands::linearise::linearise(&arguments),
        Command::Road(arguments) => commands::road::road(&arguments),
        Command::Daq(arguments) => commands::daq::daq(&arguments),
        Command::Config(arguments) => commands::config::config(&arguments),
        Command::Clean(arguments) => commands::clean::clean(&arguments),
        Command::Signals(arguments) => commands::signals::signals(&arguments),
        Command::Completions(arguments) => {
            commands::completions::completions(&arguments, &mut Arguments::command());
            Ok(ExitCode::SUCCESS)
        }
    }
}
