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

/// Install on this machine, plan its CPUs, prepare it for real time, and undo all of it
///
/// What was done is noted in /var/lib/rtrd/deploy/manifest.json; `rtrd deploy uninstall` undoes
/// exactly that.
#[derive(clap::Args)]
pub struct DeployArguments {
    #[command(subcommand)]
    command: Command,
}

commands! { Command:
    Install: install::InstallArguments => install::install,
    Plan: plan::PlanArguments => plan::plan,
    Advise: advise::AdviseArguments => advise::advise,
    Tune: tune::TuneArguments => tune::tune,
    Status: status::StatusArguments => status::status,
    Uninstall: uninstall::UninstallArguments => uninstall::uninstall,
}

pub fn deploy(arguments: &DeployArguments) -> anyhow::Result<ExitCode> {
    arguments.command.obey()
}
