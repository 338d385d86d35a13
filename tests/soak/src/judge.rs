//! What must hold at the end, and whether it does.

use rt::histogram::Histogram;
use serde::Serialize;

use crate::course::Course;
use crate::growth::{self, SUPERVISOR_RISE_KIB};
use crate::pace::Pace;
use crate::peer::Comparison;
use crate::plan::{Plan, quiet_after_s};
use crate::recovery::{Incident, Outcome, is_excused};
use crate::watch::Look;

/// Our p99.9 against cyclictest's.
pub const LATENCY_RATIO: f64 = 1.5;
/// Time between the end of the plan and the last look that is still a whole run (s).
const LAST_LOOK_S: f64 = 5.0;

/// One thing that must hold.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    pub what: String,
    pub found: String,
    pub holds: bool,
}

/// What was found in a whole run.
pub struct Findings<'a> {
    pub plan: &'a Plan,
    pub course: &'a Course,
    pub outcomes: &'a [Outcome],
    pub went_back: &'a [String],
    /// What stressed the machine to the end; otherwise why not.
    pub load: Result<String, String>,
    pub peer: &'a Result<Comparison, String>,
    /// What was still there after the end.
    pub left_behind: &'a [String],
}

/// Everything that must hold.
pub fn judge(findings: &Findings<'_>) -> Vec<Verdict> {
    let pace = Pace::of(&findings.course.looks, &findings.course.incidents, findings.peer.as_ref().ok());
    vec![
        ran_to_its_end(findings),
        verdict("the load lasts", split(findings.load.clone())),
        verdict("the simulation keeps up", (pace.words(), pace.holds())),
        recovered(findings.outcomes),
        nothing_lost(findings),
        memory_stays(findings),
        nothing_left(findings.left_behind),
        latency(findings.peer),
    ]
}

fn verdict(what: &str, (found, holds): (String, bool)) -> Verdict {
    let what = what.to_owned();
    Verdict { what, found, holds }
}

fn split(found: Result<String, String>) -> (String, bool) {
    match found {
        Ok(found) => (found, true),
        Err(found) => (found, false),
    }
}

fn ran_to_its_end(findings: &Findings<'_>) -> Verdict {
    let course = findings.course;
    let times = format!("{:.0} of {:.0} s", course.ended_s, findings.plan.seconds);
    let seen_s = course.looks.last().map_or(0.0, |look| look.at_s);
    let whole = findings.plan.seconds - seen_s <= LAST_LOOK_S;
    let found = match &course.early {
        Some(why) => format!("{times}: {why}"),
        None if whole => times,
        None => format!("{times}, but nothing was seen after {seen_s:.0} s"),
    };
    verdict("the run comes to its end", (found, course.early.is_none() && whole))
}

fn recovered(outcomes: &[Outcome]) -> Verdict {
    let bad: Vec<String> = outcomes
        .iter()
        .filter(|outcome| outcome.is_bad())
        .map(|outcome| format!("{:.0} s: {}", outcome.at_s, outcome.fault))
        .collect();
    let left_out = outcomes.iter().filter(|outcome| outcome.left_out.is_some()).count();
    let slowest = outcomes.iter().filter_map(|outcome| outcome.recovered_s).fold(0.0, f64::max);
    let found = if bad.is_empty() {
        format!(
            "{} faults, the slowest recovery took {slowest:.1} s; {left_out} could not be brought about",
            outcomes.len() - left_out
        )
    } else {
        format!("not after {}", bad.join(", "))
    };
    verdict("every fault is recovered from", (found, bad.is_empty()))
}

fn nothing_lost(findings: &Findings<'_>) -> Verdict {
    let lost = stream_lost(&findings.course.incidents, &findings.course.looks);
    let found = match findings.went_back.first() {
        None => format!("{lost} stream blocks lost, no shared block went back"),
        Some(first) => format!("{} times; first: {first}", findings.went_back.len()),
    };
    let holds = lost == 0 && findings.went_back.is_empty();
    verdict("no block is lost, nothing goes back", (found, holds))
}

/// Stream blocks that went missing while no fault disturbed the stream or its reader.
pub fn stream_lost(incidents: &[Incident], looks: &[Look]) -> u64 {
    let steps = looks.windows(2).filter(|pair| {
        pair[0].processes[0].pid == pair[1].processes[0].pid && !is_excused(0, incidents, pair[0].at_s, pair[1].at_s)
    });
    steps.map(|pair| pair[1].stream_lost.saturating_sub(pair[0].stream_lost)).sum()
}

fn memory_stays(findings: &Findings<'_>) -> Verdict {
    let growth = growth::processes(&findings.course.looks);
    let rise_kib = growth::supervisor_rise_kib(&findings.course.looks);
    let supervisor = match rise_kib {
        Some(kib) => format!("supervisor {kib:+.0} KiB (at most {SUPERVISOR_RISE_KIB:.0})"),
        None => "the run was too short for the supervisor's".to_owned(),
    };
    let found = format!(
        "{} KiB (daq, subsystem, dynamics; longest lives {} s); {supervisor}",
        growth.map(|one| one.largest_kib.to_string()).join(", "),
        growth.map(|one| format!("{:.0}", one.longest_life_s)).join(", "),
    );
    // The end of every plan is quiet: there each process must have been seen for that long.
    let long_s = quiet_after_s(findings.plan.seconds) / 2.0;
    let holds = growth.iter().all(|one| one.largest_kib <= one.allowed_kib && one.longest_life_s >= long_s)
        && rise_kib.is_none_or(|kib| kib <= SUPERVISOR_RISE_KIB);
    verdict("memory does not grow", (found, holds))
}

fn nothing_left(left_behind: &[String]) -> Verdict {
    let found = if left_behind.is_empty() { "no process, no region".to_owned() } else { left_behind.join(", ") };
    verdict("nothing is left behind", (found, left_behind.is_empty()))
}

fn latency(peer: &Result<Comparison, String>) -> Verdict {
    let compared = peer.as_ref().map_err(Clone::clone).map(|both| {
        let ours_us = both.ours.percentile_ns(99.9) as f64 * 1e-3;
        let peer_us = both.peer.percentile_us(0.999);
        let ratio = ours_us / peer_us;
        let found = format!(
            "{ours_us:.0} µs against {peer_us:.0} µs: {ratio:.2} × ({} rounds, {:.0} s)",
            both.rounds, both.seconds
        );
        (found, both.ours.count() > 0 && ratio <= LATENCY_RATIO)
    });
    let what =
        format!("wake-up latency of the dynamics, p99.9: at most {LATENCY_RATIO} × cyclictest's in the same seconds");
    verdict(&what, compared.unwrap_or_else(|why| (why, false)))
}

/// All wake-up latencies of one process.
pub fn latencies(looks: &[Look], process: usize) -> Histogram {
    looks.iter().fold(Histogram::new(), |mut all, look| {
        all.merge(&look.latencies[process]);
        all
    })
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::plan::{Fault, Victim};
    use crate::recovery::outcomes;
    use crate::watch::Seen;
    use rt::cyclictest::Latencies;
    use rtrd::PROCESSES;

    /// A look at which every process is well: samples come, memory is locked.
    pub fn look(at_s: f64, step: u64, pid: u64, memory_kib: u64) -> Look {
        let seen = Seen {
            pid,
            step,
            memory_kib,
            published_ns: (at_s * 1e9) as u64,
            period_ns: 1_000_000_000,
            locked: true,
            ..Seen::default()
        };
        Look {
            at_s,
            processes: [seen; PROCESSES.len()],
            restarts: 0,
            supervisor_kib: 9_000,
            stream_lost: 0,
            stream_blocks: (10.0 * at_s) as u64,
            reports: 0,
            latencies: [const { Histogram::new() }; PROCESSES.len()],
        }
    }

    /// A fault that was brought about and taken back.
    pub fn incident(began_s: f64, fault: Fault) -> Incident {
        let mut incident = Incident::new(fault, began_s);
        incident.ended_s = Some(began_s + fault.seconds());
        incident
    }

    const SECONDS: u32 = 40;

    /// A run in which everything holds.
    struct Run {
        course: Course,
        went_back: Vec<String>,
        load: Result<String, String>,
        peer: Result<Comparison, String>,
        left_behind: Vec<String>,
    }

    impl Run {
        fn good() -> Self {
            let victim = Victim::Daq;
            let looks = (0..=SECONDS).map(|second| look(f64::from(second), u64::from(second), 5, 100));
            let mut comparison = Comparison { peer: Latencies::new([(10, 1_000)], 0, 10), ..Comparison::default() };
            comparison.ours.record(12_000);
            Self {
                course: Course {
                    looks: looks.collect(),
                    incidents: vec![incident(1.0, Fault::Kill { victim })],
                    ended_s: f64::from(SECONDS),
                    early: None,
                },
                went_back: Vec::new(),
                load: Ok("stress-ng".to_owned()),
                peer: Ok(comparison),
                left_behind: Vec::new(),
            }
        }

        /// The verdicts that do not hold, by their position.
        fn failures(&self) -> Vec<usize> {
            let plan = Plan { seed: 1, seconds: f64::from(SECONDS), events: Vec::new() };
            let verdicts = judge(&Findings {
                plan: &plan,
                course: &self.course,
                outcomes: &outcomes(&self.course.incidents, &self.course.looks),
                went_back: &self.went_back,
                load: self.load.clone(),
                peer: &self.peer,
                left_behind: &self.left_behind,
            });
            let bad = verdicts.iter().enumerate().filter(|(_, verdict)| !verdict.holds);
            bad.map(|(index, _)| index).collect()
        }

        fn broken(change: impl FnOnce(&mut Self)) -> Vec<usize> {
            let mut run = Self::good();
            change(&mut run);
            run.failures()
        }
    }

    #[test]
    fn a_good_run_passes() {
        assert_eq!(Run::good().failures(), [0; 0]);
    }

    #[test]
    fn a_run_that_was_cut_short_fails() {
        let interrupted = Run::broken(|run| run.course.early = Some("interrupted".to_owned()));
        assert_eq!(interrupted, [0]);
        let blind = Run::broken(|run| run.course.looks.truncate(SECONDS as usize - 8));
        assert_eq!(blind, [0]);
    }

    #[test]
    fn a_run_without_load_or_without_cyclictest_fails() {
        assert_eq!(Run::broken(|run| run.load = Err("stress-ng ended".to_owned())), [1]);
        assert_eq!(Run::broken(|run| run.peer = Err("not installed".to_owned())), [7]);
    }

    #[test]
    fn a_simulation_that_stands_fails() {
        let stands = Run::broken(|run| {
            for look in &mut run.course.looks {
                look.processes[2].step = 10;
            }
        });
        assert_eq!(stands, [2, 3]);
    }

    #[test]
    fn each_of_the_others_can_fail() {
        let last = SECONDS as usize;
        let lost = Run::broken(|run| {
            run.course.looks[last - 1].stream_lost = 1;
            run.course.looks[last].stream_lost = 1;
        });
        assert_eq!(lost, [4]);
        assert_eq!(Run::broken(|run| run.went_back.push("x".to_owned())), [4]);
        assert_eq!(Run::broken(|run| run.course.looks[last].processes[1].memory_kib += 4), [5]);
        assert_eq!(Run::broken(|run| run.left_behind.push("a region".to_owned())), [6]);
        let late = Run::broken(|run| {
            for _ in 0..100 {
                run.peer.as_mut().unwrap().ours.record(40_000);
            }
        });
        assert_eq!(late, [7]);
    }

    #[test]
    fn memory_that_was_never_seen_for_long_fails() {
        let short_lives = Run::broken(|run| {
            for (number, look) in run.course.looks.iter_mut().enumerate() {
                look.processes[0].pid = number as u64 / 8;
            }
        });
        assert!(short_lives.contains(&5), "{short_lives:?}");
    }
}
