//! The vehicle's file: which mechanism, which subsystems, and what a driver must know.

use crate::driver::DriverSetup;
use crate::files::{FileError, Source};
use crate::mechanism::steered_by;
use multibody::Description;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// The word for a subsystem that another process supplies.
pub const EXTERNAL: &str = "external";
/// Most substeps of the wheels in a step.
const SUBSTEPS_MAX: u32 = 100;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    name: String,
    #[serde(default)]
    description: String,
    mechanism: String,
    tyres: Spanned<TyresText>,
    powertrain: Option<String>,
    brake: Option<String>,
    steering: Option<String>,
    aerodynamics: Option<String>,
    substeps: Option<Spanned<u32>>,
    #[serde(default)]
    steered: BTreeMap<String, f64>,
    driver: DriverText,
}

#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum TyresText {
    All(String),
    Each(BTreeMap<String, String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DriverText {
    steering_ratio: f64,
    steering_lock_deg: f64,
    width_m: f64,
    #[serde(default)]
    understeer_deg_s2_m: f64,
    #[serde(default)]
    rear_slip_deg_s2_m: f64,
}

/// A vehicle's file, read.
#[derive(Clone, Debug, PartialEq)]
pub struct VehicleFile {
    /// Name.
    pub name: String,
    /// One line.
    pub description: String,
    /// Model folder of the mechanism.
    pub mechanism: String,
    /// The powertrain's file, `external` or `none`.
    pub powertrain: Option<String>,
    /// The brake's file.
    pub brake: Option<String>,
    /// The steering's file.
    pub steering: Option<String>,
    /// The air's file.
    pub aerodynamics: Option<String>,
    /// Substeps of the wheels.
    pub substeps: u32,
    /// Driven joints that the rack moves, with their gains.
    pub steered: Vec<(String, f64)>,
    tyres: BTreeMap<String, String>,
    origin: String,
    tyres_place: (usize, usize),
    driver: [f64; 5],
}

impl VehicleFile {
    /// Reads a vehicle's file.
    pub fn read(source: &Source<'_>) -> Result<Self, FileError> {
        let text: Text = source.toml()?;
        let substeps = match &text.substeps {
            Some(given) if (1..=SUBSTEPS_MAX).contains(given.get_ref()) => *given.get_ref(),
            Some(given) => {
                let found = given.get_ref();
                return Err(source.fault_at(given.span(), format!("expected 1 to {SUBSTEPS_MAX}, found {found}")));
            }
            None => 2,
        };
        let tyres_place = crate::files::place::line_and_column(source.text()?, text.tyres.span().start);
        let tyres = match text.tyres.into_inner() {
            TyresText::All(name) => BTreeMap::from([("default".to_owned(), name)]),
            TyresText::Each(names) => names,
        };
        let driver = text.driver;
        Ok(Self {
            name: text.name,
            description: text.description,
            mechanism: text.mechanism,
            powertrain: text.powertrain,
            brake: text.brake,
            steering: text.steering,
            aerodynamics: text.aerodynamics,
            substeps,
            steered: text.steered.into_iter().collect(),
            tyres,
            origin: source.name.to_owned(),
            tyres_place,
            driver: [
                driver.steering_ratio,
                driver.steering_lock_deg.to_radians(),
                driver.width_m,
                driver.understeer_deg_s2_m.to_radians(),
                driver.rear_slip_deg_s2_m.to_radians(),
            ],
        })
    }

    /// The tyre of a wheel: its own, or the default.
    pub(super) fn tyre_of(&self, wheel: &str) -> Result<&str, FileError> {
        let found = self.tyres.get(wheel).or_else(|| self.tyres.get("default"));
        found.map(String::as_str).ok_or_else(|| FileError {
            file: self.origin.clone(),
            line: self.tyres_place.0,
            column: self.tyres_place.1,
            field: "tyres".into(),
            problem: format!("wheel `{wheel}` has no tyre; name one for it, or a `default`"),
        })
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
        let [steering_ratio, steering_lock_rad, width_m, understeer, rear_slip] = self.driver;
        let base = description.joints.iter().find(|joint| {
            joint.kind == multibody::JointKind::Free && joint.bodies.contains(&multibody::BodyId::GROUND)
        });
        DriverSetup {
            wheelbase_m: front - rear,
            front_axle_m: front - base.map_or(0.0, |joint| joint.point.x),
            steering_ratio,
            steering_lock_rad,
            track_m: 2.0 * left,
            steered_by: steered_by(description, &self.steered),
            width_m,
            mass_kg: description.bodies.iter().map(|body| body.mass).sum(),
            understeer_rad_s2_m: understeer,
            rear_slip_rad_s2_m: rear_slip,
        }
    }
}

/// Axles farther behind the first one belong to a trailer (m).
const LONGEST_UNIT_M: f64 = 6.5;
