//! What the tyre tests share: the shipped tyres, and tables of reference numbers.

use std::path::PathBuf;
use vehicle::files::Source;
use vehicle::tyre::{self, Slip, Tyre};

/// The tyre files of the repository.
pub const SHIPPED: [&str; 8] = [
    "hmmwv-tmeasy.toml",
    "hmmwv-tmeasy-recorded-run.toml",
    "hmmwv-fiala.toml",
    "truck-315-80R22.5-tmeasy.toml",
    "truck-315-80R22.5-dual-tmeasy.toml",
    "car-205-60R15.tir",
    "car-225-55R16-mf61.tir",
    "car-205-60R15-carpet.toml",
];

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn text(file: &str) -> String {
    let path = root().join("models/tyres").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn shipped(file: &str) -> Box<dyn Tyre> {
    tyre::read(&Source::new(file, text(file).as_bytes())).unwrap_or_else(|error| panic!("{error}"))
}

/// Slip on the road on which the tyre was measured, at 20 m/s.
pub fn slip(load_n: f64, kappa: f64, angle_deg: f64, camber_deg: f64) -> Slip {
    Slip {
        load_n,
        longitudinal: kappa,
        lateral: angle_deg.to_radians().tan(),
        camber_rad: camber_deg.to_radians(),
        friction: 1.0,
        speed_m_s: 20.0,
    }
}

/// Rows of numbers of a table in `tests/reference/tyre`, without its head.
pub fn reference(file: &str) -> Vec<Vec<f64>> {
    let path = root().join("crates/vehicle/tests/reference/tyre").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let row = |line: &str| line.split(',').map(|part| part.parse().expect("a number")).collect();
    text.lines().skip(1).map(row).collect()
}
