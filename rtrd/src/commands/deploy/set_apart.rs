//! What the kernel should be told at its start, for this machine and its instances.

use rt::cpu_plan::{CpuPlan, Topology};
use rt::kernel_parameters::{Parameter, line};
use rt::machine::CpuList;

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
    use super::*;
    use rt::kernel_parameters::parameters;
    use service::{Config, plan_on};

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
