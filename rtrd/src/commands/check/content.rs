//! From what was found and measured to the content of a report.

use std::path::Path;

use rt::doctor::{Finding, Verdict};

use super::Examination;
use crate::commands::jitter::figures::{Figures, all_ours, all_peers};
use crate::commands::jitter::session::Measured;
use crate::commands::report::date;
use crate::readiness::{
    Check, Content, Hardware, HardwareLatency, Identity, KernelFacts, Limits, Outcome, WakeUps, judge,
};
use rt::cyclictest::Setup;

const VIRTUAL: &str = "Virtual machine: its host may stop its CPUs at any time, and in an emulator even time is made up. \
                       The times here are no evidence of hardware latency.";
const IDLE: &str = "The machine was nearly idle. A report for a machine that will be busy is made while it is busy.";
/// Load per CPU below which a machine counts as idle.
const IDLE_LOAD: f64 = 0.5;

/// What the user asked for, and what was in the way.
pub struct Asked {
    /// Largest latency with which the report passes.
    pub limit_us: u64,
    /// Who answers for it.
    pub sign_off: Option<String>,
    /// Instances that ran meanwhile.
    pub running: Vec<String>,
}

/// The figures of what was measured.
pub fn wake_ups(measured: &Measured, setup: &Setup, load_average: [f64; 2], missing: Vec<String>) -> WakeUps {
    let figures = |latencies| Figures::of(latencies, setup.period_us);
    let rounds = measured.rounds.len() as u64;
    WakeUps {
        period_us: setup.period_us,
        fifo_priority: setup.priority,
        cpu: setup.cpu,
        memory_locked: setup.lock_memory,
        seconds: (rounds * measured.wakeups * setup.period_us) as f64 * 1e-6,
        rounds,
        ours: figures(&all_ours(measured)),
        cyclictest: all_peers(measured).as_ref().map(figures),
        load_average,
        missing,
    }
}

/// Everything together, judged.
pub fn content(
    asked: Asked,
    examination: &Examination,
    wake_ups: WakeUps,
    hardware_latency: HardwareLatency,
) -> Content {
    let (machine, root) = (&examination.machine, Path::new("/"));
    let checks: Vec<Check> = examination.findings.iter().map(check_of).collect();
    let limits = Limits::new(asked.limit_us);
    let gates = judge(&limits, &checks, &wake_ups, &hardware_latency);
    let plan = match &examination.workload.plan {
        Ok(plan) => plan.to_string(),
        Err(error) => error.to_string(),
    };
    let text = |path: &str| std::fs::read_to_string(path).unwrap_or_default().trim().to_owned();
    let is_idle = wake_ups.load_average[1] < IDLE_LOAD * machine.processors.online.len() as f64;
    let caveats = [(machine.kernel.virtual_machine, VIRTUAL), (is_idle, IDLE)];
    let caveats = caveats.into_iter().filter(|(holds, _)| *holds);
    let disturbed =
        asked.running.iter().map(|name| format!("Instance {name:?} was running and disturbed the measurement."));
    Content {
        made: date::now(),
        made_by: format!("rtrd {}", env!("CARGO_PKG_VERSION")),
        host: text("/proc/sys/kernel/hostname"),
        signed_off_by: asked.sign_off,
        identity: Identity::of(machine, root),
        hardware: Hardware::of(machine, root),
        kernel: KernelFacts {
            version: text("/proc/version"),
            realtime: machine.kernel.realtime,
            virtual_machine: machine.kernel.virtual_machine,
        },
        instance: examination.config.instance.name.clone(),
        cpu_plan: plan,
        passes: gates.iter().all(|gate| gate.outcome != Outcome::Failed),
        checks,
        wake_ups,
        hardware_latency,
        limits,
        gates,
        caveats: caveats.map(|(_, caveat)| caveat.to_owned()).chain(disturbed).collect(),
    }
}

fn check_of(finding: &Finding) -> Check {
    let verdict = match finding.verdict {
        Verdict::Pass => "pass",
        Verdict::Unknown => "unknown",
        Verdict::Warning => "warning",
        Verdict::Failure => "failure",
    };
    Check {
        id: finding.id.to_owned(),
        title: finding.title.to_owned(),
        verdict: verdict.to_owned(),
        found: finding.found.clone(),
        expected: finding.expected.clone(),
        fix: finding.fix.clone(),
    }
}

/// Of the last minute; 0 where it is not known.
pub fn load_average() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0.0)
}
