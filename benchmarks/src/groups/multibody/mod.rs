//! A step of whole vehicles, and of the same mechanism in MuJoCo and Pinocchio.
//!
//! Ours is the whole step of a service: springs, dampers and tyres evaluated, loops closed and
//! projected in position and velocity, integrated by Adams–Bashforth of order three, the rack
//! moving. MuJoCo steps the same vehicle with its soft loops. Pinocchio's figures are one
//! evaluation of accelerations without springs, tyres, integration and projection: it has no more.
//!
//! Our rack is driven; it is no freedom. So a peer with the rack welded to the chassis stands
//! beside our step, and a peer with a free rack beside ours with a free rack; only these ratios are
//! judged.
//!
//! A core that is shared with a neighbour is not one core: medians are reported of all rounds and
//! of those with the core to ourselves ([`crate::neighbour`]), and the latter are judged.
//!
//! Before anything is timed, each peer computes the accelerations of all bodies in a state of ours.
//! A peer whose mechanism is not the same gets no ratio.

mod check;
mod contenders;
mod cost;
mod manoeuvre;
pub mod ours;
mod peer;

use anyhow::{Context as _, Result};

use self::check::Rack;
use self::contenders::{CASES, Case, OURS, Started, our_vehicles, start_all};
use self::cost::Cost;
use self::ours::Vehicle;
use super::Context;
use crate::neighbour::{self, Rounds, watched};
use crate::place::pause;
use crate::report::{Report, Target, blank, short, times};

pub const NAME: &str = "multibody";
const ROUNDS: u64 = 800;
/// Steps of a round: about half a millisecond of each.
const STEPS: u64 = 125;
const PEER_STEPS: u64 = 25;
/// What our own step costs alone is looked at more closely, in short rounds after each long one:
/// the neighbour comes and goes within less than half a millisecond.
const SHORT_ROUNDS: u64 = 8;
const SHORT_STEPS: u64 = 16;

/// What was found about a peer's case.
struct Finding {
    /// Relative difference of accelerations where the mechanism is the same; or why there is no
    /// time.
    verdict: Result<Option<f64>, String>,
    times_ns: Rounds,
}

/// Times of one of ours: rounds as long as those of the peers, and short ones.
#[derive(Clone, Default)]
struct OwnRounds {
    long: Rounds,
    short: Rounds,
}

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
    let mut ours_ns = vec![OwnRounds::default(); vehicles.len()];
    let mut findings: Vec<Finding> = CASES.iter().map(|case| examine(peers, case)).collect();
    // One round more than is counted: the first warms everything up.
    for round in 0..=rounds {
        let counted = |times: &mut Rounds, time| {
            if round > 0 {
                times.push(time);
            }
        };
        for (vehicle, times) in vehicles.iter_mut().zip(&mut ours_ns) {
            counted(&mut times.long, watched(|| vehicle.time_ns(STEPS, Vehicle::step)));
            for _ in 0..SHORT_ROUNDS {
                counted(&mut times.short, watched(|| vehicle.time_ns(SHORT_STEPS, Vehicle::step)));
            }
        }
        pause();
        for (case, finding) in CASES.iter().zip(&mut findings) {
            if finding.verdict.is_ok() {
                let (time, probe_ns) = watched(|| ask_time(peers, case));
                counted(&mut finding.times_ns, (time?, probe_ns));
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
    Finding { verdict: of(peers, case).check(case), times_ns: Rounds::default() }
}

fn ask_time(peers: &mut [Started], case: &Case) -> Result<f64> {
    let started = of(peers, case);
    let peer = started.peer.as_mut().ok().context("a peer that did not start was asked")?;
    peer.ask_one(&format!("time {} {PEER_STEPS}", case.word))
}

fn report(ours_ns: Vec<OwnRounds>, findings: Vec<Finding>, peers: &[Started], rounds: u64) -> Result<Report> {
    let columns = [
        "µs per step",
        "min",
        "p50",
        "p99",
        "max",
        "p50 alone",
        "peer / ours",
        "alone",
        "/ ours, rack free",
        "alone",
        "accelerations",
    ];
    let mut report = Report::new(NAME, &columns);
    let ours = ours_ns.iter().flat_map(|rounds| [&rounds.long, &rounds.short]);
    let everyone = ours.chain(findings.iter().map(|finding| &finding.times_ns));
    let least_probe_ns = neighbour::least_probe_ns(everyone);
    let mut costs = Vec::new();
    for (own, times_ns) in OURS.iter().zip(&ours_ns) {
        let cost = Cost::of(&times_ns.long, least_probe_ns).context("no round was measured")?;
        let short_us = times_ns.short.alone(least_probe_ns).map(|summary| 1e-3 * summary.p50);
        let alone_us = short_us.unwrap_or(cost.all.p50);
        let blanks = std::iter::repeat_n(blank(), 5);
        report.row_of(own.label, &cost.all, [short_us.map_or_else(blank, short)].into_iter().chain(blanks));
        cost.add_to(&mut report, own.key);
        report.figure(&format!("{}.short.alone.p50", own.key), alone_us, "µs");
        if let Some(good) = own.good_us {
            let what = format!("{}, median alone", own.label);
            report.target(Target::at_most(&what, good, "µs", alone_us));
        }
        costs.push(cost);
    }
    let [driven, free] = costs.first_chunk().context("there is no vehicle of ours with either rack")?;
    for (case, finding) in CASES.iter().zip(findings) {
        report_case(&mut report, [driven, free], case, finding, least_probe_ns);
    }
    notes(&mut report, peers, rounds);
    if let Some(first) = ours_ns.first() {
        report.note(format!(
            "alone: rounds with the core to ourselves, {:.0} % of those of the HMMWV; ours in rounds of {SHORT_STEPS} steps, the ratios in rounds as long as those of the peers",
            first.long.alone_percent(least_probe_ns)
        ));
    }
    manoeuvre::add(&mut report)?;
    Ok(report)
}

fn report_case(report: &mut Report, ours: [&Cost; 2], case: &Case, finding: Finding, least_probe_ns: f64) {
    match (finding.verdict, Cost::of(&finding.times_ns, least_probe_ns)) {
        (Ok(Some(difference)), Some(cost)) => report_beside(report, ours, case, &cost, difference),
        (Ok(None), Some(cost)) => {
            let another = "another mechanism".to_owned();
            let blanks = std::iter::repeat_n(blank(), 4);
            let cells = [cost.alone_cell()].into_iter().chain(blanks).chain([another]);
            report.row_of(case.label, &cost.all, cells);
            cost.add_to(report, case.key);
        }
        (verdict, _) => {
            let why = verdict.err().unwrap_or_else(|| "no round was measured".to_owned());
            let blanks = std::iter::repeat_n(blank(), 9);
            report.row([case.label.to_owned()].into_iter().chain(blanks).chain([why]));
        }
    }
}

fn report_beside(report: &mut Report, ours: [&Cost; 2], case: &Case, theirs: &Cost, difference: f64) {
    theirs.add_to(report, case.key);
    let [driven, free] = ours;
    let beside_driven = driven.beside(report, "hmmwv", case, theirs);
    let beside_free = (case.program.rack() == Rack::Free).then(|| free.beside(report, "hmmwv_free_rack", case, theirs));
    let alone = [theirs.alone_cell()].into_iter();
    let cells = alone.chain(beside_driven.map(times));
    let cells = cells.chain(beside_free.map_or_else(|| [blank(), blank()], |ratios| ratios.map(times)));
    report.row_of(case.label, &theirs.all, cells.chain([format!("{difference:.0e} off")]));
    report.figure(&format!("{}.difference", case.key), difference, "1");
    if let Some(wanted) = case.wanted {
        let (rack, [_, alone]) = match beside_free {
            Some(ratios) => ("HMMWV with a free rack", ratios),
            None => ("HMMWV", beside_driven),
        };
        let what = format!("{rack} beside {}, medians alone", case.label);
        report.target(Target::at_least(&what, wanted, "×", alone));
    }
}

fn notes(report: &mut Report, peers: &[Started], rounds: u64) {
    for peer in peers.iter().filter_map(|started| started.peer.as_ref().ok()) {
        report.note(peer.about.clone());
    }
    report.note("ours: springs, dampers, tyres, loops closed and projected, Adams–Bashforth 3 of 1 ms, rack moving");
    report.note("MuJoCo: Euler of 1 ms with springs and dampers, loops soft, rack held by an actuator or welded; Pinocchio: accelerations only, no springs");
    report.note(format!(
        "{rounds} rounds of {STEPS} steps of ours and {PEER_STEPS} of a peer's, all in turn on one CPU; a ratio only where a peer's accelerations are ours"
    ));
}
