//! The systems that scenarios can ask for by name.

mod car;
mod tank;

pub use car::Car;
pub use tank::Tank;

use crate::description::{Port, ValueError};
use crate::ode::{Method, OdePlant, System};
use crate::plant::Plant;
use std::fmt;
use std::str::FromStr;

/// Writes as many of the outputs as fit.
fn fill(outputs: &mut [f64], values: impl IntoIterator<Item = f64>) {
    for (output, value) in outputs.iter_mut().zip(values) {
        *output = value;
    }
}

/// A plant, or the initial value that cannot be.
pub type Built = Result<Box<dyn Plant>, ValueError>;

/// The kinds of plant that exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlantKind {
    /// Water in a tank, RTSDS Eq. 5–11.
    Tank,
    /// A car on a straight road, RTSDS Eq. 12–25.
    Car,
}

impl PlantKind {
    /// Every kind.
    pub const ALL: [PlantKind; 2] = [PlantKind::Tank, PlantKind::Car];

    /// The name in scenario files.
    pub fn name(self) -> &'static str {
        match self {
            PlantKind::Tank => "tank",
            PlantKind::Car => "car",
        }
    }

    /// The parameters that exist, with defaults and ranges.
    pub fn parameters(self) -> Vec<Port> {
        match self {
            PlantKind::Tank => Tank::parameters(),
            PlantKind::Car => Car::parameters(),
        }
    }

    /// A plant of this kind in its initial state. The parameters must come from this kind's table.
    pub fn build(self, parameters: &[Port], initial: &[(String, f64)], method: Method, substeps: u32) -> Built {
        match self {
            PlantKind::Tank => boxed(Tank::new(parameters), initial, method, substeps),
            PlantKind::Car => boxed(Car::new(parameters), initial, method, substeps),
        }
    }
}

fn boxed(system: impl System + 'static, initial: &[(String, f64)], method: Method, substeps: u32) -> Built {
    let mut plant = OdePlant::new(system, method, substeps);
    for (name, value) in initial {
        plant.set_initial(name, *value)?;
    }
    Ok(Box::new(plant))
}

impl fmt::Display for PlantKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for PlantKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = PlantKind::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| format!("`{name}` is not a plant; expected tank or car"))
    }
}

/// Holds a value at the nearest end of its range when it left it; says whether it did. A value that
/// is not finite is left alone, so that it is seen and not mistaken for a limit.
fn limit_to(value: &mut f64, min: f64, max: f64) -> bool {
    let limited = value.max(min).min(max);
    let changed = value.is_finite() && limited != *value;
    if changed {
        *value = limited;
    }
    changed
}
