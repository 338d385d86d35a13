//! The map is true: dependencies point down, unsafe code stays in its rooms, named folders exist.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use system_tests::programs::root;

/// Layers from the bottom; a crate may depend on crates of lower layers only.
const LAYERS: &[(u32, &[&str])] = &[
    (0, &["files", "math", "signals-derive"]),
    (1, &["signals", "shm-layout", "rt", "plant", "multibody", "plot", "acquisition"]),
    (2, &["vehicle", "lockstep", "board-emulator"]),
    (3, &["service"]),
    (4, &["subsystems"]),
    (5, &["daq-service", "dynamics-service", "subsystem-service"]),
    (6, &["rtrd"]),
    (7, &["gateway-service", "simulator", "soak", "benchmarks"]),
    (8, &["system-tests"]),
];
/// Within the lowest layers only these edges exist.
const ALLOWED_BELOW: &[(&str, &str)] = &[
    ("signals", "math"),
    ("signals", "signals-derive"),
    ("shm-layout", "signals"),
    ("plant", "files"),
    ("multibody", "files"),
    ("multibody", "math"),
    ("acquisition", "files"),
    ("acquisition", "signals"),
];
/// Where unsafe code may live.
const UNSAFE_ROOMS: &[&str] = &[
    "shm-layout/src",
    "crates/rt/src",
    "crates/math/src",
    "crates/acquisition/src/sources/ioctl",
    "shm-layout/tests",
    "crates/rt/tests",
    "benchmarks/src",
];
/// Programs that wait for many things at once belong into the gateway, never into a real-time
/// process.
const ASYNCHRONOUS: &[&str] = &["tokio", "async-std", "smol", "embassy-executor"];

fn workspace() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    packages.iter().map(|package| (text(&package["name"]), normal_dependencies(package))).collect()
}

fn normal_dependencies(package: &serde_json::Value) -> Vec<String> {
    let dependencies = package["dependencies"].as_array().expect("dependencies");
    dependencies.iter().filter(|edge| edge["kind"].is_null()).map(|edge| text(&edge["name"])).collect()
}

fn text(value: &serde_json::Value) -> String {
    value.as_str().expect("a text").to_owned()
}

fn layer(name: &str) -> Option<u32> {
    LAYERS.iter().find(|(_, names)| names.contains(&name)).map(|(layer, _)| *layer)
}

/// The edges that do not point down.
fn wrong_edges(packages: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, dependencies) in packages {
        let Some(own) = layer(name) else {
            wrong.push(format!("{name} has no layer: give it one in this test and in ARCHITECTURE.md"));
            continue;
        };
        for dependency in dependencies.iter().filter(|dependency| packages.contains_key(*dependency)) {
            let listed = ALLOWED_BELOW.contains(&(name.as_str(), dependency.as_str()));
            let lower = layer(dependency).is_some_and(|lower| lower < own || (lower == own && listed));
            if !lower || !(own > 1 || listed) {
                wrong.push(format!("{name} → {dependency}"));
            }
        }
    }
    wrong
}

#[test]
fn dependencies_point_down() {
    let packages = workspace();
    assert!(packages.len() >= 10, "cargo metadata gave {packages:?}");
    assert_eq!(wrong_edges(&packages), Vec::<String>::new());
}

#[test]
fn an_edge_that_points_up_is_found() {
    let mut packages = workspace();
    packages.get_mut("rt").expect("the crate rt").push("service".to_owned());
    packages.get_mut("daq-service").expect("daq-service").push("dynamics-service".to_owned());
    assert_eq!(wrong_edges(&packages), ["daq-service → dynamics-service", "rt → service"]);
}

#[test]
fn no_asynchronous_runtime_in_a_real_time_process() {
    let real_time = workspace().into_iter().filter(|(name, _)| name != "gateway-service");
    for (name, dependencies) in real_time {
        let found = dependencies.iter().find(|dependency| ASYNCHRONOUS.contains(&dependency.as_str()));
        assert!(found.is_none(), "{name} depends on {found:?}");
    }
}

#[test]
fn unsafe_code_stays_in_its_rooms() {
    let mut found = 0;
    for file in rust_files(root()) {
        let content = std::fs::read_to_string(&file).expect("a readable file");
        let allows =
            |line: &str| ["#![allow(unsafe_code", "#[allow(unsafe_code"].iter().any(|rule| line.starts_with(rule));
        if content.lines().any(|line| allows(line.trim_start())) {
            let inside = file.strip_prefix(root()).expect("below the root");
            let in_room = UNSAFE_ROOMS.iter().any(|room| inside.starts_with(room));
            assert!(in_room, "{} allows unsafe code", inside.display());
            found += 1;
        }
    }
    assert!(found >= 3, "the rooms were not found: the test looks for the wrong thing");
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a readable folder").flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let skipped = name == "target" || name.to_string_lossy().starts_with('.');
        if path.is_dir() && !skipped {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

#[test]
fn the_map_names_folders_that_exist() {
    let map = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let named: Vec<&str> = map.split('`').skip(1).step_by(2).filter(|text| text.ends_with('/')).collect();
    let folders: Vec<&&str> = named.iter().filter(|name| !name.starts_with('/') && !name.contains(' ')).collect();
    assert!(folders.len() >= 10, "only {folders:?} are named");
    for folder in folders {
        assert!(root().join(folder).is_dir(), "ARCHITECTURE.md names {folder}, which does not exist");
    }
}
