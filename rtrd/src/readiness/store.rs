//! Where reports are kept, and how they are written.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::markdown::markdown;
use super::report::{Content, Report};
use super::seal;
use crate::output::{replace, with_ending};

/// The file's name without its ending.
const STEM: &str = "readiness";
/// The folder of the whole machine.
const MACHINE_FOLDER: &str = "/var/lib/rtrd";

/// The folders in which a report may be, the first that counts first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places(pub Vec<PathBuf>);

impl Places {
    /// `$RTRD_STATE_DIR` alone if it is set, otherwise the machine's folder and the user's own.
    pub fn of_environment() -> Self {
        Self::from_variables(|name| std::env::var_os(name))
    }

    fn from_variables(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        if let Some(folder) = set("RTRD_STATE_DIR") {
            return Self(vec![folder]);
        }
        let of_user = set("XDG_STATE_HOME").or_else(|| Some(set("HOME")?.join(".local/state")));
        let of_user = of_user.map(|folder| folder.join("rtrd"));
        Self([Some(PathBuf::from(MACHINE_FOLDER)), of_user].into_iter().flatten().collect())
    }

    /// The stem of a new report: in the first folder that can be written to. The folder is made if
    /// it is missing.
    pub fn stem(&self) -> anyhow::Result<PathBuf> {
        let mut refused = String::new();
        for folder in &self.0 {
            let stem = folder.join(STEM);
            match prepare(&stem) {
                Ok(()) => return Ok(stem),
                Err(error) => refused.push_str(&format!("\n  {error:#}")),
            }
        }
        anyhow::bail!("no folder for the report; name a file with --report FILE:{refused}")
    }

    /// The reports that there are, as text with their path.
    pub fn reports(&self) -> impl Iterator<Item = (PathBuf, String)> {
        self.0.iter().filter_map(|folder| {
            let path = with_ending(&folder.join(STEM), ".json");
            let bytes = std::fs::read(&path).ok()?;
            Some((path, String::from_utf8_lossy(&bytes).into_owned()))
        })
    }
}

/// Makes sure, before the minutes of measuring, that a report can be written there.
pub fn prepare(stem: &Path) -> anyhow::Result<()> {
    let folder = folder_of(stem);
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let trial = with_ending(stem, ".trial");
    std::fs::write(&trial, "").with_context(|| format!("cannot write to {}", folder.display()))?;
    std::fs::remove_file(&trial).with_context(|| format!("cannot remove {}", trial.display()))
}

/// Writes a report as JSON and as Markdown; returns the two paths. A reader meanwhile finds
/// the old one or the new.
pub fn write(stem: &Path, content: Content) -> anyhow::Result<[PathBuf; 2]> {
    let report: Report = seal::seal(content)?;
    let json = format!("{}\n", serde_json::to_string_pretty(&report)?);
    let paths = [with_ending(stem, ".json"), with_ending(stem, ".md")];
    replace(&paths[0], json.as_bytes(), None)?;
    replace(&paths[1], markdown(&report).as_bytes(), None)?;
    Ok(paths)
}

fn folder_of(stem: &Path) -> &Path {
    match stem.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    fn places(variables: &[(&str, &str)]) -> Vec<String> {
        let find = |name: &str| variables.iter().find(|(known, _)| *known == name);
        let places = Places::from_variables(|name| find(name).map(|(_, value)| value.into()));
        places.0.iter().map(|path| path.display().to_string()).collect()
    }

    #[test]
    fn the_machines_folder_comes_before_the_users() {
        assert_eq!(places(&[("HOME", "/home/a")]), ["/var/lib/rtrd", "/home/a/.local/state/rtrd"]);
        let both = [("HOME", "/home/a"), ("XDG_STATE_HOME", "/s")];
        assert_eq!(places(&both), ["/var/lib/rtrd", "/s/rtrd"]);
        assert_eq!(places(&[("RTRD_STATE_DIR", "/t"), ("HOME", "/home/a")]), ["/t"]);
        assert_eq!(places(&[("RTRD_STATE_DIR", "")]), ["/var/lib/rtrd"]);
    }

    #[test]
    fn a_report_goes_to_the_first_folder_that_takes_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        // A file has no folders below it.
        let places = Places(vec![file.join("no"), folder.path().join("yes")]);
        let stem = places.stem().unwrap();
        assert_eq!(stem, folder.path().join("yes/readiness"));
        let [json, page] = write(&stem, sample::content()).unwrap();
        assert_eq!((json.extension().unwrap(), page.extension().unwrap()), ("json".as_ref(), "md".as_ref()));
        let found: Vec<_> = places.reports().collect();
        assert_eq!(found.len(), 1);
        assert_eq!(seal::open(&found[0].1).unwrap().content, sample::content());
        let names = std::fs::read_dir(folder.path().join("yes")).unwrap().count();
        assert_eq!(names, 2, "nothing else is left");
        let message = Places(vec![file.join("no")]).stem().unwrap_err().to_string();
        assert!(message.contains("--report FILE") && message.contains("no"), "{message}");
    }
}
