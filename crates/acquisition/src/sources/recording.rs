//! A recorded drive: the file that `rtrd daq record` writes.
//!
//! Comma-separated values with one headline: `time_s`, then the raw numbers of the channels as
//! `name.raw`, then their values as `name`. Only the raw numbers are replayed, because whoever
//! replays has its own calibration; a file without any is replayed as it is.

use std::path::Path;

use crate::{OpenError, RAW_MAX};

/// The ending of columns with raw numbers.
const RAW: &str = ".raw";
/// The first column.
const TIME: &str = "time_s";

/// A recording in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// Names of the numbers.
    pub names: Vec<String>,
    /// Times from the first row (ns).
    pub times_ns: Vec<u64>,
    /// The numbers of all rows, one row after the other.
    pub numbers: Vec<f64>,
}

impl Recording {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, OpenError> {
        let failed = |problem: String| OpenError { place: path.display().to_string(), problem };
        let text =
            std::fs::read_to_string(path).map_err(|error| failed(format!("cannot be read: {error}")))?;
        Self::parse(&text).map_err(failed)
    }

    /// Reads a text. Mistakes begin with the number of the line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut lines =
            text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let (_, headline) = lines.next().ok_or("is empty; expected a headline that begins with time_s")?;
        let (names, columns) = columns(headline)?;
        let mut recording = Self { names, times_ns: Vec::new(), numbers: Vec::new() };
        let mut first_s = None;
        let mut last_s = f64::NEG_INFINITY;
        for (index, line) in lines {
            let cells: Vec<&str> = line.split(',').map(str::trim).collect();
            let number = |column: usize| -> Result<f64, String> {
                let cell = cells.get(column).copied().unwrap_or("");
                match cell {
                    "" => Ok(f64::NAN),
                    _ => cell.parse().map_err(|_| {
                        format!("line {}, column {}: \"{cell}\" is no number", index + 1, column + 1)
                    }),
                }
            };
            let time_s = number(0)?;
            if !time_s.is_finite() || time_s < last_s {
                return Err(format!("line {}: time_s is {time_s}; expected times that rise", index + 1));
            }
            last_s = time_s;
            let since_s = time_s - *first_s.get_or_insert(time_s);
            recording.times_ns.push((since_s * 1e9).round() as u64);
            for column in &columns {
                recording.numbers.push(number(*column)?);
            }
        }
        if recording.times_ns.is_empty() {
            return Err("has a headline and no rows".to_owned());
        }
        Ok(recording)
    }

    /// The numbers of a row.
    #[inline]
    pub fn row(&self, index: usize) -> &[f64] {
        let width = self.names.len();
        &self.numbers[index * width..(index + 1) * width]
    }
}

/// Names and places of the columns to replay.
fn columns(headline: &str) -> Result<(Vec<String>, Vec<usize>), String> {
    let cells: Vec<&str> = headline.split(',').map(str::trim).collect();
    if cells[0] != TIME {
        return Err(format!("line 1: the first column is \"{}\"; expected time_s", cells[0]));
    }
    let raw = || cells.iter().enumerate().filter(|(_, cell)| cell.ends_with(RAW));
    let chosen: Vec<(usize, &str)> = if raw().next().is_some() {
        raw().map(|(place, cell)| (place, cell.trim_end_matches(RAW))).collect()
    } else {
        cells.iter().copied().enumerate().skip(1).collect()
    };
    if chosen.is_empty() || chosen.len() > RAW_MAX {
        let found = chosen.len();
        return Err(format!("line 1: {found} columns to replay; expected 1 to {RAW_MAX}"));
    }
    Ok(chosen.iter().map(|(place, name)| ((*name).to_owned(), *place)).unzip())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_columns_are_replayed_and_others_only_without_them() {
        let text = "time_s,steering.raw,brake.raw,steering\n10.5,1,2,0.1\n10.501,3,,0.2\n";
        let recording = Recording::parse(text).expect("a recording");
        assert_eq!(recording.names, ["steering", "brake"]);
        assert_eq!(recording.times_ns, [0, 1_000_000]);
        assert_eq!(recording.row(0), [1.0, 2.0]);
        assert!(recording.row(1)[1].is_nan());
        let plain = Recording::parse("time_s,a\n0,1\n").expect("a recording");
        assert_eq!(plain.names, ["a"]);
    }

    #[test]
    fn mistakes_are_told_with_their_lines() {
        let cases = [
            ("", "is empty"),
            ("a,b\n0,1\n", "expected time_s"),
            ("time_s\n0\n", "0 columns"),
            ("time_s,a\n", "no rows"),
            ("time_s,a\n0,1\n0.1,x\n", "line 3, column 2: \"x\""),
            ("time_s,a\n1,1\n0.5,1\n", "line 3: time_s is 0.5"),
        ];
        for (text, expected) in cases {
            let problem = Recording::parse(text).expect_err(text);
            assert!(problem.contains(expected), "{problem}");
        }
    }
}
