//! The models that are shipped, carried inside the program so that `rtrd` runs them from any
//! folder.
//!
//! A name is that of the folder under `models/`. Texts are there as well, as a start for a model of
//! one's own.

use crate::description::Description;
use crate::files::{FileError, Source, read_folder, read_texts};
use std::path::Path;

/// The two files of a shipped model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texts {
    /// What `topology.toml` says.
    pub topology: &'static str,
    /// What `parameters.toml` says.
    pub parameters: &'static str,
}

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
    File(#[from] FileError),
}

/// Names of all shipped models: what has wheels first.
pub fn names() -> Vec<&'static str> {
    let models = ::files::shipped::shipped_files().filter(|(_, file)| *file == "topology.toml");
    let mut names: Vec<&str> = models.map(|(folder, _)| folder).collect();
    names.sort_by_key(|name| texts(name).is_none_or(|texts| !texts.parameters.contains("[wheels")));
    names
}

/// The files of a shipped model.
pub fn texts(name: &str) -> Option<Texts> {
    let text = |file| ::files::shipped_text(name, file);
    Some(Texts { topology: text("topology")?, parameters: text("parameters")? })
}

/// A shipped model.
pub fn description(name: &str) -> Result<Description, ModelError> {
    let texts = texts(name).ok_or_else(|| {
        let known = names().join(", ") + &::files::did_you_mean(name, names());
        ModelError::Unknown { name: name.into(), known }
    })?;
    let origin = |file: &str| format!("models/{name}/{file}.toml");
    let (topology, parameters) = (origin("topology"), origin("parameters"));
    let source = |origin, text: &'static str| Source::new(origin, text.as_bytes());
    Ok(read_texts(source(&topology, texts.topology), source(&parameters, texts.parameters))?)
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

    #[test]
    fn every_folder_of_models_is_shipped_and_vehicles_come_first() {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        let folders = std::fs::read_dir(&models).expect("models").map(|it| it.expect("an entry"));
        let on_disk = folders.filter(|it| it.path().join("topology.toml").exists());
        let on_disk: BTreeSet<_> = on_disk.map(|it| it.file_name().to_string_lossy().into_owned()).collect();
        assert_eq!(names().into_iter().map(String::from).collect::<BTreeSet<_>>(), on_disk);
        assert_eq!(names()[..3], ["hmmwv", "passenger-car", "tractor-semitrailer"]);
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
        assert!(error.contains("parameters.toml: cannot be read"), "{error}");
        std::fs::write(folder.path().join("parameters.toml"), text.parameters).expect("written");
        let found = find(&folder.path().display().to_string()).expect("both are there");
        assert_eq!(found.name, "pendulum");
        let error = find("humvee").expect_err("unknown").to_string();
        assert!(error.starts_with("model `humvee`: no folder") && error.contains("hmmwv"), "{error}");
    }
}
