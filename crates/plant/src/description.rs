//! What a plant says about itself: the names, units and ranges of everything that goes in and out.
//!
//! Names appear in scenario files, in recordings and on screens, so each ends in its unit
//! (`outflow_cm3_s`): a reader of a column needs no second document. [`unit_suffix`] is the rule.

use std::fmt;

/// A closed interval of finite numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The smallest value that is accepted.
    pub min: f64,
    /// The largest value that is accepted.
    pub max: f64,
}

impl Range {
    /// The interval from `min` to `max`.
    pub const fn new(min: f64, max: f64) -> Self {
        Range { min, max }
    }

    /// Whether the value lies inside; never true for a value that is not a number.
    pub fn contains(&self, value: f64) -> bool {
        self.min <= value && value <= self.max
    }

    /// The nearest value inside. Unlike `f64::clamp` it has no condition under which it panics.
    pub fn clamp(&self, value: f64) -> f64 {
        value.max(self.min).min(self.max)
    }

    /// The width of the interval.
    pub fn span(&self) -> f64 {
        self.max - self.min
    }
}

impl fmt::Display for Range {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}..{}", self.min, self.max)
    }
}

/// One number that crosses the border of a plant or of a controller.
#[derive(Clone, Debug, PartialEq)]
pub struct Port {
    /// The name, ending in the unit: `level_cm`.
    pub name: String,
    /// The unit as people write it: `cm`, `cm³/s`; `1` for a ratio.
    pub unit: String,
    /// The values that make sense. Inputs are clamped to it.
    pub range: Range,
    /// The value that holds while none is supplied.
    pub default: f64,
    /// What it is, in a few words.
    pub meaning: String,
}

impl Port {
    /// A port with everything that describes it.
    pub fn new(name: &str, unit: &str, range: Range, default: f64, meaning: &str) -> Self {
        Port { name: name.into(), unit: unit.into(), range, default, meaning: meaning.into() }
    }
}

/// Everything that an outsider may know of a plant.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// The short name by which scenarios ask for it: `tank`.
    pub name: String,
    /// One sentence.
    pub summary: String,
    /// What [`crate::Plant::step`] takes, in this order.
    pub inputs: Vec<Port>,
    /// What [`crate::Plant::outputs`] gives, in this order.
    pub outputs: Vec<Port>,
    /// The quantities that are integrated; the first part of [`crate::Plant::state`]. Each default
    /// is the initial value.
    pub states: Vec<Port>,
}

/// Why a name or a value was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the names of the fields say what they are")]
pub enum ValueError {
    /// No such name.
    #[error("`{name}` is not {what}; expected one of {known}")]
    Unknown { name: String, what: &'static str, known: String },
    /// Outside its range, or not a number.
    #[error("`{name}` = {value} {unit} is impossible; expected {range} {unit}")]
    OutOfRange { name: String, value: f64, unit: String, range: Range },
}

/// The position of a name in a list of ports.
pub fn index_of(ports: &[Port], name: &str) -> Option<usize> {
    ports.iter().position(|port| port.name == name)
}

/// The position of a name that a user gave.
pub(crate) fn find(ports: &[Port], what: &'static str, name: &str) -> Result<usize, ValueError> {
    index_of(ports, name).ok_or_else(|| {
        let known: Vec<&str> = ports.iter().map(|port| port.name.as_str()).collect();
        ValueError::Unknown { name: name.into(), what, known: known.join(", ") }
    })
}

/// Gives a number that a user names (a parameter, an initial state) the value that is in force.
pub fn set(ports: &mut [Port], what: &'static str, name: &str, value: f64) -> Result<(), ValueError> {
    let port = &mut ports[find(ports, what, name)?];
    if !port.range.contains(value) {
        let (name, unit, range) = (port.name.clone(), port.unit.clone(), port.range);
        return Err(ValueError::OutOfRange { name, value, unit, range });
    }
    port.default = value;
    Ok(())
}

/// The value in force of a parameter that the plant's own table holds.
///
/// # Panics
/// When the table has no such name: that is a mistake in the plant's code, found when it is built.
pub fn value(parameters: &[Port], name: &str) -> f64 {
    let index = index_of(parameters, name);
    parameters[index.expect("the plant's table of parameters holds every name that its code asks for")].default
}

/// The ending that a name must have for a unit: `cm³/s` gives `cm3_s`, the unit `1` gives `ratio`.
///
/// ```
/// assert_eq!(plant::description::unit_suffix("kg/m³"), "kg_m3");
/// assert_eq!(plant::description::unit_suffix("1"), "ratio");
/// ```
pub fn unit_suffix(unit: &str) -> String {
    if unit == "1" {
        return "ratio".into();
    }
    unit.chars()
        .map(|symbol| match symbol {
            '²' => "2".to_string(),
            '³' => "3".to_string(),
            '°' => "deg".to_string(),
            '/' | '·' => "_".to_string(),
            other => other.to_lowercase().to_string(),
        })
        .collect()
}
