//! Puts the acquisition and calibration files under `models/` into the program, so that a name
//! works from any folder.

use std::fmt::Write as _;
use std::path::Path;

/// Folders of shipped files.
const FOLDERS: [&str; 2] = ["acquisition", "calibrations"];

fn main() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut list = String::from("&[\n");
    for folder in FOLDERS {
        let path = models.join(folder);
        println!("cargo:rerun-if-changed={}", path.display());
        let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
        let mut names: Vec<_> = entries
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| name.ends_with(".toml"))
            .collect();
        names.sort();
        for name in names {
            let file = path.join(&name);
            writeln!(list, "    ({folder:?}, {name:?}, include_str!({file:?})),").expect("a string takes it");
        }
    }
    list.push_str("]\n");
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(Path::new(&out).join("shipped.rs"), list).expect("the output folder can be written");
}
