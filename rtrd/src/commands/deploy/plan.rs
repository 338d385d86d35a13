//! `rtrd deploy plan`: the CPU plan as drop-ins of the units.
//!
//! The units name no CPU. Where each process runs is decided in one place, the CPU plan, from the
//! configuration of the instance and the CPUs of the machine. The drop-in tells systemd the result,
//! so that a process has its place from its first instruction, and tells the process (`RTRD_CPUS`)
//! from which CPUs the plan was made, so that it comes to the same one.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use rt::cpu_plan::{CpuPlan, Topology};
use service::{CPUS_VARIABLE, Config, short_name};
use shm_layout::{RegionName, Role};

use super::instances::machine;
use super::site::{Site, SiteArguments};
use crate::output;

/// The processes with a place in the plan.
pub const ROLES: [Role; 3] = [Role::Daq, Role::Subsystem, Role::Dynamics];
/// Where an administrator's units and drop-ins are.
const UNITS: &str = "/etc/systemd/system";
/// The drop-in in the folder of each unit.
const FILE: &str = "10-cpu-plan.conf";

/// Write the CPU plan as drop-ins of the units: CPUAffinity and CPUSchedulingPriority of each
/// process
///
/// Run it again when the configuration of the instance, the kernel's isolated CPUs or the machine
/// has changed. Without root, `--out DIR` writes the drop-ins elsewhere.
#[derive(clap::Args)]
pub struct PlanArguments {
    #[command(flatten)]
    pub instance: InstanceArguments,
    /// Folder to write the drop-ins to [default: /etc/systemd/system]
    #[arg(long, value_name = "DIR", conflicts_with = "root")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pub site: SiteArguments,
}

/// Which instance.
#[derive(clap::Args, Clone)]
pub struct InstanceArguments {
    /// Name of the instance
    #[arg(short, long, value_name = "NAME", default_value = "car1")]
    pub instance: String,
    /// Its configuration [default: /etc/rtrd/NAME.toml]
    #[arg(short, long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

impl InstanceArguments {
    /// The configuration's place on the machine, for messages and comments.
    pub fn configuration_path(&self) -> PathBuf {
        let usual = || PathBuf::from(format!("/etc/rtrd/{}.toml", self.instance));
        self.config.clone().unwrap_or_else(usual)
    }

    /// Reads the configuration, as the units will.
    pub fn configuration(&self, root: &Path) -> anyhow::Result<Config> {
        RegionName::new(&self.instance)?;
        let path = match &self.config {
            Some(path) => path.clone(),
            None => super::site::below(root, &self.configuration_path()),
        };
        let mut config = Config::load(Some(&path))
            .with_context(|| format!("`rtrd deploy install --instance {}` writes one", self.instance))?;
        config.instance.name.clone_from(&self.instance);
        Ok(config)
    }
}

pub fn plan(arguments: &PlanArguments) -> anyhow::Result<()> {
    let config = arguments.instance.configuration(&arguments.site.root)?;
    let (_, topology) = machine(&arguments.site.root)?;
    let plan = service::plan_on(&config, &topology)?;
    println!("CPU plan of instance {:?}\n{plan}\n", arguments.instance.instance);
    let drop_ins = drop_ins(&arguments.instance, &config, &topology, &plan)?;
    match &arguments.out {
        Some(folder) => write_elsewhere(folder, &drop_ins, arguments.site.dry_run)?,
        None => {
            let mut site = Site::open(&arguments.site)?;
            add(&mut site, &drop_ins)?;
            site.reload_units();
        }
    }
    Ok(())
}

/// A drop-in: its path below the folder of units, and its text.
pub type DropIn = (PathBuf, String);

/// The drop-ins of an instance, one for each process.
pub fn drop_ins(
    instance: &InstanceArguments,
    config: &Config,
    topology: &Topology,
    plan: &CpuPlan,
) -> anyhow::Result<Vec<DropIn>> {
    let one = |role: Role| -> anyhow::Result<DropIn> {
        let name = short_name(role);
        let Some(place) = plan.get(name) else { bail!("the plan has no place for {name}") };
        let text = format!(
            "# Written by `rtrd deploy plan --instance {}` from {} and the CPUs of this machine. Run that again instead of\n\
             # changing this.\n\
             [Service]\n\
             CPUAffinity=\n\
             CPUAffinity={}\n\
             CPUSchedulingPriority={}\n\
             Environment={CPUS_VARIABLE}={}\n",
            instance.instance,
            instance.configuration_path().display(),
            place.cpu,
            service::fifo_priority(config, role),
            topology.usable(),
        );
        let folder = format!("rtrd-{name}@{}.service.d", instance.instance);
        Ok((Path::new(&folder).join(FILE), text))
    };
    ROLES.into_iter().map(one).collect()
}

/// Puts the drop-ins in their place on the machine.
pub fn add(site: &mut Site, drop_ins: &[DropIn]) -> anyhow::Result<()> {
    for (path, text) in drop_ins {
        site.write(&Path::new(UNITS).join(path), text.as_bytes(), 0o644)?;
    }
    Ok(())
}

/// Which drop-ins on the machine differ from those of a fresh plan.
pub fn outdated(root: &Path, drop_ins: &[DropIn]) -> Vec<PathBuf> {
    let place = |path: &Path| super::site::below(root, &Path::new(UNITS).join(path));
    let differs = |(path, text): &&DropIn| std::fs::read_to_string(place(path)).ok().as_ref() != Some(text);
    let found = drop_ins.iter().filter(differs);
    found.map(|(path, _)| Path::new(UNITS).join(path)).collect()
}

fn write_elsewhere(folder: &Path, drop_ins: &[DropIn], dry_run: bool) -> anyhow::Result<()> {
    for (path, text) in drop_ins {
        let path = folder.join(path);
        if dry_run {
            println!("would write {}", path.display());
            continue;
        }
        let parent = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
        output::write(&path, text)?;
    }
    Ok(())
}
