//! Our speed beside that of our peers, measured in one run.
//!
//! Absolute times say more about the machine than about the program: they move by tens of per cent
//! from run to run and by factors from machine to machine. So every group measures the peer in the
//! same run, in alternating rounds, and what counts is the ratio. `scripts/bench` builds and starts
//! this program.

mod asker;
mod conversation;
mod environment;
mod groups;
mod neighbour;
mod place;
mod report;
mod session;
mod statistics;
mod transport;
mod worker;

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail, ensure};
use clap::Parser;

use environment::Environment;
use groups::{Context, Group};
use place::{Place, this_machine};
use report::Figure;
use session::Session;

#[derive(Parser)]
#[command(name = "bench", override_help = include_str!("../help.txt"))]
struct Arguments {
    groups: Vec<String>,
    #[arg(long)]
    json: Option<PathBuf>,
    #[arg(long)]
    quick: bool,
    #[arg(long)]
    list: bool,
    #[arg(long, value_delimiter = ',')]
    cpus: Option<Vec<usize>>,
    #[arg(long)]
    figures: Option<PathBuf>,
    /// The folder with the programs of peers that are no Rust.
    #[arg(long, hide = true)]
    peers: Option<PathBuf>,
    /// Be the second process of a benchmark instead.
    #[arg(long, hide = true)]
    worker: Option<String>,
}

fn main() -> ExitCode {
    // The wake-up group measures in this program too, as `rtrd jitter` does.
    let measured = rtrd::jitter::measurement::run();
    match measured.unwrap_or_else(|| run(&Arguments::parse()).map(|()| ExitCode::SUCCESS)) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    if let Some(role) = &arguments.worker {
        return worker::serve(role);
    }
    if arguments.list {
        groups::ALL.iter().for_each(|group| println!("{}", group.name));
        return Ok(());
    }
    let chosen = choose(&arguments.groups)?;
    // Made before anything is measured: minutes later is a bad time to find out that it cannot be
    // written.
    let file = arguments.json.as_deref().map(create).transpose()?;
    if let Some(folder) = &arguments.figures {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let (figures, broken) = measure(&chosen, arguments)?;
    if let Some(mut file) = file {
        writeln!(file, "{}", serde_json::to_string_pretty(&figures)?)?;
    }
    ensure!(broken.is_empty(), "broken: {}", broken.join(", "));
    Ok(())
}

fn create(path: &Path) -> Result<File> {
    File::create(path).with_context(|| format!("cannot write {}", path.display()))
}

/// The groups that were named, in their own order; all of them if none was.
fn choose(names: &[String]) -> Result<Vec<&'static Group>> {
    if let Some(unknown) = names.iter().find(|name| groups::ALL.iter().all(|group| group.name != **name)) {
        let known: Vec<&str> = groups::ALL.iter().map(|group| group.name).collect();
        bail!("there is no group called \"{unknown}\"; choose from {}", known.join(", "));
    }
    let wanted = |group: &&Group| names.is_empty() || names.iter().any(|name| name == group.name);
    Ok(groups::ALL.iter().filter(wanted).collect())
}

/// Measures the groups and prints their reports; returns the figures, and the groups that failed.
fn measure(chosen: &[&Group], arguments: &Arguments) -> Result<(Vec<Figure>, Vec<&'static str>)> {
    let machine = this_machine()?;
    let place = Place::choose(&machine, arguments.cpus.as_deref())?;
    let session = Session::begin()?;
    println!("{}", Environment::of(&machine, &place));
    let context = Context {
        machine: &machine,
        place: &place,
        session: &session,
        peers: arguments.peers.as_deref(),
        figures: arguments.figures.as_deref(),
        quick: arguments.quick,
    };
    let (mut figures, mut broken) = (Vec::new(), Vec::new());
    for group in chosen {
        match (group.run)(&context) {
            Ok(report) => {
                println!("{report}");
                figures.extend_from_slice(report.figures());
            }
            Err(error) => {
                println!("── {} ──\n  broken: {error:#}\n", group.name);
                broken.push(group.name);
            }
        }
    }
    Ok((figures, broken))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_every_group() {
        let help = include_str!("../help.txt");
        for group in groups::ALL {
            assert!(help.contains(&format!("\n  {} ", group.name)), "{} is not in help.txt", group.name);
        }
    }

    #[test]
    fn an_unknown_group_is_named() {
        let error = choose(&["nonsense".to_owned()]).err().unwrap();
        assert!(error.to_string().contains("nonsense"));
        assert_eq!(choose(&[]).unwrap().len(), groups::ALL.len());
    }
}
