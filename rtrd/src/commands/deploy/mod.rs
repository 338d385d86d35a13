//! `rtrd deploy`: from a Debian machine to running units, and back.
//!
//! Every file that is written goes through [`site`], which notes it in the [`manifest`];
//! [`uninstall`] reads that. Where processes run is decided by the CPU plan alone: [`plan`] hands
//! it to systemd, [`instances`] to the kernel's command line, [`tune`] to the running machine.

mod advise;
mod install;
mod instances;
mod manifest;
mod plan;
mod site;
mod status;
mod tune;
mod uninstall;

use std::process::ExitCode;

use clap::Subcommand;

/// Install on this machine, plan its CPUs, prepare it for real time, and undo all of it
///
/// What was done is noted in /var/lib/rtrd/deploy/manifest.json; `rtrd deploy uninstall` undoes exactly that.
#[derive(clap::Args)]
pub struct DeployArguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Install(install::InstallArguments),
    Plan(plan::PlanArguments),
    Advise(advise::AdviseArguments),
    Tune(tune::TuneArguments),
    Status(status::StatusArguments),
    Uninstall(uninstall::UninstallArguments),
}

pub fn deploy(arguments: &DeployArguments) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        Command::Install(arguments) => install::install(arguments)?,
        Command::Plan(arguments) => plan::plan(arguments)?,
        Command::Advise(arguments) => advise::advise(arguments)?,
        Command::Tune(arguments) => tune::tune(arguments)?,
        Command::Status(arguments) => return status::status(arguments),
        Command::Uninstall(arguments) => uninstall::uninstall(arguments)?,
    }
    Ok(ExitCode::SUCCESS)
}
