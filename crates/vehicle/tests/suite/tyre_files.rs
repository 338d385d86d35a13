//! Tyre files: the shipped ones are read, units are honoured, and faults say where they are.

use crate::support::files;
use crate::tyre_support::{SHIPPED, root, shipped, slip, text};
use proptest::prelude::*;
use vehicle::files::{FileError, Source};
use vehicle::tyre::{self, Side};

fn fault(name: &str, text: &str) -> FileError {
    files::fault(name, text.as_bytes(), tyre::read)
}

#[test]
fn every_shipped_tyre_is_in_the_list_and_is_read_without_notes() {
    let mut files: Vec<String> = std::fs::read_dir(root().join("models/tyres"))
        .expect("models/tyres")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    files.sort();
    let mut listed = SHIPPED.map(str::to_owned);
    listed.sort();
    assert_eq!(files, listed);
    for file in SHIPPED {
        let text = text(file);
        let reading = tyre::read_fully(&Source::new(file, text.as_bytes())).unwrap_or_else(|error| panic!("{error}"));
        assert!(reading.notes.is_empty(), "{:?}", reading.notes);
        let load = reading.tyre.load_n(0.03, 0.0, 0.0);
        assert!(load > 1000.0 && load < 80_000.0, "{file}: {load} N at 30 mm");
    }
}

/// The same tyre in millimetres, kilonewtons, hours and degrees.
#[test]
fn units_are_honoured() {
    let mut other = String::new();
    for line in text("car-205-60R15.tir").lines() {
        let number = |factor: f64| {
            let (key, value) = line.split_once('=').expect("an entry");
            let value: f64 = value.split('$').next().unwrap_or_default().trim().parse().expect("a number");
            format!("{key}= {}", value * factor)
        };
        let key = line.split('=').next().unwrap_or_default().trim();
        other += &match key {
            "LENGTH" => "LENGTH = 'mm'".to_owned(),
            "FORCE" => "FORCE = 'kN'".to_owned(),
            "ANGLE" => "ANGLE = 'degrees'".to_owned(),
            "TIME" => "TIME = 'second'\nSPEED = 'km/h'".to_owned(),
            "UNLOADED_RADIUS" | "WIDTH" | "RIM_RADIUS" | "RIM_WIDTH" => number(1e3),
            "FNOMIN" | "FZMIN" | "FZMAX" => number(1e-3),
            "VERTICAL_STIFFNESS" | "VERTICAL_DAMPING" => number(1e-6),
            "LONGVL" => number(3.6),
            _ => line.to_owned(),
        };
        other.push('\n');
    }
    let (metric, other) =
        (shipped("car-205-60R15.tir"), tyre::read(&Source::new("x.tir", other.as_bytes())).expect("units"));
    let at = slip(3500.0, 0.03, 2.0, 1.0);
    let (one, two) = (metric.forces(&at), other.forces(&at));
    for (one, two) in [
        (one.longitudinal_n, two.longitudinal_n),
        (one.lateral_n, two.lateral_n),
        (one.rolling_nm, two.rolling_nm),
        (one.aligning_nm, two.aligning_nm),
        (metric.load_n(0.02, 0.1, 0.0), other.load_n(0.02, 0.1, 0.0)),
        (metric.load_range_n().1, other.load_range_n().1),
    ] {
        assert!((one - two).abs() < 1e-9 * one.abs().max(1.0), "{one} and {two}");
    }
}

#[test]
fn a_missing_section_or_key_is_named() {
    let tir = text("car-205-60R15.tir");
    let without = |start: &str| -> String {
        tir.lines().filter(|line| !line.starts_with(start)).map(|line| format!("{line}\n")).collect()
    };
    for section in ["UNITS", "MODEL", "DIMENSION", "VERTICAL", "LATERAL_COEFFICIENTS", "ALIGNING_COEFFICIENTS"] {
        let head = format!("[{section}]");
        let error = fault("car.tir", &tir.replace(&head, "[SOMETHING_ELSE]"));
        assert_eq!(error.field, head, "{error}");
        assert_eq!(error.line, tir.lines().count(), "{error}");
    }
    for (key, section) in [("PKY1", "[LATERAL_COEFFICIENTS]"), ("FNOMIN", "[VERTICAL]"), ("LENGTH", "[UNITS]")] {
        let text = without(key);
        let error = fault("car.tir", &text);
        assert_eq!(error.field, key, "{error}");
        let line = text.lines().position(|line| line == section).expect("the section") + 1;
        assert_eq!(error.line, line, "{error}");
        assert!(error.problem.contains(section), "{error}");
    }
}

#[test]
fn a_wrong_value_is_named() {
    let tir = text("car-205-60R15.tir");
    let line_of = |key: &str| tir.lines().position(|line| line.starts_with(key)).expect("the key") + 1;
    for (key, from, to) in [
        ("PKX1", "PKX1   = 21", "PKX1   = 'stiff'"),
        ("FNOMIN", "FNOMIN             = 4000", "FNOMIN = -1"),
        ("PROPERTY_FILE_FORMAT", "'PAC2002'", "'SWIFT_99'"),
        ("LENGTH", "'meter'", "'parsec'"),
        ("PDX1", "PDX1   = 1.1", "PDX1 = 1e9"),
    ] {
        assert!(tir.contains(from), "{from}");
        let error = fault("car.tir", &tir.replacen(from, to, 1));
        assert_eq!((error.field.as_str(), error.line), (key, line_of(key)), "{error}");
    }
    let carpet = text("car-205-60R15-carpet.toml");
    let error = fault("carpet.toml", &carpet.replacen("0.0, 0.01, 0.02", "0.0, 0.02, 0.01", 1));
    assert_eq!(error.field, "longitudinal.slip", "{error}");
    assert_eq!(error.line, carpet.lines().position(|line| line.starts_with("slip = ")).expect("slip") + 1);
    let tmeasy = text("hmmwv-tmeasy.toml").replacen("[0.66667, 0.66667]", "[0.05, 0.05]", 1);
    assert_eq!(fault("t.toml", &tmeasy).field, "longitudinal.slip_at_sliding");
    assert_eq!(fault("t.toml", "kind = \"square\"\n").field, "kind");
}

/// A negative peak has no friction: F_y was D = max(μ, 0) F_z = 0 but for the shifts.
#[test]
fn a_negative_friction_is_refused() {
    let tir = text("car-205-60R15.tir");
    for key in ["PDY1", "PDX1"] {
        let line = tir.lines().find(|line| line.starts_with(key)).expect("the key");
        let negative = line.replacen("= ", "= -", 1);
        let error = fault("car.tir", &tir.replacen(line, &negative, 1));
        let place = tir.lines().position(|other| other == line).expect("the line") + 1;
        assert_eq!((error.field.as_str(), error.line), (key, place), "{error}");
        assert!(error.problem.contains("above 0"), "{error}");
    }
}

/// A cornering stiffness of the other sign pushes a tyre further to where it slides; it is read,
/// and said.
#[test]
fn a_curve_of_the_wrong_sign_is_noted() {
    let tir = text("car-205-60R15.tir");
    let line = tir.lines().find(|line| line.starts_with("PKY1")).expect("the key");
    let other = line.replacen("= -", "= ", 1);
    assert_ne!(line, other, "PKY1 is negative in ISO axes");
    let tir = tir.replacen(line, &other, 1);
    let reading = tyre::read_fully(&Source::new("car.tir", tir.as_bytes())).expect("a tyre");
    let fields: Vec<&str> = reading.notes.iter().map(|note| note.field.as_str()).collect();
    assert_eq!(fields, ["F_y"], "{:?}", reading.notes);
}

#[test]
fn unknown_keys_are_notes() {
    let tir = text("car-205-60R15.tir").replace("PCX1 ", "PXX9 = 3\nPCX1 ");
    let reading = tyre::read_fully(&Source::new("car.tir", tir.as_bytes())).expect("a tyre");
    assert_eq!(reading.notes.len(), 1, "{:?}", reading.notes);
    assert_eq!(reading.notes[0].field, "PXX9");
}

/// A tyre measured on the left pulls to the other side when it is mounted on the right.
#[test]
fn the_side_of_the_file_decides_about_mirroring() {
    let tir = text("car-205-60R15.tir");
    let source = Source::new("car.tir", tir.as_bytes());
    let (left, right) =
        (tyre::read_for(&source, Side::Left).expect("left"), tyre::read_for(&source, Side::Right).expect("right"));
    let straight = slip(3500.0, 0.0, 0.0, 0.0);
    let (one, other) = (left.forces(&straight).lateral_n, right.forces(&straight).lateral_n);
    assert!(one != 0.0 && one == -other, "{one} N and {other} N");
}

/// Adams' Fiala file, with a stiffness by degree.
#[test]
fn a_fiala_property_file_is_read() {
    let tir = "[UNITS]\nLENGTH='mm'\nFORCE='newton'\nANGLE='degrees'\nMASS='kg'\nTIME='sec'\n\
               [MODEL]\nPROPERTY_FILE_FORMAT='FIALA'\n[DIMENSION]\nUNLOADED_RADIUS=326.0\nWIDTH=245.0\n\
               [PARAMETER]\nVERTICAL_STIFFNESS=310.0\nVERTICAL_DAMPING=3.1\nROLLING_RESISTANCE=5.0\nCSLIP=100000\nCALPHA=800.0\n\
               UMIN=0.9\nUMAX=1.0\nRELAX_LENGTH_X=50.0\nRELAX_LENGTH_Y=150.0\n";
    let tyre = tyre::read(&Source::new("fiala.tir", tir.as_bytes())).expect("a tyre");
    let small = tyre.forces(&slip(4000.0, 0.0, 0.01, 0.0));
    assert!((small.lateral_n + 8.0).abs() < 0.01, "800 N per degree: {}", small.lateral_n);
    assert!((tyre.load_n(0.01, 0.0, 0.0) - 3100.0).abs() < 1e-9);
    assert!((tyre.relaxation(4000.0, 0.0).lateral_m - 0.15).abs() < 1e-12);
    assert!((small.rolling_nm + 20.0).abs() < 1e-9, "5 mm of lever at 4 kN");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A file with a piece cut out, doubled or overwritten is read or refused; a tyre that was read
    /// has finite forces.
    #[test]
    fn mutated_files_never_panic(
        which in 0..SHIPPED.len(), at in 0.0..1.0_f64, length in 0_usize..200, kind in 0..4, bytes in prop::collection::vec(any::<u8>(), 0..12),
    ) {
        let name = SHIPPED[which];
        let mut content = text(name).into_bytes();
        let from = ((content.len() as f64) * at) as usize;
        let to = (from + length).min(content.len());
        match kind {
            0 => drop(content.drain(from..to)),
            1 => { let piece = content[from..to].to_vec(); content.splice(from..from, piece); }
            2 => { content.splice(from..to.min(from + bytes.len()), bytes); }
            _ => content.truncate(from),
        }
        if let Ok(tyre) = tyre::read(&Source::new(name, &content)) {
            for load in [0.0, 100.0, 4000.0, 1e12] {
                let forces = tyre.forces(&slip(load, -0.3, 7.0, 3.0));
                prop_assert!(forces.lateral_n.is_finite() && forces.longitudinal_n.is_finite() && forces.aligning_nm.is_finite());
                prop_assert!(forces.overturning_nm.is_finite() && forces.rolling_nm.is_finite());
            }
        }
    }
}
