//! Sources and channels as tables, with the recent past of each channel as a line of small bars.

use std::collections::VecDeque;

use super::screen::{ChannelLook, Look, SourceLook};
use crate::top::table::{Cell, Column, Columns, Table, Tone};
use crate::view::trouble;

const SOURCES: &Columns<SourceLook> = &[
    (Column::text("source", 99), |source| Cell::plain(&source.name)),
    (Column::text("state", 98), |source| {
        let (state, tone) = state(source.status.state);
        Cell::new(state, tone)
    }),
    (Column::number("samples/s", "samples/s", 97), |source| {
        Cell::known(source.samples_per_s.map(|rate| format!("{rate:.1}")))
    }),
    (Column::text("clock", 60), |source| Cell::new(clock(source.status.clock), Tone::Faint)),
    (Column::number("samples", "samples", 70), |source| Cell::plain(source.status.blocks)),
    (Column::number("bytes", "bytes", 20), |source| Cell::plain(source.status.bytes)),
    (Column::number("bursts", "bursts", 40), |source| Cell::plain(source.status.bursts)),
    (Column::number("largest", "largest", 30), |source| Cell::plain(source.status.largest_burst)),
    (Column::number("lost", "lost", 90), |source| Cell::trouble(source.status.lost)),
    (Column::number("refused", "refused", 89), |source| Cell::trouble(source.status.corrupted)),
    (Column::number("resynchronised", "resync", 50), |source| Cell::trouble(source.status.resynchronised)),
    (Column::number("reconnects", "reconn", 80), |source| Cell::trouble(source.status.reconnects)),
];

const CHANNELS: &Columns<ChannelLook> = &[
    (Column::text("channel", 99), |channel| Cell::plain(&channel.name.name)),
    (Column::number("value", "value", 98), |channel| Cell::plain(number(channel.status.value))),
    (Column::text("unit", 97), |channel| Cell::new(&channel.name.unit, Tone::Faint)),
    (Column::number("rate /s", "rate /s", 60), |channel| Cell::plain(number(channel.status.rate))),
    (Column::number("raw", "raw", 70), |channel| Cell::new(number(channel.status.raw), Tone::Faint)),
    (Column::number("age ms", "age ms", 80), |channel| {
        channel.age_ns.map_or_else(Cell::none, |age_ns| {
            let tone = if age_ns > OLD_NS { Tone::Bad } else { Tone::Plain };
            Cell::new(format!("{:.1}", age_ns as f64 * 1e-6), tone)
        })
    }),
    (Column::text("condition", 90), |channel| {
        let (condition, tone) = condition(channel.status.faults, channel.status.reaction);
        Cell::new(condition, tone)
    }),
    (Column::text("before", 50), |channel| Cell::new(channel.past.line(SPARK_COLUMNS), Tone::Good)),
];

/// Columns of the small pictures.
const SPARK_COLUMNS: usize = 24;
/// A channel that is older is shown as late (ns).
const OLD_NS: u64 = 100_000_000;

pub fn sources(look: &Look) -> Table {
    Table::of(SOURCES, &look.sources)
}

pub fn channels(look: &Look) -> Table {
    Table::of(CHANNELS, &look.channels)
}

fn state(state: u64) -> (&'static str, Tone) {
    match state {
        1 => ("waiting", Tone::Warning),
        2 => ("flowing", Tone::Good),
        3 => ("stalled", Tone::Bad),
        4 => ("gone", Tone::Bad),
        5 => ("ended", Tone::Faint),
        6 => ("bytes swapped", Tone::Bad),
        _ => ("not in use", Tone::Faint),
    }
}

fn clock(clock: u64) -> &'static str {
    match clock {
        1 => "arrival",
        2 => "kernel",
        3 => "hardware",
        4 => "recorded",
        _ => "-",
    }
}

/// What is wrong with a channel and what is done about it.
pub fn condition(faults: u64, reaction: u64) -> (String, Tone) {
    let tone = match (faults, reaction) {
        (0, 0) => return ("good".to_owned(), Tone::Good),
        (0, _) | (_, 0) => Tone::Warning,
        _ => Tone::Bad,
    };
    (trouble(faults, reaction), tone)
}

/// Short, and the same width for numbers of the same kind; a dash for what is not known.
pub fn number(value: f64) -> String {
    match value.abs() {
        _ if !value.is_finite() => "-".to_owned(),
        size if value.fract() == 0.0 && size < 1e9 => format!("{value:.0}"),
        1e-3..1e6 => format!("{value:.4}"),
        _ => format!("{value:.3e}"),
    }
}

const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Values that are kept.
const KEPT: usize = 400;

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

    pub fn line(&self, columns: usize) -> String {
        let heights = self.heights(columns, BARS.len() as u64 - 1).into_iter();
        heights.map(|height| height.map_or(' ', |height| BARS[height as usize])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_in_words() {
        assert_eq!(condition(0, 0), ("good".to_owned(), Tone::Good));
        assert_eq!(condition(1 | 8, 0).0, "out of range, stale");
        assert_eq!(condition(4, 1), ("jump: held".to_owned(), Tone::Bad));
        assert_eq!(condition(0, 3).0, "stop asked for");
    }

    #[test]
    fn numbers_stay_short() {
        assert_eq!([12.0, -0.5, 1e-7, f64::NAN, 2e12].map(number), ["12", "-0.5000", "1.000e-7", "-", "2.000e12"]);
    }

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
