//! Finds files: beside the file that names them, where the user says, or among those that are
//! shipped.
//!
//! The shipped ones are everything under `models/`, carried inside the program. A folder there is a
//! kind of file (`vehicles`, `roads`, `scenarios`), and a name is that of the file without its
//! extension.

use crate::{FileError, Source};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Folder, file name and content of everything that is shipped.
const SHIPPED: &[(&str, &str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/shipped.rs"));
/// What a name may be lacking.
const EXTENSIONS: [&str; 4] = ["", ".toml", ".tir", ".crg"];

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
    /// A text that is there already.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), bytes: Cow::Owned(text.into().into_bytes()), folder: None }
    }

    /// To be read.
    pub fn source(&self) -> Source<'_> {
        Source::new(&self.name, &self.bytes)
    }
}

/// All shipped folders with their files' full names.
pub fn shipped_files() -> impl Iterator<Item = (&'static str, &'static str)> {
    SHIPPED.iter().map(|(folder, file, _)| (*folder, *file))
}

/// Names of the shipped files of a folder, without extension.
pub fn shipped_names(folder: &str) -> impl Iterator<Item = &'static str> {
    let names = SHIPPED.iter().filter(move |(of, ..)| *of == folder);
    names.filter_map(|(_, name, _)| EXTENSIONS[1..].iter().find_map(|end| name.strip_suffix(end)))
}

/// The text of a shipped file, with or without its extension.
pub fn shipped_text(folder: &str, name: &str) -> Option<&'static str> {
    shipped(folder, name).and_then(|(_, bytes)| std::str::from_utf8(bytes).ok())
}

fn shipped(folder: &str, name: &str) -> Option<(&'static str, &'static [u8])> {
    EXTENSIONS.iter().find_map(|extension| {
        let is = |(of, file, _): &&(&str, &str, _)| *of == folder && file.strip_suffix(extension) == Some(name);
        SHIPPED.iter().find(is).map(|(_, file, bytes)| (*file, *bytes))
    })
}

/// Finds a file by name or path: beside `near`, as a path, among the shipped ones of a folder.
pub fn find(folder: &str, name: &str, near: Option<&Path>) -> Result<Found, FileError> {
    let beside = near.map(|near| near.join(name));
    let mut paths = beside.into_iter().chain([PathBuf::from(name)]);
    if let Some(path) = paths.find(|path| path.is_file()) {
        return read(&path);
    }
    let (file, bytes) = shipped(folder, name).ok_or_else(|| {
        let known = one_of(name, shipped_names(folder));
        let known = known.split_once("expected ").map_or("", |(_, known)| known);
        let problem = format!("`{name}` is no file and not shipped; expected the path of a file or {known}");
        FileError::whole(folder, problem)
    })?;
    Ok(Found { name: format!("models/{folder}/{file}"), bytes: Cow::Borrowed(bytes), folder: None })
}

/// Reads a file. Devices and pipes, which may never end, are refused.
pub fn read(path: &Path) -> Result<Found, FileError> {
    let name = path.display().to_string();
    let refused = |problem: String| FileError::whole(name.clone(), format!("cannot be read: {problem}"));
    let metadata = std::fs::metadata(path).map_err(|error| refused(error.to_string()))?;
    if !metadata.is_file() {
        return Err(refused("it is not a regular file".into()));
    }
    let bytes = std::fs::read(path).map_err(|error| refused(error.to_string()))?;
    Ok(Found { name, bytes: Cow::Owned(bytes), folder: path.parent().map(Path::to_path_buf) })
}

/// What to say of a name that is not among those that are known: all of them, and the nearest.
pub fn one_of<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let hint = did_you_mean(name, known.iter().copied());
    format!("`{name}` is unknown; expected one of {}{hint}", known.join(", "))
}

/// The end of a message about an unknown name: `; did you mean `hmmwv`?`, or nothing where no known
/// name is like it.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let likeness = |other: &&str| (strsim::jaro_winkler(name, other) * 1e6) as u64;
    let nearest = known.into_iter().filter(|other| likeness(other) > 800_000).max_by_key(likeness);
    nearest.map_or(String::new(), |nearest| format!("; did you mean `{nearest}`?"))
}

/// Fingerprint of contents in their order (the first eight bytes of SHA-256 over each length and
/// content). It is never 0, which stands for "none".
pub fn fingerprint<'a>(contents: impl IntoIterator<Item = &'a [u8]>) -> u64 {
    let mut digest = Sha256::new();
    for content in contents {
        digest.update((content.len() as u64).to_le_bytes());
        digest.update(content);
    }
    let digest = digest.finalize();
    digest[..8].iter().fold(0, |number, byte| number << 8 | u64::from(*byte)) | 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_with_and_without_its_extension_and_listed() {
        let found = find("roads", "flat", None).expect("shipped");
        assert_eq!((found.name.as_str(), found.folder), ("models/roads/flat.toml", None));
        assert_eq!(find("roads", "flat.toml", None).expect("shipped").bytes, found.bytes);
        assert!(shipped_names("roads").any(|name| name == "flat"));
        assert!(shipped_text("hmmwv", "topology").is_some_and(|text| text.contains("hmmwv")));
    }

    #[test]
    fn an_unknown_name_tells_the_nearest() {
        let error = find("vehicles", "hmmvw", None).expect_err("unknown").to_string();
        assert!(error.starts_with("vehicles: `hmmvw` is no file and not shipped; expected"), "{error}");
        assert!(error.ends_with("did you mean `hmmwv`?"), "{error}");
    }

    #[test]
    fn a_file_beside_comes_before_a_shipped_one() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("flat"), "mine").expect("written");
        let found = find("roads", "flat", Some(folder.path())).expect("a file");
        assert_eq!((&*found.bytes, found.folder.as_deref()), (&b"mine"[..], Some(folder.path())));
        let error = read(folder.path()).expect_err("a folder").to_string();
        assert!(error.ends_with("cannot be read: it is not a regular file"), "{error}");
    }

    #[test]
    fn contents_and_their_borders_count() {
        let of = |parts: &[&str]| fingerprint(parts.iter().map(|part| part.as_bytes()));
        assert_ne!(of(&["tyre", "brake"]), of(&["tyre", "brakes"]));
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_eq!(of(&["tyre"]), of(&["tyre"]));
    }

    /// SHA-256 of nothing begins with e3b0c44298fc1c14 (FIPS 180-4, published example).
    #[test]
    fn the_digest_is_the_published_one() {
        assert_eq!(fingerprint([]), 0xe3b0_c442_98fc_1c14 | 1);
    }
}
