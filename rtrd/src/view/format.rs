//! Numbers and tables for people.

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
}
