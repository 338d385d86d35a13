//! `rtrd completions`: a shell completes our commands, and every name that can be given.
//!
//! The script that is printed asks the program itself, so that it knows what is shipped and which
//! instances run at that moment.

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use clap_complete::env::{CompleteEnv, Shells};
use plant::Scenario;
use shm_layout::RegionName;
use shm_layout::signals::Dictionary;
use vehicle::library::Kind;

/// Print the completion script for a shell
///
/// For bash: rtrd completions bash > ~/.local/share/bash-completion/completions/rtrd
#[derive(clap::Args)]
pub struct CompletionsArguments {
    /// The shell
    shell: clap_complete::Shell,
}

/// The variable by which a shell asks.
const VARIABLE: &str = "COMPLETE";

pub fn completions(arguments: &CompletionsArguments) -> anyhow::Result<()> {
    let (shells, name) = (Shells::builtins(), arguments.shell.to_string());
    let shell = shells.completer(&name).context("this shell has no completions")?;
    shell.write_registration(VARIABLE, "rtrd", "rtrd", "rtrd", &mut std::io::stdout())?;
    Ok(())
}

/// Answers a shell that asks, and ends the program then.
pub fn answer() {
    CompleteEnv::with_factory(command).var(VARIABLE).complete();
}

/// What an argument of this name can be.
type Names = fn() -> Vec<String>;

/// Arguments that take names, in whatever command.
const NAMED: [(&str, Names); 13] = [
    ("vehicle", || shipped(Kind::Vehicle)),
    ("vehicles", || shipped(Kind::Vehicle)),
    ("manoeuvre", || shipped(Kind::Manoeuvre)),
    ("scenario", scenarios),
    ("road", || shipped(Kind::Road)),
    ("tyre", || shipped(Kind::Tyre)),
    ("powertrain", || shipped(Kind::Powertrain)),
    ("brake", || shipped(Kind::Brake)),
    ("brakes", || shipped(Kind::Brake)),
    ("steering", || shipped(Kind::Steering)),
    ("model", models),
    ("instance", instances),
    ("signals", signals),
];

fn command() -> clap::Command {
    with_names(crate::Arguments::command())
}

fn with_names(command: clap::Command) -> clap::Command {
    // The only argument of several kinds.
    let anything: Names = || [shipped(Kind::Vehicle), scenarios(), models()].concat();
    let names = if command.get_name() == "sim" { Some(("name", anything)) } else { None };
    let names = names.or((command.get_name() == "scenarios").then_some(("name", every_file as Names)));
    let command = command.mut_args(|argument| {
        let is = |(name, _): &&(&str, Names)| *name == argument.get_id().as_str();
        match NAMED.iter().chain(&names).find(is) {
            Some((_, list)) => {
                let list = *list;
                argument
                    .add(ArgValueCandidates::new(move || list().into_iter().map(CompletionCandidate::new).collect()))
            }
            None => argument,
        }
    });
    command.mut_subcommands(with_names)
}

fn shipped(kind: Kind) -> Vec<String> {
    kind.shipped().map(str::to_owned).collect()
}

fn scenarios() -> Vec<String> {
    Scenario::builtin_names().into_iter().chain(Kind::Manoeuvre.shipped()).map(str::to_owned).collect()
}

fn models() -> Vec<String> {
    multibody::shipped::names().into_iter().map(str::to_owned).collect()
}

fn every_file() -> Vec<String> {
    let kinds = super::scenarios::KINDS.iter().flat_map(|(kind, _)| kind.shipped());
    Scenario::builtin_names().into_iter().chain(kinds).map(str::to_owned).collect()
}

fn instances() -> Vec<String> {
    let Ok(any) = RegionName::new("default") else { return Vec::new() };
    let running = RegionName::all_in(any.directory()).unwrap_or_default();
    running.iter().map(|name| name.instance().to_owned()).collect()
}

fn signals() -> Vec<String> {
    Dictionary::default().entries().iter().map(|entry| entry.name.clone()).collect()
}
