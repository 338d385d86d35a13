//! The facts of the machine that the tests run on, whatever it is, and what the doctor says of
//! them: whatever it finds, it must be able to say it.

use std::path::Path;

use rt::cpu_plan::{CpuPlan, ProcessWish, Topology};
use rt::doctor::{Finding, Limits, Verdict, Workload, examine, render_text, summarise};
use rt::machine::{CpuList, Machine, allowed_cpus};

fn machine() -> Machine {
    Machine::read(Path::new("/")).expect("a Linux machine with /proc and /sys")
}

/// The machine for this process.
fn topology(machine: &Machine) -> Topology {
    Topology::of(machine, &allowed_cpus(&machine.processors.isolated).unwrap())
}

fn findings() -> Vec<Finding> {
    let wishes = [
        ProcessWish::new("daq", 85),
        ProcessWish::new("dynamics", 80),
        ProcessWish::new("subsystem", 80).in_lock_step_with("dynamics"),
    ];
    let machine = machine();
    examine(&machine, &Limits::read().unwrap(), &Workload::new(&topology(&machine), &wishes))
}

#[test]
fn this_machine_has_a_kernel_and_cpus() {
    let machine = machine();
    assert!(machine.kernel.version.is_some_and(|(major, _)| major >= 4), "{}", machine.kernel.release);
    let processors = &machine.processors;
    let numbers: Vec<usize> = processors.cpus.iter().map(|cpu| cpu.number).collect();
    assert_eq!(numbers, processors.online.iter().collect::<Vec<_>>());
    assert!(processors.cpus.iter().all(|cpu| cpu.siblings.contains(cpu.number)));
    assert!(machine.memory.total_bytes > machine.memory.available_bytes);
}

#[test]
fn the_online_cpus_are_those_that_the_kernel_counts() {
    let counted = std::fs::read_to_string("/proc/stat").unwrap();
    let is_cpu = |line: &&str| line.starts_with("cpu") && !line.starts_with("cpu ");
    assert_eq!(machine().processors.online.len(), counted.lines().filter(is_cpu).count());
}

#[test]
fn a_process_can_be_pinned_to_every_cpu_that_a_plan_gives_out() {
    let machine = machine();
    let wishes = ["daq", "dynamics", "subsystem"].map(|name| ProcessWish::new(name, 80));
    let plan = CpuPlan::make(&topology(&machine), &wishes).unwrap();
    for cpu in plan.cpus().iter() {
        let step_aside = move || rt::startup::step_aside(&CpuList::from_iter([cpu]));
        assert_eq!(std::thread::spawn(step_aside).join().unwrap(), Ok(()), "CPU {cpu} of\n{plan}");
    }
}

#[test]
fn every_finding_is_shown_and_counted() {
    let findings = findings();
    let text = render_text(&findings, false, 100);
    println!("{text}");
    for finding in &findings {
        assert!(text.contains(finding.title), "{}", finding.title);
        let explained = text.contains(&finding.why[..20]);
        assert_eq!(explained, finding.verdict != Verdict::Pass, "{}", finding.title);
    }
    let summary = summarise(&findings);
    assert_eq!(summary.pass + summary.warning + summary.failure + summary.unknown, findings.len());
    assert!(text.contains(&summary.to_string()) && text.contains(summary.meaning()));
}

#[test]
fn the_real_time_kernel_is_recognised_as_the_kernel_itself_says() {
    let says = std::fs::read_to_string("/proc/version").unwrap();
    let is_real_time = says.contains("PREEMPT_RT") || says.contains("PREEMPT RT");
    let findings = findings();
    let kernel = findings.iter().find(|finding| finding.id == "real-time-kernel").unwrap();
    assert_eq!(kernel.verdict == Verdict::Pass, is_real_time, "{says}");
}

#[test]
fn findings_are_a_json_array_with_all_fields() {
    let json = serde_json::to_value(findings()).unwrap();
    let array = json.as_array().unwrap();
    assert!(array.len() >= 20);
    for finding in array {
        for field in ["id", "area", "title", "verdict", "found", "expected", "why", "fix"] {
            assert!(finding.get(field).is_some(), "{field} of {finding}");
        }
    }
}
