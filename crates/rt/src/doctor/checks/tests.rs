//! What holds for all checks together.

use std::collections::BTreeSet;
use std::process::Command;

use super::super::{Finding, Limit, Limits, Verdict, examine, summarise};
use super::sample::Sample;
use crate::machine::sample::SampleTree;

/// A machine on which everything that can go wrong at once does.
fn sick() -> Vec<Finding> {
    let mut tree = SampleTree::healthy()
        .with("proc/sys/kernel/osrelease", "6.1.0-21-amd64")
        .with("sys/kernel/realtime", "0")
        .with("proc/cpuinfo", "flags : fpu hypervisor")
        .with("proc/cmdline", "quiet")
        .with("proc/swaps", "Filename Type Size Used Priority\n/dev/sda2 partition 1000 10 -2\n")
        .with("proc/78/comm", "irqbalance")
        .with("proc/irq/24/effective_affinity_list", "2")
        .with("proc/sys/kernel/sched_rt_runtime_us", "950000")
        .with("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never")
        .with("sys/devices/system/cpu/isolated", "")
        .with("sys/devices/system/cpu/nohz_full", "(null)")
        .with("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet")
        .with_rt_group("/user", 950_000, 0)
        .without("dev/cpu_dma_latency")
        .without("dev/shm")
        .without("usr/bin/cyclictest");
    for cpu in 0..4 {
        let folder = format!("sys/devices/system/cpu/cpu{cpu}");
        tree = tree
            .with_cpu(cpu, "0-3")
            .with(&format!("{folder}/cpufreq/scaling_governor"), "powersave")
            .with(&format!("{folder}/cpuidle/state1/disable"), "0")
            .with(&format!("sys/kernel/debug/sched/fair_server/cpu{cpu}/runtime"), "50000000");
    }
    let mut sample = Sample::of(&tree);
    let zero = Limit { soft: Some(0), hard: Some(0) };
    sample.limits = Limits { rtprio: zero, memlock: zero, fifo_priority_granted: 0, ..sample.limits };
    examine(&sample.machine, &sample.limits, &sample.workload)
}

#[test]
fn a_healthy_machine_passes_every_check() {
    let sample = Sample::healthy();
    let findings = examine(&sample.machine, &sample.limits, &sample.workload);
    for finding in &findings {
        assert_eq!(finding.verdict, Verdict::Pass, "{finding:?}");
    }
    assert_eq!(summarise(&findings).pass, super::ALL.len());
}

#[test]
fn a_sick_machine_passes_none_but_the_plan() {
    let passing: Vec<&str> =
        sick().iter().filter(|finding| finding.verdict == Verdict::Pass).map(|finding| finding.id).collect();
    assert_eq!(passing, ["cpu-plan"]);
}

#[test]
fn every_finding_has_its_own_name_and_says_something() {
    let findings = sick();
    let names: BTreeSet<&str> = findings.iter().map(|finding| finding.id).collect();
    assert_eq!(names.len(), findings.len());
    for finding in findings {
        assert!(finding.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{}", finding.id);
        assert!(!finding.title.is_empty() && !finding.found.is_empty() && !finding.expected.is_empty());
        assert!(finding.why.ends_with('.'), "{}", finding.why);
    }
}

#[test]
fn every_fix_is_valid_shell() {
    let fixes: Vec<String> = sick().into_iter().filter_map(|finding| finding.fix).collect();
    assert!(fixes.len() >= 18, "{fixes:#?}");
    for fix in fixes {
        let checked = Command::new("bash").args(["-n", "-c", &fix]).status().unwrap();
        assert!(checked.success(), "{fix}");
    }
}

#[test]
fn findings_of_one_area_stand_together() {
    let mut areas: Vec<&str> = sick().iter().map(|finding| finding.area.heading()).collect();
    areas.dedup();
    let different: BTreeSet<&str> = areas.iter().copied().collect();
    assert_eq!(areas.len(), different.len(), "{areas:?}");
}

#[test]
fn findings_are_written_as_json() {
    let json = serde_json::to_value(sick()).unwrap();
    let first = &json[0];
    assert_eq!(first["id"], "real-time-kernel");
    assert_eq!(first["verdict"], "failure");
    assert_eq!(first["area"], "kernel");
    assert!(first["fix"].is_string() && first["why"].is_string());
}
