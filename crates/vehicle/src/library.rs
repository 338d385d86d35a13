//! What a shipped file is for: each kind has its folder under `models/`.

pub use crate::files::Found;
use crate::files::{self, FileError};
use std::path::Path;

/// What a file is for: the folder of the shipped ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A vehicle: which mechanism and which subsystems.
    Vehicle,
    /// A tyre.
    Tyre,
    /// A road.
    Road,
    /// A powertrain.
    Powertrain,
    /// A brake system.
    Brake,
    /// A steering system.
    Steering,
    /// A model of the air.
    Aerodynamics,
    /// A manoeuvre.
    Manoeuvre,
}

impl Kind {
    /// The folder under `models/`.
    #[must_use]
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Vehicle => "vehicles",
            Self::Tyre => "tyres",
            Self::Road => "roads",
            Self::Powertrain => "powertrains",
            Self::Brake => "brakes",
            Self::Steering => "steering",
            Self::Aerodynamics => "aerodynamics",
            Self::Manoeuvre => "manoeuvres",
        }
    }

    /// Names of the shipped ones, without extension.
    pub fn shipped(self) -> impl Iterator<Item = &'static str> {
        files::shipped_names(self.folder())
    }
}

/// Finds a file by name or path: beside `near`, as a path, among the shipped ones.
pub fn find(kind: Kind, name: &str, near: Option<&Path>) -> Result<Found, FileError> {
    files::find(kind.folder(), name, near)
}
