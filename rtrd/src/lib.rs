//! `rtrd`: the command line and supervisor, as a library whose parts tests and benchmarks use too.

/// Commands: the name of each, its arguments, and the function that does it.
macro_rules! commands {
    ($all:ident: $($name:ident: $arguments:path => $function:path,)*) => {
        #[derive(clap::Subcommand)]
        enum $all {
            $($name($arguments),)*
        }

        impl $all {
            fn obey(&self) -> anyhow::Result<std::process::ExitCode> {
                match self {
                    $(Self::$name(arguments) => $function(arguments).map($crate::Ending::code),)*
                }
            }
        }
    };
}

mod commands;
mod flight;
mod output;
mod readiness;
mod run;
mod top;
#[allow(missing_docs)]
pub mod view;

pub use commands::report::date;
pub use flight::REPORT_FILE;
pub use run::find_program;
pub use view::PROCESSES;

/// The measurement of `rtrd jitter`: our loop and `cyclictest` in turn, each in a process of its
/// own.
pub mod jitter {
    pub use crate::commands::jitter::measurement;
    pub use crate::commands::jitter::measurement::Launcher;
    pub use crate::commands::jitter::session::{Measured, Round, Sequence, Session};
    pub use crate::output::Progress;
}

use std::process::ExitCode;

use clap::Parser;

/// Real-time vehicle simulation: separate processes on their own CPUs that meet in shared memory.
///
/// Begin with `rtrd run`: it needs no rights, no files and no real-time kernel, and says what it
/// does without.
#[derive(Parser)]
#[command(version, max_term_width = 110)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

commands! { Command:
    Run: run::RunArguments => run::run,
    View: commands::view::ViewArguments => commands::view::view,
    Drive: commands::view::DriveArguments => commands::view::drive,
    Top: top::TopArguments => top::top,
    Check: commands::check::CheckArguments => commands::check::check,
    Jitter: commands::jitter::JitterArguments => commands::jitter::jitter,
    Sim: commands::sim::SimArguments => commands::sim::sim,
    Report: commands::report::ReportArguments => commands::report::report,
    Scenarios: commands::scenarios::ScenariosArguments => commands::scenarios::scenarios,
    Topology: commands::topology::TopologyArguments => commands::topology::topology,
    Equilibrium: commands::equilibrium::EquilibriumArguments => commands::equilibrium::equilibrium,
    Linearise: commands::linearise::LineariseArguments => commands::linearise::linearise,
    Road: commands::road::RoadArguments => commands::road::road,
    Daq: commands::daq::DaqArguments => commands::daq::daq,
    Config: commands::config::ConfigArguments => commands::config::config,
    Reload: commands::reload::ReloadArguments => commands::reload::reload,
    Clean: commands::clean::CleanArguments => commands::clean::clean,
    Deploy: commands::deploy::DeployArguments => commands::deploy::deploy,
    Flight: commands::flight::FlightArguments => commands::flight::flight,
    Soak: commands::soak::SoakArguments => commands::soak::soak,
    Signals: commands::signals::SignalsArguments => commands::signals::signals,
    Completions: commands::completions::CompletionsArguments => commands::completions::completions,
}

/// How a command ends: well, or with a code of its own.
trait Ending {
    fn code(self) -> ExitCode;
}

impl Ending for () {
    fn code(self) -> ExitCode {
        ExitCode::SUCCESS
    }
}

impl Ending for ExitCode {
    fn code(self) -> ExitCode {
        self
    }
}

/// The program: reads the command line and does what it says.
pub fn main() -> ExitCode {
    commands::completions::answer();
    let ended = commands::jitter::measurement::run().unwrap_or_else(|| {
        let command = Arguments::parse().command;
        prepare(&command);
        command.obey()
    });
    ended.unwrap_or_else(|error| {
        eprintln!("rtrd: {error:#}");
        ExitCode::FAILURE
    })
}

/// Messages and signals. The flight recorder is a service like the others: its messages have the
/// same fields.
fn prepare(command: &Command) {
    match command {
        Command::Flight(arguments) => service::start_logging_as("rtrd-flight", arguments.instance()),
        _ => service::start_logging(),
    }
    let has_children = match command {
        Command::Run(_) | Command::Drive(_) | Command::Jitter(_) | Command::Top(_) | Command::Soak(_) => true,
        Command::Check(arguments) => arguments.measures(),
        _ => false,
    };
    if !has_children && let Err(error) = rt::signals::end_on_broken_pipe() {
        eprintln!("rtrd: {error}");
    }
}
