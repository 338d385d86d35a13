//! OpenCRG roads against pyopencrg 0.2.2, an independent implementation (PyPI): our own files in
//! all four formats, with gaps, banking, slope, bends, a closed circuit, border modes, smoothing
//! and modifiers. The numbers come from `tests/reference/terrain/make_reference.py`.

use std::path::{Path, PathBuf};
use vehicle::files::Source;
use vehicle::terrain::{self, Hint, Terrain};

fn reference() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/terrain")
}

fn read(path: &Path) -> Box<dyn Terrain> {
    let bytes = std::fs::read(path).expect("a readable file");
    let name = path.display().to_string();
    terrain::read(&Source::new(&name, &bytes)).unwrap_or_else(|error| panic!("{error}"))
}

/// Rows of x, y, z and the normal.
fn rows(name: &str) -> Vec<[f64; 6]> {
    let text = std::fs::read_to_string(reference().join(format!("{name}.csv"))).expect("reference numbers");
    let row = |line: &str| {
        let numbers: Vec<f64> = line.split(',').map(|word| word.parse().expect("a number")).collect();
        numbers.try_into().expect("six numbers")
    };
    text.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

/// Largest difference in height and in the normal, with one hint all along.
fn differences(road: &dyn Terrain, name: &str) -> (f64, f64) {
    let (mut height, mut normal) = (0.0_f64, 0.0_f64);
    let mut hint = Hint::default();
    for [x, y, z, normal_x, normal_y, normal_z] in rows(name) {
        let ground = road.at(x, y, &mut hint);
        let error = (ground.height_m - z).abs();
        assert!(error < 1e-6, "{name} at ({x}, {y}): expected {z}, found {}", ground.height_m);
        height = height.max(error);
        let off = [ground.normal.x - normal_x, ground.normal.y - normal_y, ground.normal.z - normal_z];
        normal = off.iter().fold(normal, |largest, value| largest.max(value.abs()));
    }
    (height, normal)
}

const OURS: &str = "straight-lrfi straight-krbi bent-lrfi bent-ldfi bent-krbi bent-kdbi holes holes-text circuit \
    border-zero border-keep border-repeat border-reflect border-smooth modified-point modified-offset handmade";

/// Both sides compute in double precision from the same bytes: what is left is rounding (of
/// coordinates up to 100 m) in another order. The normals in the table have 9 digits.
#[test]
fn our_roads_agree_with_pyopencrg() {
    for name in OURS.split(' ') {
        let road = read(&reference().join(format!("{name}.crg")));
        let (height, normal) = differences(road.as_ref(), name);
        println!("{name}: height {height:.1e} m, normal {normal:.1e}");
        assert!(height < 1e-9, "{name}: {height}");
        assert!(normal < 1e-8, "{name}: {normal}");
    }
}

/// The samples of Project Chrono, where they are at hand beside the repository; their files are not
/// part of it.
#[test]
fn samples_of_others_agree_with_pyopencrg() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/chrono/crg");
    if !folder.is_dir() {
        println!("skipped: no samples in {}", folder.display());
        return;
    }
    for name in
        ["circle_50m_left", "halfround_4in", "handmade_circle", "handmade_curved_banked_sloped", "handmade_straight"]
    {
        let road = read(&folder.join(format!("{name}.crg")));
        let (height, normal) = differences(road.as_ref(), &format!("shared-{name}"));
        println!("{name}: height {height:.1e} m, normal {normal:.1e}");
        assert!(height < 1e-6, "{name}: {height}");
    }
}
