//! The processes and their latencies as tables.

use rt::histogram::Histogram;
use rt::startup::Item;

use super::table::{Cell, Column, Columns, Table, Tone};
use crate::view::format::microseconds;
use crate::view::{ProcessView, State};

const COLUMNS: &Columns<ProcessView> = &[
    (Column::text("process", 99), |process| Cell::plain(process.name())),
    (Column::text("state", 98), |process| Cell::new(process.state.word(), state_tone(process.state))),
    (Column::number("pid", "pid", 90), |process| Cell::plain(process.health.pid)),
    (Column::number("cpu", "cpu", 80), |process| match process.health.cpu {
        0.. => Cell::plain(process.health.cpu),
        _ => Cell::new("any", Tone::Warning),
    }),
    (Column::number("fifo", "fifo", 88), |process| match process.health.fifo_priority {
        0 => Cell::new("no", Tone::Warning),
        priority => Cell::plain(priority),
    }),
    (Column::text("rights", 40), |process| Cell::plain(rights(process.health.granted_bits))),
    (Column::number("steps", "steps", 85), |process| Cell::plain(process.health.stamp.step)),
    (Column::number("overruns", "over", 95), |process| Cell::trouble(process.health.overruns)),
    (Column::number("skipped", "skip", 60), |process| Cell::trouble(process.health.skipped)),
    (Column::number("misses", "miss", 92), |process| Cell::trouble(process.health.exchange_misses)),
    (Column::number("restarts", "rest", 70), |process| Cell::trouble(process.restarts)),
    (Column::number("faults", "flts", 50), |process| {
        Cell::trouble(process.health.minor_faults + process.health.major_faults)
    }),
    (Column::number("age", "age", 94), |process| {
        Cell::new(age(process.age_ns), if process.state == State::Silent { Tone::Bad } else { Tone::Plain })
    }),
];

/// One row for each process; of one that is absent nothing but that is known.
pub fn table(processes: &[ProcessView]) -> Table {
    let mut table = Table::of(COLUMNS, processes);
    let absent = table.rows.iter_mut().zip(processes).filter(|(_, process)| process.state == State::Absent);
    absent.for_each(|(row, _)| row[2..].fill(Cell::none()));
    table
}

fn state_tone(state: State) -> Tone {
    match state {
        State::Running => Tone::Good,
        State::Starting => Tone::Warning,
        State::Fault | State::Silent => Tone::Bad,
        State::Absent | State::Stopped => Tone::Faint,
    }
}

/// The rights that a process was granted, a letter each in the order of [`Item::ALL`]; a dot for
/// one that it has not.
fn rights(granted_bits: u64) -> String {
    let letters = Item::ALL.iter().map(|item| {
        if granted_bits & item.bit() == 0 {
            return '·';
        }
        match item {
            Item::MemoryLocked => 'M',
            Item::MemoryPrefaulted => 'p',
            Item::CpuPinned => 'C',
            Item::FifoPriority => 'F',
            Item::CpuLatencyHeld => 'l',
            Item::Unthrottled => 'u',
            Item::ExactTimers => 't',
        }
    });
    letters.collect()
}

/// The rights of one process in words: those that it has, those that it has not.
pub fn rights_in_words(process: &ProcessView) -> (Vec<&'static str>, Vec<&'static str>) {
    let has = |item: &Item| process.health.granted_bits & item.bit() != 0;
    let (granted, missing): (Vec<Item>, Vec<Item>) = Item::ALL.iter().partition(|item| has(item));
    let names = |items: Vec<Item>| items.into_iter().map(Item::name).collect();
    (names(granted), names(missing))
}

/// A time since something for people.
pub fn age(age_ns: u64) -> String {
    let age_s = age_ns as f64 * 1e-9;
    match age_s {
        ..0.000_999_5 => format!("{:.0} µs", age_s * 1e6),
        ..0.999_5 => format!("{:.0} ms", age_s * 1e3),
        ..9.95 => format!("{age_s:.1} s"),
        ..100.0 => format!("{age_s:.0} s"),
        ..3_600.0 => format!("{:.0} min", age_s / 60.0),
        _ => format!("{:.0} h", age_s / 3_600.0),
    }
}

/// Wide enough for what is usual, so that the table does not move with its numbers.
const fn time(heading: &'static str, short: &'static str, importance: u8) -> Column {
    Column::number(heading, short, importance).at_least(5)
}

const LATENCY_COLUMNS: [Column; 13] = [
    Column::text("in µs", 99),
    time("wake-up p50", "wake p50", 90),
    time("p99", "p99", 90),
    time("p99.9", "p99.9", 20),
    time("max", "max", 90),
    time("execution p50", "exec p50", 80),
    time("p99", "p99", 80),
    time("p99.9", "p99.9", 10),
    time("max", "max", 80),
    time("exchange p50", "exch p50", 70),
    time("p99", "p99", 70),
    time("p99.9", "p99.9", 5),
    time("max", "max", 70),
];

/// The percentiles of each process, in microseconds.
pub fn latency_table(processes: &[ProcessView]) -> Table {
    let rows = processes.iter().map(|process| {
        let histograms = [&process.latency, &process.execution, &process.exchange];
        let numbers = histograms.into_iter().flat_map(percentiles);
        std::iter::once(Cell::plain(process.name())).chain(numbers).collect()
    });
    Table { columns: LATENCY_COLUMNS.to_vec(), rows: rows.collect() }
}

fn percentiles(histogram: &Histogram) -> [Cell; 4] {
    if histogram.count() == 0 {
        return std::array::from_fn(|_| Cell::none());
    }
    let percentile = |percent| Cell::plain(microseconds(histogram.percentile_ns(percent)));
    let max = Cell::plain(microseconds(histogram.max_ns()));
    [percentile(50.0), percentile(99.0), percentile(99.9), max]
}

#[cfg(test)]
mod tests {
    use super::super::table::text_of;
    use super::*;
    use shm_layout::Role;
    use shm_layout::blocks::{Health, STATE_RUNNING};

    fn running(granted_bits: u64) -> ProcessView {
        let mut health =
            Health { state: STATE_RUNNING, pid: 4711, cpu: 1, overruns: 2, granted_bits, ..Health::default() };
        let mut latency = Histogram::new();
        latency.record(20_000);
        service::copy_histogram(&latency, &mut health.latency);
        ProcessView::new(Role::Dynamics, 3, 5_000_000, Some(health))
    }

    #[test]
    fn a_process_is_one_row_and_an_absent_one_has_dashes() {
        let absent = ProcessView::new(Role::Daq, 0, 0, None);
        let lines: Vec<String> = table(&[running(1 | 8), absent]).fit(200).iter().map(text_of).collect();
        let words: Vec<&str> = lines[1].split_whitespace().collect();
        assert_eq!(
            words,
            ["dynamics", "running", "4711", "1", "no", "M··F···", "0", "2", "0", "0", "3", "0", "5", "ms"]
        );
        assert_eq!(lines[2].split_whitespace().filter(|word| *word == "-").count(), 11);
    }

    #[test]
    fn everything_fits_an_old_terminal() {
        let lines = table(&[running(127)]).fit(80);
        assert_eq!(lines[0].len(), COLUMNS.len());
        let latencies = latency_table(&[running(127)]).fit(80);
        assert!(text_of(&latencies[1]).contains("20.0"), "{latencies:?}");
    }

    #[test]
    fn rights_are_named() {
        let (granted, missing) = rights_in_words(&running(Item::MemoryLocked.bit() | Item::FifoPriority.bit()));
        assert_eq!(granted, ["memory locked", "FIFO priority"]);
        assert_eq!(missing.len(), 5);
    }

    #[test]
    fn ages_have_the_unit_that_fits() {
        let ages = [250, 12_000, 12_000_000, 1_500_000_000, 42_000_000_000, 600_000_000_000, 7_200_000_000_000];
        assert_eq!(ages.map(age), ["0 µs", "12 µs", "12 ms", "1.5 s", "42 s", "10 min", "2 h"]);
    }
}
