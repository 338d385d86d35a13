//! Each fault against its gate.

use super::*;
use crate::readiness::report::Content;
use crate::readiness::sample;

/// Breaks one thing in a report that passes.
type Spoil = fn(&mut Content);

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
            content.wake_ups.cyclictest = content.wake_ups.cyclictest.map(|mut peer| {
                peer.max_us = 100.0;
                peer
            });
        }),
        ("cyclictest, maximum", |content| {
            content.wake_ups.cyclictest = content.wake_ups.cyclictest.map(|mut peer| {
                peer.max_us = 101.0;
                peer
            });
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
    content.wake_ups.cyclictest = content.wake_ups.cyclictest.map(|mut peer| {
        peer.max_us = 4.0;
        peer
    });
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
