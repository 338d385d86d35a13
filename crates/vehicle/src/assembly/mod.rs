//! A vehicle on a road with a driver, put together from files.
//!
//! ```text
//!   Choice (names) ──► Setup (files read and checked) ──┬─► Mechanism    stepped by the dynamics
//!                                                       ├─► Subsystems   answer each step
//!                                                       └─► Driver       steers and presses the pedals
//! ```
//! A setup makes the same parts wherever it is read, so that processes that share a choice share a
//! vehicle.

mod file;

use crate::driver::{self, Driver, DriverSetup, Manoeuvre, WheelSpin};
use crate::files::{FileError, Source, fingerprint};
use crate::library::{Found, Kind, find};
use crate::mechanism::{Mechanism, MechanismError, Start, free_base, without_spin};
use crate::rotation::RotationSetup;
use crate::steering::{self, Compliance};
use crate::subsystems::{Models, Subsystems};
use crate::terrain::{self, Terrain};
use crate::tyre::{self, Side, Tyre};
use crate::{Vector3, aerodynamics, brake, powertrain};
pub use file::{EXTERNAL, VehicleFile};
use multibody::shipped::ModelError;
use multibody::{Description, Model};
use std::path::Path;
use std::sync::Arc;

/// What to put together: shipped names or paths of files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The manoeuvre.
    pub manoeuvre: String,
    /// The vehicle; that of the manoeuvre if not given.
    pub vehicle: Option<String>,
    /// The road; that of the manoeuvre if not given.
    pub road: Option<String>,
    /// All tyres, instead of the vehicle's.
    pub tyre: Option<String>,
    /// The powertrain, instead of the vehicle's.
    pub powertrain: Option<String>,
    /// The brake system, instead of the vehicle's.
    pub brake: Option<String>,
    /// The steering system, instead of the vehicle's.
    pub steering: Option<String>,
    /// The model of the air, instead of the vehicle's.
    pub aerodynamics: Option<String>,
}

/// Why a vehicle cannot be put together.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SetupError {
    /// A file is not there or wrong.
    #[error(transparent)]
    File(#[from] FileError),
    /// The mechanism's files are wrong.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The mechanism does not work.
    #[error(transparent)]
    Mechanism(#[from] MechanismError),
    /// The driver cannot drive it.
    #[error(transparent)]
    Driver(#[from] driver::SetupError),
}

/// Which subsystems other processes supply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExternalSubsystems {
    /// Drive torques.
    pub powertrain: bool,
    /// Brake torques.
    pub brake: bool,
    /// The rack.
    pub steering: bool,
    /// Forces on the body.
    pub aerodynamics: bool,
}

/// Everything that was read, checked.
#[derive(Clone)]
pub struct Setup {
    /// The vehicle's file.
    pub vehicle: VehicleFile,
    /// The manoeuvre.
    pub manoeuvre: Manoeuvre,
    /// The mechanism.
    pub description: Description,
    /// The road.
    pub terrain: Arc<dyn Terrain>,
    /// Tyre of each wheel.
    pub tyres: Vec<Arc<dyn Tyre>>,
    /// What the driver knows of the vehicle.
    pub driver: DriverSetup,
    /// Which subsystems other processes supply.
    pub external: ExternalSubsystems,
    /// Length of a step (s).
    pub step_s: f64,
    /// Every file that was read, by what it is for.
    pub files: Vec<(Kind, String)>,
    /// What the files of the tyres say that is not used, or looks wrong; none of it is a fault.
    pub notes: Vec<FileError>,
    /// What tells this setup from others: the content of all its files, and the step.
    pub fingerprint: u64,
    model: Model,
    inertia_kg_m2: Vec<f64>,
    compliance: Vec<Option<Compliance>>,
    powertrain: Part,
    brake: Part,
    steering: Part,
    aerodynamics: Part,
}

impl Setup {
    /// Reads and checks all files of a choice.
    pub fn read(choice: &Choice, step_s: f64) -> Result<Self, SetupError> {
        let played = find(Kind::Manoeuvre, &choice.manoeuvre, None)?;
        let manoeuvre = driver::read(&played.source())?;
        let name = choice.vehicle.as_deref().or(manoeuvre.vehicle.as_deref());
        let found = find(Kind::Vehicle, name.unwrap_or(DEFAULT_VEHICLE), None)?;
        let near = found.folder.clone();
        let near = near.as_deref();
        let vehicle = VehicleFile::read(&found.source())?;
        let description = mechanism_description(&vehicle.mechanism, near)?;
        let (model, inertia_kg_m2) = without_spin(&description)?;
        let (tyres, tyre_files, notes) = tyres(&vehicle, choice.tyre.as_deref(), &description, near)?;
        let road = choice.road.as_deref().or(manoeuvre.road.as_deref());
        let road = find(Kind::Road, road.unwrap_or(DEFAULT_ROAD), None)?;
        let part = |kind, own: &Option<String>, chosen: &Option<String>| {
            Part::find(kind, chosen.as_ref().or(own.as_ref()), near)
        };
        let powertrain = part(Kind::Powertrain, &vehicle.powertrain, &choice.powertrain)?;
        let brake = part(Kind::Brake, &vehicle.brake, &choice.brake)?;
        let steering = part(Kind::Steering, &vehicle.steering, &choice.steering)?;
        let aerodynamics = part(Kind::Aerodynamics, &vehicle.aerodynamics, &choice.aerodynamics)?;
        let of_axles = steering.read(steering::read_compliance)?.unwrap_or_default();
        let compliance = description.wheels.iter().enumerate();
        let compliance = compliance.map(|(number, wheel)| compliance_of(&of_axles, number, wheel.compliance)).collect();
        let parts = [&powertrain, &brake, &steering, &aerodynamics].into_iter().filter_map(Part::file);
        let files = [(Kind::Manoeuvre, &played), (Kind::Vehicle, &found), (Kind::Road, &road)];
        let files = files.into_iter().chain(tyre_files.iter().map(|found| (Kind::Tyre, found))).chain(parts);
        let files: Vec<(Kind, &Found)> = files.collect();
        let contents = files.iter().map(|(_, found)| &*found.bytes);
        let mechanism = format!("{description:?}");
        let setup = Self {
            fingerprint: fingerprint(contents.chain([mechanism.as_bytes(), &step_s.to_le_bytes()])),
            files: files.iter().map(|(kind, found)| (*kind, found.name.clone())).collect(),
            driver: vehicle.driver_setup(&description),
            external: ExternalSubsystems {
                powertrain: matches!(powertrain, Part::External),
                brake: matches!(brake, Part::External),
                steering: matches!(steering, Part::External),
                aerodynamics: matches!(aerodynamics, Part::External),
            },
            terrain: terrain::read(&road.source())?.into(),
            vehicle,
            manoeuvre,
            description,
            tyres,
            notes,
            step_s,
            model,
            inertia_kg_m2,
            compliance,
            powertrain,
            brake,
            steering,
            aerodynamics,
        };
        // What cannot be put together is said now, not by the processes that would.
        setup.subsystems()?;
        setup.new_driver()?;
        Ok(setup)
    }

    /// How the vehicle appears.
    #[must_use]
    pub fn start(&self) -> Start {
        let initial = &self.manoeuvre.initial;
        Start {
            position_m: initial.position_m,
            heading_rad: initial.heading_rad,
            speed_m_s: initial.speed_m_s,
            height_m: initial.height_m,
        }
    }

    /// The mechanism, where the manoeuvre begins.
    pub fn mechanism(&self) -> Result<Mechanism, SetupError> {
        let start = self.start();
        Ok(Mechanism::new(self.model.clone(), &self.vehicle.steered, &self.tyres, &*self.terrain, &start, self.step_s)?)
    }

    /// The subsystems at their beginning.
    pub fn subsystems(&self) -> Result<Subsystems, SetupError> {
        let wheels = self.tyres.len();
        Ok(Subsystems::new(Models {
            terrain: self.terrain.clone(),
            rotation: RotationSetup {
                tyres: self.tyres.clone(),
                inertia_kg_m2: self.inertia_kg_m2.clone(),
                substeps: self.vehicle.substeps(),
            },
            powertrain: self.powertrain.read(|source| powertrain::read(source, wheels))?,
            brake: self.brake.read(|source| brake::read(source, wheels))?,
            steering: self.steering.read(steering::read)?,
            aerodynamics: self.aerodynamics.read(aerodynamics::read)?,
            compliance: self.compliance.clone(),
            steered_by: self.driver.steered_by,
            wind: self.manoeuvre.wind(),
            step_s: self.step_s,
            rolling_start: self.manoeuvre.initial.wheel_spin == WheelSpin::Rolling,
        }))
    }

    /// Mass that the turning wheels stand for when the vehicle is accelerated: Σ J/R² (kg).
    #[must_use]
    pub fn turning_mass_kg(&self) -> f64 {
        let wheels = self.inertia_kg_m2.iter().zip(&self.tyres);
        wheels.map(|(inertia, tyre)| inertia / tyre.radius_m().powi(2)).sum()
    }

    /// Centre of gravity of the body that carries the vehicle's origin, from that origin (m).
    #[must_use]
    pub fn centre_of_gravity_m(&self) -> Vector3 {
        let Some(base) = free_base(&self.description) else {
            return Vector3::ZERO;
        };
        let body = base.bodies.iter().find(|body| **body != multibody::BodyId::GROUND);
        body.and_then(|body| self.description.bodies.get(body.0)).map_or(Vector3::ZERO, |body| body.centre - base.point)
    }

    /// Names of the coordinates of the joints and of their rates, in the order of the mechanism's
    /// state.
    #[must_use]
    pub fn joint_names(&self) -> Vec<String> {
        [self.model.position_names(), self.model.velocity_names()].concat()
    }

    /// The driver at the beginning of the manoeuvre.
    pub fn new_driver(&self) -> Result<Box<dyn Driver>, SetupError> {
        Ok(self.manoeuvre.driver(&self.driver)?)
    }
}

impl std::fmt::Debug for Setup {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = formatter.debug_struct("Setup");
        text.field("vehicle", &self.vehicle).field("manoeuvre", &self.manoeuvre.name);
        text.finish_non_exhaustive()
    }
}

/// The vehicle of a manoeuvre that names none.
const DEFAULT_VEHICLE: &str = "hmmwv";
/// The road of a manoeuvre that names none.
const DEFAULT_ROAD: &str = "flat";

fn mechanism_description(name: &str, near: Option<&Path>) -> Result<Description, SetupError> {
    let beside = near.map(|folder| folder.join(name));
    let beside = beside.filter(|path| path.join("topology.toml").is_file());
    let name = beside.map_or_else(|| name.to_owned(), |path| path.display().to_string());
    Ok(multibody::shipped::find(&name)?)
}

/// Tyres, one for each wheel, their files, and what is to be noted of these.
type Mounted = (Vec<Arc<dyn Tyre>>, Vec<Found>, Vec<FileError>);

/// The tyre of each wheel, mounted for its side (one that was measured on the other side is
/// mirrored), and the files that were read.
fn tyres(
    vehicle: &VehicleFile,
    chosen: Option<&str>,
    description: &Description,
    near: Option<&Path>,
) -> Result<Mounted, SetupError> {
    let (mut files, mut notes): (Vec<Found>, Vec<FileError>) = (Vec::new(), Vec::new());
    let mut read: Vec<(String, Side, Arc<dyn Tyre>)> = Vec::new();
    let mut all = Vec::with_capacity(description.wheels.len());
    for wheel in &description.wheels {
        let name = match chosen {
            Some(name) => name.to_owned(),
            None => vehicle.tyre_of(&wheel.name)?.to_owned(),
        };
        let side = if wheel.centre.y < 0.0 { Side::Right } else { Side::Left };
        let known = read.iter().find(|(known, of, _)| *known == name && *of == side);
        if let Some((.., tyre)) = known {
            all.push(tyre.clone());
            continue;
        }
        let found = find(Kind::Tyre, &name, near)?;
        let mut reading = tyre::read_fully(&found.source())?;
        let noted = std::mem::take(&mut reading.notes);
        let tyre: Arc<dyn Tyre> = reading.mounted(side).into();
        all.push(tyre.clone());
        read.push((name, side, tyre));
        if files.iter().all(|known| known.name != found.name) {
            files.push(found);
            notes.extend(noted);
        }
    }
    Ok((all, files, notes))
}

/// How the carrier of a wheel gives way: as the steering's file says for its axle, otherwise as the
/// mechanism's file says for the wheel.
fn compliance_of(of_axles: &[Compliance], wheel: usize, of_wheel: [f64; 4]) -> Option<Compliance> {
    let own = (of_wheel != [0.0; 4]).then(|| Compliance::linear(of_wheel));
    of_axles.get(wheel / 2).cloned().or(own)
}

/// Where a subsystem comes from.
#[derive(Clone)]
enum Part {
    None,
    External,
    File(Kind, Found),
}

impl Part {
    fn find(kind: Kind, name: Option<&String>, near: Option<&Path>) -> Result<Self, SetupError> {
        Ok(match name.map(String::as_str) {
            None | Some("none") => Self::None,
            Some(EXTERNAL) => Self::External,
            Some(name) => Self::File(kind, find(kind, name, near)?),
        })
    }

    fn file(&self) -> Option<(Kind, &Found)> {
        match self {
            Self::File(kind, found) => Some((*kind, found)),
            _ => None,
        }
    }

    fn read<T>(&self, read: impl FnOnce(&Source<'_>) -> Result<T, FileError>) -> Result<Option<T>, FileError> {
        self.file().map(|(_, found)| read(&found.source())).transpose()
    }
}
