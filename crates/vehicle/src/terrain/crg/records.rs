//! The records after the header: one per cross section, as text of fixed width or as big-endian
//! numbers.
//!
//! Text: a record begins on a new line; a line holds 80 characters (8 values of 10, or 4 of 20). A
//! value with a `*` in it, or a blank one, is missing. Binary: the values follow each other without
//! gaps and are filled up with NaN to a multiple of 80 bytes; records of NaN alone at the end are
//! such filling too.

use super::channels::Channels;
use super::content::Format;
use super::header::{Header, number};
use crate::files::{FileError, Source};

const LINE_WIDTH: usize = 80;

/// The values, record by record; missing ones are NaN, none is infinite.
pub fn read(source: &Source<'_>, header: &Header, channels: &Channels) -> Result<Vec<f64>, FileError> {
    let data = &source.bytes[header.data_start.min(source.bytes.len())..];
    if channels.format.is_text() {
        text(source, header, channels, data)
    } else {
        binary(source, header, channels, data)
    }
}

fn text(source: &Source<'_>, header: &Header, channels: &Channels, data: &[u8]) -> Result<Vec<f64>, FileError> {
    let width = channels.format.width();
    let per_line = LINE_WIDTH / width;
    let lines_per_record = channels.count.div_ceil(per_line);
    let filled = data.trim_ascii_end();
    let mut values = Vec::new();
    let mut lines = 0;
    if !filled.is_empty() {
        for (index, line) in filled.split(|byte| *byte == b'\n').enumerate() {
            let first = (index % lines_per_record) * per_line;
            let expected = per_line.min(channels.count - first);
            let number = header.separator_line + 1 + index;
            text_line(source, number, line, &channels.names[first..first + expected], width, &mut values)?;
            lines = index + 1;
        }
    }
    if lines % lines_per_record != 0 {
        let problem = format!(
            "the file is cut off: expected {lines_per_record} lines in record {}, found {}",
            lines / lines_per_record + 1,
            lines % lines_per_record
        );
        return Err(source.fault(header.separator_line + lines, "records", problem));
    }
    Ok(values)
}

fn text_line(
    source: &Source<'_>,
    number_of_line: usize,
    line: &[u8],
    names: &[String],
    width: usize,
    values: &mut Vec<f64>,
) -> Result<(), FileError> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let found = line.trim_ascii_end().len().div_ceil(width);
    let fits = line.len() > width * (names.len() - 1) && found <= names.len();
    if !fits {
        let problem = format!(
            "expected {} values of {width} characters in this line, found {found}; is the file cut off or reformatted?",
            names.len()
        );
        return Err(source.fault(number_of_line, "record", problem));
    }
    for (field, name) in line.chunks(width).zip(names) {
        let word = field.trim_ascii();
        if word.is_empty() || word.contains(&b'*') {
            values.push(f64::NAN);
            continue;
        }
        let value = std::str::from_utf8(word).ok().and_then(number);
        values.push(value.ok_or_else(|| {
            let word = String::from_utf8_lossy(word);
            source.fault(number_of_line, name.clone(), format!("expected a number, found `{word}`"))
        })?);
    }
    Ok(())
}

fn binary(source: &Source<'_>, header: &Header, channels: &Channels, data: &[u8]) -> Result<Vec<f64>, FileError> {
    let width = channels.format.width();
    let fault = |bytes: usize, problem: &str| {
        let record = bytes / width / channels.count + 1;
        Err(source.fault(header.separator_line, format!("record {record}"), problem))
    };
    let extra = data.len() % LINE_WIDTH;
    let blank = data[data.len() - extra..].iter().all(u8::is_ascii_whitespace);
    if extra != 0 && !blank {
        return fault(data.len(), "the file is cut off: expected binary records filled up to a multiple of 80 bytes");
    }
    let data = &data[..data.len() - extra];
    let mut values: Vec<f64> = match channels.format {
        Format::Kdbi => data.as_chunks().0.iter().map(|bytes| f64::from_be_bytes(*bytes)).collect(),
        _ => data.as_chunks().0.iter().map(|bytes| f64::from(f32::from_be_bytes(*bytes))).collect(),
    };
    let whole = values.len() - values.len() % channels.count;
    if values[whole..].iter().any(|value| !value.is_nan()) {
        return fault(data.len(), "the file is cut off: the last record is not complete");
    }
    values.truncate(whole);
    while !values.is_empty() && values[values.len() - channels.count..].iter().all(|value| value.is_nan()) {
        values.truncate(values.len() - channels.count);
    }
    if let Some(index) = values.iter().position(|value| value.is_infinite()) {
        return fault(index * width, "expected finite numbers or NaN, found an infinite one");
    }
    Ok(values)
}
