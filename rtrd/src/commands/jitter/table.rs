//! The result as a table for people.

use super::figures::{ALLOWANCE, Figures, Verdict, all_ours, all_peers};
use super::session::{Measured, Sequence};
use rt::cyclictest::Setup;

/// The table of one sequence, with its heading and its verdict.
pub fn lines(measured: &Measured, setup: &Setup) -> Vec<String> {
    let ours = Figures::of(&all_ours(measured), setup.period_us);
    let peer = all_peers(measured).map(|peers| Figures::of(&peers, setup.period_us));
    let mut lines = vec![heading(measured, setup)];
    lines.push(match peer {
        Some(_) => format!("  {:10} {:>10} {:>12} {:>8}", "µs late", "ours", "cyclictest", "ratio"),
        None => format!("  {:10} {:>10}", "µs late", "ours"),
    });
    lines.extend((0..Figures::ROWS).map(|index| row(index, &ours, peer.as_ref())));
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

fn row(index: usize, ours: &Figures, peer: Option<&Figures>) -> String {
    let (label, own, text) = ours.row(index);
    let Some((_, other, other_text)) = peer.map(|peer| peer.row(index)) else {
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

#[cfg(test)]
mod tests {
    use super::super::session::Round;
    use super::*;
    use rt::cyclictest::Latencies;

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
}
