//! A manoeuvre from a CSV file: a heading with `time_s` and any of `steering_deg`,
//! `throttle_ratio`, `brake_bar`, then numbers.
//!
//! Between its lines the controls move evenly; after the last they stay. Empty lines and lines that
//! begin with `#` do not count.

use files::{FileError, Gaps, Source, Table};

use super::{Manoeuvre, Track};
use crate::hardware::COUNT_DEG;

/// The quadrature decoder counts at most a million phases per second (DAS 3.1.3).
const COUNTS_PER_S_MAX: f64 = 1e6;
/// The columns beside the time, with the range of each: limits of the pedals and of the sensor.
const COLUMNS: [(&str, f64, f64); 3] =
    [("steering_deg", -1e6, 1e6), ("throttle_ratio", 0.0, 1.0), ("brake_bar", 0.0, 1000.0)];

pub(super) fn load(path: &str) -> Result<Manoeuvre, FileError> {
    let found = files::read(path.as_ref()).map_err(|error| {
        let names: Vec<String> = Manoeuvre::shipped().into_iter().map(|shipped| shipped.name).collect();
        let names = names.join(", ");
        let problem = error.problem;
        FileError::whole(path, format!("{problem}; expected a CSV file or a shipped manoeuvre: {names}"))
    })?;
    parse(&found.source())
}

fn parse(source: &Source<'_>) -> Result<Manoeuvre, FileError> {
    let table = Table::over_time(source, Gaps::Refused)?;
    let known = COLUMNS.map(|(name, ..)| name);
    if let Some((column, name)) = table.names().enumerate().skip(1).find(|(_, name)| !known.contains(name)) {
        return Err(table.fault(source, None, column, files::one_of(name, known)));
    }
    if table.row_count() == 0 {
        return Err(table.fault(source, None, 0, "expected a line of numbers after the names"));
    }
    let track = |column: usize| track(&table, source, COLUMNS[column]);
    let manoeuvre = Manoeuvre {
        name: source.name.to_owned(),
        about: format!("{} points of {}", table.row_count(), source.name),
        steering_deg: track(0)?,
        throttle_ratio: track(1)?,
        brake_bar: track(2)?,
    };
    check_speed(&table, source)?;
    Ok(manoeuvre)
}

/// A column from its first line on; zero without one.
fn track(table: &Table, source: &Source<'_>, (name, least, most): (&str, f64, f64)) -> Result<Track, FileError> {
    let Some(column) = table.names().position(|found| found == name) else {
        return Ok(Track::Still(0.0));
    };
    let (times_s, values) = (table.time_s(), &table.columns()[column]);
    if let Some(row) = values.iter().position(|value| !(least..=most).contains(value)) {
        let problem = format!("expected a number from {least} to {most}, found {}", values[row]);
        return Err(table.fault(source, Some(row), column, problem));
    }
    Ok(Track::Lines(times_s.iter().zip(values).map(|(time_s, value)| (time_s - times_s[0], *value)).collect()))
}

/// The decoder must be able to count the steering.
fn check_speed(table: &Table, source: &Source<'_>) -> Result<(), FileError> {
    let Some(column) = table.names().position(|name| name == COLUMNS[0].0) else {
        return Ok(());
    };
    let (times_s, angles_deg) = (table.time_s(), &table.columns()[column]);
    let counts_per_s =
        |row: usize| (angles_deg[row] - angles_deg[row - 1]).abs() / COUNT_DEG / (times_s[row] - times_s[row - 1]);
    (1..times_s.len()).find(|row| counts_per_s(*row) > COUNTS_PER_S_MAX).map_or(Ok(()), |row| {
        let problem = format!(
            "{} after {} is faster than the decoder counts ({COUNTS_PER_S_MAX} per second)",
            angles_deg[row],
            angles_deg[row - 1]
        );
        Err(table.fault(source, Some(row), column, problem))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Manoeuvre, FileError> {
        parse(&Source::new("x.csv", text.as_bytes()))
    }

    #[test]
    fn a_file_is_followed_from_its_first_line() {
        let manoeuvre = parsed("# mine\ntime_s, brake_bar, steering_deg\n5, 0, 0\n\n6, 10, -90\n").unwrap();
        let controls = manoeuvre.at(0.5);
        assert_eq!((controls.brake_bar, controls.steering_deg, controls.throttle_ratio), (5.0, -45.0, 0.0));
    }

    #[test]
    fn everything_wrong_is_named_with_its_line() {
        let cases = [
            ("", 0, "empty"),
            ("a,b\n1,2", 1, "the first column is `a`; expected time_s"),
            ("time_s,a\n1,2", 1, "`a` is unknown; expected one of steering_deg, throttle_ratio, brake_bar"),
            ("time_s,time_s\n", 1, "there twice"),
            ("brake_bar\n1", 1, "expected time_s"),
            ("time_s,brake_bar\n", 1, "a line of numbers"),
            ("time_s,brake_bar\n1,2\n2\n", 3, "1 cells; expected 2"),
            ("time_s,brake_bar\n1,x\n", 2, "brake_bar: expected a finite number, found `x`"),
            ("time_s,brake_bar\n1,NaN\n", 2, "found `NaN`"),
            ("time_s,brake_bar\n1,-2\n", 2, "brake_bar: expected a number from 0 to 1000, found -2"),
            ("time_s,throttle_ratio\n1,2\n", 2, "throttle_ratio: expected a number from 0 to 1"),
            ("time_s\n1\n1\n", 3, "expected times that rise, found 1 after 1"),
            ("time_s,steering_deg\n1,0\n1.001,900\n", 3, "faster than the decoder counts"),
        ];
        for (text, line, message) in cases {
            let error = parsed(text).expect_err(text);
            assert!(error.line == line && error.to_string().contains(message), "{text:?}: {error}");
        }
        let error = load("no/such.csv").unwrap_err().to_string();
        assert!(error.contains("no/such.csv: ") && error.contains("drive, steering-sweep"), "{error}");
    }
}
