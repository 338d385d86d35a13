//! What must hold at the end, and whether it does.

use rt::histogram::Histogram;
use serde::Serialize;

use super::injector::{position, victim_of};
use super::plan::{Event, Fault, VICTIMS};
use super::watch::Look;
use crate::commands::jitter::latencies::Latencies;
use crate::view::PROCESSES;

/// A process that reports at least so often lives (ms).
const ALIVE_MS: f64 = 1_500.0;
/// After the end of a fault everything has to be well again within this time (s).
pub const RECOVERED_WITHIN_S: f64 = 15.0;
/// A process has settled after so long (s): what it needs it has.
const SETTLED_S: f64 = 5.0;
/// The supervisor's flight recorder fills its window first (s), and then moves within this much (KiB).
const SUPERVISOR_SETTLED_S: f64 = 60.0;
const SUPERVISOR_GROWTH_KIB: u64 = 32 * 1024;
/// Our p99.9 against cyclictest's.
pub const LATENCY_RATIO: f64 = 1.5;

/// One thing that must hold.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    pub what: String,
    pub found: String,
    pub holds: bool,
}

/// A fault and how it was recovered from.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    pub at_s: f64,
    pub fault: String,
    /// Time from its end until everything was well (s); `None` if that was not seen.
    pub recovered_s: Option<f64>,
}

/// Whether every process lives and the simulation went on since the look before.
fn is_well(before: &Look, now: &Look) -> bool {
    let dynamics = PROCESSES.len() - 1;
    now.processes
        .iter()
        .all(|seen| seen.memory_kib > 0 && seen.silent_ms < ALIVE_MS)
        && now.processes[dynamics].step > before.processes[dynamics].step
}

/// When everything was well again after each fault.
pub fn outcomes(events: &[Event], looks: &[Look]) -> Vec<Outcome> {
    let outcome = |event: &Event| {
        let end_s = event.at_s + event.fault.seconds();
        let well = looks
            .windows(2)
            .find(|pair| pair[0].at_s >= end_s && is_well(&pair[0], &pair[1]));
        Outcome {
            at_s: event.at_s,
            fault: event.fault.to_string(),
            recovered_s: well.map(|pair| pair[1].at_s - end_s),
        }
    };
    events.iter().map(outcome).collect()
}

/// Whether a process was held back, or what it gets was spoiled, between two times: then its figures are not its own.
pub fn is_excused(process: usize, events: &[Event], from_s: f64, to_s: f64) -> bool {
    events.iter().any(|event| {
        let ends_s = event.at_s + event.fault.seconds() + SETTLED_S;
        let hit = match event.fault {
            Fault::CorruptStream { .. } => process == position(VICTIMS[0]),
            // The machine itself is taken away from everybody.
            Fault::UnplugCpu { .. } => true,
            _ => victim_of(&event.fault).is_some_and(|victim| position(victim) == process),
        };
        hit && event.at_s <= to_s && ends_s >= from_s
    })
}

/// Largest growth of a process's memory from when it had settled to its end, over all lives of all processes (KiB).
pub fn growth_kib(looks: &[Look]) -> [u64; PROCESSES.len()] {
    std::array::from_fn(|index| {
        let (mut pid, mut since_s, mut settled, mut largest) = (0, 0.0, None, 0);
        for look in looks {
            let seen = look.processes[index];
            if seen.pid != pid {
                (pid, since_s, settled) = (seen.pid, look.at_s, None);
            }
            if seen.memory_kib == 0 || look.at_s - since_s < SETTLED_S {
                continue;
            }
            let settled = *settled.get_or_insert(seen.memory_kib);
            largest = largest.max(seen.memory_kib.saturating_sub(settled));
        }
        largest
    })
}

fn supervisor_growth_kib(looks: &[Look]) -> u64 {
    let settled: Vec<u64> = looks
        .iter()
        .filter(|look| look.at_s >= SUPERVISOR_SETTLED_S && look.supervisor_kib > 0)
        .map(|look| look.supervisor_kib)
        .collect();
    match (settled.first(), settled.last()) {
        (Some(first), Some(last)) => last.saturating_sub(*first),
        _ => 0,
    }
}

/// Stream blocks that went missing while nobody meddled with the stream or its reader.
pub fn stream_lost(events: &[Event], looks: &[Look]) -> u64 {
    let steps = looks.windows(2).filter(|pair| {
        pair[0].processes[0].pid == pair[1].processes[0].pid
            && !is_excused(0, events, pair[0].at_s, pair[1].at_s)
    });
    steps
        .map(|pair| pair[1].stream_lost.saturating_sub(pair[0].stream_lost))
        .sum()
}

/// All wake-up latencies of one process.
pub fn latencies(looks: &[Look], process: usize) -> Histogram {
    looks.iter().fold(Histogram::new(), |mut all, look| {
        all.merge(&look.latencies[process]);
        all
    })
}

/// What was found in a whole run.
pub struct Findings<'a> {
    pub events: &'a [Event],
    pub looks: &'a [Look],
    pub outcomes: &'a [Outcome],
    pub went_back: &'a [String],
    pub peer: Option<&'a Latencies>,
    /// What was still there after the end.
    pub left_behind: &'a [String],
}

/// Everything that must hold.
pub fn judge(findings: &Findings<'_>) -> Vec<Verdict> {
    let Findings { events, looks, .. } = findings;
    let verdict = |what: &str, found: String, holds: bool| Verdict {
        what: what.to_owned(),
        found,
        holds,
    };
    let steps = looks
        .last()
        .map_or(0, |look| look.processes[PROCESSES.len() - 1].step);
    let unrecovered: Vec<&str> = findings
        .outcomes
        .iter()
        .filter(|outcome| {
            outcome
                .recovered_s
                .is_none_or(|seconds| seconds > RECOVERED_WITHIN_S)
        })
        .map(|outcome| outcome.fault.as_str())
        .collect();
    let slowest = findings
        .outcomes
        .iter()
        .filter_map(|outcome| outcome.recovered_s)
        .fold(0.0, f64::max);
    let growth = growth_kib(looks);
    let supervisor = supervisor_growth_kib(looks);
    let lost = stream_lost(events, looks);
    let mut verdicts = vec![
        verdict("the simulation ran", format!("{steps} steps"), steps > 0),
        verdict(
            "every fault is recovered from",
            if unrecovered.is_empty() {
                format!(
                    "{} faults, the slowest recovery took {slowest:.1} s",
                    events.len()
                )
            } else {
                format!("not after: {}", unrecovered.join(", "))
            },
            unrecovered.is_empty(),
        ),
        verdict(
            "no block is lost, nothing goes back",
            match findings.went_back.first() {
                None => format!("{lost} stream blocks lost, no shared block went back"),
                Some(first) => format!("{} times; first: {first}", findings.went_back.len()),
            },
            lost == 0 && findings.went_back.is_empty(),
        ),
        verdict(
            "memory does not grow",
            format!(
                "{} KiB (daq, subsystem, dynamics); supervisor with its window {supervisor} KiB",
                growth.map(|kib| kib.to_string()).join(", ")
            ),
            growth.iter().all(|kib| *kib == 0) && supervisor <= SUPERVISOR_GROWTH_KIB,
        ),
        verdict(
            "nothing is left behind",
            if findings.left_behind.is_empty() {
                "no process, no region".to_owned()
            } else {
                findings.left_behind.join(", ")
            },
            findings.left_behind.is_empty(),
        ),
    ];
    if let Some(peer) = findings.peer {
        let ours_us = latencies(looks, PROCESSES.len() - 1).percentile_ns(99.9) as f64 * 1e-3;
        let peer_us = peer.percentile_us(0.999);
        let ratio = ours_us / peer_us;
        verdicts.push(verdict(
            &format!("wake-up latency, p99.9: at most {LATENCY_RATIO} × cyclictest's in the same run"),
            format!("{ours_us:.0} µs against {peer_us:.0} µs: {ratio:.2} ×"),
            ratio <= LATENCY_RATIO,
        ));
    }
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soak::plan::Victim;
    use crate::soak::watch::Seen;

    fn look(at_s: f64, step: u64, pid: u64, memory_kib: u64) -> Look {
        let seen = Seen {
            pid,
            step,
            memory_kib,
            ..Seen::default()
        };
        Look {
            at_s,
            processes: [seen; PROCESSES.len()],
            restarts: 0,
            supervisor_kib: 9_000,
            stream_lost: 0,
            stream_blocks: 0,
            latencies: [const { Histogram::new() }; PROCESSES.len()],
        }
    }

    fn event(at_s: f64, fault: Fault) -> Event {
        Event { at_s, fault }
    }

    #[test]
    fn recovery_is_a_step_forward_after_the_fault() {
        let victim = Victim::Dynamics;
        let events = [event(2.5, Fault::Kill { victim })];
        let mut looks: Vec<Look> = (0..8).map(|second| look(f64::from(second), 10, 5, 100)).collect();
        assert_eq!(outcomes(&events, &looks)[0].recovered_s, None);
        looks[6].processes[2].step = 11;
        assert_eq!(outcomes(&events, &looks)[0].recovered_s, Some(3.5));
        // A step forward while another process is gone is no recovery.
        looks[6].processes[0].memory_kib = 0;
        assert_eq!(outcomes(&events, &looks)[0].recovered_s, None);
    }

    #[test]
    fn growth_is_counted_within_a_life_after_settling() {
        let looks = [
            look(0.0, 1, 5, 100),
            look(4.0, 2, 5, 500),
            look(6.0, 3, 5, 600),
            look(9.0, 4, 5, 600),
            look(10.0, 5, 6, 50),
            look(16.0, 6, 6, 700),
            look(20.0, 7, 6, 704),
        ];
        assert_eq!(growth_kib(&looks), [4; 3]);
        assert_eq!(growth_kib(&looks[..4]), [0; 3]);
    }

    #[test]
    fn only_the_process_that_was_held_back_is_excused() {
        let victim = Victim::Subsystem;
        let events = [event(10.0, Fault::Stop { victim, seconds: 2.0 })];
        assert!(is_excused(1, &events, 11.0, 12.0));
        assert!(is_excused(1, &events, 9.5, 10.5));
        assert!(!is_excused(2, &events, 11.0, 12.0));
        assert!(!is_excused(1, &events, 8.0, 9.0));
        assert!(!is_excused(1, &events, 18.0, 19.0));
    }

    #[test]
    fn each_verdict_can_fail() {
        let victim = Victim::Daq;
        let events = [event(1.0, Fault::Kill { victim })];
        let mut looks: Vec<Look> = (0..12)
            .map(|second| look(f64::from(second), 10, 5, 100))
            .collect();
        let found = |looks: &[Look], went_back: &[String], left: &[String], peer: &Latencies| {
            let outcomes = outcomes(&events, looks);
            let verdicts = judge(&Findings {
                events: &events,
                looks,
                outcomes: &outcomes,
                went_back,
                peer: Some(peer),
                left_behind: left,
            });
            verdicts.iter().map(|verdict| verdict.holds).collect::<Vec<_>>()
        };
        let peer = Latencies::new([(10, 1_000)], 0, 10);
        assert_eq!(
            found(&looks, &[], &[], &peer),
            [true, false, true, true, true, true]
        );
        for (index, look) in looks.iter_mut().enumerate() {
            look.processes[2].step += index as u64;
        }
        assert_eq!(found(&looks, &[], &[], &peer), [true; 6]);
        looks[11].processes[1].memory_kib += 4;
        looks[10].stream_lost = 1;
        looks[11].stream_lost = 1;
        for _ in 0..100 {
            looks[3].latencies[2].record(40_000);
        }
        let all = found(&looks, &[], &["a region".to_owned()], &peer);
        assert_eq!(all, [true, true, false, false, false, false]);
        let back = found(&looks[..9], &["x".to_owned()], &[], &peer);
        assert!(!back[2]);
    }
}
