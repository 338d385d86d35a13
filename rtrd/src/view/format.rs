//! Numbers and tables for people.

use rt::histogram::Histogram;

use super::{Exchange, Observer, ProcessView, State};

/// Nanoseconds as microseconds with a sensible number of digits.
pub fn microseconds(time_ns: u64) -> String {
    let time_us = time_ns as f64 / 1_000.0;
    match time_us {
        ..10.0 => format!("{time_us:.2}"),
        ..100.0 => format!("{time_us:.1}"),
        _ => format!("{time_us:.0}"),
    }
}

/// `p50 / p99 / max` in microseconds; a dash if there is nothing.
pub fn percentiles(histogram: &Histogram) -> String {
    if histogram.count() == 0 {
        return "-".to_owned();
    }
    let parts = [histogram.percentile_ns(50.0), histogram.percentile_ns(99.0), histogram.max_ns()];
    parts.map(microseconds).join(" / ")
}

/// Seconds as h:mm:ss.
pub fn clock(time_s: f64) -> String {
    let whole = time_s.max(0.0) as u64;
    format!("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
}

const HEADINGS: [&str; 9] = [
    "process",
    "state",
    "pid",
    "cpu",
    "fifo",
    "steps",
    "overruns/misses/restarts",
    "wake-up p50/p99/max µs",
    "step p50/p99/max µs",
];

/// The table of processes, a heading first.
pub fn process_table(processes: &[ProcessView]) -> Vec<String> {
    let rows: Vec<[String; 9]> = processes.iter().map(process_row).collect();
    let widths: [usize; 9] = std::array::from_fn(|column| {
        let longest = rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        longest.max(HEADINGS[column].chars().count())
    });
    let heading = HEADINGS.map(str::to_owned);
    std::iter::once(&heading).chain(&rows).map(|row| table_line(row, &widths)).collect()
}

fn process_row(process: &ProcessView) -> [String; 9] {
    let health = &process.health;
    let known = process.state != State::Absent;
    let or_dash = |text: String| if known { text } else { "-".to_owned() };
    [
        process.name().to_owned(),
        process.state.word().to_owned(),
        or_dash(health.pid.to_string()),
        if health.cpu < 0 { "any".to_owned() } else { or_dash(health.cpu.to_string()) },
        if health.fifo_priority == 0 { "no".to_owned() } else { or_dash(health.fifo_priority.to_string()) },
        or_dash(health.stamp.step.to_string()),
        format!("{}/{}/{}", health.overruns, health.exchange_misses, process.restarts),
        percentiles(&process.latency),
        percentiles(&process.execution),
    ]
}

fn table_line(row: &[String; 9], widths: &[usize; 9]) -> String {
    let cells = row.iter().zip(widths).map(|(cell, width)| {
        let padding = width - cell.chars().count();
        format!("{cell}{}", " ".repeat(padding))
    });
    cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
}

/// Columns that a line of signals may have.
const SIGNAL_COLUMNS: usize = 110;

/// The time and the signals of the exchange, one group after the other.
pub fn exchange_lines(exchange: &Exchange, observer: &Observer) -> Vec<String> {
    let description = &observer.description;
    let names = |ports: &[plant::Port]| ports.iter().map(|port| port.name.clone()).collect();
    let groups: [(&str, Vec<String>, &[f64]); 3] = [
        ("demands", observer.demand_names.clone(), &exchange.demands),
        ("inputs", names(&description.inputs), &exchange.inputs),
        ("outputs", names(&description.outputs), &exchange.outputs),
    ];
    let mut lines = Vec::new();
    for (group, names, values) in groups {
        let pairs = names.iter().zip(values);
        let pairs = pairs.map(|(name, value)| format!("{name} {value:.4}"));
        lines.extend(wrapped(group, pairs));
    }
    if !exchange.condition.is_empty() {
        lines.push(format!("! {}", exchange.condition));
    }
    lines
}

/// As many as fit on a line, and then the next line.
fn wrapped(group: &str, pairs: impl Iterator<Item = String>) -> Vec<String> {
    let mut lines = vec![format!("{group:8}")];
    for pair in pairs {
        let line = lines.last_mut().expect("there is one");
        if line.chars().count() + 3 + pair.chars().count() > SIGNAL_COLUMNS {
            lines.push(format!("{:8} {pair}", ""));
        } else {
            let gap = if line.len() > 8 { "   " } else { " " };
            line.push_str(gap);
            line.push_str(&pair);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_sensible_digits() {
        assert_eq!(microseconds(1_234), "1.23");
        assert_eq!(microseconds(12_345), "12.3");
        assert_eq!(microseconds(1_234_567), "1235");
        assert_eq!(clock(3_725.9), "1:02:05");
    }

    #[test]
    fn many_signals_take_several_lines() {
        let pairs = (0..9).map(|number| format!("a_rather_long_name_{number} 12.3456"));
        let lines = wrapped("outputs", pairs);
        assert!(lines.len() > 1 && lines.iter().all(|line| line.chars().count() <= SIGNAL_COLUMNS));
        assert!(lines[0].starts_with("outputs  a_rather") && lines[1].starts_with("         a_rather"));
    }

    #[test]
    fn columns_are_aligned() {
        let view = ProcessView::new(shm_layout::Role::Dynamics, 3, 0, None);
        let lines = process_table(&[view]);
        let column = |line: &str, word: &str| line.find(word);
        assert_eq!(column(&lines[0], "state"), column(&lines[1], "absent"));
        assert_eq!(column(&lines[0], "overruns"), column(&lines[1], "0/0/3"));
    }
}
