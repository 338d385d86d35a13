//! A key figure.

/// What a figure says.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// Yes or no.
    Verdict(bool),
    /// It did not happen in this run.
    Missing,
}

/// A key figure with its definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Its name.
    pub name: &'static str,
    /// What it says.
    pub value: Value,
    /// Its unit; empty for none.
    pub unit: &'static str,
    /// How it is defined, with the standard where there is one.
    pub definition: &'static str,
}

impl Figure {
    /// A number that may be missing, without its definition yet.
    pub fn new(name: &'static str, unit: &'static str, value: impl Into<Option<f64>>) -> Self {
        let value = value.into().filter(|value| value.is_finite()).map_or(Value::Missing, Value::Number);
        Self { name, value, unit, definition: "" }
    }

    /// Yes or no, without its definition yet.
    #[must_use]
    pub fn verdict(name: &'static str, value: bool) -> Self {
        Self { name, value: Value::Verdict(value), unit: "", definition: "" }
    }

    /// How it is defined.
    #[must_use]
    pub fn defined(self, definition: &'static str) -> Self {
        Self { definition, ..self }
    }

    /// The number, if it is one.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        match self.value {
            Value::Number(value) => Some(value),
            _ => None,
        }
    }
}
