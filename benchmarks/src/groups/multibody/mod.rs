//! A step of whole vehicles, and of the same mechanism in MuJoCo and Pinocchio.
//!
//! Ours is the whole step of a service: springs, dampers and tyres evaluated, loops closed and projected in position and
//! velocity, integrated by Adams–Bashforth of order three, the rack moving. MuJoCo steps the same vehicle with its soft loops.
//! Pinocchio's figures are one evaluation of accelerations without springs, tyres, integration and projection: it has no more.
//!
//! Our rack is driven; it is no freedom. So a peer with the rack welded to the chassis stands beside our step, and a peer with a free rack beside ours
//! with a free rack; only these ratios are judged.
//!
//! Before anything is timed, each peer computes the accelerations of all bodies in a state of ours. A peer whose mechanism
//! is not the same gets no ratio.

mod check;
mod contenders;
mod manoeuvre;
pub mod ours;
mod peer;

use anyhow::{Context as _, Result};

use self::check::Rack;
use self::contenders::{CASES, Case, OURS, Started, our_vehicles, start_all};
use self::ours::Vehicle;
use super::Context;
use crate::place::pause;
use crate::report::{Report, Target, blank, times};
use crate::statistics::Summary;

/// The name of the group.
pub const NAME: &str = "multibody";
const ROUNDS: u64 = 400;
const STEPS: u64 = 250;

/// What was found about a peer's case.
struct Finding {
    /// Relative difference of accelerations where the mechanism is the same; or why there is no time.
    verdict: Result<Option<f64>, String>,
    times_ns: Vec<f64>,
}

/// Measures the group.
pub fn run(context: &Context) -> Result<Report> {
    let rounds = context.effort(ROUNDS);
    let scratch = context.session.names().folder();
    context.place.seat().run(|| {
        let mut peers = start_all(context.peers, &scratch)?;
        measure(&mut peers, rounds)
    })
}

fn measure(peers: &mut [Started], rounds: u64) -> Result<Report> {
    let mut vehicles = our_vehicles()?;
    let mut ours_ns = vec![Vec::new(); vehicles.len()];
    let mut findings: Vec<Finding> = CASES.iter().map(|case| examine(peers, case)).collect();
    // One round more than is counted: the first warms everything up.
    for round in 0..=rounds {
        let counted = |times: &mut Vec<f64>, time| {
            if round > 0 {
                times.push(time);
            }
        };
        for (vehicle, times) in vehicles.iter_mut().zip(&mut ours_ns) {
            counted(times, vehicle.time_ns(STEPS, Vehicle::step));
        }
        pause();
        for (case, finding) in CASES.iter().zip(&mut findings) {
            if finding.verdict.is_ok() {
                counted(&mut finding.times_ns, ask_time(peers, case)?);
                pause();
            }
        }
    }
    for vehicle in &vehicles {
        vehicle.check_whole()?;
    }
    report(ours_ns, findings, peers, rounds)
}

fn of<'a>(peers: &'a mut [Started], case: &Case) -> &'a mut Started {
    let place = peers.iter().position(|peer| peer.program == case.program);
    &mut peers[place.unwrap_or(0)]
}

fn examine(peers: &mut [Started], case: &Case) -> Finding {
    Finding {
        verdict: of(peers, case).check(case),
        times_ns: Vec::new(),
    }
}

fn ask_time(peers: &mut [Started], case: &Case) -> Result<f64> {
    let started = of(peers, case);
    let peer = started
        .peer
        .as_mut()
        .ok()
        .context("a peer that did not start was asked")?;
    peer.ask_one(&format!("time {} {STEPS}", case.word))
}

fn report(ours_ns: Vec<Vec<f64>>, findings: Vec<Finding>, peers: &[Started], rounds: u64) -> Result<Report> {
    let columns = [
        "µs per step",
        "min",
        "p50",
        "p99",
        "max",
        "peer / ours",
        "of minima",
        "/ ours, rack free",
        "of minima",
        "accelerations",
    ];
    let mut report = Report::new(NAME, &columns);
    let mut summaries = Vec::new();
    for (own, times_ns) in OURS.iter().zip(ours_ns) {
        let summary = Summary::of(times_ns)
            .context("no round was measured")?
            .scaled(1e-3);
        report.row_of(own.label, &summary, std::iter::repeat_n(blank(), 5));
        report.figures_of(own.key, &summary, "µs");
        if let Some(good) = own.good_us {
            report.target(Target::at_most(
                &format!("{}, median", own.label),
                good,
                "µs",
                summary.p50,
            ));
        }
        summaries.push(summary);
    }
    let [driven, free] = summaries
        .first_chunk()
        .context("there is no vehicle of ours with either rack")?;
    for (case, finding) in CASES.iter().zip(findings) {
        report_case(&mut report, [driven, free], case, finding);
    }
    notes(&mut report, peers, rounds);
    manoeuvre::add(&mut report)?;
    Ok(report)
}

fn report_case(report: &mut Report, ours: [&Summary; 2], case: &Case, finding: Finding) {
    let summary = Summary::of(finding.times_ns).map(|summary| summary.scaled(1e-3));
    match (finding.verdict, summary) {
        (Ok(Some(difference)), Some(summary)) => report_beside(report, ours, case, &summary, difference),
        (Ok(None), Some(summary)) => {
            let another = "another mechanism".to_owned();
            let cells = std::iter::repeat_n(blank(), 4).chain([another]);
            report.row_of(case.label, &summary, cells);
            report.figures_of(case.key, &summary, "µs");
        }
        (verdict, _) => {
            let why = verdict
                .err()
                .unwrap_or_else(|| "no round was measured".to_owned());
            let blanks = std::iter::repeat_n(blank(), 8);
            report.row([case.label.to_owned()].into_iter().chain(blanks).chain([why]));
        }
    }
}

fn report_beside(report: &mut Report, ours: [&Summary; 2], case: &Case, summary: &Summary, difference: f64) {
    report.figures_of(case.key, summary, "µs");
    let [driven, free] = ours;
    let beside_driven = ratios(report, ("hmmwv", driven), case, summary);
    let beside_free =
        (case.program.rack() == Rack::Free).then(|| ratios(report, ("hmmwv_free_rack", free), case, summary));
    let cells = beside_driven.map(times).into_iter();
    let cells = cells.chain(beside_free.map_or_else(|| [blank(), blank()], |ratios| ratios.map(times)));
    report.row_of(
        case.label,
        summary,
        cells.chain([format!("{difference:.0e} off")]),
    );
    report.figure(&format!("{}.difference", case.key), difference, "1");
    if let Some(wanted) = case.wanted {
        let (rack, [median, _]) = match beside_free {
            Some(ratios) => ("HMMWV with a free rack", ratios),
            None => ("HMMWV", beside_driven),
        };
        let what = format!("{rack} beside {}", case.label);
        report.target(Target::at_least(&what, wanted, "×", median));
    }
}

/// A peer's median and minimum over those of one of ours.
fn ratios(report: &mut Report, (key, ours): (&str, &Summary), case: &Case, theirs: &Summary) -> [f64; 2] {
    [("p50", ours.p50, theirs.p50), ("min", ours.min, theirs.min)].map(|(part, ours, theirs)| {
        let what = format!("{key}.{part}.vs_{}", case.key);
        report.compare(&what, ours, "µs", case.label, theirs)
    })
}

fn notes(report: &mut Report, peers: &[Started], rounds: u64) {
    for peer in peers.iter().filter_map(|started| started.peer.as_ref().ok()) {
        report.note(peer.about.clone());
    }
    report.note(
        "ours: springs, dampers, tyres, loops closed and projected, Adams–Bashforth 3 of 1 ms, rack moving",
    );
    report.note("MuJoCo: Euler of 1 ms with springs and dampers, loops soft, rack held by an actuator or welded; Pinocchio: accelerations only, no springs");
    report.note(format!(
        "{rounds} rounds of {STEPS} steps each, all in turn on one CPU; a ratio only where a peer's accelerations are ours"
    ));
}
