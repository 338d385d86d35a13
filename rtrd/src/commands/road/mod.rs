//! `rtrd road`: makes roads and says what is in a road file.

mod draw;
pub mod info;
mod make;

/// Make a road, or look at one
#[derive(clap::Args)]
pub struct RoadArguments {
    #[command(subcommand)]
    command: RoadCommand,
}

#[derive(clap::Subcommand)]
enum RoadCommand {
    Make(make::MakeArguments),
    Info(info::InfoArguments),
}

pub fn road(arguments: &RoadArguments) -> anyhow::Result<()> {
    match &arguments.command {
        RoadCommand::Make(arguments) => make::make(arguments),
        RoadCommand::Info(arguments) => info::info(arguments),
    }
}
