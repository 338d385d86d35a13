//! Our periodic loop in a process of its own, set up as `cyclictest` sets itself up.

use anyhow::Result;
use rt::cyclictest::Latencies;
use rt::startup::{Wishes, enter};
use rt::wakeups::measure_wakeups;
use serde::{Deserialize, Serialize};

use super::Order;
use crate::place::Seat;

/// Latencies up to here have a bin of their own [µs]; `cyclictest` is given the same.
pub const LATENCY_US_MAX: usize = 20_000;

/// Wakes so many times.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct SleepOrder {
    /// From one wake-up to the next.
    pub period_ns: u64,
    /// How many wake-ups.
    pub count: u64,
    /// Where.
    pub seat: Seat,
}

impl Order for SleepOrder {
    fn seat(&self) -> Seat {
        self.seat
    }
}

pub(super) fn serve() -> Result<()> {
    super::obey(|order: SleepOrder| {
        let wishes = Wishes {
            cpu: Some(order.seat.cpu),
            fifo_priority: order.seat.priority,
            lock_memory: true,
            dma_latency_us: Some(0),
            ..Wishes::default()
        };
        // What is missing is missing for cyclictest as well, which does not insist either.
        let _granted = enter(&wishes)?;
        // In locked memory, so that no bin is touched for the first time while the clock runs.
        let mut counts = vec![0; LATENCY_US_MAX];
        let statistics = measure_wakeups(order.period_ns, order.count, &|| false, &mut counts);
        Ok(Latencies::of_loop(&counts, &statistics))
    })
}
