//! The limits of a report, and the judgement.
//!
//! With `m` the maximum wake-up latency of our loop, `c` that of `cyclictest` in the same minutes,
//! `h` the longest time that the hardware took, and the limit `L`, which is a flag of the command:
//!
//! ```text
//! no check of `rtrd check` fails, both loops ran under SCHED_FIFO in locked memory, for 60 s each at least
//! m <= L                                                                                          (1)
//! c <= L                                                                                          (2)
//! m <= max(1.5 c, c + 10 µs)                                                                      (3)
//! h <= L / 2                                                                                      (4)
//! ```
//! (1) is what the simulation needs. (2) says that it is the machine and not luck. (3) is about our
//! loop: a maximum is one event out of 60 000, so that two runs of the very same program differ,
//! and on a good machine half as much again is a few microseconds; hence the second term. (4)
//! leaves the other half of the limit to the kernel; where `hwlatdetect` cannot run, the report
//! says so and (4) is left out.

use serde::{Deserialize, Serialize};

use super::report::{Check, Gate, HardwareLatency, Outcome, WakeUps};
use crate::commands::jitter::figures::Figures;

/// A maximum latency that leaves a loop of 1 kHz nine tenths of its period (µs).
pub const LIMIT_US: u64 = 100;
const RATIO: f64 = 1.5;
const DIFFERENCE_US: u64 = 10;
const SECONDS_MIN: f64 = 60.0;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// L (µs).
    pub latency_max_us: u64,
    /// How much later our loop may be than `cyclictest`.
    pub ratio_max: f64,
    /// A difference that is none (µs).
    pub difference_us: u64,
    /// What the hardware may take (µs).
    pub hardware_max_us: u64,
    /// For how long each loop is measured at least.
    pub seconds_min: f64,
}

impl Limits {
    /// All limits for this largest latency (µs).
    pub fn new(latency_max_us: u64) -> Self {
        Self {
            latency_max_us,
            ratio_max: RATIO,
            difference_us: DIFFERENCE_US,
            hardware_max_us: latency_max_us / 2,
            seconds_min: SECONDS_MIN,
        }
    }
}

/// Holds what was found against the limits. The report passes when no gate is failed.
pub fn judge(limits: &Limits, checks: &[Check], wake_ups: &WakeUps, hardware: &HardwareLatency) -> Vec<Gate> {
    let (ours, peer) = (&wake_ups.ours, wake_ups.cyclictest.as_ref());
    let at_most = format!("at most {} µs", limits.latency_max_us);
    // Eq. (1) and (2)
    let is_in_time = |figures: &Figures| figures.max_us <= limits.latency_max_us as f64;
    let maximum = |figures: &Figures| format!("{} µs", figures.max_us);
    vec![
        settings(checks),
        rights(wake_ups),
        gate(
            "Time measured",
            format!("at least {} s for each loop", limits.seconds_min),
            format!("{} s", wake_ups.seconds),
            wake_ups.seconds >= limits.seconds_min,
        ),
        gate("Our loop, maximum", at_most.clone(), maximum(ours), is_in_time(ours)),
        gate("cyclictest, maximum", at_most, peer.map_or_else(not_installed, maximum), peer.is_some_and(is_in_time)),
        side_by_side(limits, ours, peer),
        hardware_gate(limits, hardware),
    ]
}

fn gate(title: &str, wanted: String, found: String, is_good: bool) -> Gate {
    Gate { title: title.to_owned(), wanted, found, outcome: if is_good { Outcome::Passed } else { Outcome::Failed } }
}

fn settings(checks: &[Check]) -> Gate {
    let count = |verdict: &str| checks.iter().filter(|check| check.verdict == verdict).count();
    let failed: Vec<&str> =
        checks.iter().filter(|check| check.verdict == "failure").map(|check| check.title.as_str()).collect();
    let mut found = format!("{} of {} passed", count("pass"), checks.len());
    for (verdict, word) in [("warning", "warnings"), ("unknown", "unknown")] {
        if count(verdict) > 0 {
            found.push_str(&format!(", {} {word}", count(verdict)));
        }
    }
    if !failed.is_empty() {
        found.push_str(&format!(", failed: {}", failed.join(", ")));
    }
    gate("Settings", "no check fails".to_owned(), found, failed.is_empty())
}

fn rights(wake_ups: &WakeUps) -> Gate {
    let scheduler = match wake_ups.fifo_priority {
        0 => "the ordinary scheduler".to_owned(),
        priority => format!("SCHED_FIFO {priority}"),
    };
    let memory = if wake_ups.memory_locked { "locked memory" } else { "memory not locked" };
    gate(
        "Rights of the loops",
        "SCHED_FIFO and locked memory".to_owned(),
        format!("{scheduler}, {memory}"),
        wake_ups.fifo_priority > 0 && wake_ups.memory_locked,
    )
}

fn not_installed() -> String {
    "cyclictest did not run; it comes with rt-tests".to_owned()
}

fn side_by_side(limits: &Limits, ours: &Figures, peer: Option<&Figures>) -> Gate {
    let Limits { ratio_max, difference_us, .. } = *limits;
    let title = "Our loop beside cyclictest";
    let wanted = format!("maximum within {ratio_max} × cyclictest's, or {difference_us} µs of it");
    let Some(peer) = peer else {
        return gate(title, wanted, not_installed(), false);
    };
    let (ours_us, peer_us) = (ours.max_us, peer.max_us);
    let found = if peer_us > 0.0 {
        format!("{ours_us} µs and {peer_us} µs: {:.2} ×", ours_us / peer_us)
    } else {
        format!("{ours_us} µs and {peer_us} µs")
    };
    // Eq. (3)
    let most_us = (ratio_max * peer_us).max(peer_us + difference_us as f64);
    gate(title, wanted, found, ours_us <= most_us)
}

fn hardware_gate(limits: &Limits, hardware: &HardwareLatency) -> Gate {
    let title = "Hardware latency";
    let wanted = format!("at most {} µs", limits.hardware_max_us);
    match hardware {
        HardwareLatency::NotMeasured { why } => {
            Gate { outcome: Outcome::NotMeasured, ..gate(title, wanted, format!("not measured: {why}"), true) }
        }
        HardwareLatency::Measured { max_us: None, threshold_us, .. } => {
            gate(title, wanted, format!("below {threshold_us} µs"), true)
        }
        HardwareLatency::Measured { max_us: Some(max_us), .. } => {
            gate(title, wanted, format!("{max_us} µs"), *max_us <= limits.hardware_max_us)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readiness::report::Content;
    use crate::readiness::sample;

    /// Breaks one thing in a report that passes.
    type Spoil = fn(&mut Content);

    fn set_peer(content: &mut Content, max_us: f64) {
        content.wake_ups.cyclictest.as_mut().expect("the sample has one").max_us = max_us;
    }

    fn failed(content: &Content) -> Vec<String> {
        let gates = judge(&content.limits, &content.checks, &content.wake_ups, &content.hardware_latency);
        let failed = gates.into_iter().filter(|gate| gate.outcome == Outcome::Failed);
        failed.map(|gate| gate.title).collect()
    }

    #[test]
    fn each_fault_fails_its_own_gate() {
        assert_eq!(failed(&sample::content()), Vec::<String>::new());
        let faults: [(&str, Spoil); 8] = [
            ("Settings", |content| content.checks[0].verdict = "failure".to_owned()),
            ("Rights of the loops", |content| content.wake_ups.fifo_priority = 0),
            ("Rights of the loops", |content| content.wake_ups.memory_locked = false),
            ("Time measured", |content| content.wake_ups.seconds = 59.0),
            ("Our loop beside cyclictest", |content| content.wake_ups.ours.max_us = 60.5),
            ("Hardware latency", |content| {
                content.hardware_latency =
                    HardwareLatency::Measured { seconds: 60, threshold_us: 10, max_us: Some(51), above_threshold: 1 }
            }),
            ("Our loop, maximum", |content| {
                content.wake_ups.ours.max_us = 101.0;
                set_peer(content, 100.0);
            }),
            ("cyclictest, maximum", |content| {
                set_peer(content, 101.0);
            }),
        ];
        for (title, spoil) in faults {
            let mut content = sample::content();
            spoil(&mut content);
            assert_eq!(failed(&content), [title]);
        }
    }

    #[test]
    fn without_cyclictest_nothing_is_proved() {
        let mut content = sample::content();
        content.wake_ups.cyclictest = None;
        assert_eq!(failed(&content), ["cyclictest, maximum", "Our loop beside cyclictest"]);
    }

    #[test]
    fn a_few_microseconds_are_no_difference() {
        let mut content = sample::content();
        content.wake_ups.ours.max_us = 14.0;
        set_peer(&mut content, 4.0);
        assert_eq!(failed(&content), Vec::<String>::new());
        content.wake_ups.ours.max_us = 15.0;
        assert_eq!(failed(&content), ["Our loop beside cyclictest"]);
    }

    #[test]
    fn what_the_hardware_does_may_be_unknown_and_is_then_said_so() {
        let mut content = sample::content();
        content.hardware_latency = HardwareLatency::NotMeasured { why: "needs root".to_owned() };
        let gates = judge(&content.limits, &content.checks, &content.wake_ups, &content.hardware_latency);
        let last = gates.last().unwrap();
        assert_eq!((last.outcome, last.found.as_str()), (Outcome::NotMeasured, "not measured: needs root"));
    }
}
