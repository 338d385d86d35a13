//! `rtrd report` and `rtrd scenarios`, as a user sees them.

use crate::support::Folder;

/// The page has the figures of the standard, plots and files, and nothing from elsewhere.
#[test]
fn a_report_is_complete_in_itself() {
    let folder = Folder::new();
    folder.text("report iso-7401-step --out step.html");
    let page = folder.read("step.html");
    for part in [
        "ISO 7401",
        "yaw-rate response time",
        "TB factor",
        "<svg",
        "models/tyres/car-205-60R15.tir",
        "models/manoeuvres/iso-7401-step.toml",
        "rtrd report iso-7401-step --out step.html",
        env!("CARGO_PKG_VERSION"),
    ] {
        assert!(page.contains(part), "{part}");
    }
    for part in ["<script", "<link", "<img", "url("] {
        assert!(!page.contains(part), "{part}");
    }
}

/// Vehicles side by side, each in its own variant of the manoeuvre.
#[test]
fn vehicles_get_their_variants() {
    let folder = Folder::new();
    folder.text("report iso-7401-sine --vehicle passenger-car --vehicle tractor-semitrailer");
    let page = folder.read("iso-7401-sine.html");
    assert!(page.contains("models/manoeuvres/iso-7401-sine.toml"));
    assert!(page.contains("models/manoeuvres/iso-7401-sine-truck.toml"));
}

/// A run is within the narrowest band around itself: what `rtrd sim` writes can be a reference.
#[test]
fn recorded_data_is_compared() {
    let folder = Folder::new();
    let data = "time_s,yaw_rate_deg_s,speed_m_s\n0.1,0.0,27.7\n0.5,0.0,27.7\n0.9,0.0,27.7\n";
    folder.write("data.csv", data);
    folder.text("report iso-7401-step --reference data.csv --tolerance 5");
    let page = folder.read("iso-7401-step.html");
    assert!(page.contains("Against recorded data") && page.contains("tolerance band ± 5 %"));
}

#[test]
fn mistakes_are_explained() {
    let folder = Folder::new();
    folder.write("bad.toml", "name = \"bad\"\nnonsense = 1\n");
    let tank = include_str!("../../../models/scenarios/tank-level.toml");
    let plant = tank.lines().filter(|line| !line.starts_with('#')).map(|line| match line {
        _ if line.starts_with("step_s") => "step_s = \"fast\"",
        _ => line,
    });
    let plant = plant.collect::<Vec<_>>().join("\n");
    folder.write("plant.toml", plant);
    folder.write("bad.csv", "time_s,x_m\n0,1\n1,one\n");
    for (arguments, expected) in [
        ("report no-such", "iso-3888-1"),
        ("report iso-3888-1 --vehicle tank", "passenger-car"),
        ("report bad.toml", "bad.toml:2:1: nonsense: unknown field"),
        ("sim bad.toml", "bad.toml:2:1: nonsense: unknown field"),
        ("sim plant.toml", "plant.toml:3:10: step_s: "),
        ("run --scenario ./plant.toml", "plant.toml:3:10: step_s: "),
        ("report iso-3888-1 --reference bad.csv", "bad.csv:3:3: x_m: expected a finite number"),
        ("report iso-3888-1 --reference none.csv", "none.csv: cannot be read"),
        ("report iso-3888-1 --step 1", "--step 1: expected"),
        ("report iso-3888-1 --tolerance 0", "--tolerance 0: expected"),
        ("scenarios no-such", "`rtrd scenarios` lists"),
        ("scenarios tank-levle", "did you mean `tank-level`?"),
        ("report iso-388-1", "did you mean `iso-3888-1`?"),
        ("report iso-3888-1 --road fllat", "did you mean `flat`?"),
        ("sim pasenger-car", "did you mean `passenger-car`?"),
        ("sim four-bra", "did you mean `four-bar`?"),
        ("run --scenario tank-levle", "did you mean `tank-level`?"),
        ("run --vehicle hmwv", "did you mean `hmmwv`?"),
        ("signals driver.trottle_ratio", "did you mean `driver.throttle_ratio`?"),
        ("topology hmmvw", "did you mean `hmmwv`?"),
        ("sim tank-level --plot x.png", "expected a name that ends in .svg, found x.png"),
        ("road info flat --plot x.png", "expected a name that ends in .svg, found x.png"),
        ("scenarios hmmwv", "brakes/hmmwv"),
    ] {
        let text = folder.error(arguments);
        assert!(text.contains(expected), "{arguments:?}: {text}");
    }
}

/// Everything that is shipped is listed with what it is, and every file can be printed.
#[test]
fn scenarios_lists_and_prints() {
    let folder = Folder::new();
    let list = folder.text("scenarios");
    for name in ["tank-level", "iso-3888-1", "tractor-semitrailer", "mu-split", "car-205-60R15", "passenger-car-abs"] {
        let line = list.lines().find(|line| line.trim_start().starts_with(name));
        let line = line.unwrap_or_else(|| panic!("{name} is missing"));
        assert!(line.trim().len() > name.len() + 8, "{line}");
    }
    assert!(!folder.text("scenarios brakes/hmmwv").is_empty());
    let printed = folder.text("scenarios iso-3888-1");
    assert!(printed.contains("[path]"));
}
