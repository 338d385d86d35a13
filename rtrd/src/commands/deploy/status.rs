//! `rtrd deploy status`: what is installed, whether it fits together, and what runs.

use std::path::Path;
use std::process::{Command, ExitCode};

use service::Config;

use super::install::PROGRAMS;
use super::instances::{instances, machine};
use super::manifest::{self, Manifest, Step};
use super::plan::{InstanceArguments, ROLES, drop_ins, outdated};
use super::site::below;

/// Say what is installed on this machine, whether it fits together, and what runs
///
/// Exit code 0 when all programs are installed with one layout and every instance has an up-to-date
/// CPU plan, 1 otherwise.
#[derive(clap::Args)]
pub struct StatusArguments {
    /// Look at the system in this folder instead of this machine
    #[arg(long, value_name = "DIR", default_value = "/")]
    root: std::path::PathBuf,
}

pub fn status(arguments: &StatusArguments) -> anyhow::Result<ExitCode> {
    let root = &arguments.root;
    let mut whole = programs(root);
    let found = instances(root)?;
    if found.is_empty() {
        println!("instances    none (`rtrd deploy install` sets one up)");
        whole = false;
    }
    for config in &found {
        whole &= instance(root, config)?;
    }
    deployed(&Manifest::load(&below(root, Path::new(manifest::PATH)))?);
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The programs and the layout of the region that each was built with.
fn programs(root: &Path) -> bool {
    let mut hashes = Vec::new();
    for name in PROGRAMS {
        let place = below(root, &Path::new("/usr/bin").join(name));
        let layout = layout_hash(&place, name);
        let said = match (place.exists(), &layout) {
            (false, _) => "not installed".to_owned(),
            (true, None) if name == "rtrd" => version(&place),
            (true, None) => "installed; does not report its layout".to_owned(),
            (true, Some(hash)) => format!("{}, layout {hash}", version(&place)),
        };
        println!("program      {name:<18} {said}");
        if name != "rtrd" {
            hashes.push(layout);
        }
    }
    let one = hashes.iter().all(|hash| hash.is_some() && *hash == hashes[0]);
    if !one && hashes.iter().any(Option::is_some) {
        println!("             the services are not of one layout: they cannot meet in one region");
    }
    one
}

fn layout_hash(program: &Path, name: &str) -> Option<String> {
    (name != "rtrd").then(|| answer(program, "--layout-hash")).flatten()
}

fn version(program: &Path) -> String {
    let line = answer(program, "--version").unwrap_or_default();
    line.rsplit(' ').next().unwrap_or_default().to_owned()
}

fn answer(program: &Path, question: &str) -> Option<String> {
    let output = Command::new(program).arg(question).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

fn instance(root: &Path, config: &Config) -> anyhow::Result<bool> {
    let name = &config.instance.name;
    let arguments = InstanceArguments { instance: name.clone(), config: None };
    let (_, topology) = machine(root)?;
    let plan = service::plan_on(config, &topology)?;
    let outdated = outdated(root, &drop_ins(&arguments, config, &topology, &plan)?);
    let said = if outdated.is_empty() {
        "CPU plan in place".to_owned()
    } else {
        format!("no CPU plan, or an old one: `sudo rtrd deploy plan --instance {name}`")
    };
    println!("instance     {name:<18} {said}");
    if root == Path::new("/") && Path::new("/run/systemd/system").is_dir() {
        for role in ROLES {
            let unit = format!("rtrd-{}@{name}.service", service::short_name(role));
            println!("             {unit:<32} {}", unit_state(&unit));
        }
    }
    Ok(outdated.is_empty())
}

fn unit_state(unit: &str) -> String {
    let asked = Command::new("systemctl").args(["is-active", unit]).output();
    asked.map_or_else(|error| error.to_string(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn deployed(manifest: &Manifest) {
    let files = manifest.steps.iter().filter(|step| matches!(step, Step::File { .. })).count();
    if manifest.steps.is_empty() {
        println!("deployed     nothing by `rtrd deploy`");
    } else {
        println!("deployed     {files} files by `rtrd deploy`; `rtrd deploy uninstall` undoes all of it");
    }
}
