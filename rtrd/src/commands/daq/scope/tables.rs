//! Sources and channels as tables.

use super::look::{ChannelLook, Look, SourceLook};
use crate::top::table::{Cell, Column, Table, Tone};
use crate::view::trouble;

const SOURCE_COLUMNS: [Column; 12] = [
    Column::text("source", 99),
    Column::text("state", 98),
    Column::number("samples/s", "samples/s", 97),
    Column::text("clock", 60),
    Column::number("samples", "samples", 70),
    Column::number("bytes", "bytes", 20),
    Column::number("bursts", "bursts", 40),
    Column::number("largest", "largest", 30),
    Column::number("lost", "lost", 90),
    Column::number("refused", "refused", 89),
    Column::number("resynchronised", "resync", 50),
    Column::number("reconnects", "reconn", 80),
];

const CHANNEL_COLUMNS: [Column; 8] = [
    Column::text("channel", 99),
    Column::number("value", "value", 98),
    Column::text("unit", 97),
    Column::number("rate /s", "rate /s", 60),
    Column::number("raw", "raw", 70),
    Column::number("age ms", "age ms", 80),
    Column::text("condition", 90),
    Column::text("before", 50),
];

/// Columns of the small pictures.
const SPARK_COLUMNS: usize = 24;
/// A channel that is older is shown as late (ns).
const OLD_NS: u64 = 100_000_000;

pub fn sources(look: &Look) -> Table {
    Table { columns: SOURCE_COLUMNS.to_vec(), rows: look.sources.iter().map(source_row).collect() }
}

fn source_row(source: &SourceLook) -> Vec<Cell> {
    let status = &source.status;
    let (state, tone) = state(status.state);
    vec![
        Cell::plain(&source.name),
        Cell::new(state, tone),
        source.samples_per_s.map_or_else(Cell::none, |rate| Cell::plain(format!("{rate:.1}"))),
        Cell::new(clock(status.clock), Tone::Faint),
        Cell::plain(status.blocks),
        Cell::plain(status.bytes),
        Cell::plain(status.bursts),
        Cell::plain(status.largest_burst),
        Cell::trouble(status.lost),
        Cell::trouble(status.corrupted),
        Cell::trouble(status.resynchronised),
        Cell::trouble(status.reconnects),
    ]
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

pub fn channels(look: &Look) -> Table {
    Table { columns: CHANNEL_COLUMNS.to_vec(), rows: look.channels.iter().map(channel_row).collect() }
}

fn channel_row(channel: &ChannelLook) -> Vec<Cell> {
    let status = &channel.status;
    let (condition, tone) = condition(status.faults, status.reaction);
    let age = channel.age_ns.map_or_else(Cell::none, |age_ns| {
        let tone = if age_ns > OLD_NS { Tone::Bad } else { Tone::Plain };
        Cell::new(format!("{:.1}", age_ns as f64 * 1e-6), tone)
    });
    vec![
        Cell::plain(&channel.name.name),
        Cell::plain(number(status.value)),
        Cell::new(&channel.name.unit, Tone::Faint),
        Cell::plain(number(status.rate)),
        Cell::new(number(status.raw), Tone::Faint),
        age,
        Cell::new(condition, tone),
        Cell::new(channel.past.line(SPARK_COLUMNS), Tone::Good),
    ]
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
}
