//! Whether the core was ours alone while something was measured.
//!
//! A virtual CPU is often one of the two threads of a core, and a program in the other one
//! takes up to half of the instructions that the core can begin, without a trace in load or stolen
//! time. A probe shows it: four chains of additions with carry, which begin as many instructions as
//! a core can, take up to twice as long beside a busy neighbour, while one chain, which only waits
//! for its own results, takes as long as ever. A probe runs before and after each round; the core
//! was ours if neither took more than [`SLOWER`] times the fastest probe of all rounds.
//!
//! Rounds of what is compared must last about as long as each other, because the neighbour may come
//! and go between the probes.

use std::hint::black_box;
use std::time::Instant;

use crate::statistics::Summary;

/// Chains of the probe: as many as the registers hold.
const CHAINS: usize = 4;
/// Links of each: about 12 µs.
const LENGTH: usize = 8_000;
/// A neighbour costs 15 % and more; the clock of a core alone changes by a few percent.
const SLOWER: f64 = 1.06;
/// Fewer rounds than this have no median worth telling.
const ROUNDS_MIN: usize = 20;

/// Runs something and says how long the slower of the probes around it took (ns).
pub fn watched<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let before_ns = chains_ns();
    let result = work();
    (result, before_ns.max(chains_ns()))
}

/// The probe: as many chains as fill a core (ns).
#[inline(never)]
pub fn chains_ns() -> f64 {
    added_ns::<CHAINS>()
}

/// A single chain, which does not notice a neighbour (ns).
#[inline(never)]
pub fn one_chain_ns() -> f64 {
    added_ns::<1>()
}

/// x ← x + (x ⊕ k) in 128 bits: nothing that a compiler could take together or put into wide
/// registers.
#[inline(always)]
fn added_ns<const COUNT: usize>() -> f64 {
    let mut chains = black_box([0x9e37_79b9_7f4a_7c15_u128; COUNT]);
    let key = black_box(0x2545_f491_4f6c_dd1d_u128);
    let begun = Instant::now();
    for _ in 0..LENGTH {
        for chain in &mut chains {
            *chain = chain.wrapping_add(*chain ^ key);
        }
    }
    black_box(chains);
    begun.elapsed().as_secs_f64() * 1e9
}

/// Measurements of one thing, each with its probes.
#[derive(Clone, Debug, Default)]
pub struct Rounds(Vec<(f64, f64)>);

impl Rounds {
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds what [`watched`] gave.
    pub fn push(&mut self, (value, probe_ns): (f64, f64)) {
        self.0.push((value, probe_ns));
    }

    /// The fastest probe (ns).
    pub fn least_probe_ns(&self) -> f64 {
        self.0.iter().map(|round| round.1).fold(f64::INFINITY, f64::min)
    }

    pub fn all(&self) -> Vec<f64> {
        self.0.iter().map(|round| round.0).collect()
    }

    /// Those with the core to ourselves, by the fastest probe of the whole run; `None` if they are
    /// too few.
    pub fn alone(&self, least_probe_ns: f64) -> Option<Summary> {
        let alone = self.0.iter().filter(|round| round.1 <= SLOWER * least_probe_ns);
        let values: Vec<f64> = alone.map(|round| round.0).collect();
        Summary::of(values).filter(|summary| summary.count >= ROUNDS_MIN)
    }

    /// Share of the rounds with the core to ourselves (%).
    pub fn alone_percent(&self, least_probe_ns: f64) -> f64 {
        let alone = self.0.iter().filter(|round| round.1 <= SLOWER * least_probe_ns);
        100.0 * alone.count() as f64 / self.0.len().max(1) as f64
    }
}

/// The fastest probe of all (ns).
pub fn least_probe_ns<'a>(all: impl IntoIterator<Item = &'a Rounds>) -> f64 {
    all.into_iter().map(Rounds::least_probe_ns).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rounds_between_two_fast_probes_are_alone() {
        let mut rounds = Rounds::default();
        for round in 0..100 {
            let disturbed = round % 4 == 0;
            rounds.push(if disturbed { (7.0, 240.0) } else { (4.0, 101.0) });
        }
        rounds.push((3.9, 100.0));
        let least_ns = least_probe_ns([&rounds]);
        assert_eq!(least_ns, 100.0);
        let alone = rounds.alone(least_ns).unwrap();
        assert_eq!((alone.count, alone.min, alone.max), (76, 3.9, 4.0));
        assert!((rounds.alone_percent(least_ns) - 7600.0 / 101.0).abs() < 1e-12);
        assert_eq!(Summary::of(rounds.all()).unwrap().max, 7.0);
    }

    #[test]
    fn a_few_rounds_have_no_median() {
        let mut rounds = Rounds::default();
        (0..19).for_each(|_| rounds.push((1.0, 10.0)));
        assert_eq!(rounds.alone(10.0), None);
        rounds.push((1.0, 10.0));
        assert!(rounds.alone(10.0).is_some());
    }

    #[test]
    fn a_probe_takes_its_time() {
        let (value, probe_ns) = watched(|| 17);
        assert_eq!(value, 17);
        // Chains of 8,000 links: no core adds in less than a tenth of a nanosecond.
        assert!(probe_ns > 800.0, "{probe_ns}");
    }
}
