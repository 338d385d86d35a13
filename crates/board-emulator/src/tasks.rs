//! What the processor makes of counts.

use std::collections::VecDeque;

use super::script::Width;

/// `QDCOUNT`: a running count of 32 bits from one of 16 that overflows.
///
/// ```text
/// c_0 = offset,   c_k = c_{k−1} + (n_k − n_{k−1})  mod 2¹⁶, taken from −2¹⁵ to 2¹⁵ − 1        (1)
/// ```
///
/// It is right as long as the shaft turns less than 2¹⁵ counts between two values. The mode
/// "RELATIVE" is that the first value only sets the beginning: what was counted before the start
/// does not matter.
#[derive(Clone, Debug)]
pub struct Count {
    before: Option<i16>,
    count: i32,
}

impl Count {
    pub const fn new(offset: i32) -> Self {
        Self { before: None, count: offset }
    }

    /// The count after the next value.
    pub fn next(&mut self, value: i16) -> i32 {
        let before = self.before.replace(value).unwrap_or(value);
        // Eq. (1)
        self.count = self.count.wrapping_add(i32::from(value.wrapping_sub(before)));
        self.count
    }
}

/// `CTRATE`: how fast a count changes, per second.
///
/// ```text
/// r_k = (c_k − c_{k−w}) / (w·h)                                                              (2)
/// ```
///
/// with w values of period h; at the beginning over as many as there are, and 0 at the first. The
/// document names the command but not its arguments or units: these are our choice.
#[derive(Clone, Debug)]
pub struct Rate {
    width: Width,
    window: usize,
    period_s: f64,
    past: VecDeque<i32>,
}

impl Rate {
    /// Over so many values, one every `period_s`.
    pub fn new(width: Width, window: usize, period_s: f64) -> Self {
        Self { width, window, period_s, past: VecDeque::with_capacity(window + 1) }
    }

    /// The rate after the next value, rounded (counts per second).
    pub fn next(&mut self, value: i32) -> i32 {
        self.past.push_back(value);
        if self.past.len() > self.window + 1 {
            self.past.pop_front();
        }
        let values = self.past.len() - 1;
        let oldest = self.past.front().copied().unwrap_or(value);
        let change = match self.width {
            Width::Word => i32::from((value as i16).wrapping_sub(oldest as i16)),
            Width::Long => value.wrapping_sub(oldest),
        };
        // Eq. (2)
        if values == 0 { 0 } else { (f64::from(change) / (values as f64 * self.period_s)).round() as i32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_count_goes_on_through_both_overflows() {
        let mut count = Count::new(100);
        let counts = [32_760, 32_767, -32_768, -32_000, 32_000, 31_000].map(|value| count.next(value));
        assert_eq!(counts, [100, 107, 108, 876, -660, -1660]);
    }

    proptest! {
        /// Below 2¹⁵ per value, whatever the motion, the running count is the true one.
        #[test]
        fn the_running_count_is_the_true_position(start: i16, steps in prop::collection::vec(-32_767_i32..=32_767, 1..200)) {
            let mut count = Count::new(0);
            let mut position = 0;
            count.next(start);
            for step in steps {
                position += step;
                let counter = (i32::from(start) + position) as i16;
                prop_assert_eq!(count.next(counter), position);
            }
        }
    }

    #[test]
    fn a_rate_is_counts_per_second_over_its_window() {
        let mut rate = Rate::new(Width::Long, 4, 1e-3);
        let rates: Vec<i32> = [0, 2, 4, 6, 8, 10, 10, 10, 10, 10].map(|value| rate.next(value)).into();
        assert_eq!(rates, [0, 2000, 2000, 2000, 2000, 2000, 1500, 1000, 500, 0]);
    }

    #[test]
    fn a_rate_of_a_word_goes_through_the_overflow() {
        let mut rate = Rate::new(Width::Word, 1, 1e-3);
        rate.next(32_767);
        assert_eq!(rate.next(-32_768), 1000);
        assert_eq!(rate.next(32_767), -1000);
    }
}
