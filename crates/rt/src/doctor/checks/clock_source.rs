//! Can the clock be read fast?

use super::super::Patient;
use super::super::finding::{About, Area, Finding};
use crate::machine::ClockSource;

const ABOUT: About = About {
    id: "clock-source",
    area: Area::Kernel,
    title: "Clock source",
    expected: "tsc (arch_sys_counter on ARM)",
    why: "Every step reads the clock several times. A counter inside the CPU takes some 20 ns; hpet and acpi_pm \
          are read by a system call from the chipset, a microsecond or more each time.",
};

const USE_TSC: &str = "echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource\
                       \u{20} # lasting: kernel parameter clocksource=tsc";

pub(super) fn check(patient: Patient) -> Finding {
    let source = &patient.machine.clock_source;
    match source.current.as_deref() {
        Some(name @ ("tsc" | "arch_sys_counter" | "riscv_clocksource")) => ABOUT.pass(name),
        Some(name @ ("hpet" | "acpi_pm" | "jiffies" | "refined-jiffies" | "pit")) => {
            ABOUT.failure(name).with_fix(fix(source))
        }
        // Fast enough, but steered by the host.
        Some(name @ ("kvm-clock" | "xen" | "hyperv_clocksource_tsc_page")) => {
            let finding = ABOUT.warning(format!("{name}, the clock of the host"));
            if source.offers("tsc") { finding.with_fix(USE_TSC) } else { finding }
        }
        Some(name) => ABOUT.unknown(format!("{name}, which this check does not know")),
        None => ABOUT.unknown("the kernel does not tell"),
    }
}

/// The kernel drops a tsc that it has found to be unstable from its offer.
fn fix(source: &ClockSource) -> String {
    if source.offers("tsc") {
        return USE_TSC.into();
    }
    "sudo dmesg | grep -i tsc  # tells why tsc was given up; \
     if the firmware is at fault: kernel parameter tsc=reliable"
        .into()
}

#[cfg(test)]
mod tests {
    use super::super::super::Verdict;
    use super::super::sample::{Sample, fix};
    use crate::machine::sample::SampleTree;

    const FOLDER: &str = "sys/devices/system/clocksource/clocksource0";

    fn with_current(name: &str) -> SampleTree {
        SampleTree::healthy().with(&format!("{FOLDER}/current_clocksource"), name)
    }

    fn verdict(name: &str) -> Verdict {
        Sample::of(&with_current(name)).finding("clock-source").verdict
    }

    #[test]
    fn each_clock_source_has_its_verdict() {
        assert_eq!(verdict("tsc"), Verdict::Pass);
        assert_eq!(verdict("arch_sys_counter"), Verdict::Pass);
        assert_eq!(verdict("kvm-clock"), Verdict::Warning);
        assert_eq!(verdict("hpet"), Verdict::Failure);
        assert_eq!(verdict("acpi_pm"), Verdict::Failure);
        assert_eq!(verdict("sundial"), Verdict::Unknown);
        let silent = SampleTree::healthy().without(FOLDER);
        assert_eq!(Sample::of(&silent).finding("clock-source").verdict, Verdict::Unknown);
    }

    #[test]
    fn tsc_is_offered_where_the_kernel_has_it() {
        let tree = with_current("hpet");
        assert!(
            fix(&Sample::of(&tree).only_complaint("clock-source")).starts_with("echo tsc | sudo tee /sys/")
        );
        let tree = tree.with(&format!("{FOLDER}/available_clocksource"), "hpet acpi_pm");
        assert!(fix(&Sample::of(&tree).only_complaint("clock-source")).contains("dmesg"));
    }

    #[test]
    fn a_guest_without_tsc_has_nothing_to_mend() {
        let tree = with_current("kvm-clock").with(&format!("{FOLDER}/available_clocksource"), "kvm-clock");
        assert_eq!(Sample::of(&tree).only_complaint("clock-source").fix, None);
    }
}
