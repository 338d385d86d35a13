//! What a `.crg` file says, decoded: the same for reading, making and writing roads.

use super::header::Keywords;
use crate::files::{FileError, Source};

/// How the records are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Text, 10 characters per value, 8 values per line.
    Lrfi,
    /// Text, 20 characters per value, 4 values per line.
    Ldfi,
    /// Binary, 4 bytes per value, big-endian.
    #[default]
    Krbi,
    /// Binary, 8 bytes per value, big-endian.
    Kdbi,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Lrfi, Self::Ldfi, Self::Krbi, Self::Kdbi];

    /// Its name in the file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lrfi => "LRFI",
            Self::Ldfi => "LDFI",
            Self::Krbi => "KRBI",
            Self::Kdbi => "KDBI",
        }
    }

    /// The format of a name, in capitals or not.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// Characters (text) or bytes (binary) of one value.
    #[must_use]
    pub fn width(self) -> usize {
        match self {
            Self::Lrfi => 10,
            Self::Ldfi => 20,
            Self::Krbi => 4,
            Self::Kdbi => 8,
        }
    }

    /// Whether the records are text.
    #[must_use]
    pub fn is_text(self) -> bool {
        matches!(self, Self::Lrfi | Self::Ldfi)
    }
}

/// What is beyond the edge of the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Border {
    /// Nothing is defined there (mode 0). A vehicle needs ground: the edge is kept.
    None,
    /// Height zero plus the offset (mode 1).
    Zero,
    /// The height of the edge plus the offset (mode 2).
    #[default]
    Keep,
    /// The grid again (mode 3).
    Repeat,
    /// The grid mirrored (mode 4).
    Reflect,
}

/// The options of `$ROAD_CRG_OPTS` that change heights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Beyond the ends.
    pub border_u: Border,
    /// Beyond the sides.
    pub border_v: Border,
    /// Added beyond the ends (m).
    pub border_offset_u_m: f64,
    /// Added beyond the sides (m).
    pub border_offset_v_m: f64,
    /// Length over which the grid fades in at the start (m).
    pub smooth_start_m: f64,
    /// Length over which the grid fades out at the end (m).
    pub smooth_end_m: f64,
    /// Whether the end of the reference line is joined to its start.
    pub closed: bool,
    /// Relative accuracy: below it a line counts as straight.
    pub epsilon: f64,
    /// Absolute accuracy (m).
    pub tolerance_m: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            border_u: Border::Keep,
            border_v: Border::Keep,
            border_offset_u_m: 0.0,
            border_offset_v_m: 0.0,
            smooth_start_m: 0.0,
            smooth_end_m: 0.0,
            closed: false,
            epsilon: 1e-6,
            tolerance_m: 1e-4,
        }
    }
}

impl Options {
    /// The options of a section's keywords; those that change no heights are passed over.
    pub(super) fn read(source: &Source<'_>, keywords: &Keywords) -> Result<Self, FileError> {
        Ok(Self {
            border_u: border(source, keywords, "border_mode_u")?,
            border_v: border(source, keywords, "border_mode_v")?,
            border_offset_u_m: keywords.get_or("border_offset_u", 0.0),
            border_offset_v_m: keywords.get_or("border_offset_v", 0.0),
            smooth_start_m: keywords.get_or("border_smooth_ubeg", 0.0),
            smooth_end_m: keywords.get_or("border_smooth_uend", 0.0),
            closed: keywords.get_or("refline_continuation", 0.0) == 1.0,
            epsilon: keywords.get_or("check_eps", 1e-6),
            tolerance_m: keywords.get_or("check_tol", 0.1 * keywords.get_or("check_inc", 1e-3)),
        })
    }
}

fn border(source: &Source<'_>, keywords: &Keywords, name: &str) -> Result<Border, FileError> {
    let Some(keyword) = keywords.find(name) else {
        return Ok(Border::Keep);
    };
    Ok(match keyword.value {
        0.0 => Border::None,
        1.0 => Border::Zero,
        2.0 => Border::Keep,
        3.0 => Border::Repeat,
        4.0 => Border::Reflect,
        other => {
            let problem = format!("expected a border mode from 0 to 4, found {other}");
            return Err(source.fault(keyword.line, name, problem));
        }
    })
}

/// How the reference line is given.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Course {
    /// Straight at the start's heading.
    #[default]
    Straight,
    /// A heading (rad) per record; that of a record leads to it, the first one is not used.
    Headings(Vec<f64>),
    /// A position (m) per record.
    Positions(Vec<[f64; 2]>),
}

/// Start of the reference line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Start {
    /// Place along the line (m).
    pub u_m: f64,
    /// Position (m).
    pub x_m: f64,
    /// Position (m).
    pub y_m: f64,
    /// Height (m).
    pub z_m: f64,
    /// Heading (rad): of the whole line where it is straight.
    pub heading_rad: f64,
    /// Slope (m/m) where there is no channel for it.
    pub slope: f64,
    /// Banking (m/m) where there is no channel for it.
    pub banking: f64,
}

/// What a `.crg` file says.
#[derive(Clone, Debug, Default)]
pub struct Content {
    /// Lines of the comment section.
    pub comments: Vec<String>,
    /// How the records are written.
    pub format: Format,
    /// Start of the reference line.
    pub start: Start,
    /// Distance of the records (m).
    pub increment_m: f64,
    /// Positions of the long sections (m), rising, positive to the left.
    pub v_m: Vec<f64>,
    /// The course of the reference line.
    pub course: Course,
    /// End position (m) to which headings are closed.
    pub end_xy_m: Option<[f64; 2]>,
    /// A slope (m/m) per record; that of a record leads to it, the first one is not used.
    pub slopes: Option<Vec<f64>>,
    /// End height (m) to which slopes are closed.
    pub end_z_m: Option<f64>,
    /// A banking (m/m) per record, positive where the left side is higher.
    pub bankings: Option<Vec<f64>>,
    /// The heights above the reference line (m), record by record, NaN where there is none.
    pub heights_m: Vec<f64>,
    /// The options.
    pub options: Options,
    /// The modifiers, where the file has any.
    pub(super) modifiers: Option<Keywords>,
    /// The line of the section with the modifiers.
    pub(super) modifiers_line: usize,
}

impl Content {
    /// A level straight road with this grid, to be refined.
    #[must_use]
    pub fn new(increment_m: f64, v_m: Vec<f64>, heights_m: Vec<f64>) -> Self {
        Self { increment_m, v_m, heights_m, ..Self::default() }
    }

    /// How many records there are.
    #[must_use]
    pub fn records(&self) -> usize {
        self.heights_m.len() / self.v_m.len().max(1)
    }

    /// How many heights are missing.
    #[must_use]
    pub fn missing(&self) -> usize {
        self.heights_m.iter().filter(|height| height.is_nan()).count()
    }
}
