//! Memory over a run: of each life of each process, and of the supervisor, whose life is the whole
//! run.
//!
//! A process of ours locks its memory and takes all of it at its start, so that it may not grow by
//! a page. The supervisor is an ordinary program whose recorder always takes and gives back; what
//! shows a leak is the straight line through its memory m at times t,
//!
//! (1) slope = Σ (t − t̄)(m − m̄) / Σ (t − t̄)²,   (2) rise = slope · (last t − first t).

use crate::recovery::SETTLED_S;
use crate::watch::Look;
use rtrd::PROCESSES;

/// A process without locked memory is given pages when it first touches them: up to so much (KiB).
const UNLOCKED_KIB: u64 = 1024;
/// The supervisor has settled after so long: its recorder's window has been full for several times
/// its length (s).
const SUPERVISOR_SETTLED_S: f64 = 60.0;
/// A line through less than this says nothing (s).
const SUPERVISOR_SEEN_S: f64 = 300.0;
/// The supervisor's memory may rise by so much over a run (KiB).
pub const SUPERVISOR_RISE_KIB: f64 = 1024.0;

/// What was seen of one process's memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Growth {
    /// Largest growth from when it had settled to its end, over all of its lives (KiB).
    pub largest_kib: u64,
    /// Its longest life (s).
    pub longest_life_s: f64,
    /// What it may grow by (KiB).
    pub allowed_kib: u64,
}

/// The memory of each process.
pub fn processes(looks: &[Look]) -> [Growth; PROCESSES.len()] {
    std::array::from_fn(|index| {
        let mut growth = Growth::default();
        let (mut pid, mut since_s, mut settled) = (0, 0.0, None);
        for look in looks {
            let seen = look.processes[index];
            if seen.pid != pid {
                (pid, since_s, settled) = (seen.pid, look.at_s, None);
            }
            if seen.memory_kib == 0 || look.at_s - since_s < SETTLED_S {
                continue;
            }
            let settled = *settled.get_or_insert(seen.memory_kib);
            growth.largest_kib = growth.largest_kib.max(seen.memory_kib.saturating_sub(settled));
            growth.longest_life_s = growth.longest_life_s.max(look.at_s - since_s);
            growth.allowed_kib = if seen.locked { 0 } else { UNLOCKED_KIB };
        }
        growth
    })
}

/// Rise of the supervisor's memory over the run (KiB); `None` if the run was too short to say.
pub fn supervisor_rise_kib(looks: &[Look]) -> Option<f64> {
    let points: Vec<(f64, f64)> = looks
        .iter()
        .filter(|look| look.at_s >= SUPERVISOR_SETTLED_S && look.supervisor_kib > 0)
        .map(|look| (look.at_s, look.supervisor_kib as f64))
        .collect();
    let span_s = points.last()?.0 - points.first()?.0;
    (span_s >= SUPERVISOR_SEEN_S).then(|| slope(&points) * span_s)
}

/// Eq. (1).
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let mean_t = points.iter().map(|(t, _)| t).sum::<f64>() / count;
    let mean_m = points.iter().map(|(_, m)| m).sum::<f64>() / count;
    let product: f64 = points.iter().map(|(t, m)| (t - mean_t) * (m - mean_m)).sum();
    let square: f64 = points.iter().map(|(t, _)| (t - mean_t).powi(2)).sum();
    product / square
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::tests::look;

    #[test]
    fn growth_is_counted_within_a_life_after_settling() {
        let looks = [
            look(0.0, 1, 5, 100),
            look(4.0, 2, 5, 500),
            look(6.0, 3, 5, 600),
            look(9.0, 4, 5, 600),
            look(10.0, 5, 6, 50),
            look(16.0, 6, 6, 700),
            look(20.0, 7, 6, 704),
        ];
        let all = processes(&looks)[0];
        assert_eq!((all.largest_kib, all.longest_life_s, all.allowed_kib), (4, 10.0, 0));
        assert_eq!(processes(&looks[..4])[0].largest_kib, 0);
    }

    #[test]
    fn the_supervisors_rise_is_that_of_the_line_through_its_memory() {
        // A leak of 2 KiB/s under a saw tooth of 10 MiB that repeats every 20 s.
        let looks: Vec<Look> = (0..=1_000_u32)
            .map(|second| {
                let mut look = look(f64::from(second), 1, 5, 100);
                look.supervisor_kib = 50_000 + 2 * u64::from(second) + 512 * (u64::from(second) % 20);
                look
            })
            .collect();
        let rise = supervisor_rise_kib(&looks).unwrap();
        // 940 s at 2 KiB/s; the saw tooth adds about its own height over the number of its teeth,
        // 218 KiB.
        assert!((rise - 1_880.0).abs() < 2.0 * 218.0, "{rise}");
        assert_eq!(supervisor_rise_kib(&looks[..300]), None);
    }
}
