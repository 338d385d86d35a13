//! The numbers that a distribution comes to, and the verdict.

use serde::{Deserialize, Serialize};

use super::session::{Measured, Round};
use rt::cyclictest::Latencies;

/// Our loop may be so much later than the peer.
pub const ALLOWANCE: f64 = 1.15;

/// Wake-up latencies in a few numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    pub min_us: f64,
    pub p50_us: f64,
    pub p90_us: f64,
    pub p99_us: f64,
    pub p99_9_us: f64,
    pub max_us: f64,
    pub mean_us: f64,
    /// Wake-ups that were a whole period late or later.
    pub overruns: u64,
    pub samples: u64,
}

impl Figures {
    pub fn of(latencies: &Latencies, period_us: u64) -> Self {
        let max_us = latencies.max_us() as f64;
        // The maximum is cut to whole microseconds, a percentile within the same bin is not.
        let percentile_us = |share| latencies.percentile_us(share).min(max_us);
        Self {
            min_us: latencies.min_us() as f64,
            p50_us: percentile_us(0.50),
            p90_us: percentile_us(0.90),
            p99_us: percentile_us(0.99),
            p99_9_us: percentile_us(0.999),
            max_us,
            mean_us: latencies.mean_us(),
            overruns: latencies.overruns(period_us),
            samples: latencies.total(),
        }
    }

    /// The rows of a table: the label of each, its time if it is one (µs), and how it is written.
    pub fn rows(&self) -> [(&'static str, Option<f64>, String); 9] {
        let time = |label, time_us: f64| {
            let decimals = usize::from(time_us < 1_000.0);
            (label, Some(time_us), format!("{time_us:.decimals$}"))
        };
        [
            time("min", self.min_us),
            time("p50", self.p50_us),
            time("p90", self.p90_us),
            time("p99", self.p99_us),
            time("p99.9", self.p99_9_us),
            time("max", self.max_us),
            time("mean", self.mean_us),
            ("overruns", None, self.overruns.to_string()),
            ("samples", None, self.samples.to_string()),
        ]
    }
}

/// Whether our loop wakes as early as the peer.
///
/// A single bad moment of the machine can spoil a round for one of the two. So each round's
/// percentile is taken, and the median over the rounds is compared: half of the rounds may be
/// spoiled before the verdict is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// Ours over the peer's, at the median of a round.
    pub p50_ratio: f64,
    /// Ours over the peer's, at the 99th percentile of a round.
    pub p99_ratio: f64,
    /// Neither is above [`ALLOWANCE`].
    pub within: bool,
}

impl Verdict {
    pub fn of(measured: &Measured) -> Option<Self> {
        let ratio = |share| {
            let ours = median(measured.rounds.iter().map(|round| round.ours.percentile_us(share)))?;
            let peers = measured.rounds.iter().map(|round| round.peer.as_ref());
            let peers: Option<Vec<&Latencies>> = peers.collect();
            let peer = median(peers?.into_iter().map(|peer| peer.percentile_us(share)))?;
            (peer > 0.0).then_some(ours / peer)
        };
        let (p50_ratio, p99_ratio) = (ratio(0.50)?, ratio(0.99)?);
        Some(Self { p50_ratio, p99_ratio, within: p50_ratio <= ALLOWANCE && p99_ratio <= ALLOWANCE })
    }
}

pub fn all_ours(measured: &Measured) -> Latencies {
    Latencies::together(measured.rounds.iter().map(|round| &round.ours))
}

/// All wake-ups of the peer, if it ran.
pub fn all_peers(measured: &Measured) -> Option<Latencies> {
    let peers = || measured.rounds.iter().filter_map(|round: &Round| round.peer.as_ref());
    peers().next()?;
    Some(Latencies::together(peers()))
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        count if count % 2 == 1 => Some(values[middle]),
        _ => Some((values[middle - 1] + values[middle]) / 2.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::jitter::session::Sequence;

    fn round(ours_us: u64, peer_us: u64) -> Round {
        Round {
            ours: Latencies::new([(ours_us, 100)], 0, ours_us),
            peer: Some(Latencies::new([(peer_us, 100)], 0, peer_us)),
        }
    }

    fn measured(rounds: Vec<Round>) -> Measured {
        Measured { sequence: Sequence::Alternating, wakeups: 100, rounds }
    }

    #[test]
    fn the_verdict_is_that_of_most_rounds() {
        for (rounds, within) in [
            (vec![round(10, 100)], true),
            (vec![round(100, 100), round(900, 100), round(102, 100)], true),
            (vec![round(120, 100), round(130, 100), round(100, 100)], false),
        ] {
            let verdict = Verdict::of(&measured(rounds.clone())).unwrap();
            assert_eq!(verdict.within, within, "{rounds:?}: {verdict:?}");
            assert_eq!(verdict.p50_ratio > ALLOWANCE, !within, "{rounds:?}: {verdict:?}");
        }
        let all = all_ours(&measured(vec![round(100, 100), round(900, 100)]));
        assert_eq!(all.max_us(), 900);
    }

    #[test]
    fn without_a_peer_or_a_round_there_is_no_verdict() {
        let alone = Round { peer: None, ..round(10, 10) };
        assert_eq!(Verdict::of(&measured(vec![alone.clone()])), None);
        assert_eq!(all_peers(&measured(vec![alone])), None);
        assert_eq!(Verdict::of(&measured(vec![])), None);
    }

    #[test]
    fn figures_are_those_of_the_distribution() {
        let latencies = Latencies::new([(10, 98), (1_000, 2)], 0, 1_000);
        let figures = Figures::of(&latencies, 1_000);
        assert_eq!((figures.min_us, figures.max_us), (10.0, 1_000.0));
        assert_eq!((figures.overruns, figures.samples), (2, 100));
        assert!(figures.p50_us < 11.0 && figures.p99_us == figures.max_us, "{figures:?}");
    }
}
