//! Columns of numbers: comma-separated values with one line of names.
//!
//! ```text
//! time_s,level_cm,outlet_valve_ratio
//! 0.0,15.0,1.0
//! 12.5,20.0,1.0
//! ```
//! Names end in their unit. Blank lines and lines that begin with `#` do not count. A mistake names
//! file, line, column (in characters) and the name of the column.

use crate::place::line_and_column;
use crate::{FileError, Source};
use csv::{ReaderBuilder, StringRecord, Trim};

/// Whether a cell may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gaps {
    /// No: every cell is a finite number.
    Refused,
    /// Yes: it becomes NaN, as `nan` does; so do cells that a line lacks at its end.
    Nan,
}

/// Columns of numbers by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Where the line of the names begins, then each row (bytes).
    starts: Vec<usize>,
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
}

impl Table {
    /// Reads any columns. A file without names is an error; one without rows is not.
    pub fn read(source: &Source<'_>, gaps: Gaps) -> Result<Self, FileError> {
        let text = source.text()?;
        let mut reader = ReaderBuilder::new();
        let reader = reader.has_headers(false).flexible(true).trim(Trim::All).comment(Some(b'#'));
        let mut table = Self { starts: Vec::new(), names: Vec::new(), columns: Vec::new() };
        for record in reader.from_reader(text.as_bytes()).records() {
            let record = record.map_err(|error| source.fault(1, "text", error.to_string()))?;
            if record.len() == 1 && record[0].is_empty() {
                continue;
            }
            let start = record.position().map_or(0, |position| position.byte() as usize);
            table.starts.push(record_start(text, start));
            if table.names.is_empty() {
                table.names = record.iter().map(str::to_owned).collect();
                table.columns = vec![Vec::new(); record.len()];
                table.check_names(source)?;
            } else {
                table.push(source, &record, gaps)?;
            }
        }
        if table.names.is_empty() {
            return Err(FileError::whole(source.name, "is empty; expected a line with the names of the columns"));
        }
        Ok(table)
    }

    /// Reads columns over time: the first is `time_s`, and it rises from row to row.
    pub fn over_time(source: &Source<'_>, gaps: Gaps) -> Result<Self, FileError> {
        let table = Self::read(source, gaps)?;
        if table.names[0] != "time_s" {
            let problem = format!("the first column is `{}`; expected time_s", excerpt(&table.names[0]));
            return Err(table.fault(source, None, 0, problem));
        }
        let before = table.time_s().windows(2).position(|pair| pair[1] <= pair[0]);
        before.map_or(Ok(()), |row| {
            let (found, before) = (table.time_s()[row + 1], table.time_s()[row]);
            let problem = format!("expected times that rise, found {found} after {before}");
            Err(table.fault(source, Some(row + 1), 0, problem))
        })?;
        Ok(table)
    }

    fn check_names(&self, source: &Source<'_>) -> Result<(), FileError> {
        let twice = (1..self.names.len()).find(|at| self.names[..*at].contains(&self.names[*at]));
        twice.map_or(Ok(()), |at| Err(self.fault(source, None, at, "the name is there twice; expected unique names")))
    }

    fn push(&mut self, source: &Source<'_>, record: &StringRecord, gaps: Gaps) -> Result<(), FileError> {
        let row = self.columns[0].len();
        let (found, expected) = (record.len(), self.names.len());
        if found > expected || (found < expected && gaps == Gaps::Refused) {
            let at = found.min(expected) - 1;
            let problem = format!("{found} cells; expected {expected}, one for each name");
            return Err(self.fault(source, Some(row), at, problem));
        }
        for column in 0..expected {
            let cell = record.get(column).unwrap_or_default();
            let value = number(cell, gaps).ok_or_else(|| {
                let problem = format!("expected a finite number, found `{}`", excerpt(cell));
                self.fault(source, Some(row), column, problem)
            })?;
            self.columns[column].push(value);
        }
        Ok(())
    }

    /// The names of the columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// All columns, in the order of the names.
    pub fn columns(&self) -> &[Vec<f64>] {
        &self.columns
    }

    /// The first column (s).
    pub fn time_s(&self) -> &[f64] {
        &self.columns[0]
    }

    /// The number of rows.
    pub fn row_count(&self) -> usize {
        self.columns[0].len()
    }

    /// The place of a column.
    pub fn index(&self, source: &Source<'_>, name: &str) -> Result<usize, FileError> {
        self.names.iter().position(|known| known == name).ok_or_else(|| {
            let known = crate::one_of(name, self.names());
            let known = known.replacen("unknown; expected", "no column; expected", 1);
            self.fault(source, None, 0, excerpt(&known))
        })
    }

    /// A column by name.
    pub fn column(&self, source: &Source<'_>, name: &str) -> Result<&[f64], FileError> {
        self.index(source, name).map(|index| &*self.columns[index])
    }

    /// A fault of a cell, or of a name (no row).
    pub fn fault(
        &self,
        source: &Source<'_>,
        row: Option<usize>,
        column: usize,
        problem: impl Into<String>,
    ) -> FileError {
        let text = String::from_utf8_lossy(source.bytes);
        let start = self.starts[row.map_or(0, |row| row + 1)];
        let (line, column_in_text) = line_and_column(&text, start + cell_start(&text[start..], column));
        FileError {
            file: source.name.to_owned(),
            line,
            column: column_in_text,
            field: self.names.get(column).map_or("cells", String::as_str).to_owned(),
            problem: problem.into(),
        }
    }
}

/// The beginning of a record: behind the blank lines and comments that the reader passed before it.
fn record_start(text: &str, from: usize) -> usize {
    let passed = |line: &&str| line.trim().is_empty() || line.starts_with('#');
    from + text[from..].split_inclusive('\n').take_while(passed).map(str::len).sum::<usize>()
}

/// The byte where a cell of a record begins, behind its blanks.
fn cell_start(record: &str, column: usize) -> usize {
    let mut quoted = false;
    let mut commas = record.char_indices().filter(|(_, symbol)| {
        quoted ^= *symbol == '"';
        *symbol == ',' && !quoted
    });
    let start = column.checked_sub(1).and_then(|before| commas.nth(before)).map_or(0, |(at, _)| at + 1);
    let cell = &record[start..];
    start + cell.len() - cell.trim_start_matches([' ', '\t']).len()
}

fn number(cell: &str, gaps: Gaps) -> Option<f64> {
    match (cell, gaps) {
        ("", Gaps::Nan) => Some(f64::NAN),
        _ => cell.parse().ok().filter(|value: &f64| value.is_finite() || gaps == Gaps::Nan),
    }
}

/// Enough of a text to recognise it in a message.
fn excerpt(text: &str) -> String {
    const LENGTH_MAX: usize = 400;
    match text.char_indices().nth(LENGTH_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str = "# a run\ntime_s, level_cm,valve_ratio\n0,15, 1\n\n12.5,20,0.5\n";

    fn over_time(text: &str) -> Result<Table, String> {
        Table::over_time(&Source::new("run.csv", text.as_bytes()), Gaps::Refused).map_err(|error| error.to_string())
    }

    #[test]
    fn columns_are_found_by_name() {
        let (table, source) = (over_time(TEXT).expect("a table"), Source::new("run.csv", TEXT.as_bytes()));
        assert_eq!((table.time_s(), table.row_count()), (&[0.0, 12.5][..], 2));
        assert_eq!(table.column(&source, "valve_ratio").expect("a column"), [1.0, 0.5]);
        let error = table.column(&source, "levl_cm").expect_err("no column").to_string();
        assert!(error.starts_with("run.csv:2:1: time_s: `levl_cm` is no column; expected one of"), "{error}");
        assert!(error.ends_with("did you mean `level_cm`?"), "{error}");
    }

    #[test]
    fn mistakes_name_line_and_column() {
        let cases = [
            ("", "run.csv: is empty; expected a line with the names of the columns"),
            ("t,level_cm\n", "run.csv:1:1: t: the first column is `t`; expected time_s"),
            ("time_s, x,x\n", "run.csv:1:11: x: the name is there twice; expected unique names"),
            ("time_s,x\n1\n", "run.csv:2:1: time_s: 1 cells; expected 2, one for each name"),
            ("time_s,x\n0,1\n\n1, nan\n", "run.csv:4:4: x: expected a finite number, found `nan`"),
            ("time_s,x\n0,1\n  \n# é\n0,1\n", "run.csv:5:1: time_s: expected times that rise, found 0 after 0"),
        ];
        for (text, expected) in cases {
            assert_eq!(over_time(text).expect_err(text), expected);
        }
    }

    #[test]
    fn gaps_become_nan_where_they_are_allowed() {
        let source = Source::new("run.csv", b"time_s,a,b\n0,,1\n1\n");
        let table = Table::over_time(&source, Gaps::Nan).expect("a table");
        assert!(table.columns()[1].iter().chain(&table.columns()[2][1..]).all(|value| value.is_nan()));
    }

    proptest! {
        #[test]
        fn any_text_is_a_table_or_an_error(text in "([a-z0-9,.\"#\n é-]|time_s,|nan){0,200}") {
            let source = Source::new("run.csv", text.as_bytes());
            for gaps in [Gaps::Refused, Gaps::Nan] {
                if let Ok(table) = Table::over_time(&source, gaps) {
                    prop_assert!(table.columns().iter().all(|column| column.len() == table.row_count()));
                }
            }
        }
    }
}
