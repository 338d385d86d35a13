//! Whether this machine's CPU is a core of its own: one chain of additions, which waits for itself,
//! beside four, which fill a core.
//!
//! On a core of our own both take the same time in every round. Where the core's other thread
//! belongs to somebody else, the single chain still does, but the four take up to twice as long
//! while he computes ([`crate::neighbour`]).

use anyhow::{Context as _, Result};

use super::Context;
use crate::neighbour::{chains_ns, one_chain_ns};
use crate::place::pause;
use crate::report::{Report, short};
use crate::statistics::{Summary, percentile};

pub const NAME: &str = "core";
const ROUNDS: u64 = 1_000;
/// Chains of each kind between two pauses.
const IN_A_ROW: usize = 10;

pub fn run(context: &Context) -> Result<Report> {
    let columns = ["µs", "min", "p50", "p99", "max", "p10", "p90", "p50 / min"];
    let mut report = Report::new(NAME, &columns);
    let rounds = context.effort(ROUNDS);
    let (mut one, mut many) = (Vec::new(), Vec::new());
    context.place.seat().run(|| {
        for _ in 0..rounds {
            for _ in 0..IN_A_ROW {
                one.push(1e-3 * one_chain_ns());
                many.push(1e-3 * chains_ns());
            }
            pause();
        }
        Ok(())
    })?;
    for (key, label, times_us) in
        [("one_chain", "one chain of additions", one), ("chains", "four, which fill the core", many)]
    {
        let summary = Summary::of(times_us.clone()).context("no round was measured")?;
        let tenths = [0.1, 0.9].map(|share| percentile(times_us.clone(), share).map_or_else(String::new, short));
        let ratio = summary.p50 / summary.min;
        report.row_of(label, &summary, tenths.into_iter().chain([format!("{ratio:.2}")]));
        report.figures_of(key, &summary, "µs");
        report.figure(&format!("{key}.p50_by_min"), ratio, "1");
    }
    report.note(
        "four chains that take longer beside one that does not: somebody else computes in the core's other thread",
    );
    Ok(report)
}
