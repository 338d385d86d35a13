//! The models that are shipped, carried inside the program so that `rtrd` runs them from any
//! folder.
//!
//! A name is that of the folder under `models/`. Texts are there as well, as a start for a model of
//! one's own.

use crate::description::Description;
use crate::files::{ModelFileError, Source, read_folder, read_texts};
use std::path::Path;

/// The two files of a shipped model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texts {
    /// What `topology.toml` says.
    pub topology: &'static str,
    /// What `parameters.toml` says.
    pub parameters: &'static str,
}

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        &[$(($name, Texts {
            topology: include_str!(concat!("../../../models/", $name, "/topology.toml")),
            parameters: include_str!(concat!("../../../models/", $name, "/parameters.toml")),
        })),*]
    };
}

/// Vehicles first, then mechanisms.
const SHIPPED: &[(&str, Texts)] = shipped![
    "hmmwv",
    "passenger-car",
    "tractor-semitrailer",
    "pendulum",
    "double-pendulum",
    "four-bar",
    "slider-crank",
    "rscr",
    "gyroscope",
    "antiroll-bar",
    "adams-cylindrical",
    "adams-distance",
    "adams-linear-actuator",
    "adams-prismatic",
    "adams-revolute",
    "adams-revolute-spherical",
    "adams-revolute-tilted",
    "adams-rotational-spring",
    "adams-spherical",
    "adams-translational-spring",
    "adams-universal",
    "iftomm-andrews-squeezer",
    "iftomm-bricard",
    "iftomm-flyball-governor",
    "iftomm-n-four-bar",
    "iftomm-n-four-bar-40",
    "iftomm-simple-pendulum",
];

/// Why there is no such model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// Neither a folder nor a shipped name.
    #[error("model `{name}`: no folder with topology.toml, and not shipped; expected a folder or one of {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// All shipped names, and the nearest.
        known: String,
    },
    /// The files have a mistake.
    #[error(transparent)]
    File(#[from] ModelFileError),
}

/// Names of all shipped models.
#[must_use]
pub fn names() -> Vec<&'static str> {
    SHIPPED.iter().map(|(name, _)| *name).collect()
}

/// The files of a shipped model.
#[must_use]
pub fn texts(name: &str) -> Option<Texts> {
    SHIPPED.iter().find(|(shipped, _)| *shipped == name).map(|(_, texts)| *texts)
}

/// A shipped model.
pub fn description(name: &str) -> Result<Description, ModelError> {
    let texts = texts(name).ok_or_else(|| {
        let known = names().join(", ") + &files::did_you_mean(name, names());
        ModelError::Unknown { name: name.into(), known }
    })?;
    let origin = |file: &str| format!("models/{name}/{file}");
    let (topology, parameters) = (origin("topology.toml"), origin("parameters.toml"));
    let description = read_texts(
        Source { text: texts.topology, origin: &topology },
        Source { text: texts.parameters, origin: &parameters },
    )?;
    Ok(description)
}

/// What a user means by MODEL: a folder with the two files if there is one of that path, else a
/// shipped name.
pub fn find(model: &str) -> Result<Description, ModelError> {
    let folder = Path::new(model);
    if folder.join("topology.toml").exists() || (texts(model).is_none() && folder.is_dir()) {
        return Ok(read_folder(folder)?);
    }
    description(model)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// A folder that is added to `models/` and forgotten here would work in the repository only.
    #[test]
    fn every_folder_of_models_is_shipped() {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        let folders = std::fs::read_dir(&models).expect("models").map(|it| it.expect("an entry"));
        let on_disk: BTreeSet<String> = folders
            .filter(|it| it.path().join("topology.toml").exists())
            .map(|it| it.file_name().to_string_lossy().into_owned())
            .collect();
        let inside: BTreeSet<String> = names().into_iter().map(String::from).collect();
        assert_eq!(inside, on_disk);
    }

    #[test]
    fn shipped_models_read_and_are_named_as_their_folders() {
        for name in names() {
            let description = description(name).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(description.name, name);
        }
    }

    #[test]
    fn a_folder_comes_before_a_shipped_name_and_an_unknown_name_lists_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = texts("pendulum").expect("shipped");
        std::fs::write(folder.path().join("topology.toml"), text.topology).expect("written");
        let found = find(&folder.path().display().to_string());
        let error = found.expect_err("one file is missing").to_string();
        assert!(error.contains("parameters.toml: cannot read"), "{error}");
        std::fs::write(folder.path().join("parameters.toml"), text.parameters).expect("written");
        let found = find(&folder.path().display().to_string()).expect("both are there");
        assert_eq!(found.name, "pendulum");
        let error = find("humvee").expect_err("unknown").to_string();
        assert!(error.starts_with("model `humvee`: no folder") && error.contains("hmmwv"), "{error}");
    }
}
