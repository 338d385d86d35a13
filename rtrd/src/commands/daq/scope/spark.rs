//! The recent past of a number as a line of small bars.

use std::collections::VecDeque;

const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Values that are kept.
const KEPT: usize = 400;

/// The last values of a channel.
#[derive(Clone, Debug, Default)]
pub struct Past {
    values: VecDeque<f64>,
}

impl Past {
    pub fn push(&mut self, value: f64) {
        if self.values.len() == KEPT {
            self.values.pop_front();
        }
        self.values.push_back(value);
    }

    /// The newest values, oldest first.
    pub fn newest(&self, count: usize) -> impl Iterator<Item = f64> + '_ {
        self.values.iter().skip(self.values.len().saturating_sub(count)).copied()
    }

    /// Least and greatest of the newest values; `None` without any.
    pub fn range(&self, count: usize) -> Option<(f64, f64)> {
        let finite = self.newest(count).filter(|value| value.is_finite());
        finite.fold(None, |range, value| match range {
            None => Some((value, value)),
            Some((least, most)) => Some((value.min(least), value.max(most))),
        })
    }

    /// Heights of the newest values from 0 to `most`, as far as the range goes; a number that is
    /// not one has none.
    pub fn heights(&self, count: usize, most: u64) -> Vec<Option<u64>> {
        let Some((low, high)) = self.range(count) else {
            return self.newest(count).map(|_| None).collect();
        };
        let span = high - low;
        let height = |value: f64| {
            // What does not move is drawn low.
            let part = if span > 0.0 { (value - low) / span } else { 0.0 };
            value.is_finite().then(|| (part * most as f64).round() as u64)
        };
        self.newest(count).map(height).collect()
    }

    /// As characters.
    pub fn line(&self, columns: usize) -> String {
        let heights = self.heights(columns, BARS.len() as u64 - 1).into_iter();
        heights.map(|height| height.map_or(' ', |height| BARS[height as usize])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_follow_the_values() {
        let mut past = Past::default();
        assert_eq!((past.line(5).as_str(), past.range(5)), ("", None));
        for value in [9.0, 0.0, 7.0, f64::NAN, 3.5] {
            past.push(value);
        }
        assert_eq!(past.line(4), "▁█ ▅");
        assert_eq!(past.line(9).chars().next(), Some('█'));
        let mut flat = Past::default();
        (0..3).for_each(|_| flat.push(2.0));
        assert_eq!(flat.line(9), "▁▁▁");
    }

    #[test]
    fn only_so_many_values_are_kept() {
        let mut past = Past::default();
        (0..10_000).for_each(|value| past.push(f64::from(value)));
        assert_eq!(past.newest(usize::MAX).count(), KEPT);
        assert_eq!(past.newest(1).next(), Some(9999.0));
    }
}
