//! `rtrd clean`: removes what a killed run left, never a live one.

use std::path::Path;
use std::process::ExitCode;

use shm_layout::name::SHARED_MEMORY_DIRECTORY;
use shm_layout::{Region, RegionError, RegionName};

/// Remove the shared regions that killed runs have left
///
/// A region that any process still takes part in is left alone, and said so.
#[derive(clap::Args)]
pub struct CleanArguments {
    /// Only this instance; all if none is given
    instance: Option<String>,
    /// Only say what would be removed
    #[arg(short = 'n', long)]
    dry_run: bool,
}

pub fn clean(arguments: &CleanArguments) -> anyhow::Result<ExitCode> {
    let names = match &arguments.instance {
        Some(instance) => vec![RegionName::new(instance)?],
        None => RegionName::all_in(Path::new(SHARED_MEMORY_DIRECTORY))?,
    };
    let mut failed = false;
    for name in &names {
        let cleaned = if arguments.dry_run { Region::is_stale(name) } else { Region::remove_anything(name) };
        match cleaned {
            Ok(true) if arguments.dry_run => println!("would remove {name}"),
            Ok(true) => println!("removed {name}"),
            Ok(false) => println!("nothing to remove for {name}"),
            Err(error @ RegionError::InUse { .. }) => println!("kept: {error}"),
            Err(error) => {
                failed = true;
                eprintln!("rtrd: {error}");
            }
        }
    }
    if names.is_empty() {
        println!("nothing to remove");
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
