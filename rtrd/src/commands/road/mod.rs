//! `rtrd road`: makes roads and says what is in a road file.

mod draw;
pub mod info;
mod make;

use std::process::ExitCode;

/// Make a road, or look at one
#[derive(clap::Args)]
pub struct RoadArguments {
    #[command(subcommand)]
    command: RoadCommand,
}

commands! { RoadCommand:
    Make: make::MakeArguments => make::make,
    Info: info::InfoArguments => info::info,
}

pub fn road(arguments: &RoadArguments) -> anyhow::Result<ExitCode> {
    arguments.command.obey()
}
