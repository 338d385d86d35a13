//! What a source delivers.

/// Most raw numbers of one source.
pub const RAW_MAX: usize = 16;

/// Raw numbers of one source at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// When they were measured, on the monotonic clock (ns); how well that is known says the
    /// source's [`Clock`](crate::Clock).
    pub sample_ns: u64,
    /// Which numbers are new: bit *i* for number *i*. A CAN frame carries only some of them.
    pub fresh: u32,
    /// The numbers, in the order of [`Source::channels`](crate::Source::channels). Counts of up to
    /// 53 bits are exact.
    pub raw: [f64; RAW_MAX],
}

impl Sample {
    /// A sample without a number.
    pub const fn empty(sample_ns: u64) -> Self {
        Self { sample_ns, fresh: 0, raw: [f64::NAN; RAW_MAX] }
    }

    /// Puts a number in its place.
    #[inline]
    pub fn set(&mut self, channel: usize, value: f64) {
        if let Some(place) = self.raw.get_mut(channel) {
            *place = value;
            self.fresh |= 1 << channel;
        }
    }

    /// The number of a channel, if it is new.
    #[inline]
    pub fn get(&self, channel: usize) -> Option<f64> {
        (channel < RAW_MAX && self.fresh >> channel & 1 == 1).then(|| self.raw[channel])
    }
}
