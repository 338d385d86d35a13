//! From lines to sections.

use super::{Entry, PropertyFile, Section, Units, Value};
use crate::files::{FileError, Source};
use std::cell::{Cell, RefCell};

pub(super) fn parse<'a>(source: &Source<'a>) -> Result<PropertyFile<'a>, FileError> {
    let text = String::from_utf8_lossy(source.bytes);
    let mut file = PropertyFile {
        source: *source,
        sections: Vec::new(),
        line_count: text.lines().count().max(1),
        units: Units::default(),
        notes: RefCell::default(),
    };
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        take_line(&mut file, index + 1, without_comment(line).trim())?;
    }
    Ok(file)
}

fn take_line(file: &mut PropertyFile<'_>, line: usize, text: &str) -> Result<(), FileError> {
    if text.is_empty() || text.starts_with('{') {
        return Ok(());
    }
    if let Some(rest) = text.strip_prefix('[') {
        let Some((name, _)) = rest.split_once(']') else {
            return Err(file.fault(line, text, "expected a ']' at the end of the section's name"));
        };
        file.sections.push(Section { name: name.trim().to_uppercase(), line, entries: Vec::new(), rows: Vec::new() });
        return Ok(());
    }
    let Some(section) = file.sections.last_mut() else {
        return Err(file.fault(line, text, "expected a section in brackets before the first entry"));
    };
    match text.split_once('=') {
        Some((key, value)) => section.entries.push(Entry {
            key: key.trim().to_uppercase(),
            line,
            value: value_of(value.trim()),
            used: Cell::new(false),
        }),
        None => match row_of(text) {
            Some(row) => section.rows.push((line, row)),
            None => file.note(line, text, "expected KEY = value or a row of numbers; the line is not used"),
        },
    }
    Ok(())
}

/// The line up to a comment sign that is not inside of quotes.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (at, character) in line.char_indices() {
        match (quote, character) {
            (None, '$' | '!') => return &line[..at],
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            _ => {}
        }
    }
    line
}

fn value_of(text: &str) -> Value {
    for quote in ['\'', '"'] {
        if let Some(rest) = text.strip_prefix(quote) {
            return Value::Text(rest.split(quote).next().unwrap_or_default().trim().to_owned());
        }
    }
    match number_of(text) {
        Some(number) => Value::Number(number),
        None => Value::Text(text.to_owned()),
    }
}

fn row_of(text: &str) -> Option<Vec<f64>> {
    text.split([' ', '\t', ',']).filter(|part| !part.is_empty()).map(number_of).collect()
}

/// A finite number; Fortran's `1.0D+03` too.
fn number_of(text: &str) -> Option<f64> {
    let number: f64 = text.replace(['D', 'd'], "e").parse().ok()?;
    number.is_finite().then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_entries() {
        let text = "$ head\n[units]\nlength = 'mm' $ c\n! x\n[A]\nB =1.5D+02\nC='a!b'\n{x y}\n 1 2\n3,4\nodd words\n";
        let file = parse(&Source::new("a.tir", text.as_bytes())).expect("a file");
        assert_eq!(file.number("A", "B"), Ok(Some(150.0)));
        assert_eq!(file.text("A", "C"), Some(("A!B".into(), 7)));
        assert_eq!(file.pairs("A"), vec![(9, 1.0, 2.0), (10, 3.0, 4.0)]);
        assert_eq!(file.text("UNITS", "LENGTH"), Some(("MM".into(), 3)));
        let notes = file.notes("");
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert_eq!(notes[0].line, 11);
    }

    #[test]
    fn an_open_bracket_names_its_line() {
        let error = parse(&Source::new("a.tir", b"\n[UNITS\n")).expect_err("no bracket");
        assert_eq!(error.line, 2);
    }
}
