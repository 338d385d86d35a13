//! The vehicle's file: which mechanism, which subsystems, and what a driver must know.

use crate::driver::DriverSetup;
use crate::files::place::line_and_column;
use crate::files::ranges::Whole;
use crate::files::{FileError, Source};
use crate::mechanism::{free_base, steered_by};
use multibody::Description;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// The word for a subsystem that another process supplies.
pub const EXTERNAL: &str = "external";
/// Most substeps of the wheels in a step.
const SUBSTEPS_MAX: i64 = 100;

/// A vehicle's file.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct VehicleFile {
    /// Name.
    pub name: String,
    /// One line.
    #[serde(default)]
    pub description: String,
    /// Model folder of the mechanism.
    pub mechanism: String,
    tyres: Spanned<Tyres>,
    /// The powertrain's file, `external` or `none`.
    pub powertrain: Option<String>,
    /// The brake's file.
    pub brake: Option<String>,
    /// The steering's file.
    pub steering: Option<String>,
    /// The air's file.
    pub aerodynamics: Option<String>,
    substeps: Option<Whole<1, SUBSTEPS_MAX>>,
    /// Driven joints that the rack moves, with their gains.
    #[serde(default)]
    pub steered: BTreeMap<String, f64>,
    driver: DriverFile,
    /// Name of the file, and line and column of the tyres.
    #[serde(skip)]
    origin: (String, (usize, usize)),
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(untagged, expecting = "expected the name of a tyre, or a table with one for each wheel")]
enum Tyres {
    All(String),
    Each(BTreeMap<String, String>),
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct DriverFile {
    steering_ratio: f64,
    steering_lock_deg: f64,
    width_m: f64,
    #[serde(default)]
    understeer_deg_s2_m: f64,
    #[serde(default)]
    rear_slip_deg_s2_m: f64,
}

impl VehicleFile {
    /// Reads a vehicle's file.
    pub fn read(source: &Source<'_>) -> Result<Self, FileError> {
        let mut file: Self = source.toml()?;
        file.origin = (source.name.to_owned(), line_and_column(source.text()?, file.tyres.span().start));
        Ok(file)
    }

    /// Substeps of the wheels.
    pub(super) fn substeps(&self) -> u32 {
        self.substeps.and_then(|given| given.get().try_into().ok()).unwrap_or(2)
    }

    /// The tyre of a wheel: its own, or the default.
    pub(super) fn tyre_of(&self, wheel: &str) -> Result<&str, FileError> {
        let found = match self.tyres.get_ref() {
            Tyres::All(name) => Some(name),
            Tyres::Each(names) => names.get(wheel).or_else(|| names.get("default")),
        };
        let (file, (line, column)) = self.origin.clone();
        let problem = format!("wheel `{wheel}` has no tyre; name one for it, or a `default`");
        found.map(String::as_str).ok_or_else(|| FileError { file, line, column, field: "tyres".into(), problem })
    }

    /// What a driver knows of the vehicle: dimensions from the mechanism, the rest from the file.
    #[must_use]
    pub fn driver_setup(&self, description: &Description) -> DriverSetup {
        let wheels = &description.wheels;
        let place = |take: fn(f64, f64) -> f64, start: f64| wheels.iter().map(|wheel| wheel.centre.x).fold(start, take);
        let front = place(f64::max, f64::NEG_INFINITY);
        // The rear axle that counts is the middle of the other axles of the first unit.
        let behind: Vec<f64> = wheels
            .iter()
            .map(|wheel| wheel.centre.x)
            .filter(|x| front - x > 0.5 && front - x < LONGEST_UNIT_M)
            .collect();
        let rear = behind.iter().sum::<f64>() / behind.len().max(1) as f64;
        let left = wheels.iter().map(|wheel| wheel.centre.y).fold(0.0, f64::max);
        let base = free_base(description);
        DriverSetup {
            wheelbase_m: front - rear,
            front_axle_m: front - base.map_or(0.0, |joint| joint.point.x),
            steering_ratio: self.driver.steering_ratio,
            steering_lock_rad: self.driver.steering_lock_deg.to_radians(),
            track_m: 2.0 * left,
            steered_by: steered_by(description, &self.steered),
            width_m: self.driver.width_m,
            mass_kg: description.bodies.iter().map(|body| body.mass).sum(),
            understeer_rad_s2_m: self.driver.understeer_deg_s2_m.to_radians(),
            rear_slip_rad_s2_m: self.driver.rear_slip_deg_s2_m.to_radians(),
        }
    }
}

/// Axles farther behind the first one belong to a trailer (m).
const LONGEST_UNIT_M: f64 = 6.5;
