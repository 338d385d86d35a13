//! The header of a `.crg` file: sections of text lines, before the records.
//!
//! A section begins with a line `$NAME` and ends with a line whose first word is `$` alone; a line
//! of four or more `$` ends the header. Lines that begin with `*` are comments, and so is what
//! follows a `!`. The text is Latin-1; upper and lower case count the same.

use crate::files::{FileError, Source};

/// A line of a section without its comment, with its number (from 1).
#[derive(Clone, Debug)]
pub struct Line {
    pub number: usize,
    pub text: String,
}

/// A section: its name in capitals and its lines.
#[derive(Clone, Debug)]
pub struct Section {
    pub name: String,
    pub line: usize,
    pub lines: Vec<Line>,
}

/// The sections, and where the records begin.
#[derive(Clone, Debug, Default)]
pub struct Header {
    sections: Vec<Section>,
    /// The first byte of the records.
    pub data_start: usize,
    /// The line of `$$$$`; 0 when there is none.
    pub separator_line: usize,
}

/// `name = number` with its line.
#[derive(Clone, Debug)]
pub struct Keyword {
    pub name: String,
    pub value: f64,
    pub line: usize,
}

/// The keywords of a section. Of two with the same name the last counts.
#[derive(Clone, Debug, Default)]
pub struct Keywords(Vec<Keyword>);

impl Header {
    /// Reads the sections up to the line of `$$$$` (or the end).
    pub fn read(source: &Source<'_>) -> Self {
        let mut header = Self::default();
        let mut open = false;
        let mut offset = 0;
        for (index, bytes) in source.bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
            offset += bytes.len();
            if bytes.starts_with(b"$$$$") {
                header.data_start = offset;
                header.separator_line = index + 1;
                return header;
            }
            let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
            header.take(text.trim_end(), index + 1, &mut open);
        }
        header.data_start = offset;
        header
    }

    fn take(&mut self, text: &str, number: usize, open: &mut bool) {
        if let Some(rest) = text.strip_prefix('$')
            && !text.starts_with("$$")
        {
            let name = rest.split([' ', '\t', '!']).next().unwrap_or("").to_uppercase();
            *open = !name.is_empty();
            if *open {
                self.sections.push(Section { name, line: number, lines: Vec::new() });
            }
        } else if *open && let Some(section) = self.sections.last_mut() {
            let text = text.to_owned();
            section.lines.push(Line { number, text });
        }
    }

    /// A section by its name; the first one counts.
    pub fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }
}

impl Section {
    /// The lines with comments taken away and something left.
    pub fn plain_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.lines
            .iter()
            .filter(|line| !line.text.starts_with('*'))
            .map(|line| (line.number, line.text.split('!').next().unwrap_or("").trim()))
            .filter(|(_, text)| !text.is_empty())
    }

    /// The lines `name = number`.
    pub fn keywords(&self, source: &Source<'_>) -> Result<Keywords, FileError> {
        let mut keywords = Vec::new();
        for (line, text) in self.plain_lines() {
            let Some((name, value)) = text.split_once('=') else {
                continue;
            };
            let name = name.trim().to_lowercase();
            let word = value.split_whitespace().next().unwrap_or("");
            if name.ends_with("_nm") {
                continue;
            }
            let value = number(word).ok_or_else(|| {
                let problem = format!("expected a finite number in ${}, found `{word}`", self.name);
                source.fault(line, name.clone(), problem)
            })?;
            keywords.push(Keyword { name, value, line });
        }
        Ok(Keywords(keywords))
    }
}

/// A finite number as Fortran or C writes it: the exponent may be a D.
pub fn number(word: &str) -> Option<f64> {
    let value = match word.parse::<f64>() {
        Ok(value) => value,
        Err(_) => word.replace(['d', 'D'], "e").parse().ok()?,
    };
    value.is_finite().then_some(value)
}

impl Keywords {
    /// A keyword by its name.
    pub fn find(&self, name: &str) -> Option<&Keyword> {
        self.0.iter().rev().find(|keyword| keyword.name == name)
    }

    /// A value by its name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.find(name).map(|keyword| keyword.value)
    }

    /// A value with a default.
    pub fn get_or(&self, name: &str, default: f64) -> f64 {
        self.get(name).unwrap_or(default)
    }
}
