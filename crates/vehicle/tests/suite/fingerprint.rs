//! A setup is told from others by the content of its files, not by their names: a process that
//! comes back must not go on with the state of another vehicle.

use std::path::Path;
use vehicle::assembly::{Choice, Setup};
use vehicle::files::shipped_text;

/// The HMMWV with a tyre and a brake file of its own, in a folder.
fn write(folder: &Path, part: &str, changed: &str) {
    let vehicle = shipped_text("vehicles", "hmmwv").expect("shipped");
    let vehicle = vehicle.replace("tyres = \"hmmwv-tmeasy\"", "tyres = \"tyre.toml\"");
    let vehicle = vehicle.replace("brake = \"hmmwv\"", "brake = \"brake.toml\"");
    std::fs::write(folder.join("vehicle.toml"), vehicle).expect("written");
    for (folder_of, name, file) in [("tyres", "hmmwv-tmeasy", "tyre.toml"), ("brakes", "hmmwv", "brake.toml")] {
        let text = shipped_text(folder_of, name).expect("shipped");
        let more = if file == part { changed } else { "" };
        std::fs::write(folder.join(file), format!("{text}{more}")).expect("written");
    }
}

fn fingerprint(folder: &Path, step_s: f64) -> u64 {
    let vehicle = Some(folder.join("vehicle.toml").display().to_string());
    let choice = Choice { manoeuvre: "drive-default".to_owned(), vehicle, ..Choice::default() };
    Setup::read(&choice, step_s).expect("a vehicle").fingerprint
}

#[test]
fn an_edited_file_of_the_same_name_makes_another_setup() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "", "");
    let first = fingerprint(folder.path(), 1e-3);
    assert_eq!(first, fingerprint(folder.path(), 1e-3), "the same files");
    assert_ne!(first, fingerprint(folder.path(), 2e-3), "another step");
    for part in ["tyre.toml", "brake.toml"] {
        write(folder.path(), part, "\n# edited\n");
        assert_ne!(first, fingerprint(folder.path(), 1e-3), "{part} was edited");
    }
}
