//! `rtrd daq`: what goes into a simulation from outside.

mod differentiators;

use std::process::ExitCode;

/// Look at acquisition: sources, channels and how they are processed
#[derive(clap::Args)]
pub struct DaqArguments {
    #[command(subcommand)]
    command: DaqCommand,
}

#[derive(clap::Subcommand)]
enum DaqCommand {
    Differentiators(differentiators::DifferentiatorsArguments),
}

pub fn daq(arguments: &DaqArguments) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        DaqCommand::Differentiators(arguments) => differentiators::differentiators(arguments),
    }
}
