//! Do the CPUs sleep so deeply that they wake up late?

use std::collections::BTreeMap;

use super::super::finding::{About, Area, Finding};
use super::super::{Patient, shell};
use crate::machine::{CpuList, DeviceAccess};

/// Exit latency that we put up with: about what a context switch and cold caches cost in any case.
const EXIT_LATENCY_US_MAX: u64 = 20;

const ABOUT: About = About {
    id: "idle-states",
    area: Area::Processors,
    title: "Idle states",
    expected: "no state with more than 20 µs to leave it, or the right to hold /dev/cpu_dma_latency",
    why: "A CPU that fell into a deep idle state between two steps needs this long before it can begin the next.",
};

pub(super) fn check(patient: Patient) -> Finding {
    let machine = patient.machine;
    let planned = patient.workload.planned_cpus(machine);
    let mut deep = DeepStates::default();
    let mut has_states = false;
    for cpu in machine.processors.cpus_in(&planned) {
        has_states |= !cpu.idle_states.is_empty();
        for state in &cpu.idle_states {
            if !state.disabled && state.exit_latency_us > EXIT_LATENCY_US_MAX {
                deep.names.insert(state.name.clone(), state.exit_latency_us);
                deep.numbers.insert(state.number);
                deep.cpus.insert(cpu.number);
            }
        }
    }
    let is_held = machine.cpu_dma_latency == DeviceAccess::Writable;
    match (deep.names.is_empty(), has_states) {
        (true, true) => ABOUT.pass("only shallow ones"),
        (true, false) if machine.kernel.virtual_machine => ABOUT.unknown("none shown: the host decides"),
        (true, false) => ABOUT.pass("none but a plain halt"),
        (false, _) if is_held => ABOUT.pass(format!("{}, kept off while the processes run", deep.text())),
        (false, _) => ABOUT.warning(deep.text()).with_fix(deep.fix()),
    }
}

#[derive(Default)]
struct DeepStates {
    names: BTreeMap<String, u64>,
    numbers: CpuList,
    cpus: CpuList,
}

impl DeepStates {
    fn text(&self) -> String {
        let texts: Vec<String> = self.names.iter().map(|(name, us)| format!("{name} ({us} µs)")).collect();
        texts.join(", ")
    }

    fn fix(&self) -> String {
        let (cpus, states) = (shell::braces(&self.cpus), shell::braces(&self.numbers));
        format!(
            "echo 1 | sudo tee /sys/devices/system/cpu/cpu{cpus}/cpuidle/state{states}/disable  # until the next restart"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Verdict;
    use super::super::sample::{Sample, fix};
    use crate::machine::sample::SampleTree;

    fn deep() -> SampleTree {
        let file = |cpu| format!("sys/devices/system/cpu/cpu{cpu}/cpuidle/state1/disable");
        (0..4).fold(SampleTree::healthy(), |tree, cpu| tree.with(&file(cpu), "0"))
    }

    fn without_states() -> SampleTree {
        let folder = |cpu| format!("sys/devices/system/cpu/cpu{cpu}/cpuidle");
        (0..4).fold(SampleTree::healthy(), |tree, cpu| tree.without(&folder(cpu)))
    }

    #[test]
    fn deep_states_that_nobody_can_keep_off_are_warned_about() {
        let finding = Sample::of(&deep().without("dev/cpu_dma_latency")).finding("idle-states");
        assert_eq!((finding.verdict, finding.found.as_str()), (Verdict::Warning, "C6 (133 µs)"));
        assert!(fix(&finding).contains("/sys/devices/system/cpu/cpu{1..3}/cpuidle/state1/disable"));
    }

    #[test]
    fn deep_states_are_kept_off_by_the_processes_themselves() {
        let finding = Sample::of(&deep()).finding("idle-states");
        assert_eq!(
            (finding.verdict, finding.found.as_str()),
            (Verdict::Pass, "C6 (133 µs), kept off while the processes run")
        );
    }

    #[test]
    fn without_an_idle_driver_a_machine_passes_and_a_guest_is_unknown() {
        assert_eq!(Sample::of(&without_states()).finding("idle-states").verdict, Verdict::Pass);
        let guest = without_states().with("proc/cpuinfo", "flags : fpu hypervisor");
        assert_eq!(Sample::of(&guest).finding("idle-states").verdict, Verdict::Unknown);
    }
}
