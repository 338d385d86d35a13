//! The files of a measurement: a plot for people, tables for programs.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use plot::{Bin, Distribution, HistogramPlot};
use serde_json::{Value, json};

use super::figures::{Figures, Verdict, all_ours, all_peers};
use super::session::{Measured, Sequence};
use rt::cyclictest::Latencies;
use rt::cyclictest::Setup;

/// The distributions of one sequence laid over each other, as SVG.
pub fn plot(measured: &Measured, setup: &Setup) -> anyhow::Result<String> {
    let distributions = programs(measured).into_iter().map(|(name, latencies)| distribution(name, &latencies));
    let title = format!("Wake-up latency, {}: {}", measured.sequence.name(), setup.describe());
    let plot = HistogramPlot::new(title, "wake-up latency [µs]", true, distributions.collect());
    Ok(plot.to_svg()?)
}

fn distribution(name: &str, latencies: &Latencies) -> Distribution {
    let bin = |(latency_us, count)| Bin { from_us: latency_us as f64, to_us: latency_us as f64 + 1.0, count };
    // Those beyond the bins are drawn where the latest of them was.
    let beyond = (latencies.beyond() > 0).then(|| (latencies.max_us(), latencies.beyond()));
    Distribution::new(name, latencies.bins().chain(beyond).map(bin).collect())
}

/// All counts: a row for each microsecond that occurred, a pair of columns for each sequence.
pub fn histogram(all: &[Measured]) -> String {
    let columns: Vec<(String, Latencies)> = all
        .iter()
        .flat_map(|measured| {
            let sequence = column_word(measured.sequence);
            let programs = programs(measured).into_iter();
            programs.map(move |(name, latencies)| (format!("{name}_{sequence}"), latencies))
        })
        .collect();
    let occurring: BTreeSet<u64> =
        columns.iter().flat_map(|(_, latencies)| latencies.bins().map(|(latency_us, _)| latency_us)).collect();
    let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    let mut text = format!("latency_us,{}\n", names.join(","));
    for latency_us in occurring {
        let counts = columns.iter().map(|(_, latencies)| latencies.count_at(latency_us));
        let counts: Vec<String> = counts.map(|count| count.to_string()).collect();
        let _ = writeln!(text, "{latency_us},{}", counts.join(","));
    }
    let beyond: Vec<String> = columns.iter().map(|(_, latencies)| latencies.beyond().to_string()).collect();
    let _ = writeln!(text, "beyond,{}", beyond.join(","));
    text
}

/// Everything but the counts.
pub fn json(all: &[Measured], setup: &Setup, peer: Option<&Path>) -> Value {
    let sequences: Vec<Value> = all.iter().map(|measured| sequence(measured, setup)).collect();
    json!({
        "period_us": setup.period_us,
        "fifo_priority": setup.priority,
        "cpu": setup.cpu,
        "memory_locked": setup.lock_memory,
        "cyclictest": peer,
        "sequences": sequences,
    })
}

fn sequence(measured: &Measured, setup: &Setup) -> Value {
    let figures = |latencies: &Latencies| Figures::of(latencies, setup.period_us);
    json!({
        "sequence": measured.sequence,
        "rounds": measured.rounds.len(),
        "wakeups_per_round": measured.wakeups,
        "ours": figures(&all_ours(measured)),
        "cyclictest": all_peers(measured).as_ref().map(figures),
        "verdict": Verdict::of(measured),
    })
}

/// The distributions that there are, by name.
pub fn programs(measured: &Measured) -> Vec<(&'static str, Latencies)> {
    let ours = ("ours", all_ours(measured));
    let peers = all_peers(measured).map(|peers| ("cyclictest", peers));
    std::iter::once(ours).chain(peers).collect()
}

fn column_word(sequence: Sequence) -> &'static str {
    match sequence {
        Sequence::Alternating => "alternating",
        Sequence::Blocks => "blocks",
    }
}

#[cfg(test)]
mod tests {
    use super::super::session::Round;
    use super::*;

    fn measured(sequence: Sequence, peer: bool) -> Measured {
        let ours = Latencies::new([(10, 5), (12, 1)], 1, 30_000);
        let peer = peer.then(|| Latencies::new([(11, 7)], 0, 11));
        Measured { sequence, wakeups: 7, rounds: vec![Round { ours, peer }] }
    }

    #[test]
    fn the_histogram_has_a_row_for_each_microsecond_that_occurred() {
        let both = [measured(Sequence::Alternating, true), measured(Sequence::Blocks, false)];
        assert_eq!(
            histogram(&both),
            "latency_us,ours_alternating,cyclictest_alternating,ours_blocks\n\
             10,5,0,5\n11,0,7,0\n12,1,0,1\nbeyond,1,0,1\n"
        );
    }

    #[test]
    fn the_json_holds_figures_and_verdict() {
        let setup = Setup::wished(1_000, 80, 1);
        let value = json(&[measured(Sequence::Alternating, true)], &setup, Some(Path::new("/c")));
        assert_eq!(value["cyclictest"], "/c");
        let sequence = &value["sequences"][0];
        assert_eq!(sequence["sequence"], "alternating");
        assert_eq!(sequence["ours"]["samples"], 7);
        assert_eq!(sequence["cyclictest"]["max_us"], 11.0);
        assert_eq!(sequence["verdict"]["within"], false);
        let alone = json(&[measured(Sequence::Blocks, false)], &setup, None);
        assert!(alone["cyclictest"].is_null() && alone["sequences"][0]["verdict"].is_null());
    }

    #[test]
    fn the_plot_names_both_programs() {
        let svg = plot(&measured(Sequence::Alternating, true), &Setup::wished(1_000, 80, 1)).unwrap();
        assert!(svg.contains("ours") && svg.contains("cyclictest") && svg.contains("wake-up latency"));
    }
}
