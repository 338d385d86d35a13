//! Numbers within bounds, in files and in steps, and random ones.

pub(crate) use crate::files::ranges::{Number, NumberList, all, finite, not_negative, or_default, positive, within};

/// Zero or more and not larger than `most`; zero also for what is not a number.
#[inline]
pub(crate) fn clamped(value: f64, most: f64) -> f64 {
    if value > 0.0 { value.min(most) } else { 0.0 }
}

/// Between −`most` and `most`; zero for what is not a number.
#[inline]
pub(crate) fn bounded(value: f64, most: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(-most, most) }
}

/// SplitMix64 (Steele, Lea and Flood 2014): a fixed sequence for a seed on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// From 0 to below 1.
    pub(crate) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steele, Lea, Flood: the first output for seed 0 is 0xe220a8397b1dcdaf (the value that every
    /// SplitMix64 gives).
    #[test]
    fn the_random_numbers_are_those_of_splitmix64() {
        let expected = (0xe220_a839_7b1d_cdaf_u64 >> 11) as f64 / (1u64 << 53) as f64;
        assert_eq!(Random(0).unit(), expected);
    }
}
