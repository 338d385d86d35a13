//! The doctor on the machine that the tests run on: whatever it finds, it must be able to say it.

use std::path::Path;

use rt::cpu_plan::{ProcessWish, Topology};
use rt::doctor::{Finding, Limits, Verdict, Workload, examine, render_text, summarise};
use rt::machine::{Machine, allowed_cpus};

fn findings() -> Vec<Finding> {
    let machine = Machine::read(Path::new("/")).unwrap();
    let allowed = allowed_cpus(&machine.processors.isolated).unwrap();
    let wishes = [
        ProcessWish::new("daq", 85),
        ProcessWish::new("dynamics", 80),
        ProcessWish::new("subsystem", 80).in_lock_step_with("dynamics"),
    ];
    let workload = Workload::new(&Topology::of(&machine, &allowed), &wishes);
    examine(&machine, &Limits::read().unwrap(), &workload)
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
