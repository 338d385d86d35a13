//! The section `$KD_DEFINITION`: which value of a record means what.

use super::content::Format;
use super::header::{Section, number};
use crate::files::{FileError, Source};

/// Which value of a record means what.
#[derive(Clone, Debug, Default)]
pub struct Channels {
    pub format: Format,
    pub count: usize,
    /// Names, for messages.
    pub names: Vec<String>,
    pub heading: Option<usize>,
    pub slope: Option<usize>,
    pub banking: Option<usize>,
    pub x: Option<usize>,
    pub y: Option<usize>,
    /// Positions (or numbers) of the long sections with their channels, rising.
    pub sections: Vec<(f64, usize)>,
    /// Whether the long sections have positions; else they are counted from 1.
    pub by_position: bool,
    /// Start and increment of the virtual channel `reference line u`.
    pub virtual_u: Option<(Option<f64>, Option<f64>)>,
}

/// Reads the section.
pub fn read(source: &Source<'_>, section: &Section) -> Result<Channels, FileError> {
    let mut channels = Channels::default();
    let mut format = None;
    for (line, text) in section.plain_lines() {
        let Some((tag, rest)) = text.split_once(':') else {
            continue;
        };
        match tag.trim().to_uppercase().as_str() {
            "#" => format = Some(format_of(source, line, rest.trim())?),
            "U" => channels.take_virtual(rest),
            "D" => channels.take(source, line, rest)?,
            _ => {}
        }
    }
    channels.format = format.ok_or_else(|| {
        let problem = "expected a line `#:` with LRFI, LDFI, KRBI or KDBI, found none";
        source.fault(section.line, "$KD_DEFINITION", problem)
    })?;
    channels.check(source, section.line)?;
    Ok(channels)
}

fn format_of(source: &Source<'_>, line: usize, name: &str) -> Result<Format, FileError> {
    Format::from_name(name).ok_or_else(|| {
        let problem = format!("expected LRFI, LDFI, KRBI or KDBI, found `{name}`");
        source.fault(line, "format", problem)
    })
}

impl Channels {
    /// `reference line u, m, start, increment`.
    fn take_virtual(&mut self, text: &str) {
        let mut words = text.split(',').map(str::trim);
        let name = words.next().unwrap_or("").to_lowercase();
        if name == "reference line u" && words.next() == Some("m") {
            self.virtual_u = Some((words.next().and_then(number), words.next().and_then(number)));
        }
    }

    /// `name, unit`.
    fn take(&mut self, source: &Source<'_>, line: usize, text: &str) -> Result<(), FileError> {
        let mut words = text.split(',').map(str::trim);
        let name = words.next().unwrap_or("").to_lowercase();
        let unit = words.next().unwrap_or("");
        let channel = self.count;
        self.count += 1;
        let expected = match name.as_str() {
            "reference line phi" => place(&mut self.heading, channel, "rad"),
            "reference line slope" => place(&mut self.slope, channel, "m/m"),
            "reference line banking" => place(&mut self.banking, channel, "m/m"),
            "reference line x" => place(&mut self.x, channel, "m"),
            "reference line y" => place(&mut self.y, channel, "m"),
            _ if name.starts_with("long section") => {
                self.take_section(source, line, &name["long section".len()..], channel)?;
                "m"
            }
            _ => unit,
        };
        if unit != expected {
            let problem = format!("expected the unit {expected}, found `{unit}`");
            return Err(source.fault(line, name, problem));
        }
        self.names.push(name);
        Ok(())
    }

    /// ` at v = position`, or ` number`.
    fn take_section(&mut self, source: &Source<'_>, line: usize, text: &str, channel: usize) -> Result<(), FileError> {
        let (word, by_position) = match text.trim().strip_prefix("at") {
            Some(rest) => (rest.split('=').nth(1).unwrap_or("").trim(), true),
            None => (text.trim(), false),
        };
        let value = number(word).ok_or_else(|| {
            let problem = format!("expected `at v = POSITION` or a number, found `{}`", text.trim());
            source.fault(line, "long section", problem)
        })?;
        if !self.sections.is_empty() && self.by_position != by_position {
            let problem = "expected all long sections with positions or all with numbers, found both";
            return Err(source.fault(line, "long section", problem));
        }
        self.by_position = by_position;
        self.sections.push((value, channel));
        Ok(())
    }

    fn check(&mut self, source: &Source<'_>, line: usize) -> Result<(), FileError> {
        let fault = |problem: String| Err(source.fault(line, "$KD_DEFINITION", problem));
        self.sections.sort_by(|left, right| left.0.total_cmp(&right.0));
        if self.sections.len() < 2 {
            return fault(format!(
                "expected at least 2 long sections (`D:long section …,m`), found {}",
                self.sections.len()
            ));
        }
        if let Some(pair) = self.sections.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
            return fault(format!("two long sections have the position or number {}", pair[0].0));
        }
        let counted = (1..).map(f64::from);
        if !self.by_position && !self.sections.iter().map(|section| section.0).eq(counted.take(self.sections.len())) {
            return fault(format!("expected long sections 1 to {}", self.sections.len()));
        }
        if self.x.is_some() != self.y.is_some() {
            return fault("expected both `reference line x` and `reference line y`, found one".into());
        }
        Ok(())
    }
}

fn place(slot: &mut Option<usize>, channel: usize, unit: &'static str) -> &'static str {
    *slot = Some(channel);
    unit
}
