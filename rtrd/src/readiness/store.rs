//! Where reports are kept, how they are written, and their checksum: SHA-256 over the content, so
//! that one that was changed, cut short or put together from two is recognised. Anyone with this
//! program can compute it: it protects against mistakes, not against forgery.
//!
//! What is hashed is the content as compact JSON with its keys in order, behind a line that names
//! the format. The file may therefore be indented as one likes.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::markdown::markdown;
use super::report::{Content, Report};
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

/// Writes a report as JSON and as Markdown; returns the two paths. A reader meanwhile finds the old
/// one or the new.
pub fn write(stem: &Path, content: Content) -> anyhow::Result<[PathBuf; 2]> {
    let report: Report = seal(content)?;
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

/// The format that is written, and the only one that is read.
pub const FORMAT: u32 = 1;
const HEADING: &str = "rtrd readiness report 1\n";

/// The report of this content.
pub fn seal(content: Content) -> anyhow::Result<Report> {
    let checksum = checksum(&serde_json::to_value(&content)?);
    Ok(Report { format: FORMAT, checksum, content })
}

/// Reads a report; one whose checksum is not that of its content is refused.
pub fn open(text: &str) -> anyhow::Result<Report> {
    let value: Value = serde_json::from_str(text).context("is not whole")?;
    let format = value["format"].as_u64();
    ensure!(format == Some(u64::from(FORMAT)), "is not of this version of rtrd (format {FORMAT} expected)");
    if value["checksum"].as_str() != Some(checksum(&value["content"]).as_str()) {
        bail!("was changed after it was made");
    }
    serde_json::from_value(value).context("is not one of this version of rtrd")
}

fn checksum(content: &Value) -> String {
    hash(&[HEADING, &canonical(content)])
}

/// SHA-256 of these texts one after the other, in hexadecimal.
pub fn hash(texts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    texts.iter().for_each(|text| hasher.update(text));
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Compact JSON with sorted keys, whatever order the library keeps them in.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let mut members: Vec<_> = map.iter().collect();
            members.sort_by_key(|(name, _)| name.as_str());
            let members =
                members.iter().map(|(name, member)| format!("{}:{}", Value::from(name.as_str()), canonical(member)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(canonical).collect();
            format!("[{}]", items.join(","))
        }
        plain => plain.to_string(),
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
        assert_eq!(open(&found[0].1).unwrap().content, sample::content());
        let names = std::fs::read_dir(folder.path().join("yes")).unwrap().count();
        assert_eq!(names, 2, "nothing else is left");
        let message = Places(vec![file.join("no")]).stem().unwrap_err().to_string();
        assert!(message.contains("--report FILE") && message.contains("no"), "{message}");
    }

    /// `printf abc | sha256sum`, and FIPS 180-4's example.
    #[test]
    fn the_hash_is_sha_256() {
        assert_eq!(hash(&["a", "bc"]), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn a_report_survives_its_file_in_any_layout() {
        let report = seal(sample::content()).unwrap();
        let compact = serde_json::to_string(&report).unwrap();
        let wide = serde_json::to_string_pretty(&report).unwrap();
        assert_eq!(open(&compact).unwrap(), report);
        assert_eq!(open(&wide).unwrap(), report);
    }

    #[test]
    fn every_changed_number_and_word_is_noticed() {
        let text = serde_json::to_string_pretty(&seal(sample::content()).unwrap()).unwrap();
        for (from, to) in [
            ("\"passes\": true", "\"passes\": false"),
            ("\"max_us\": 41.0", "\"max_us\": 14.0"),
            ("\"host\": \"car-pc\"", "\"host\": \"other\""),
            ("\"signed_off_by\": \"A. Tester\"", "\"signed_off_by\": null"),
        ] {
            assert!(text.contains(from), "{from} is not in\n{text}");
            let message = open(&text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(message.contains("changed after"), "{from}: {message}");
        }
        for damaged in [&text[..text.len() / 2], "", "[]", "{\"format\": 2}"] {
            assert!(open(damaged).is_err(), "{damaged}");
        }
    }
}
