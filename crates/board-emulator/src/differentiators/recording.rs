//! A recorded signal: times and values, from a table of columns separated by commas.

use acquisition::NANOSECONDS_PER_SECOND;
use files::{FileError, Gaps, Source, Table};

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

    /// Reads a column; the only one beside `time_s` if none is named. `#` begins a comment.
    pub fn read(text: &Source<'_>, column: Option<&str>) -> Result<Self, FileError> {
        let table = Table::over_time(text, Gaps::Refused)?;
        let wrong = |problem: &str| {
            let known = table.names().skip(1).collect::<Vec<_>>().join(", ");
            table.fault(text, None, 0, format!("{problem}; expected one of {known}"))
        };
        let place = match column {
            Some(column) => table.names().skip(1).position(|name| name == column).map(|place| place + 1),
            None => (table.columns().len() == 2).then_some(1),
        };
        let place = place.ok_or_else(|| match column {
            Some(column) => wrong(&format!("there is no column `{column}`")),
            None => wrong(&format!("{} columns beside time_s and none was asked for", table.columns().len() - 1)),
        })?;
        let since = |time_s: &f64| ((time_s - table.time_s()[0]) * NANOSECONDS_PER_SECOND).round() as u64;
        Ok(Self { times_ns: table.time_s().iter().map(since).collect(), values: table.columns()[place].clone() })
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
