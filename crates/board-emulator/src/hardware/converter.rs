//! The analog input: ±5 V become a number of 16 bit (DAS 4.2.3: ±32767 for ±5 V).

/// The end of the input's range (V).
pub const FULL_SCALE_V: f64 = 5.0;

/// The number for a voltage; beyond its range the converter stays at its end.
pub fn counts_of_volts(input_v: f64) -> i16 {
    // `as` saturates.
    (input_v / FULL_SCALE_V * f64::from(i16::MAX)).round() as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// DAS Table 4.4, and what lies beyond.
    #[test]
    fn the_range_of_the_table() {
        let volts = [0.0, 5.0, -5.0, 7.0, -7.0, f64::NAN];
        assert_eq!(volts.map(counts_of_volts), [0, 32767, -32767, 32767, -32768, 0]);
    }
}
