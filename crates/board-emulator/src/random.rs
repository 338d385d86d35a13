//! Random numbers that are the same for a seed on every machine.

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Evenly from 0 up to, but not including, 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn happens(&mut self, probability: f64) -> bool {
        probability > 0.0 && self.unit() < probability
    }

    /// Evenly from 0 up to, but not including, `limit`; 0 for a limit of 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        (self.unit() * limit as f64) as u64
    }

    /// Normally distributed with mean 0 and deviation 1 (Box and Muller 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value that every SplitMix64 gives for seed 0.
    #[test]
    fn the_first_number_of_seed_zero() {
        assert_eq!(Random::new(0).bits(), 0xe220_a839_7b1d_cdaf);
    }

    /// Of 10⁵ numbers, mean and deviation deviate by 0.003 and 0.002; ten of those are allowed.
    #[test]
    fn normal_numbers_are_normal() {
        let mut random = Random::new(3);
        let numbers: Vec<f64> = (0..100_000).map(|_| random.normal()).collect();
        let mean = numbers.iter().sum::<f64>() / 1e5;
        let deviation = (numbers.iter().map(|number| number * number).sum::<f64>() / 1e5).sqrt();
        assert!(mean.abs() < 0.03 && (deviation - 1.0).abs() < 0.02, "{mean} {deviation}");
    }
}
