//! The instances of a machine: one configuration each in `/etc/rtrd`, and the CPUs that the kernel
//! should set apart for them.

use std::path::Path;

use anyhow::Context;
use rt::cpu_plan::{CpuPlan, Topology};
use rt::kernel_parameters::{Parameter, line};
use rt::machine::{CpuList, Machine};
use service::Config;

use super::site::below;

const FOLDER: &str = "/etc/rtrd";
/// Where a kernel lists its CPUs.
const ONLINE: &str = "/sys/devices/system/cpu/online";

/// The instances by name; a configuration that cannot be read is an error with its place.
pub fn instances(root: &Path) -> anyhow::Result<Vec<Config>> {
    let folder = below(root, Path::new(FOLDER));
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", folder.display())),
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    let read = |path: &std::path::PathBuf| -> anyhow::Result<Config> {
        let mut config = Config::load(Some(path))?;
        config.instance.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(config)
    };
    paths.iter().map(read).collect()
}

/// The instances, or the one that would be there if none is.
pub fn instances_or_default(root: &Path) -> anyhow::Result<Vec<Config>> {
    let found = instances(root)?;
    Ok(if found.is_empty() { vec![Config::default()] } else { found })
}

/// The machine below `root`, and the CPUs that instances may be planned on. A root without kernel
/// (an image, a folder) is planned for this machine.
pub fn machine(root: &Path) -> anyhow::Result<(Machine, Topology)> {
    if root == Path::new("/") || !below(root, Path::new(ONLINE)).exists() {
        return Ok((Machine::read(Path::new("/"))?, service::topology()?));
    }
    let machine = Machine::read(root)?;
    let topology = Topology::of(&machine, &machine.processors.online);
    Ok((machine, topology))
}

/// The CPUs to set apart: those of the real-time processes, and the other threads of their cores,
/// so that nothing else runs there. The core of the system's CPU is not given away.
pub fn set_apart(topology: &Topology, plan: &CpuPlan) -> CpuList {
    let mut cpus = plan.real_time_cpus();
    for cpu in plan.real_time_cpus().iter() {
        if let Some(siblings) = topology.siblings.get(&cpu) {
            cpus = cpus.union(&siblings.intersection(&topology.online));
        }
    }
    let system: CpuList = topology.online.iter().filter(|&cpu| topology.share_core(plan.system_cpu(), cpu)).collect();
    cpus.difference(&system.difference(&plan.real_time_cpus()))
}

/// The file that GRUB's configuration reads.
pub fn grub_file(parameters: &[Parameter]) -> String {
    format!(
        "# Written by `rtrd deploy advise --apply`: CPUs for real-time processes. `rtrd deploy uninstall` removes it; each change takes\n\
         # effect with `update-grub` and a restart.\n\
         GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX {}\"\n",
        line(parameters)
    )
}

#[cfg(test)]
mod tests {
    use rt::kernel_parameters::parameters;
    use service::plan_on;

    use super::*;

    fn list(text: &str) -> CpuList {
        text.parse().unwrap()
    }

    fn machine(online: &str, cores: &[&str]) -> Topology {
        let siblings = cores.iter().flat_map(|core| {
            let core = list(core);
            core.iter().map(|cpu| (cpu, core.clone())).collect::<Vec<_>>()
        });
        Topology { online: list(online), allowed: list(online), isolated: CpuList::new(), siblings: siblings.collect() }
    }

    fn apart(topology: &Topology) -> String {
        let plan = plan_on(&Config::default(), topology).unwrap();
        set_apart(topology, &plan).to_string()
    }

    #[test]
    fn four_cpus_leave_one_to_the_system() {
        assert_eq!(apart(&machine("0-3", &[])), "1-3");
    }

    #[test]
    fn whole_cores_are_set_apart_but_not_the_systems() {
        // Eight threads of four cores, numbered as Linux does: n and n + 4 are siblings.
        assert_eq!(apart(&machine("0-7", &["0,4", "1,5", "2,6", "3,7"])), "1-3,5-7");
    }

    #[test]
    fn a_single_cpu_cannot_be_set_apart() {
        assert_eq!(apart(&machine("0", &[])), "none");
        assert!(parameters(&list("0"), &CpuList::new()).is_empty());
    }

    #[test]
    fn after_a_restart_with_these_parameters_the_plan_is_the_same() {
        for topology in [machine("0-1", &[]), machine("0-3", &[]), machine("0-7", &["0,4", "1,5", "2,6", "3,7"])] {
            let config = Config::default();
            let before = plan_on(&config, &topology).unwrap();
            let isolated = set_apart(&topology, &before);
            let after = plan_on(&config, &Topology { isolated, ..topology }).unwrap();
            let places = |plan: &CpuPlan| plan.assignments().iter().map(|place| place.cpu).collect::<Vec<_>>();
            assert_eq!(places(&before), places(&after));
        }
    }

    #[test]
    fn the_line_has_the_lists_and_the_file_is_valid_shell() {
        let parameters = parameters(&list("0-3"), &list("2-3"));
        assert_eq!(
            line(&parameters),
            "isolcpus=managed_irq,domain,2-3 nohz_full=2-3 rcu_nocbs=2-3 irqaffinity=0-1 cpufreq.default_governor=performance"
        );
        let script = format!("GRUB_CMDLINE_LINUX=quiet\n{}echo $GRUB_CMDLINE_LINUX", grub_file(&parameters));
        let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(told.starts_with("quiet isolcpus=managed_irq,domain,2-3 nohz_full=2-3"), "{told}");
    }
}
