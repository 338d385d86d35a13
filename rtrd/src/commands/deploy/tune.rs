//! `rtrd deploy tune`: the settings of a running machine that its start does not keep, and back.
//!
//! `rtrd-machine.service` calls it at every start and stop. What was there before is noted in
//! `/run`, which a restart of the machine empties, as it does the settings.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use rt::cpu_plan::CpuPlan;
use rt::machine::{CpuList, Machine};

use super::instances::{instances_or_default, machine};
use super::site::{SiteArguments, below};
use crate::output::{read_if_there, replace};

const NOTES: &str = "/run/rtrd-machine/before.json";

/// Set governor, interrupts and throttling of the running machine for the CPU plans of all
/// instances
///
/// `rtrd-machine.service` runs it at every start of the machine.
#[derive(clap::Args)]
pub struct TuneArguments {
    /// Restore what was set before
    #[arg(long)]
    undo: bool,
    #[command(flatten)]
    site: SiteArguments,
}

/// Path of a setting and its value.
type Settings = BTreeMap<PathBuf, String>;

pub fn tune(arguments: &TuneArguments) -> anyhow::Result<()> {
    let SiteArguments { root, dry_run } = &arguments.site;
    if root == Path::new("/") && !dry_run && !nix::unistd::geteuid().is_root() {
        bail!("the settings of the machine belong to root: run it with sudo; --dry-run shows what it would do");
    }
    let notes = below(root, Path::new(NOTES));
    if arguments.undo {
        let before = read_notes(&notes)?;
        set_all(root, &before, *dry_run);
        if !dry_run && notes.exists() {
            std::fs::remove_file(&notes).with_context(|| format!("cannot remove {}", notes.display()))?;
        }
        return Ok(());
    }
    let (machine, topology) = machine(root)?;
    let plans: Result<Vec<CpuPlan>, _> =
        instances_or_default(root)?.iter().map(|config| service::plan_on(config, &topology)).collect();
    let wanted = wanted(root, &machine, &plans?);
    let mut before = read_notes(&notes)?;
    for (path, value) in set_all(root, &wanted, *dry_run) {
        // What an earlier call found is what was there before.
        before.entry(path).or_insert(value);
    }
    if !dry_run && !before.is_empty() {
        let folder = notes.parent().unwrap_or(root);
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        replace(&notes, serde_json::to_string_pretty(&before)?.as_bytes(), Some(0o644))?;
    }
    Ok(())
}

fn read_notes(path: &Path) -> anyhow::Result<Settings> {
    let Some(text) = read_if_there(path)? else { return Ok(Settings::new()) };
    serde_json::from_slice(&text).with_context(|| format!("{} is damaged", path.display()))
}

/// What the plans want of the machine; only settings that it has.
fn wanted(root: &Path, machine: &Machine, plans: &[CpuPlan]) -> Settings {
    let union = |of: fn(&CpuPlan) -> CpuList| plans.iter().fold(CpuList::new(), |all, plan| all.union(&of(plan)));
    let apart = union(CpuPlan::real_time_cpus);
    let rest = machine.processors.online.difference(&apart);
    let mut settings = Settings::new();
    for cpu in union(CpuPlan::cpus).iter() {
        let governor = format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_governor");
        settings.insert(governor.into(), "performance".to_owned());
    }
    if !apart.is_empty() && !rest.is_empty() {
        for irq in machine.interrupts.landing_on(&apart) {
            let affinity = format!("/proc/irq/{}/smp_affinity_list", irq.number);
            settings.insert(affinity.into(), rest.to_string());
        }
        settings.insert("/proc/irq/default_smp_affinity".into(), rest.to_mask());
        // The kernel would stop a process that spins for 50 ms of every second. The system has a
        // CPU of its own here, so it needs no such protection.
        settings.insert("/proc/sys/kernel/sched_rt_runtime_us".into(), "-1".to_owned());
        for cpu in apart.iter() {
            let fair_server = format!("/sys/kernel/debug/sched/fair_server/cpu{cpu}/runtime");
            settings.insert(fair_server.into(), "0".to_owned());
        }
    }
    settings.retain(|path, _| below(root, path).exists());
    settings
}

/// Sets what differs; says so, and gives back what was there before. An interrupt that cannot be
/// moved is not the end.
fn set_all(root: &Path, wanted: &Settings, dry_run: bool) -> Settings {
    let mut before = Settings::new();
    for (path, value) in wanted {
        let place = below(root, path);
        let found = std::fs::read_to_string(&place).unwrap_or_default().trim().to_owned();
        if found == *value || same_mask(path, &found, value) {
            continue;
        }
        if dry_run {
            println!("would set  {} from {found} to {value}", path.display());
            continue;
        }
        match std::fs::write(&place, value) {
            Ok(()) => {
                println!("set        {} from {found} to {value}", path.display());
                before.insert(path.clone(), found);
            }
            Err(error) => println!("not set    {} to {value}: {error}", path.display()),
        }
    }
    before
}

/// The kernel prints masks with leading zeros and commas.
fn same_mask(path: &Path, found: &str, value: &str) -> bool {
    let masks = (CpuList::from_mask(found), CpuList::from_mask(value));
    path.ends_with("default_smp_affinity") && matches!(masks, (Ok(one), Ok(other)) if one == other)
}
