//! Puts everything under `models/` into the program, so that a name works from any folder.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn entries(folder: &Path) -> Vec<PathBuf> {
    println!("cargo:rerun-if-changed={}", folder.display());
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn main() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut list = String::from("&[\n");
    for folder in entries(&models).into_iter().filter(|path| path.is_dir()) {
        for file in entries(&folder).into_iter().filter(|path| path.is_file()) {
            let name = |path: &Path| path.file_name().map(|it| it.to_string_lossy().into_owned());
            let (folder, name) = (name(&folder).unwrap_or_default(), name(&file).unwrap_or_default());
            writeln!(list, "    ({folder:?}, {name:?}, include_bytes!({file:?})),").expect("a string");
        }
    }
    list.push_str("]\n");
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(Path::new(&out).join("shipped.rs"), list).expect("the output folder can be written");
}
