//! A recorded signal: times and values, from a table of columns separated by commas.

use crate::NANOSECONDS_PER_SECOND;

/// Why a recording cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RecordingError {
    /// Nothing in it.
    #[error("line 1: expected the names of the columns, the first of them time_s")]
    NoHead,
    /// The column is not there, or not clear.
    #[error("line 1: {problem}; expected one of {known}")]
    Column {
        /// What is wrong.
        problem: String,
        /// Those that exist.
        known: String,
    },
    /// A line that is not one of the table.
    #[error("line {line}: {problem}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What was found and what was expected.
        problem: String,
    },
    /// Too short to compare.
    #[error("the recording is too short; expected at least ten samples more than {needed_s} s")]
    TooShort {
        /// What the ends need (s).
        needed_s: f64,
    },
}

/// A signal over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    times_ns: Vec<u64>,
    values: Vec<f64>,
}

impl Recording {
    /// Times (ns) that rise, and as many values.
    pub(super) fn from_parts(times_ns: Vec<u64>, values: Vec<f64>) -> Self {
        Self { times_ns, values }
    }

    /// Reads a column; the only one beside `time_s` if none is named. Lines that begin with `#` are
    /// comments.
    pub fn read(text: &str, column: Option<&str>) -> Result<Self, RecordingError> {
        let mut lines =
            (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let (_, head) = lines.next().ok_or(RecordingError::NoHead)?;
        let names: Vec<&str> = head.split(',').map(str::trim).collect();
        if names[0] != "time_s" {
            return Err(RecordingError::NoHead);
        }
        let place = find(&names, column)?;
        let (mut times_ns, mut values) = (Vec::new(), Vec::new());
        let mut origin_s = None;
        for (line, content) in lines {
            let wrong = |problem: String| RecordingError::Line { line, problem };
            let cells: Vec<&str> = content.split(',').map(str::trim).collect();
            if cells.len() != names.len() {
                let problem = format!("{} cells; expected {}, one for each column", cells.len(), names.len());
                return Err(wrong(problem));
            }
            let number = |place: usize| {
                let found = cells[place].parse::<f64>().ok().filter(|number| number.is_finite());
                found.ok_or_else(|| {
                    wrong(format!("{}: expected a number, found `{}`", names[place], cells[place]))
                })
            };
            let (time_s, value) = (number(0)?, number(place)?);
            let since_s = time_s - *origin_s.get_or_insert(time_s);
            let time_ns = (since_s * NANOSECONDS_PER_SECOND).round();
            if time_ns < 0.0 || times_ns.last().is_some_and(|before| time_ns as u64 <= *before) {
                return Err(wrong(format!("time_s: expected a later time than before, found {time_s}")));
            }
            times_ns.push(time_ns as u64);
            values.push(value);
        }
        Ok(Self { times_ns, values })
    }

    /// What a process sees that looks every so often and takes the newest sample, at its true time.
    pub fn looked_at_every(&self, period_ns: u64) -> Self {
        let mut thinned = Self::from_parts(Vec::new(), Vec::new());
        let (Some(first_ns), Some(last_ns)) = (self.times_ns.first(), self.times_ns.last()) else {
            return thinned;
        };
        let mut newest = 0;
        let mut look_ns = *first_ns;
        while look_ns <= *last_ns {
            while self.times_ns.get(newest + 1).is_some_and(|next_ns| *next_ns <= look_ns) {
                newest += 1;
            }
            if thinned.times_ns.last() != Some(&self.times_ns[newest]) {
                thinned.times_ns.push(self.times_ns[newest]);
                thinned.values.push(self.values[newest]);
            }
            look_ns += period_ns.max(1);
        }
        thinned
    }

    /// Times (s), counted from the first.
    pub fn times_s(&self) -> Vec<f64> {
        let seconds = self.times_ns.iter().map(|ns| *ns as f64 / NANOSECONDS_PER_SECOND);
        seconds.collect()
    }

    /// Times (ns), counted from the first.
    pub fn times_ns(&self) -> &[u64] {
        &self.times_ns
    }

    /// The values.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The least difference between two values that follow each other and differ: the resolution,
    /// if it is the same everywhere.
    pub fn step(&self) -> Option<f64> {
        let steps = self.values.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        steps.filter(|step| *step > 0.0).min_by(f64::total_cmp)
    }
}

fn find(names: &[&str], column: Option<&str>) -> Result<usize, RecordingError> {
    let fault = |problem: String| RecordingError::Column { problem, known: names[1..].join(", ") };
    match column {
        Some(column) => {
            let place = names.iter().skip(1).position(|name| *name == column);
            place.map(|place| place + 1).ok_or_else(|| fault(format!("there is no column `{column}`")))
        }
        None if names.len() == 2 => Ok(1),
        None => Err(fault(format!("{} columns beside time_s and none was asked for", names.len() - 1))),
    }
}
