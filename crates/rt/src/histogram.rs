//! A latency histogram of fixed size: no heap, constant-time recording, the same relative precision
//! everywhere.
//!
//! Latencies span eight decades, from tens of nanoseconds to seconds, and the rare large ones are
//! those that matter. Equal bucket widths would be too coarse at one end or too many at the other,
//! so the widths grow with the value. With S = 16 sub-buckets per power of two:
//!
//! ```text
//! e(v) = floor(log2(max(v, S)))                           (1)  power of two of the value, at least 4
//! i(v) = (e - 4)·S + floor(v / 2^(e-4))                   (2)  index of its bucket
//! lower(i) = i                         for i < 2·S        (3)  exact: one nanosecond per bucket
//!          = (S + i mod S)·2^(i/S - 1) otherwise
//! upper(i) = lower(i + 1) - 1                             (4)  inclusive
//! ```
//!
//! A bucket is at most 1/16 of its lower edge wide, so a percentile read from it is at most 6.25 %
//! too high and never too low. The last bucket is open: it holds everything from
//! [`OVERFLOW_FROM_NS`] (8.3 s) on.
//!
//! The whole state is a few integers and one array, so a process can lay it out in shared memory
//! and another can rebuild it with [`Histogram::from_parts`].

/// Buckets per power of two, S of Eq. (2).
const SUB_BUCKETS: usize = 16;
/// log2 of [`SUB_BUCKETS`].
const SUB_BUCKETS_LOG2: u32 = 4;

/// Number of buckets: 16 exact ones and 16 for each of the 29 powers of two from 2^4 to 2^32 ns.
pub const BUCKETS: usize = SUB_BUCKETS * 30;

/// Values from here on share the last, open bucket (ns).
pub const OVERFLOW_FROM_NS: u64 = bucket_lower_ns(BUCKETS - 1);

/// The bucket that counts `value_ns`, Eq. (2).
#[inline]
#[must_use]
pub const fn bucket_of(value_ns: u64) -> usize {
    let shift = (value_ns | SUB_BUCKETS as u64).ilog2() - SUB_BUCKETS_LOG2;
    let index = shift as usize * SUB_BUCKETS + (value_ns >> shift) as usize;
    if index < BUCKETS { index } else { BUCKETS - 1 }
}

/// Smallest value of bucket `index` (ns), Eq. (3).
#[must_use]
pub const fn bucket_lower_ns(index: usize) -> u64 {
    if index < 2 * SUB_BUCKETS {
        return index as u64;
    }
    ((SUB_BUCKETS + index % SUB_BUCKETS) as u64) << (index / SUB_BUCKETS - 1)
}

/// Largest value of bucket `index` (ns), Eq. (4); `u64::MAX` for the open one.
#[must_use]
pub const fn bucket_upper_ns(index: usize) -> u64 {
    if index + 1 >= BUCKETS { u64::MAX } else { bucket_lower_ns(index + 1) - 1 }
}

/// Counts of durations in nanoseconds, in buckets that grow with the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    count: u64,
    sum_ns: u64,
    /// `u64::MAX` while nothing is recorded, so that recording needs no special first case.
    min_ns: u64,
    max_ns: u64,
    buckets: [u64; BUCKETS],
}

impl Default for Histogram {
    fn default() -> Self {
        Self::new()
    }
}

impl Histogram {
    /// A histogram of nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { count: 0, sum_ns: 0, min_ns: u64::MAX, max_ns: 0, buckets: [0; BUCKETS] }
    }

    /// Rebuilds a histogram from what another process published: the counts, and the sum and
    /// extremes that the counts alone no longer tell exactly. The total count is taken from the
    /// buckets, and the extremes of a histogram without counts are ignored.
    #[must_use]
    pub fn from_parts(buckets: &[u64; BUCKETS], sum_ns: u64, min_ns: u64, max_ns: u64) -> Self {
        let count = buckets.iter().fold(0, |total: u64, bucket| total.saturating_add(*bucket));
        if count == 0 {
            return Self::new();
        }
        Self { count, sum_ns, min_ns, max_ns, buckets: *buckets }
    }

    /// Counts one duration. Constant time, no heap, no panic: fit for the real-time path.
    #[inline]
    pub fn record(&mut self, value_ns: u64) {
        self.buckets[bucket_of(value_ns)] += 1;
        self.count += 1;
        self.sum_ns = self.sum_ns.saturating_add(value_ns);
        self.min_ns = self.min_ns.min(value_ns);
        self.max_ns = self.max_ns.max(value_ns);
    }

    /// Adds all that `other` has counted.
    pub fn merge(&mut self, other: &Self) {
        for (bucket, more) in self.buckets.iter_mut().zip(&other.buckets) {
            *bucket = bucket.saturating_add(*more);
        }
        self.count = self.count.saturating_add(other.count);
        self.sum_ns = self.sum_ns.saturating_add(other.sum_ns);
        self.min_ns = self.min_ns.min(other.min_ns);
        self.max_ns = self.max_ns.max(other.max_ns);
    }

    /// What was counted after `before`, an earlier state of this one. A maximum that was there
    /// already is not of this time; then the upper edge of the last bucket that got something
    /// stands for it.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        let counted = |index: usize| self.buckets[index].saturating_sub(before.buckets[index]);
        let buckets = std::array::from_fn(counted);
        let used = |index: &usize| buckets[*index] > 0;
        let min_ns = (0..BUCKETS).find(used).map_or(u64::MAX, bucket_lower_ns);
        let last_ns = (0..BUCKETS).rfind(used).map_or(0, bucket_upper_ns);
        let max_ns = if self.max_ns > before.max_ns { self.max_ns } else { last_ns.min(self.max_ns) };
        Self::from_parts(&buckets, self.sum_ns.saturating_sub(before.sum_ns), min_ns, max_ns)
    }

    /// How many durations are counted.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Sum of all durations (ns), exact until it saturates at 584 years.
    #[must_use]
    pub const fn sum_ns(&self) -> u64 {
        self.sum_ns
    }

    /// Shortest duration (ns), exact; 0 when nothing is counted.
    #[must_use]
    pub const fn min_ns(&self) -> u64 {
        if self.count == 0 { 0 } else { self.min_ns }
    }

    /// Longest duration (ns), exact; 0 when nothing is counted.
    #[must_use]
    pub const fn max_ns(&self) -> u64 {
        self.max_ns
    }

    /// Mean duration (ns); 0 when nothing is counted.
    #[must_use]
    pub fn mean_ns(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum_ns as f64 / self.count as f64 }
    }

    /// The counts; [`bucket_lower_ns`] and [`bucket_upper_ns`] give the edges.
    #[must_use]
    pub const fn buckets(&self) -> &[u64; BUCKETS] {
        &self.buckets
    }

    /// A duration that `percent` of the counted ones do not exceed (ns): the upper edge of the
    /// bucket that holds the value of nearest rank, and never more than the maximum; 0 when nothing
    /// is counted.
    #[must_use]
    pub fn percentile_ns(&self, percent: f64) -> u64 {
        let rank = self.rank_of(percent);
        let mut counted = 0_u64;
        for (index, bucket) in self.buckets.iter().enumerate() {
            counted = counted.saturating_add(*bucket);
            if *bucket > 0 && counted >= rank {
                return bucket_upper_ns(index).min(self.max_ns);
            }
        }
        self.max_ns
    }

    /// Nearest rank, ceil(percent/100 · count), kept within 1 and the count. The small relative
    /// deduction stops rounding (99.9 is not a binary fraction) from pushing a whole rank to the
    /// next one.
    fn rank_of(&self, percent: f64) -> u64 {
        let exact = percent * self.count as f64 / 100.0;
        let rank = (exact - exact * 1e-12).ceil() as u64;
        rank.max(1).min(self.count)
    }
}

#[cfg(test)]
mod tests;
