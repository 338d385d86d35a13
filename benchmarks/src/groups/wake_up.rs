//! How late our periodic loop wakes up, beside `cyclictest` with the same priority, CPU and period.
//!
//! The latency is nearly all the machine's. What a loop adds is seen beside the peer: so both run
//! in turn, as `rtrd jitter` runs them, each in a fresh process with locked memory, pinned, and
//! with `/dev/cpu_dma_latency` held at 0. Every second round has the order reversed, so that a
//! drift of the machine favours neither.
//!
//! A noisy moment can spoil a whole round. So the targets are judged by the median over rounds of
//! each round's percentile; the table shows the percentiles of all wake-ups together as well.

use anyhow::{Context as _, Result, ensure};
use rt::cyclictest::{Latencies, Setup};
use rtrd::jitter::{Launcher, Progress, Sequence, Session};

use super::Context;
use crate::report::{Report, Target, blank, short, times};
use crate::statistics::median;

pub const NAME: &str = "wake-up";
const PRIORITY: u8 = 80;
const PERIOD_US: u64 = 1_000;
const ROUNDS: u64 = 12;
const ROUNDS_QUICK: u64 = 2;
const WAKEUPS: u64 = 2_000;
/// Within 15 % of the peer's.
const ALLOWANCE: f64 = 1.15;
const PEER: &str = "cyclictest";

pub fn run(context: &Context) -> Result<Report> {
    if context.place.priority.is_none() {
        let why = "cyclictest does not run without the right to SCHED_FIFO, so there is nothing to compare with";
        return Ok(Report::skipped(NAME, why));
    }
    let wished = Setup::wished(PERIOD_US, PRIORITY, context.place.cpu);
    let (session, missing) = Session::open(Launcher::new()?, &wished)?;
    if session.peer.is_none() {
        return Ok(Report::skipped(NAME, &missing.join("; ")));
    }
    let (rounds, wakeups) = (if context.quick { ROUNDS_QUICK } else { ROUNDS }, context.effort(WAKEUPS));
    let mut progress = Progress::lasting(2 * session.duration(rounds * wakeups));
    let measured = session.measure(Sequence::Alternating, rounds, wakeups, &mut progress)?;
    ensure!(!session.launcher.interrupted(), "interrupted");
    let both = measured.rounds.into_iter().filter_map(|round| Some((round.ours, round.peer?)));
    let (ours, peers): (Vec<_>, Vec<_>) = both.unzip();
    let mut report = report(&ours, &peers)?;
    report.note(format!("{}, {rounds} rounds of {wakeups} wake-ups each, in turn", session.setup.describe()));
    missing.into_iter().for_each(|line| report.note(line));
    Ok(report)
}

fn report(ours: &[Latencies], peers: &[Latencies]) -> Result<Report> {
    let columns = ["µs late", "p50", "p99", "max", "p50 of all", "p99 of all", "wake-ups"];
    let mut report = Report::new(NAME, &columns);
    let mut ratios = vec!["cyclictest / ours".to_owned()];
    for (label, rounds) in [("ours", ours), (PEER, peers)] {
        let all = Latencies::together(rounds);
        let numbers = [
            typical(rounds, 0.50)?,
            typical(rounds, 0.99)?,
            all.max_us() as f64,
            all.percentile_us(0.50),
            all.percentile_us(0.99),
        ];
        let cells = [label.to_owned()].into_iter().chain(numbers.map(short)).chain([all.total().to_string()]);
        report.row(cells);
    }
    for (part, share) in [("p50", 0.50), ("p99", 0.99)] {
        let (own, peer) = (typical(ours, share)?, typical(peers, share)?);
        ratios.push(times(report.compare(&format!("latency.{part}"), own, "µs", PEER, peer)));
        let what = format!("{part} as a multiple of cyclictest's");
        report.target(Target::at_most(&what, ALLOWANCE, "×", own / peer));
    }
    let (all, all_peers) = (Latencies::together(ours), Latencies::together(peers));
    let maxima = (all.max_us() as f64, all_peers.max_us() as f64);
    ratios.push(times(report.compare("latency.max", maxima.0, "µs", PEER, maxima.1)));
    for (part, share) in [("p50", 0.50), ("p99", 0.99)] {
        let (own, peer) = (all.percentile_us(share), all_peers.percentile_us(share));
        ratios.push(times(report.compare(&format!("latency_of_all.{part}"), own, "µs", PEER, peer)));
    }
    report.row(ratios.into_iter().chain([blank()]));
    Ok(report)
}

/// The median over rounds of the percentile of each round.
fn typical(rounds: &[Latencies], share: f64) -> Result<f64> {
    let percentiles = rounds.iter().map(|round| round.percentile_us(share)).collect();
    median(percentiles).context("no round was measured")
}
