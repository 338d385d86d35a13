//! The result as a table for people, and the distributions as bars for a look without a plot.

use rt::cyclictest::{Latencies, Setup};

use super::figures::{ALLOWANCE, Figures, Verdict, all_ours, all_peers};
use super::session::{Measured, Sequence};

/// The table of one sequence, with its heading and its verdict.
pub fn lines(measured: &Measured, setup: &Setup) -> Vec<String> {
    let ours = Figures::of(&all_ours(measured), setup.period_us);
    let peer = all_peers(measured).map(|peers| Figures::of(&peers, setup.period_us));
    let mut lines = vec![heading(measured, setup)];
    lines.push(match peer {
        Some(_) => format!("  {:10} {:>10} {:>12} {:>8}", "µs late", "ours", "cyclictest", "ratio"),
        None => format!("  {:10} {:>10}", "µs late", "ours"),
    });
    let peers = peer.iter().flat_map(Figures::rows).map(Some).chain(std::iter::repeat(None));
    lines.extend(ours.rows().into_iter().zip(peers).map(|(own, peer)| row(own, peer)));
    lines.extend(Verdict::of(measured).map(|verdict| verdict_line(&verdict, measured, setup)));
    lines
}

fn heading(measured: &Measured, setup: &Setup) -> String {
    let seconds = (measured.wakeups * setup.period_us) as f64 * 1e-6;
    let rounds = measured.rounds.len();
    match measured.sequence {
        Sequence::Alternating => {
            let plural = if rounds == 1 { "" } else { "s" };
            format!("{}: {rounds} round{plural} of {seconds} s each", measured.sequence.name())
        }
        Sequence::Blocks => format!("{}: {seconds} s each", measured.sequence.name()),
    }
}

type Row = (&'static str, Option<f64>, String);

fn row((label, own, text): Row, peer: Option<Row>) -> String {
    let Some((_, other, other_text)) = peer else {
        return format!("  {label:10} {text:>10}");
    };
    let ratio = match (own, other) {
        (Some(own_us), Some(other_us)) if other_us > 0.0 => format!("{:.2}", own_us / other_us),
        _ => String::new(),
    };
    format!("  {label:10} {text:>10} {other_text:>12} {ratio:>8}").trim_end().to_owned()
}

fn verdict_line(verdict: &Verdict, measured: &Measured, setup: &Setup) -> String {
    let percent = |ratio: f64| format!("{:+.0} %", (ratio - 1.0) * 100.0);
    let of_what = if measured.rounds.len() > 1 { "median of rounds: " } else { "" };
    let mut line = format!(
        "  within {:.0} % of cyclictest at p50 and p99: {} ({of_what}p50 {}, p99 {})",
        (ALLOWANCE - 1.0) * 100.0,
        if verdict.within { "yes" } else { "no" },
        percent(verdict.p50_ratio),
        percent(verdict.p99_ratio),
    );
    if setup.priority == 0 {
        line.push_str("\n  without priority this says little: every other program can delay either of the two");
    }
    line
}

/// Rows of bars, apart from the last one, which holds the tail.
const ROWS_MAX: u64 = 14;
/// The tail begins where so much of the wake-ups is shown.
const SHOWN_SHARE: f64 = 0.995;
/// Columns that labels and numbers take.
const LABEL_COLUMNS: usize = 15;
const NUMBER_COLUMNS: usize = 8;
/// Eighths of a column, from the narrowest to the whole.
const EIGHTHS: [char; 8] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

/// Bars of each distribution beside each other, at most `width` columns wide.
pub fn bars(distributions: &[(&str, &Latencies)], width: usize) -> Vec<String> {
    let Some(rows) = rows(distributions) else {
        return vec![];
    };
    let columns = (width.saturating_sub(LABEL_COLUMNS) / distributions.len().max(1)).max(NUMBER_COLUMNS + 4);
    let bar_columns = columns - NUMBER_COLUMNS - 1;
    let shares = |from_us: u64, to_us: u64| -> Vec<f64> {
        let share = |(_, latencies): &(&str, &Latencies)| share(latencies, from_us, to_us);
        distributions.iter().map(share).collect()
    };
    let table: Vec<(String, Vec<f64>)> =
        rows.into_iter().map(|(from_us, to_us)| (label(from_us, to_us), shares(from_us, to_us))).collect();
    let largest = table.iter().flat_map(|(_, shares)| shares).copied().fold(0.0, f64::max);
    let mut lines = vec![bars_heading(distributions, columns)];
    for (label, shares) in table {
        let cells = shares.iter().map(|share| {
            let number = format!("{:.1} %", share * 100.0);
            let bar = bar(share / largest.max(f64::MIN_POSITIVE), bar_columns);
            format!("{number:>0$} {bar:<1$}", NUMBER_COLUMNS - 1, columns - NUMBER_COLUMNS)
        });
        let line = format!("{label:>0$} {1}", LABEL_COLUMNS - 1, cells.collect::<String>());
        lines.push(line.trim_end().to_owned());
    }
    lines
}

fn bars_heading(distributions: &[(&str, &Latencies)], columns: usize) -> String {
    let names = distributions.iter().map(|(name, _)| format!("{name:<columns$}"));
    let line = format!("{:>1$} {2}", "µs late", LABEL_COLUMNS - 1, names.collect::<String>());
    line.trim_end().to_owned()
}

/// Intervals of a round width from the earliest wake-up to where nearly all are shown, and the
/// rest.
fn rows(distributions: &[(&str, &Latencies)]) -> Option<Vec<(u64, u64)>> {
    let all = Latencies::together(distributions.iter().map(|(_, latencies)| *latencies));
    if all.total() == 0 {
        return None;
    }
    let (from_us, to_us) = (all.min_us(), all.percentile_us(SHOWN_SHARE).ceil() as u64);
    let width_us = round_width((to_us - from_us).div_ceil(ROWS_MAX));
    let first = from_us / width_us;
    let last = to_us.div_ceil(width_us).max(first + 1);
    let mut rows: Vec<(u64, u64)> = (first..last).map(|row| (row * width_us, (row + 1) * width_us)).collect();
    rows.push((last * width_us, u64::MAX));
    Some(rows)
}

/// The next of 1, 2, 5, 10, 20, 50 and so on.
fn round_width(at_least: u64) -> u64 {
    let mut power = 1;
    loop {
        for factor in [1, 2, 5] {
            if factor * power >= at_least {
                return factor * power;
            }
        }
        power *= 10;
    }
}

fn label(from_us: u64, to_us: u64) -> String {
    match to_us {
        u64::MAX => format!("{from_us} or more"),
        _ if to_us == from_us + 1 => from_us.to_string(),
        _ => format!("{from_us} to {to_us}"),
    }
}

/// The share of the wake-ups in [from, to); those beyond the bins are in the last row.
fn share(latencies: &Latencies, from_us: u64, to_us: u64) -> f64 {
    let within = latencies.bins().filter(|(late_us, _)| (from_us..to_us).contains(late_us));
    let beyond = if to_us == u64::MAX { latencies.beyond() } else { 0 };
    let count = beyond + within.map(|(_, count)| count).sum::<u64>();
    count as f64 / latencies.total().max(1) as f64
}

/// A bar of this share of so many columns; what is not nothing is seen.
fn bar(share: f64, columns: usize) -> String {
    let eighths = (share * (columns * 8) as f64).ceil() as usize;
    let mut bar = "█".repeat(eighths / 8);
    if !eighths.is_multiple_of(8) {
        bar.push(EIGHTHS[eighths % 8 - 1]);
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::super::session::Round;
    use super::*;

    fn measured(peer: bool) -> Measured {
        let latencies = |late_us| Latencies::new([(late_us, 99), (2_000, 1)], 0, 2_000);
        Measured {
            sequence: Sequence::Alternating,
            wakeups: 500,
            rounds: vec![Round { ours: latencies(30), peer: peer.then(|| latencies(40)) }],
        }
    }

    #[test]
    fn both_programs_and_their_ratio_stand_side_by_side() {
        let lines = lines(&measured(true), &Setup::wished(1_000, 80, 0));
        assert_eq!(lines[0], "alternating: 1 round of 0.5 s each");
        let words = |label: &str| -> Vec<&str> {
            let line = lines.iter().find(|line| line.trim().starts_with(label));
            line.map_or(vec![], |line| line.split_whitespace().collect())
        };
        assert_eq!(words("p50"), ["p50", "30.5", "40.5", "0.75"]);
        assert_eq!(words("max"), ["max", "2000", "2000", "1.00"]);
        assert_eq!(words("overruns"), ["overruns", "1", "1"]);
        assert_eq!(words("samples"), ["samples", "100", "100"]);
        assert!(lines.last().unwrap().contains("at p50 and p99: yes"), "{lines:?}");
    }

    #[test]
    fn without_the_peer_there_is_one_column_and_no_verdict() {
        let lines = lines(&measured(false), &Setup::wished(1_000, 0, 0));
        assert!(lines.iter().all(|line| !line.contains("cyclictest")), "{lines:?}");
    }

    #[test]
    fn a_verdict_without_priority_says_what_it_is_worth() {
        let lines = lines(&measured(true), &Setup::wished(1_000, 0, 0));
        assert!(lines.last().unwrap().contains("says little"), "{lines:?}");
    }

    #[test]
    fn every_wakeup_is_in_one_row() {
        let one = Latencies::new([(17, 300), (18, 500), (40, 190), (900, 8)], 2, 30_000);
        let other = Latencies::new([(20, 10)], 0, 20);
        let rows = rows(&[("one", &one), ("other", &other)]).unwrap();
        assert!(rows.len() as u64 <= ROWS_MAX + 3, "{rows:?}");
        for latencies in [&one, &other] {
            let sum: f64 = rows.iter().map(|(from, to)| share(latencies, *from, *to)).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        }
        assert!(rows.windows(2).all(|pair| pair[0].1 == pair[1].0), "{rows:?}");
    }

    #[test]
    fn bars_keep_to_the_width() {
        let one = Latencies::new([(17, 300), (18, 500), (40, 200)], 0, 40);
        for width in [40, 80, 140] {
            let lines = bars(&[("ours", &one), ("cyclictest", &one)], width);
            assert!(lines[0].contains("ours") && lines[0].contains("cyclictest"));
            assert!(lines.iter().all(|line| line.chars().count() <= width), "{lines:#?}");
        }
        assert!(bars(&[("ours", &Latencies::default())], 80).is_empty());
    }

    #[test]
    fn a_single_value_has_its_row() {
        let one = Latencies::new([(17, 3)], 0, 17);
        let lines = bars(&[("ours", &one)], 60);
        assert!(lines[1].trim().starts_with("17 ") && lines[1].contains("100.0 % █"), "{lines:#?}");
    }

    #[test]
    fn widths_are_round_numbers() {
        let widths = [0, 1, 2, 3, 6, 11, 21, 51].map(round_width);
        assert_eq!(widths, [1, 1, 2, 5, 10, 20, 50, 100]);
    }

    #[test]
    fn a_bar_is_as_long_as_its_share() {
        assert_eq!(bar(1.0, 3), "███");
        assert_eq!(bar(0.5, 1), "▌");
        assert_eq!((bar(0.0, 9), bar(1e-9, 9)), (String::new(), "▏".to_owned()));
    }
}
