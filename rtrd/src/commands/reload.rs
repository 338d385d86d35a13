//! `rtrd reload`: running processes read their configuration again.

use std::process::ExitCode;

use anyhow::ensure;
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use shm_layout::{Region, RegionName};

use crate::top::observe;
use crate::view::PROCESSES;

/// Make the processes of an instance read their configuration file again
///
/// Each takes over the keys that `rtrd config` marks with [reload], and says in its log which keys
/// need a restart; a file with a mistake changes nothing. Statistics start anew. The same as
/// SIGHUP, or `systemctl reload`.
#[derive(clap::Args)]
pub struct ReloadArguments {
    /// Name of the instance
    #[arg(short, long, value_name = "NAME", default_value = "default")]
    instance: String,
}

pub fn reload(arguments: &ReloadArguments) -> anyhow::Result<ExitCode> {
    let region = observe(&RegionName::new(&arguments.instance)?)?;
    let running = running(&region);
    ensure!(
        !running.is_empty(),
        "no process of instance {:?} runs; `rtrd clean` removes what it left",
        arguments.instance
    );
    let mut failed = false;
    for (name, pid) in running {
        match kill(Pid::from_raw(pid), Signal::SIGHUP) {
            Ok(()) => println!("{name}, process {pid}, reads its configuration again"),
            Err(errno) => {
                failed = true;
                eprintln!("rtrd: {name}, process {pid}, cannot be told: {}", advice(errno));
            }
        }
    }
    println!("what changes and what needs a restart is in their log");
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn advice(errno: Errno) -> String {
    match errno {
        Errno::EPERM => "it belongs to another user (`sudo rtrd reload`)".to_owned(),
        Errno::ESRCH => "it has just ended".to_owned(),
        other => other.to_string(),
    }
}

/// The processes that hold the lock of their health block, which the kernel takes back from a dead
/// one: a number that was given to another process since is never among them.
fn running(region: &Region) -> Vec<(&'static str, i32)> {
    let owners = region.owners();
    let owner = |block: &str| owners.iter().find(|(name, _)| name == block);
    let of_process = |(role, block): &(shm_layout::Role, shm_layout::Block<_>)| {
        let (_, pid) = owner(block.entry().name)?;
        Some((service::short_name(*role), i32::try_from(*pid).ok()?))
    };
    PROCESSES.iter().filter_map(of_process).collect()
}
