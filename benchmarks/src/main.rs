//! Our speed beside that of our peers, measured in one run.
//!
//! Absolute times say more about the machine than about the program: they move by tens of per cent from run to run and
//! by factors from machine to machine. So every group measures the peer in the same run, in alternating rounds, and
//! what counts is the ratio. `scripts/bench` builds and starts this program.

mod asker;
mod companion;
mod environment;
mod groups;
mod latency;
mod place;
mod report;
mod session;
mod statistics;
mod transport;

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
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
    /// Be the second process of a benchmark instead.
    #[arg(long, hide = true)]
    companion: Option<String>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    if let Some(role) = &arguments.companion {
        return companion::serve(role);
    }
    if arguments.list {
        groups::ALL.iter().for_each(|group| println!("{}", group.name));
        return Ok(());
    }
    let chosen = choose(&arguments.groups)?;
    let figures = measure(&chosen, &arguments)?;
    if let Some(path) = &arguments.json {
        let text = serde_json::to_string_pretty(&figures)?;
        std::fs::write(path, text + "\n").with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// The groups that were named, in their own order; all of them if none was.
fn choose(names: &[String]) -> Result<Vec<&'static Group>> {
    if let Some(unknown) = names
        .iter()
        .find(|name| groups::ALL.iter().all(|group| group.name != **name))
    {
        let known: Vec<&str> = groups::ALL.iter().map(|group| group.name).collect();
        bail!(
            "there is no group called \"{unknown}\"; choose from {}",
            known.join(", ")
        );
    }
    let wanted = |group: &&Group| names.is_empty() || names.iter().any(|name| name == group.name);
    Ok(groups::ALL.iter().filter(wanted).collect())
}

fn measure(chosen: &[&Group], arguments: &Arguments) -> Result<Vec<Figure>> {
    let machine = this_machine()?;
    let place = Place::choose(&machine, arguments.cpus.as_deref())?;
    let session = Session::begin()?;
    println!("{}", Environment::of(&machine, &place));
    let context = Context {
        machine: &machine,
        place: &place,
        session: &session,
        quick: arguments.quick,
    };
    let mut figures = Vec::new();
    for group in chosen {
        let report = (group.run)(&context).with_context(|| format!("the group {} is broken", group.name))?;
        println!("{report}");
        figures.extend_from_slice(report.figures());
    }
    Ok(figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_every_group() {
        let help = include_str!("../help.txt");
        for group in groups::ALL {
            assert!(
                help.contains(&format!("\n  {} ", group.name)),
                "{} is not in help.txt",
                group.name
            );
        }
    }

    #[test]
    fn an_unknown_group_is_named() {
        let error = choose(&["nonsense".to_owned()]).err().unwrap();
        assert!(error.to_string().contains("nonsense"));
        assert_eq!(choose(&[]).unwrap().len(), groups::ALL.len());
    }
}
