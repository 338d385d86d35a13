//! `rtrd scenarios`: everything that is shipped, by name.

use anyhow::bail;
use plant::Scenario;
use vehicle::files;
use vehicle::library::{Found, Kind, find};

use super::road;

/// List what is shipped (scenarios, manoeuvres, vehicles, roads, tyres …), or print one file as a
/// start for your own
///
/// Examples: `rtrd scenarios`, `rtrd scenarios iso-3888-1 > mine.toml`, `rtrd scenarios
/// brakes/hmmwv`
#[derive(clap::Args)]
pub struct ScenariosArguments {
    /// Print the file of this name; `KIND/NAME` (`brakes/hmmwv`) where several kinds have it
    name: Option<String>,
}

/// Kinds of files, with what a run takes them for.
pub const KINDS: [(Kind, &str); 8] = [
    (Kind::Manoeuvre, "rtrd sim, rtrd report, rtrd run"),
    (Kind::Vehicle, "rtrd sim NAME --manoeuvre …"),
    (Kind::Road, "--road"),
    (Kind::Tyre, "--tyre"),
    (Kind::Powertrain, "--powertrain"),
    (Kind::Brake, "--brake"),
    (Kind::Steering, "--steering"),
    (Kind::Aerodynamics, "--aerodynamics"),
];

pub fn scenarios(arguments: &ScenariosArguments) -> anyhow::Result<()> {
    match &arguments.name {
        Some(name) => print_file(name),
        None => list(),
    }
}

fn list() -> anyhow::Result<()> {
    println!("scenarios of plants (rtrd sim, rtrd run)");
    for name in Scenario::builtin_names() {
        let scenario = Scenario::builtin(name)?;
        let step_us = scenario.step_s() * 1e6;
        println!("  {name:32} {} ({step_us:.0} µs, {:.0} s)", scenario.description(), scenario.duration_s());
    }
    for (kind, taken_by) in KINDS {
        println!("\n{} ({taken_by})", kind.folder());
        for name in kind.shipped() {
            println!("  {name:32} {}", summary(kind, &find(kind, name, None)?)?);
        }
    }
    Ok(())
}

/// What a file says it is: its `description`, or else the first sentence of its first comment.
fn summary(kind: Kind, found: &Found) -> anyhow::Result<String> {
    if kind == Kind::Road {
        return road::info::summary(found);
    }
    let text = String::from_utf8_lossy(&found.bytes);
    let described = text.lines().find_map(|line| {
        let value = line.strip_prefix("description")?.trim_start().strip_prefix('=')?;
        Some(value.trim().trim_matches('"').to_owned())
    });
    Ok(described.unwrap_or_else(|| first_comment(&found.bytes)))
}

/// The first sentence of the first comment of a file.
pub fn first_comment(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let comment = text.lines().find_map(|line| line.strip_prefix(['#', '!', '$'])).unwrap_or_default();
    let sentence = comment.trim().split(". ").next().unwrap_or_default();
    sentence.trim_end_matches('.').to_owned()
}

fn print_file(name: &str) -> anyhow::Result<()> {
    let (wanted, name) = match name.split_once('/') {
        Some((folder, name)) => (Some(folder), name),
        None => (None, name),
    };
    let mut found: Vec<(&str, Vec<u8>)> = Vec::new();
    if let Some(text) = Scenario::builtin_text(name) {
        found.push(("scenarios", text.as_bytes().to_vec()));
    }
    for (kind, _) in KINDS {
        if kind.shipped().any(|known| known == name) {
            found.push((kind.folder(), find(kind, name, None)?.bytes.into_owned()));
        }
    }
    found.retain(|(folder, _)| wanted.is_none_or(|wanted| wanted == *folder));
    match found.as_slice() {
        [(_, bytes)] => {
            use std::io::Write;
            std::io::stdout().write_all(bytes)?;
            Ok(())
        }
        [] => {
            let shipped = KINDS.iter().flat_map(|(kind, _)| kind.shipped());
            let nearest = files::did_you_mean(name, shipped.chain(Scenario::builtin_names()));
            bail!("`{name}` is not shipped; `rtrd scenarios` lists what is{nearest}")
        }
        several => {
            let names: Vec<String> = several.iter().map(|(folder, _)| format!("{folder}/{name}")).collect();
            bail!("`{name}` is the name of several files; say which: {}", names.join(", "))
        }
    }
}
