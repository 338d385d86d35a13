//! Numbers, tables and faults for people, and the terminal that they are shown on.

use std::io::IsTerminal;

use super::Exchange;

/// Nanoseconds as microseconds with a sensible number of digits.
pub fn microseconds(time_ns: u64) -> String {
    let time_us = time_ns as f64 / 1_000.0;
    match time_us {
        ..10.0 => format!("{time_us:.2}"),
        ..100.0 => format!("{time_us:.1}"),
        _ => format!("{time_us:.0}"),
    }
}

/// Seconds as h:mm:ss.
pub fn clock(time_s: f64) -> String {
    let whole = time_s.max(0.0) as u64;
    format!("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
}

/// The signals of the exchange, one group after the other, in lines of at most `width` columns.
pub fn exchange_lines(exchange: &Exchange, width: usize) -> Vec<String> {
    let groups = [("demands", &exchange.demands), ("inputs", &exchange.inputs), ("outputs", &exchange.outputs)];
    let lines = groups.into_iter().flat_map(|(group, signals)| {
        wrapped(group, signals.iter().map(|shown| format!("{} {:.4}", shown.name, shown.value)), width)
    });
    let condition = Some(&exchange.condition).filter(|condition| !condition.is_empty());
    lines.chain(condition.map(|condition| format!("! {condition}"))).collect()
}

/// As many as fit on a line, and then the next line.
fn wrapped(group: &str, pairs: impl Iterator<Item = String>, width: usize) -> Vec<String> {
    let mut lines = vec![format!("{group:8}")];
    for pair in pairs {
        let line = lines.last_mut().expect("there is one");
        if line.chars().count() + 3 + pair.chars().count() > width {
            lines.push(format!("{:8} {pair}", ""));
        } else {
            let gap = if line.len() > 8 { "   " } else { " " };
            line.push_str(gap);
            line.push_str(&pair);
        }
    }
    lines
}

/// Columns and lines where standard output is no terminal.
const SIZE_ELSEWHERE: (usize, usize) = (100, 24);

/// Columns and lines of standard output.
pub fn terminal_size() -> (usize, usize) {
    terminal_size::terminal_size()
        .map_or(SIZE_ELSEWHERE, |(width, height)| (usize::from(width.0), usize::from(height.0)))
}

/// Columns of standard output.
pub fn terminal_width() -> usize {
    terminal_size().0
}

/// Whether to colour what is printed: on a terminal, unless the user has set `NO_COLOR` to
/// anything.
pub fn has_colours() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// The faults, in the order of their bits in `/acquisition/` and in a health block.
const FAULTS: [&str; 5] = ["out of range", "stuck", "jump", "stale", "not a number"];
/// The reactions, in the order of their numbers.
const REACTIONS: [&str; 4] = ["", "held", "ramped to safe", "stop asked for"];

/// What is wrong and what is done about it; empty when all is well.
pub fn trouble(faults: u64, reaction: u64) -> String {
    let found = FAULTS.iter().enumerate().filter(|(bit, _)| faults >> bit & 1 == 1);
    let faults = found.map(|(_, name)| *name).collect::<Vec<_>>().join(", ");
    let reaction = usize::try_from(reaction).ok().and_then(|number| REACTIONS.get(number));
    let parts = [faults.as_str(), reaction.copied().unwrap_or("")];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(": ")
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
        let pairs = || (0..9).map(|number| format!("a_rather_long_name_{number} 12.3456"));
        for width in [77, 110] {
            let lines = wrapped("outputs", pairs(), width);
            assert!(lines.len() > 1 && lines.iter().all(|line| line.chars().count() <= width));
            assert!(lines[0].starts_with("outputs  a_rather") && lines[1].starts_with("         a_rather"));
        }
    }

    #[test]
    fn faults_and_reactions_have_words() {
        assert_eq!(trouble(0, 0), "");
        assert_eq!(trouble(1 | 8, 0), "out of range, stale");
        assert_eq!(trouble(2 | 4 | 16, 3), "stuck, jump, not a number: stop asked for");
        assert_eq!(trouble(0, 2), "ramped to safe");
    }
}
