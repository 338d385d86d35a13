//! The constants of a plant: a table of what exists, and the values that a scenario sets by name.

use crate::description::{Parameter, Range};

/// One row of a plant's table of parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParameterSpec {
    /// The name, ending in the unit.
    pub name: &'static str,
    /// The unit as people write it.
    pub unit: &'static str,
    /// The value when a scenario says nothing.
    pub default: f64,
    /// The values that are accepted.
    pub range: Range,
    /// What it is, in a few words.
    pub meaning: &'static str,
}

impl ParameterSpec {
    /// One row of a table.
    pub const fn new(
        name: &'static str,
        unit: &'static str,
        default: f64,
        range: Range,
        meaning: &'static str,
    ) -> Self {
        ParameterSpec { name, unit, default, range, meaning }
    }
}

/// The values in force for one table.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    specs: &'static [ParameterSpec],
    values: Vec<f64>,
}

/// Why a parameter was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParameterError {
    /// No such name.
    #[error("`{name}` is not a parameter; expected one of {known}")]
    Unknown {
        /// The name that was given.
        name: String,
        /// The names that exist.
        known: String,
    },
    /// Outside its range, or not a number.
    #[error("`{name}` = {value} {unit} is impossible; expected {range} {unit}")]
    OutOfRange {
        /// The parameter.
        name: String,
        /// The value that was given.
        value: f64,
        /// The unit of both.
        unit: String,
        /// What is accepted.
        range: Range,
    },
}

impl Parameters {
    /// Every parameter at its default.
    pub fn defaults(specs: &'static [ParameterSpec]) -> Self {
        Parameters { specs, values: specs.iter().map(|spec| spec.default).collect() }
    }

    /// Sets one by name.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), ParameterError> {
        let Some(index) = self.specs.iter().position(|spec| spec.name == name) else {
            let known: Vec<&str> = self.specs.iter().map(|spec| spec.name).collect();
            return Err(ParameterError::Unknown { name: name.into(), known: known.join(", ") });
        };
        let spec = &self.specs[index];
        if !spec.range.contains(value) {
            let (name, unit) = (name.to_string(), spec.unit.to_string());
            return Err(ParameterError::OutOfRange { name, value, unit, range: spec.range });
        }
        self.values[index] = value;
        Ok(())
    }

    /// The value of a name that the plant's own table holds.
    ///
    /// # Panics
    /// When the table has no such name: that is a mistake in the plant's code, found when it is
    /// built.
    pub fn value(&self, name: &str) -> f64 {
        let index = self.specs.iter().position(|spec| spec.name == name);
        self.values[index.expect("the plant's table of parameters holds every name that its code asks for")]
    }

    /// The table with the values in force, for the plant's description.
    pub fn describe(&self) -> Vec<Parameter> {
        let row = |(spec, value): (&ParameterSpec, &f64)| Parameter {
            name: spec.name.into(),
            unit: spec.unit.into(),
            range: spec.range,
            value: *value,
            meaning: spec.meaning.into(),
        };
        self.specs.iter().zip(&self.values).map(row).collect()
    }
}
