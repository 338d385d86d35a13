//! A recorded drive: the file that `rtrd daq record` writes.
//!
//! Comma-separated values with one headline: `time_s`, then the raw numbers of the channels as
//! `name.raw`, then their values as `name`. Only the raw numbers are replayed, because a
//! replay has its own calibration; a file without any is replayed as it is.

use std::path::Path;

use files::{FileError, Gaps, Source as Text, Table};

use crate::{NANOSECONDS_PER_SECOND, OpenError, RAW_MAX};

/// The ending of columns with raw numbers.
const RAW: &str = ".raw";
/// The first column.
const TIME: &str = "time_s";

#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    pub names: Vec<String>,
    /// Times from the first row (ns).
    pub times_ns: Vec<u64>,
    /// The numbers of all rows, one row after the other.
    pub numbers: Vec<f64>,
}

impl Recording {
    pub fn read(path: &Path) -> Result<Self, OpenError> {
        let recording = files::read(path).and_then(|found| Self::parse(&found.source()));
        let place = path.display().to_string();
        recording.map_err(|error| OpenError { place, problem: error.to_string() })
    }

    /// Reads a text. Times may stay the same from row to row, as those of several sources do.
    fn parse(text: &Text<'_>) -> Result<Self, FileError> {
        let table = Table::read(text, Gaps::Nan)?;
        let columns = columns(&table, text)?;
        let times_s = table.time_s();
        let Some(first_s) = times_s.first() else {
            return Err(FileError::whole(text.name, "has a line of names and no rows; record it again"));
        };
        let rises = |row: &usize| times_s[*row].is_finite() && times_s[*row] >= times_s[row.saturating_sub(1)];
        if let Some(row) = (0..times_s.len()).find(|row| !rises(row)) {
            let problem = format!("expected times that do not fall, found {}", times_s[row]);
            return Err(table.fault(text, Some(row), 0, problem));
        }
        let nanoseconds = |time_s: &f64| ((time_s - first_s) * NANOSECONDS_PER_SECOND).round() as u64;
        let row = |row: usize| columns.iter().map(move |(column, _)| (*column, row));
        Ok(Self {
            names: columns.iter().map(|(_, name)| name.clone()).collect(),
            times_ns: times_s.iter().map(nanoseconds).collect(),
            numbers: (0..times_s.len()).flat_map(row).map(|(column, row)| table.columns()[column][row]).collect(),
        })
    }

    pub fn row(&self, index: usize) -> &[f64] {
        let width = self.names.len();
        &self.numbers[index * width..(index + 1) * width]
    }
}

fn columns(table: &Table, text: &Text<'_>) -> Result<Vec<(usize, String)>, FileError> {
    let names: Vec<&str> = table.names().collect();
    if names[0] != TIME {
        let problem = format!("the first column is `{}`; expected time_s", names[0]);
        return Err(table.fault(text, None, 0, problem));
    }
    let numbered = || names.iter().enumerate().skip(1);
    let has_raw = numbered().any(|(_, name)| name.ends_with(RAW));
    let chosen = numbered().filter(|(_, name)| !has_raw || name.ends_with(RAW));
    let chosen: Vec<(usize, String)> =
        chosen.map(|(place, name)| (place, name.trim_end_matches(RAW).to_owned())).collect();
    if chosen.is_empty() || chosen.len() > RAW_MAX {
        let problem = format!("{} columns to replay; expected 1 to {RAW_MAX}", chosen.len());
        return Err(table.fault(text, None, 0, problem));
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Recording, FileError> {
        Recording::parse(&Text::new("drive.csv", text.as_bytes()))
    }

    #[test]
    fn raw_columns_are_replayed_and_others_only_without_them() {
        let text = "time_s,steering.raw,brake.raw,steering\n10.5,1,2,0.1\n10.501,3,,0.2\n";
        let recording = parse(text).expect("a recording");
        assert_eq!(recording.names, ["steering", "brake"]);
        assert_eq!(recording.times_ns, [0, 1_000_000]);
        assert_eq!(recording.row(0), [1.0, 2.0]);
        assert!(recording.row(1)[1].is_nan());
        let plain = parse("time_s,a\n0,1\n").expect("a recording");
        assert_eq!(plain.names, ["a"]);
    }

    #[test]
    fn mistakes_are_told_with_their_lines() {
        let cases = [
            ("", "is empty"),
            ("a,b\n0,1\n", "expected time_s"),
            ("time_s\n0\n", "0 columns"),
            ("time_s,a\n", "no rows"),
            ("time_s,a\n0,1\n0.1,x\n", "drive.csv:3:5: a: expected a finite number, found `x`"),
            ("time_s,a\n1,1\n0.5,1\n", "drive.csv:3:1: time_s: expected times that do not fall, found 0.5"),
        ];
        for (text, expected) in cases {
            let problem = parse(text).expect_err(text).to_string();
            assert!(problem.contains(expected), "{problem}");
        }
    }
}
