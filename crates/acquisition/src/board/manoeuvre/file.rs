//! A manoeuvre from a CSV file: a heading with `time_s` and any of `steering_deg`,
//! `throttle_ratio`, `brake_bar`, then numbers.
//!
//! Between its lines the controls move evenly; after the last they stay. Empty lines and lines that
//! begin with `#` do not count.

use super::{Manoeuvre, Track};
use crate::board::hardware::COUNT_DEG;

/// The quadrature decoder counts at most a million phases per second (DAS 3.1.3).
const COUNTS_PER_S_MAX: f64 = 1e6;

/// Why there is no manoeuvre.
#[derive(Debug, thiserror::Error)]
#[error("{origin}:{line}: {problem}")]
pub struct ManoeuvreError {
    /// The file.
    pub origin: String,
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong, and what was expected.
    pub problem: String,
}

/// The columns, with the range of each: limits of the pedals and of the sensor.
const COLUMNS: [(&str, f64, f64); 4] = [
    ("time_s", -1e9, 1e9),
    ("steering_deg", -1e6, 1e6),
    ("throttle_ratio", 0.0, 1.0),
    ("brake_bar", 0.0, 1000.0),
];

pub(super) fn load(path: &str) -> Result<Manoeuvre, ManoeuvreError> {
    let refused = |line: usize, problem: String| ManoeuvreError { origin: path.to_owned(), line, problem };
    let text = std::fs::read(path).map_err(|error| {
        let names: Vec<String> = Manoeuvre::shipped().into_iter().map(|shipped| shipped.name).collect();
        let names = names.join(", ");
        refused(1, format!("{error}; expected a CSV file or one of the shipped manoeuvres: {names}"))
    })?;
    parse(&String::from_utf8_lossy(&text), path).map_err(|(line, problem)| refused(line, problem))
}

fn parse(text: &str, path: &str) -> Result<Manoeuvre, (usize, String)> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let (number, heading) = lines.next().ok_or((1, "the file is empty".to_owned()))?;
    let columns = read_heading(heading).map_err(|problem| (number, problem))?;
    let mut rows: Vec<[f64; 4]> = Vec::new();
    for (number, line) in lines {
        let row = read_row(line, &columns).map_err(|problem| (number, problem))?;
        check_step(rows.last(), &row).map_err(|problem| (number, problem))?;
        rows.push(row);
    }
    let Some(first_s) = rows.first().map(|row| row[0]) else {
        return Err((number, "there is no line of numbers after the heading".to_owned()));
    };
    let track =
        |column: usize| Track::Lines(rows.iter().map(|row| (row[0] - first_s, row[column])).collect());
    Ok(Manoeuvre {
        name: path.to_owned(),
        about: format!("{} points of {path}", rows.len()),
        steering_deg: track(1),
        throttle_ratio: track(2),
        brake_bar: track(3),
    })
}

fn read_heading(heading: &str) -> Result<Vec<usize>, String> {
    let known = COLUMNS.map(|(name, ..)| name);
    let mut columns = Vec::new();
    for name in heading.split(',').map(str::trim) {
        let column = known.iter().position(|known| *known == name);
        let column =
            column.ok_or_else(|| format!("column {name:?} is not known; expected {}", known.join(", ")))?;
        if columns.contains(&column) {
            return Err(format!("column {name} is there twice"));
        }
        columns.push(column);
    }
    if !columns.contains(&0) {
        return Err("the column time_s is missing".to_owned());
    }
    Ok(columns)
}

fn read_row(line: &str, columns: &[usize]) -> Result<[f64; 4], String> {
    let cells: Vec<&str> = line.split(',').map(str::trim).collect();
    if cells.len() != columns.len() {
        return Err(format!("expected {} numbers, found {}", columns.len(), cells.len()));
    }
    let mut row = [0.0; 4];
    for (cell, column) in cells.into_iter().zip(columns) {
        let (name, least, most) = COLUMNS[*column];
        let value = cell.parse().ok().filter(|value| (least..=most).contains(value));
        row[*column] = value
            .ok_or_else(|| format!("{name}: expected a number from {least} to {most}, found {cell:?}"))?;
    }
    Ok(row)
}

fn check_step(before: Option<&[f64; 4]>, row: &[f64; 4]) -> Result<(), String> {
    let Some(before) = before else {
        return Ok(());
    };
    let passed_s = row[0] - before[0];
    if passed_s <= 0.0 {
        return Err(format!("time_s: {} does not come after {}", row[0], before[0]));
    }
    let counts_per_s = (row[1] - before[1]).abs() / COUNT_DEG / passed_s;
    if counts_per_s > COUNTS_PER_S_MAX {
        return Err(format!(
            "steering_deg: {} after {} within {passed_s} s is faster than the decoder counts ({COUNTS_PER_S_MAX} per second)",
            row[1], before[1]
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_followed_from_its_first_line() {
        let text = "# mine\ntime_s, brake_bar, steering_deg\n5, 0, 0\n\n6, 10, -90\n";
        let manoeuvre = parse(text, "mine.csv").unwrap();
        let controls = manoeuvre.at(0.5);
        assert_eq!((controls.brake_bar, controls.steering_deg, controls.throttle_ratio), (5.0, -45.0, 0.0));
    }

    #[test]
    fn everything_wrong_is_named_with_its_line() {
        let cases = [
            ("", 1, "empty"),
            ("a,b\n1,2", 1, "column \"a\" is not known; expected time_s, steering_deg"),
            ("time_s,time_s\n", 1, "there twice"),
            ("brake_bar\n1", 1, "time_s is missing"),
            ("time_s,brake_bar\n", 1, "no line of numbers"),
            ("time_s,brake_bar\n1,2\n2\n", 3, "expected 2 numbers, found 1"),
            ("time_s,brake_bar\n1,x\n", 2, "brake_bar: expected a number from 0 to 1000, found \"x\""),
            ("time_s,brake_bar\n1,NaN\n", 2, "found \"NaN\""),
            ("time_s,throttle_ratio\n1,2\n", 2, "throttle_ratio: expected a number from 0 to 1"),
            ("time_s\n1\n1\n", 3, "1 does not come after 1"),
            ("time_s,steering_deg\n1,0\n1.001,900\n", 3, "faster than the decoder counts"),
        ];
        for (text, line, message) in cases {
            let (found, problem) = parse(text, "x").expect_err(text);
            assert!(found == line && problem.contains(message), "{text:?}: {found}: {problem}");
        }
        let error = load("no/such.csv").unwrap_err().to_string();
        assert!(error.contains("no/such.csv:1:") && error.contains("drive, steering-sweep"), "{error}");
    }
}
