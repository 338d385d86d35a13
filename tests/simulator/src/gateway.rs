//! A person at the gateway who asks for another pace.

use shm_layout::blocks::{OVERRIDES, Overrides};
use shm_layout::{Region, Stamp, Writer};

/// While the run is held, a single step is asked for once in so many periods.
const PERIODS_PER_STEP: u64 = 50;

/// The gateway, as far as the pace is concerned. While nothing is asked for it publishes nothing, as
/// one that is dead.
pub struct Gateway {
    writer: Writer<Overrides>,
    overrides: Box<Overrides>,
    until_ns: u64,
    periods: u64,
}

impl Gateway {
    /// Claims the block.
    pub fn new(region: &Region) -> Self {
        let writer = region.claim(OVERRIDES).expect("a free block");
        Self { writer, overrides: Box::default(), until_ns: 0, periods: 0 }
    }

    /// Somebody asks for this pace until then.
    pub fn ask(&mut self, pace_ratio: f64, until_ns: u64) {
        self.overrides.pace_ratio = pace_ratio;
        self.until_ns = until_ns;
    }

    /// Publishes again what is asked for.
    pub fn turn(&mut self, now_ns: u64) {
        if now_ns < self.until_ns {
            self.periods += 1;
            self.overrides.stamp = Stamp { step: self.periods, sample_ns: now_ns, publish_ns: now_ns };
            self.overrides.steps_asked += u64::from(self.periods.is_multiple_of(PERIODS_PER_STEP));
            self.writer.publish(&self.overrides);
        }
    }
}
