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
    /// The value that holds while nobody supplies one.
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

/// A constant of the plant with the value that is in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The name, ending in the unit: `tank_area_cm2`.
    pub name: String,
    /// The unit as people write it: `cm²`.
    pub unit: String,
    /// The values that are accepted.
    pub range: Range,
    /// The value in force.
    pub value: f64,
    /// What it is, in a few words.
    pub meaning: String,
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
    /// The constants in force.
    pub parameters: Vec<Parameter>,
}

/// The position of a name in a list of ports.
pub fn index_of(ports: &[Port], name: &str) -> Option<usize> {
    ports.iter().position(|port| port.name == name)
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
