//! `rtrd daq`: what the acquisition delivers, live, on file, and made right.

mod calibrate;
mod channels;
mod differentiators;
mod record;
mod scope;

use std::process::ExitCode;

pub use channels::acquisition_file;

/// Watch, record or calibrate what the acquisition delivers, and compare ways of differentiating it
#[derive(clap::Args)]
pub struct DaqArguments {
    #[command(subcommand)]
    command: DaqCommand,
}

commands! { DaqCommand:
    Scope: scope::ScopeArguments => scope::scope,
    Record: record::RecordArguments => record::record,
    Calibrate: calibrate::CalibrateArguments => calibrate::calibrate,
    Differentiators: differentiators::DifferentiatorsArguments => differentiators::differentiators,
}

pub fn daq(arguments: &DaqArguments) -> anyhow::Result<ExitCode> {
    arguments.command.obey()
}
