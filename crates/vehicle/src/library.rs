//! Finds characteristic files: beside the file that names them, where the user says, or among those that are shipped.

use crate::files::Source;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Kind, file name and content of everything that is shipped.
const SHIPPED: &[(&str, &str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/shipped.rs"));
/// What a name may be lacking.
const EXTENSIONS: [&str; 4] = ["", ".toml", ".tir", ".crg"];

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
        let of_kind = SHIPPED
            .iter()
            .filter(move |(folder, ..)| *folder == self.folder());
        of_kind.map(|(_, name, _)| name.rsplit_once('.').map_or(*name, |(stem, _)| stem))
    }
}

/// A file that was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Path or name, for messages.
    pub name: String,
    /// The content.
    pub bytes: Cow<'static, [u8]>,
    /// Its folder, where files that it names are looked for first; none for a shipped one.
    pub folder: Option<PathBuf>,
}

impl Found {
    /// To be read.
    #[must_use]
    pub fn source(&self) -> Source<'_> {
        Source::new(&self.name, &self.bytes)
    }
}

/// Why a file was not found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FindError {
    /// Nowhere.
    #[error("{folder}: `{name}` is no file and not shipped; expected the path of a file or one of {known}")]
    Unknown {
        /// What kind was wanted.
        folder: &'static str,
        /// What was asked for.
        name: String,
        /// What is shipped.
        known: String,
    },
    /// It cannot be read.
    #[error("{path}: {problem}")]
    Read {
        /// Which file.
        path: String,
        /// What the system says.
        problem: String,
    },
}

/// Finds a file by name or path: beside `near`, as a path, among the shipped ones.
pub fn find(kind: Kind, name: &str, near: Option<&Path>) -> Result<Found, FindError> {
    let beside = near.map(|folder| folder.join(name));
    let paths = beside.into_iter().chain([PathBuf::from(name)]);
    if let Some(path) = paths.into_iter().find(|path| path.is_file()) {
        return read(&path);
    }
    let shipped = EXTENSIONS.iter().find_map(|extension| {
        SHIPPED
            .iter()
            .find(|(folder, file, _)| *folder == kind.folder() && file.strip_suffix(extension) == Some(name))
    });
    match shipped {
        Some((folder, file, bytes)) => Ok(Found {
            name: format!("models/{folder}/{file}"),
            bytes: Cow::Borrowed(bytes),
            folder: None,
        }),
        None => Err(FindError::Unknown {
            folder: kind.folder(),
            name: name.to_owned(),
            known: kind.shipped().collect::<Vec<_>>().join(", "),
        }),
    }
}

fn read(path: &Path) -> Result<Found, FindError> {
    let bytes = std::fs::read(path).map_err(|error| FindError::Read {
        path: path.display().to_string(),
        problem: error.to_string(),
    })?;
    Ok(Found {
        name: path.display().to_string(),
        bytes: Cow::Owned(bytes),
        folder: path.parent().map(Path::to_path_buf),
    })
}
