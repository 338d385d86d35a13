//! Faults in files: the file, the line and the field are named.

use crate::powertrain::rig::{PLAIN, SHIPPED, parse, text};
use crate::support::files;
use vehicle::files::FileError;
use vehicle::powertrain::read;

fn fault(text: &str, wheels: usize) -> FileError {
    files::fault("car.toml", text.as_bytes(), |source| read(source, wheels))
}

/// The line of a piece of text, counted from 1.
fn line_of(text: &str, piece: &str) -> usize {
    let at = text.find(piece).unwrap_or_else(|| panic!("no {piece}"));
    text[..at].matches('\n').count() + 1
}

#[test]
fn every_shipped_file_is_read() {
    for (name, wheels) in SHIPPED {
        parse(&text(name), wheels);
    }
}

#[test]
fn faults_name_line_and_field() {
    // what is written instead of what, the field that is named, a word of the problem
    let cases = [
        ("[9000.0, 200.0]", "[-9000.0, 200.0]", "engine.full", "not monotonic"),
        ("[9000.0, -20.0]", "[-9001.0, -20.0]", "engine.closed", "not monotonic"),
        ("forward = [3.0]", "forward = [-3.0]", "gearbox.forward", "positive"),
        ("forward = [3.0]", "forward = [3.0, 4.0]", "gearbox.forward", "not monotonic"),
        ("forward = [3.0]", "forward = []", "gearbox.forward", "at least one"),
        ("forward = [3.0]", "forward = [3.0]\nefficiency = 1.2", "gearbox.efficiency", "at most 1"),
        ("forward = [3.0]", "forward = [3.0]\nhand_over = \"interrupt\"", "gearbox.hand_over", "clutch"),
        ("ratio = 4.0", "ratio = -4.0", "axles[0].ratio", "positive"),
        ("ratio = 4.0", "ratio = \"four\"", "axles[0].ratio", "expected a number"),
        ("wheels = [3, 4]", "wheels = [3, 5]", "axles[0].wheels[1]", "from 1 (front left) to 4"),
        ("wheels = [3, 4]", "wheels = [0, 4]", "axles[0].wheels[0]", "from 1 (front left) to 4"),
        ("wheels = [3, 4]", "wheels = [3, 3]", "axles[0].wheels", "different"),
        ("kind = \"curves\"", "kind = \"steam\"", "engine.kind", "steam"),
        ("inertia_kg_m2 = 0.2", "inertia_kg_m2 = -0.2", "engine.inertia_kg_m2", "from 0 up"),
        ("inertia_kg_m2 = 0.2", "inertia_kg_m2 = nan", "engine.inertia_kg_m2", "from 0 up"),
        ("inertia_kg_m2 = 0.2", "inertia = 0.2", "engine.inertia", "unknown field"),
    ];
    for (old, new, field, problem) in cases {
        let wrong = PLAIN.replacen(old, new, 1);
        let error = fault(&wrong, 4);
        let place = new.rsplit('\n').next().unwrap_or(new);
        assert_eq!(error.line, line_of(&wrong, place), "{error}");
        assert!(error.field.starts_with(field), "{error} is not of {field}");
        assert!(error.problem.contains(problem), "{error} does not say {problem}");
        assert!(error.to_string().starts_with("car.toml:"), "{error}");
    }
}

#[test]
fn missing_values_name_their_section() {
    let cases = [
        ("closed = [[-9000.0, -20.0], [9000.0, -20.0]]\n", "engine.closed", "[engine]"),
        ("ratio = 4.0\n", "axles.ratio", "[[axles]]"),
    ];
    for (removed, field, section) in cases {
        let wrong = PLAIN.replacen(removed, "", 1);
        let error = fault(&wrong, 4);
        assert_eq!((error.field.as_str(), error.line), (field, line_of(&wrong, section)), "{error}");
        assert!(error.problem.contains("missing"), "{error}");
    }
    let no_gears = PLAIN.replacen("forward = [3.0]\n", "", 1);
    assert!(fault(&no_gears, 4).problem.contains("forward"));
}

#[test]
fn two_axles_need_shares_that_make_a_whole() {
    let second = "[[axles]]\nwheels = [1, 2]\nratio = 4.0\nshare = 0.4\n";
    let error = fault(&format!("{PLAIN}{second}"), 4);
    assert_eq!(error.field, "axles.share", "{error}");
    let both = PLAIN.replace("ratio = 4.0", "ratio = 4.0\nshare = 0.5") + second;
    assert!(fault(&both, 4).problem.contains("add up to 1"));
    let twice = both.replace("wheels = [1, 2]", "wheels = [1, 4]").replace("0.4", "0.5");
    assert!(fault(&twice, 4).problem.contains("driven by another"));
}

#[test]
fn a_schedule_that_would_hunt_is_refused() {
    let shipped = text("buggy");
    let wrong = shipped
        .replace("down_rpm = [[900.0, 2200.0], [1000.0, 2600.0]]", "down_rpm = [[900.0, 2200.0], [1600.0, 2600.0]]");
    assert_ne!(shipped, wrong);
    let error = fault(&wrong, 4);
    assert!(error.problem.contains("hunt between gears 2 and 3"), "{error}");
    assert_eq!(error.line, line_of(&wrong, "up_rpm"));
}

#[test]
fn a_converter_or_clutch_needs_what_it_needs() {
    let launch = |section: &str| fault(&format!("{PLAIN}[launch]\n{section}\n"), 4);
    assert_eq!(launch("kind = \"clutch\"").field, "launch.operated_by");
    assert_eq!(launch("kind = \"clutch\"\noperated_by = \"pedal\"").field, "launch.torque_nm");
    assert_eq!(launch("kind = \"converter\"").field, "launch.capacity");
    let tables = "kind = \"converter\"\ncapacity = [[0.0, 9.0], [1.0, 20.0]]\n";
    assert!(launch(&format!("{tables}ratio = [[0.0, 2.0], [0.9, 1.0]]")).problem.contains("0 to 1"));
    assert!(launch(&format!("{tables}ratio = [[0.0, 2.0], [1.0, 1.0]]")).problem.contains("idle"));
}

#[test]
fn a_map_has_a_row_for_each_throttle() {
    let map = |throttle: &str, torque: &str| {
        PLAIN
            .replace("kind = \"curves\"", "kind = \"map\"")
            .replace(
                "full = [[-9000.0, 200.0], [9000.0, 200.0]]",
                &format!("throttle = {throttle}\nspeed_rpm = [0.0, 5000.0]"),
            )
            .replace("closed = [[-9000.0, -20.0], [9000.0, -20.0]]", &format!("torque_nm = {torque}"))
    };
    parse(&map("[0.0, 1.0]", "[[-20.0, -20.0], [200.0, 150.0]]"), 4);
    assert!(fault(&map("[0.0, 1.0]", "[[-20.0, -20.0]]"), 4).problem.contains("one for each throttle"));
    assert!(fault(&map("[0.0, 1.0]", "[[-20.0], [200.0, 150.0]]"), 4).problem.contains("one for each speed"));
    assert!(fault(&map("[0.5, 1.0]", "[[-20.0, -20.0], [200.0, 150.0]]"), 4).problem.contains("from 0 to 1"));
}
