//! `rtrd daq`: what the acquisition delivers, live, on file, and made right.

mod calibrate;
mod channels;
mod differentiators;
mod record;
mod scope;

pub use channels::acquisition_file;

/// Watch, record or calibrate what the acquisition delivers, and compare ways of differentiating it
#[derive(clap::Args)]
pub struct DaqArguments {
    #[command(subcommand)]
    command: DaqCommand,
}

#[derive(clap::Subcommand)]
enum DaqCommand {
    Scope(scope::ScopeArguments),
    Record(record::RecordArguments),
    Calibrate(calibrate::CalibrateArguments),
    Differentiators(differentiators::DifferentiatorsArguments),
}

pub fn daq(arguments: &DaqArguments) -> anyhow::Result<()> {
    match &arguments.command {
        DaqCommand::Scope(arguments) => scope::scope(arguments),
        DaqCommand::Record(arguments) => record::record(arguments),
        DaqCommand::Calibrate(arguments) => calibrate::calibrate(arguments),
        DaqCommand::Differentiators(arguments) => differentiators::differentiators(arguments),
    }
}
