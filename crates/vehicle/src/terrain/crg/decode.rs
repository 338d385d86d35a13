//! From the bytes of a `.crg` file to what it says.

use super::channels::{self, Channels};
use super::content::{Content, Course, Options, Start};
use super::header::{Header, Keywords, Section};
use super::records;
use crate::fields::read_beside;
use crate::files::{FileError, Source};

/// Largest number (m, rad, m/m) that is believed: beyond it squares and sums lose their meaning.
const LARGEST: f64 = 1e8;

/// Reads a file; with `$ROAD_CRG_FILE` the one that it refers to, whose options and modifiers it
/// may replace.
pub fn read(source: &Source<'_>) -> Result<Content, FileError> {
    let header = Header::read(source);
    let Some(reference) = header.section("ROAD_CRG_FILE") else {
        return decode(source, &header);
    };
    let (path, bytes) = referred(source, reference)?;
    let inner = Source::new(&path, &bytes);
    let mut content = decode(&inner, &Header::read(&inner))?;
    settings(source, &header, &mut content)?;
    Ok(content)
}

fn referred(source: &Source<'_>, reference: &Section) -> Result<(String, Vec<u8>), FileError> {
    let name: String = reference.plain_lines().map(|(_, text)| text).collect();
    read_beside(source.name, &name).map_err(|problem| source.fault(reference.line, "$ROAD_CRG_FILE", problem))
}

/// Options and modifiers, where the file has any.
fn settings(source: &Source<'_>, header: &Header, content: &mut Content) -> Result<(), FileError> {
    if let Some(section) = header.section("ROAD_CRG_OPTS") {
        content.options = Options::read(source, &section.keywords(source)?)?;
    }
    if let Some(section) = header.section("ROAD_CRG_MODS") {
        content.modifiers = Some(section.keywords(source)?);
        content.modifiers_line = section.line;
    }
    Ok(())
}

fn decode(source: &Source<'_>, header: &Header) -> Result<Content, FileError> {
    let Some(definition) = header.section("KD_DEFINITION") else {
        let problem = "expected the section $KD_DEFINITION, found none; is this an OpenCRG file?";
        return Err(source.fault(1, "$KD_DEFINITION", problem));
    };
    let channels = channels::read(source, definition)?;
    if header.separator_line == 0 {
        let problem = "expected a line of `$` before the records, found none; is the file cut off?";
        return Err(source.fault(definition.line, "$$$$", problem));
    }
    let parameters = match header.section("ROAD_CRG") {
        Some(section) => section.keywords(source)?,
        None => Keywords::default(),
    };
    let values = records::read(source, header, &channels)?;
    let file = File { source, header, parameters, channels, values };
    let mut content = file.content()?;
    content.comments =
        header.section("CT").map_or(Vec::new(), |section| section.lines.iter().map(|line| line.text.clone()).collect());
    settings(source, header, &mut content)?;
    Ok(content)
}

struct File<'a> {
    source: &'a Source<'a>,
    header: &'a Header,
    parameters: Keywords,
    channels: Channels,
    values: Vec<f64>,
}

impl File<'_> {
    fn records(&self) -> usize {
        self.values.len() / self.channels.count
    }

    fn fault<T>(&self, field: &str, problem: String) -> Result<T, FileError> {
        let line = self.parameters.find(field).map(|keyword| keyword.line);
        Err(self.source.fault(line.unwrap_or(self.header.separator_line), field, problem))
    }

    fn content(&self) -> Result<Content, FileError> {
        if self.records() < 2 {
            let problem = format!("expected at least 2 records, found {}; is the file cut off?", self.records());
            return self.fault("records", problem);
        }
        let believed = |value: &&f64| value.abs() > LARGEST;
        if let Some(index) = self.values.iter().position(|value| believed(&value)) {
            let record = index / self.channels.count + 1;
            let problem = format!("expected a number within ±1e8, found {:e}", self.values[index]);
            return self.fault(&format!("record {record}"), problem);
        }
        let parameter = |name: &str| self.parameters.get_or(name, 0.0);
        let virtual_u = self.channels.virtual_u.unwrap_or_default();
        let start = Start {
            u_m: self.parameters.get_or("reference_line_start_u", virtual_u.0.unwrap_or(0.0)),
            x_m: parameter("reference_line_start_x"),
            y_m: parameter("reference_line_start_y"),
            z_m: parameter("reference_line_start_z"),
            heading_rad: parameter("reference_line_start_phi"),
            slope: parameter("reference_line_start_s"),
            banking: parameter("reference_line_start_b"),
        };
        let increment_m = self.increment(start.u_m, virtual_u.1)?;
        let mut content = Content::new(increment_m, self.positions()?, self.heights());
        content.format = self.channels.format;
        content.start = start;
        content.course = self.course()?;
        content.slopes = self.column(self.channels.slope, 1)?;
        content.bankings = self.column(self.channels.banking, 0)?;
        let end = |name: &str| self.parameters.get(name);
        content.end_xy_m = end("reference_line_end_x").zip(end("reference_line_end_y")).map(|(x, y)| [x, y]);
        content.end_z_m = end("reference_line_end_z");
        self.check_parameters()?;
        Ok(content)
    }

    fn check_parameters(&self) -> Result<(), FileError> {
        let starts = ["u", "x", "y", "z", "phi", "s", "b"].map(|of| format!("reference_line_start_{of}"));
        let ends = ["x", "y", "z"].map(|of| format!("reference_line_end_{of}"));
        for name in starts.iter().chain(&ends) {
            let value = self.parameters.get_or(name, 0.0);
            if value.abs() > LARGEST {
                return self.fault(name, format!("expected a number within ±1e8, found {value:e}"));
            }
        }
        Ok(())
    }

    /// The distance of the records: given, or from the end, or from the virtual channel. A header
    /// that promises more is a file cut off.
    fn increment(&self, start: f64, virtual_increment: Option<f64>) -> Result<f64, FileError> {
        let steps = (self.records() - 1) as f64;
        let end = self.parameters.get("reference_line_end_u");
        let increment = match (self.parameters.get("reference_line_increment"), end) {
            (Some(increment), _) => increment,
            (None, Some(end)) => (end - start) / steps,
            (None, None) => virtual_increment.unwrap_or(0.01),
        };
        if !(1e-6..=LARGEST).contains(&increment) {
            let problem = format!("expected a distance of the records from 1e-6 m on, found {increment}");
            return self.fault("reference_line_increment", problem);
        }
        if let Some(end) = end
            && ((end - start) / increment).round() > steps
        {
            let promised = ((end - start) / increment).round() + 1.0;
            let problem =
                format!("the file is cut off: the header promises {promised} records, found {}", self.records());
            return self.fault("reference_line_end_u", problem);
        }
        Ok(increment)
    }

    /// Positions of the long sections.
    fn positions(&self) -> Result<Vec<f64>, FileError> {
        let sections = &self.channels.sections;
        let largest = sections.iter().map(|section| section.0.abs()).fold(0.0, f64::max);
        if self.channels.by_position && largest <= LARGEST {
            return Ok(sections.iter().map(|section| section.0).collect());
        }
        let steps = (sections.len() - 1) as f64;
        let (right, left) = (self.parameters.get("long_section_v_right"), self.parameters.get("long_section_v_left"));
        let increment = match (self.parameters.get("long_section_v_increment"), right.zip(left)) {
            (Some(increment), _) => increment,
            (None, Some((right, left))) => (left - right) / steps,
            (None, None) => 0.01,
        };
        let right = right.unwrap_or(-0.5 * increment * steps);
        if self.channels.by_position || !(1e-6..=LARGEST).contains(&increment) || right.abs() > LARGEST {
            let problem = format!("expected a distance of the long sections from 1e-6 m on, found {increment}");
            return self.fault("long_section_v_increment", problem);
        }
        Ok((0..sections.len()).map(|index| right + index as f64 * increment).collect())
    }

    fn heights(&self) -> Vec<f64> {
        let sections = &self.channels.sections;
        let mut heights = Vec::with_capacity(self.records() * sections.len());
        for record in self.values.chunks_exact(self.channels.count) {
            heights.extend(sections.iter().map(|(_, channel)| record[*channel]));
        }
        heights
    }

    /// A channel of the reference line, complete from a record on; a gap is a fault.
    fn column(&self, channel: Option<usize>, from: usize) -> Result<Option<Vec<f64>>, FileError> {
        let Some(channel) = channel else {
            return Ok(None);
        };
        let values: Vec<f64> = self.values.chunks_exact(self.channels.count).map(|record| record[channel]).collect();
        if let Some(gap) = values.iter().skip(from).position(|value| value.is_nan()) {
            let problem = format!("expected a value in every record, found none in record {}", gap + from + 1);
            return self.fault(&self.channels.names[channel], problem);
        }
        Ok(Some(values))
    }

    fn course(&self) -> Result<Course, FileError> {
        if let Some((x, y)) = self.column(self.channels.x, 0)?.zip(self.column(self.channels.y, 0)?) {
            return Ok(Course::Positions(x.into_iter().zip(y).map(|(x, y)| [x, y]).collect()));
        }
        Ok(match self.column(self.channels.heading, 1)? {
            Some(headings) => Course::Headings(headings),
            None => Course::Straight,
        })
    }
}
