//! What a report holds.

use serde::{Deserialize, Serialize};

use super::identity::{Hardware, Identity};
use super::limits::Limits;
use crate::commands::jitter::figures::Figures;

/// A report as it stands in its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    pub format: u32,
    /// Over `content`; see [`super::store`].
    pub checksum: String,
    pub content: Content,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Content {
    /// `2026-11-16 07:30 UTC`
    pub made: String,
    /// The program that made it, with its version.
    pub made_by: String,
    pub host: String,
    /// Who answers for it.
    pub signed_off_by: Option<String>,
    /// The machine as far as the report holds for no other.
    pub identity: Identity,
    pub hardware: Hardware,
    pub kernel: KernelFacts,
    pub instance: String,
    /// Which process runs on which CPU, as a table; or why there is no plan.
    pub cpu_plan: String,
    /// All checks of `rtrd check`.
    pub checks: Vec<Check>,
    pub wake_ups: WakeUps,
    pub hardware_latency: HardwareLatency,
    pub limits: Limits,
    /// What was wanted, what was found, and whether that is good enough.
    pub gates: Vec<Gate>,
    /// No gate is failed.
    pub passes: bool,
    /// What the reader must know before trusting a number.
    pub caveats: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelFacts {
    /// `/proc/version`
    pub version: String,
    /// It is a `PREEMPT_RT` kernel.
    pub realtime: bool,
    /// A hypervisor is beneath it.
    pub virtual_machine: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    pub id: String,
    pub title: String,
    /// `pass`, `unknown`, `warning` or `failure`.
    pub verdict: String,
    pub found: String,
    pub expected: String,
    pub fix: Option<String>,
}

/// How late loops woke up, ours and `cyclictest`'s in turn under the same conditions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WakeUps {
    pub period_us: u64,
    /// 0 for the ordinary scheduler.
    pub fifo_priority: u8,
    pub cpu: usize,
    pub memory_locked: bool,
    /// For how long each of the two was measured.
    pub seconds: f64,
    /// In how many rounds of each.
    pub rounds: u64,
    pub ours: Figures,
    pub cyclictest: Option<Figures>,
    /// Load average of the last minute (processes) before and after.
    pub load_average: [f64; 2],
    /// What the two had to do without.
    pub missing: Vec<String>,
}

/// What the hardware takes from the CPUs behind the kernel's back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum HardwareLatency {
    /// What `hwlatdetect` found.
    Measured {
        seconds: u64,
        /// Times below are not reported.
        threshold_us: u64,
        /// The longest; `None` when all were below the threshold.
        max_us: Option<u64>,
        /// Times above the threshold.
        above_threshold: u64,
    },
    /// It could not run, and why.
    NotMeasured { why: String },
}

/// How a gate came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Passed,
    Failed,
    /// It could not be measured, and the report passes without it.
    NotMeasured,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gate {
    pub title: String,
    pub wanted: String,
    pub found: String,
    pub outcome: Outcome,
}

impl Content {
    pub fn first_failure(&self) -> Option<String> {
        let failed = self.gates.iter().find(|gate| gate.outcome == Outcome::Failed)?;
        Some(format!("{}: {} (wanted: {})", failed.title, failed.found, failed.wanted))
    }
}
