//! A recording as the source of a demand: a text file of columns separated by commas.
//!
//! ```text
//! time_s,level_cm,outlet_valve_ratio
//! 0.0,15.0,1.0
//! 12.5,20.0,1.0
//! ```
//! The first column is `time_s` and rises. The traces that [`crate::simulate`] writes have this form, so a
//! run can be played again (`column = "demand_level_cm"`).

/// Why a recording cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RecordingError {
    /// The file is empty.
    #[error("the recording is empty; expected a line of column names that starts with time_s")]
    Empty,
    /// The first column is not the time.
    #[error("line 1: the first column is `{found}`; expected time_s")]
    NoTime {
        /// The name of the first column.
        found: String,
    },
    /// The column that was asked for is not there.
    #[error("line 1: there is no column `{column}`; the recording has {known}")]
    NoColumn {
        /// The column that was asked for.
        column: String,
        /// Those that exist.
        known: String,
    },
    /// A line has too few or too many fields.
    #[error("line {line}: {found} fields; expected {expected}, as many as column names")]
    FieldCount {
        /// Counted from 1.
        line: usize,
        /// Number of column names.
        expected: usize,
        /// Number of fields.
        found: usize,
    },
    /// A field is not a number.
    #[error("line {line}: `{text}` in column `{column}`; expected a finite number")]
    NotANumber {
        /// Counted from 1.
        line: usize,
        /// The name of the column.
        column: String,
        /// What stands there.
        text: String,
    },
}

/// The points (time (s), value) of one column.
pub fn read_column(text: &str, column: &str) -> Result<Vec<(f64, f64)>, RecordingError> {
    let mut lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    let (_, header) = lines.next().ok_or(RecordingError::Empty)?;
    let names: Vec<&str> = header.split(',').map(str::trim).collect();
    let index = find_column(&names, column)?;
    lines
        .map(|(number, line)| read_point(line, number + 1, &names, index))
        .collect()
}

fn find_column(names: &[&str], column: &str) -> Result<usize, RecordingError> {
    if names[0] != "time_s" {
        return Err(RecordingError::NoTime {
            found: excerpt(names[0]),
        });
    }
    names
        .iter()
        .position(|name| *name == column)
        .ok_or_else(|| RecordingError::NoColumn {
            column: column.into(),
            known: excerpt(&names.join(", ")),
        })
}

fn read_point(text: &str, line: usize, names: &[&str], index: usize) -> Result<(f64, f64), RecordingError> {
    let fields: Vec<&str> = text.split(',').map(str::trim).collect();
    if fields.len() != names.len() {
        return Err(RecordingError::FieldCount {
            line,
            expected: names.len(),
            found: fields.len(),
        });
    }
    let number = |index: usize| {
        fields[index]
            .parse::<f64>()
            .ok()
            .filter(|value| value.is_finite())
            .ok_or_else(|| {
                let (column, text) = (names[index].to_string(), excerpt(fields[index]));
                RecordingError::NotANumber { line, column, text }
            })
    };
    Ok((number(0)?, number(index)?))
}

/// Enough of a text to recognise it in a message.
fn excerpt(text: &str) -> String {
    const LENGTH_MAX: usize = 80;
    match text.char_indices().nth(LENGTH_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "time_s, level_cm,valve_ratio\n0,15, 1\n\n12.5,20,0.5\n";

    #[test]
    fn a_column_becomes_points() {
        assert_eq!(
            read_column(TEXT, "valve_ratio").expect("a column"),
            [(0.0, 1.0), (12.5, 0.5)]
        );
    }

    #[test]
    fn errors_name_line_and_column() {
        let error = |text: &str| read_column(text, "level_cm").expect_err("not usable").to_string();
        assert!(error("").contains("empty"));
        assert!(error("t,level_cm\n").contains("the first column is `t`"));
        assert!(error("time_s,x\n").contains("no column `level_cm`; the recording has time_s, x"));
        assert!(error("time_s,level_cm\n1\n").contains("line 2: 1 fields; expected 2"));
        let found = error("time_s,level_cm\n0,1\n\n1,nan\n");
        assert!(found.contains("line 4: `nan` in column `level_cm`"), "{found}");
    }
}
