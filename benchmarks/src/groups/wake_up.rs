//! How late our periodic loop wakes up, beside `cyclictest` with the same priority, CPU and period.
//!
//! The latency is nearly all the machine's. What a loop can add is its own clumsiness, and the peer
//! shows what can be had without: so both run in turn, each in a fresh process with locked memory,
//! pinned, and with `/dev/cpu_dma_latency` held at 0. Every second round has the order reversed, so
//! that a drift of the machine favours neither.
//!
//! A noisy moment can spoil a whole round. So the targets are judged by the median over rounds of
//! each round's percentile; the table shows the percentiles of all wake-ups together as well.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use rt::cyclictest::{self, Latencies, Setup};

use super::Context;
use crate::place::Seat;
use crate::report::{Report, Target, blank, short, times};
use crate::statistics::median;
use crate::worker::{Role, SleepOrder, Worker};

/// The name of the group.
pub const NAME: &str = "wake-up";
const PRIORITY: u8 = 80;
const PERIOD_US: u64 = 1_000;
const ROUNDS: usize = 12;
const ROUNDS_QUICK: usize = 2;
const WAKEUPS: u64 = 2_000;
/// Within 15 % of the peer's.
const ALLOWANCE: f64 = 1.15;
const PEER: &str = "cyclictest";

/// Measures the group.
pub fn run(context: &Context) -> Result<Report> {
    let Some(cyclictest) = &context.machine.cyclictest else {
        return Ok(Report::skipped(NAME, "cyclictest is missing; install rt-tests"));
    };
    if context.place.priority.is_none() {
        let why =
            "cyclictest does not run without the right to SCHED_FIFO, so there is nothing to compare with";
        return Ok(Report::skipped(NAME, why));
    }
    let order = SleepOrder {
        period_ns: PERIOD_US * 1_000,
        count: context.effort(WAKEUPS),
        seat: Seat { cpu: context.place.cpu, priority: Some(PRIORITY) },
    };
    let rounds = if context.quick { ROUNDS_QUICK } else { ROUNDS };
    let (mut ours, mut peers) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        if round % 2 == 0 {
            ours.push(run_ours(order)?);
            peers.push(run_cyclictest(cyclictest, order)?);
        } else {
            peers.push(run_cyclictest(cyclictest, order)?);
            ours.push(run_ours(order)?);
        }
    }
    let mut report = report(&ours, &peers)?;
    report.note(conditions(order, rounds));
    Ok(report)
}

fn conditions(order: SleepOrder, rounds: usize) -> String {
    let (cpu, count) = (order.seat.cpu, order.count);
    format!(
        "SCHED_FIFO {PRIORITY}, CPU {cpu}, period {PERIOD_US} µs, {rounds} rounds of {count} wake-ups each, in turn"
    )
}

fn run_ours(order: SleepOrder) -> Result<Latencies> {
    let mut worker: Worker<SleepOrder, Latencies> = Worker::start(&Role::Sleeper)?;
    worker.order(&order)?;
    worker.answer()
}

fn run_cyclictest(program: &Path, order: SleepOrder) -> Result<Latencies> {
    let setup = Setup::wished(order.period_ns / 1_000, PRIORITY, order.seat.cpu);
    let output = Command::new(program)
        .args(cyclictest::arguments(&setup, order.count))
        .output()
        .with_context(|| format!("cannot start {}", program.display()))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "cyclictest failed: {}", complaint.trim());
    Ok(cyclictest::parse(&String::from_utf8_lossy(&output.stdout))?)
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
