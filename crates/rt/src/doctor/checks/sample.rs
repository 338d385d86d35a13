//! A machine on which every check passes, for tests to spoil.

use super::super::{Finding, Limit, Limits, Verdict, Workload, examine};
use crate::cpu_plan::{ProcessWish, Topology};
use crate::machine::Machine;
use crate::machine::sample::SampleTree;

/// A machine with the rights and the workload to examine it for.
pub(super) struct Sample {
    pub(super) machine: Machine,
    pub(super) limits: Limits,
    pub(super) workload: Workload,
}

impl Sample {
    /// The three processes on the machine of this tree, with every right.
    pub(super) fn of(tree: &SampleTree) -> Self {
        let machine = Machine::read(tree.root()).expect("a machine");
        let topology = Topology::of(&machine, &machine.processors.online);
        Self { workload: Workload::new(&topology, &wishes()), limits: every_right(), machine }
    }

    /// The machine on which every check passes.
    pub(super) fn healthy() -> Self {
        Self::of(&SampleTree::healthy())
    }

    /// What one check says.
    pub(super) fn finding(&self, id: &str) -> Finding {
        let findings = examine(&self.machine, &self.limits, &self.workload);
        findings.into_iter().find(|finding| finding.id == id).expect("a check of this name")
    }

    /// Asserts that this check alone does not pass, and what it says.
    #[track_caller]
    pub(super) fn assert_only(&self, expected: Expected) {
        let findings = examine(&self.machine, &self.limits, &self.workload);
        let complaints = findings.iter().filter(|finding| finding.verdict != Verdict::Pass);
        assert_eq!(complaints.map(|finding| finding.id).collect::<Vec<_>>(), [expected.0]);
        self.assert(expected);
    }

    /// Asserts what a check says.
    #[track_caller]
    pub(super) fn assert(&self, (id, verdict, found, fix): Expected) {
        let finding = self.finding(id);
        assert_eq!(finding.verdict, verdict, "{finding:?}");
        assert!(finding.found.contains(found), "{finding:?}");
        let command = finding.fix.as_deref().unwrap_or_default();
        assert!(command.contains(fix) && command.is_empty() == fix.is_empty(), "{finding:?}");
    }
}

/// The name of a check, its verdict, and parts of what it found and of the command that it offers;
/// without the latter it must offer none.
pub(super) type Expected = (&'static str, Verdict, &'static str, &'static str);

pub(super) fn wishes() -> Vec<ProcessWish> {
    vec![
        ProcessWish::new("daq", 85),
        ProcessWish::new("dynamics", 80),
        ProcessWish::new("subsystem", 80).in_lock_step_with("dynamics"),
    ]
}

fn every_right() -> Limits {
    Limits {
        rtprio: Limit { soft: Some(95), hard: Some(95) },
        memlock: Limit { soft: None, hard: None },
        cap_sys_nice: false,
        cap_ipc_lock: false,
        fifo_priority_granted: 95,
        is_root: false,
    }
}
