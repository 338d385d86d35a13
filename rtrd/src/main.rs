//! `rtrd`: the command line and supervisor.

mod commands;
mod flight;
mod readiness;
mod run;
mod soak;
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
    Reload(commands::reload::ReloadArguments),
    Clean(commands::clean::CleanArguments),
    Deploy(commands::deploy::DeployArguments),
    Flight(commands::flight::FlightArguments),
    Soak(soak::SoakArguments),
    Signals(commands::signals::SignalsArguments),
    Completions(commands::completions::CompletionsArguments),
}

fn main() -> ExitCode {
    let ended = commands::jitter::companion::companion().unwrap_or_else(|| {
        let command = Arguments::parse().command;
        start_logging(&command);
        obey(command)
    });
    ended.unwrap_or_else(|error| {
        eprintln!("rtrd: {error:#}");
        ExitCode::FAILURE
    })
}

/// The flight recorder is a service like the others: its messages have the same fields.
fn start_logging(command: &Command) {
    match command {
        Command::Flight(arguments) => service::start_logging_as("rtrd-flight", arguments.instance()),
        _ => service::start_logging(),
    }
}

fn obey(command: Command) -> anyhow::Result<ExitCode> {
    let has_children = match &command {
        Command::Run(_) | Command::Jitter(_) | Command::Top(_) | Command::Soak(_) => true,
        Command::Check(arguments) => arguments.measures(),
        _ => false,
    };
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
        Command::Reload(arguments) => commands::reload::reload(&arguments),
        Command::Clean(arguments) => commands::clean::clean(&arguments),
        Command::Deploy(arguments) => commands::deploy::deploy(&arguments),
        Command::Flight(arguments) => commands::flight::flight(&arguments),
        Command::Soak(arguments) => soak::soak(&arguments),
        Command::Signals(arguments) => commands::signals::signals(&arguments),
        Command::Completions(arguments) => {
            commands::completions::completions(&arguments, &mut Arguments::command());
            Ok(ExitCode::SUCCESS)
        }
    }
}
