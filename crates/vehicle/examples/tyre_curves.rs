//! Draws the curves of the shipped tyres: `cargo run -p vehicle --example tyre_curves` writes
//! docs/figures/tyre-*.svg.

use plot::{LinePlot, Panel, Series};
use std::path::{Path, PathBuf};
use vehicle::files::Source;
use vehicle::tyre::{self, Slip, SlipForces, Tyre};

/// File, name in the legend, load (N).
const TYRES: [(&str, &str, f64); 6] = [
    ("car-205-60R15.tir", "car, MF 5.2, 4 kN", 4000.0),
    ("car-225-55R16-mf61.tir", "car, MF 6.1, 4 kN", 4000.0),
    ("car-205-60R15-carpet.toml", "car, carpet, 4 kN", 4000.0),
    ("hmmwv-tmeasy.toml", "HMMWV, TMeasy, 6.3 kN", 6300.0),
    ("hmmwv-fiala.toml", "HMMWV, Fiala, 6.3 kN", 6300.0),
    ("truck-315-80R22.5-tmeasy.toml", "truck, TMeasy, 25 kN", 25_000.0),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn load(file: &str) -> Box<dyn Tyre> {
    let bytes = std::fs::read(root().join("models/tyres").join(file)).expect("a shipped tyre");
    tyre::read(&Source::new(file, &bytes)).unwrap_or_else(|error| panic!("{error}"))
}

fn forces(tyre: &dyn Tyre, load_n: f64, kappa: f64, angle_deg: f64) -> SlipForces {
    tyre.forces(&Slip {
        load_n,
        longitudinal: kappa,
        lateral: angle_deg.to_radians().tan(),
        camber_rad: 0.0,
        friction: 1.0,
        speed_m_s: 20.0,
    })
}

/// One line per tyre: `value(tyre, load, x)` for x from `from` to `to`.
fn lines(from: f64, to: f64, value: impl Fn(&dyn Tyre, f64, f64) -> f64) -> Vec<Series> {
    let line = |(file, name, load_n): &(&str, &str, f64)| {
        let tyre = load(file);
        let points = (0..=300).map(|step| {
            let x = from + (to - from) * f64::from(step) / 300.0;
            (x, value(&*tyre, *load_n, x))
        });
        Series::new(*name, points.collect())
    };
    TYRES.iter().map(line).collect()
}

/// F_y over F_x while the slip goes from braking to driving, at several slip angles.
fn combined() -> Vec<Series> {
    let tyre = load("car-205-60R15.tir");
    let line = |angle: f64| {
        let points = (-300..=300).map(|step| {
            let kappa = f64::from(step) / 300.0;
            let kappa = kappa * kappa.abs();
            let forces = forces(&*tyre, 4000.0, kappa, angle);
            (forces.longitudinal_n / 1e3, forces.lateral_n / 1e3)
        });
        Series::new(format!("{angle} deg"), points.collect())
    };
    [-2.0, -4.0, -8.0, 2.0, 4.0, 8.0].into_iter().map(line).collect()
}

fn main() {
    let figures = root().join("docs/figures");
    let lateral = LinePlot::new(
        "Lateral slip",
        "slip angle (deg)",
        vec![
            Panel::new("Fy / Fz", lines(-15.0, 15.0, |tyre, load, x| forces(tyre, load, 0.0, x).lateral_n / load)),
            Panel::new(
                "Mz / (Fz R0)",
                lines(-15.0, 15.0, |tyre, load, x| forces(tyre, load, 0.0, x).aligning_nm / load / tyre.radius_m()),
            ),
        ],
    );
    let longitudinal = LinePlot::new(
        "Longitudinal slip",
        "slip",
        vec![Panel::new("Fx / Fz", lines(-0.6, 0.6, |tyre, load, x| forces(tyre, load, x, 0.0).longitudinal_n / load))],
    );
    let both = LinePlot::new(
        "Combined slip: car, MF 5.2, 4 kN, slip from -1 to 1",
        "Fx (kN)",
        vec![Panel::new("Fy (kN)", combined())],
    );
    for (name, figure) in [("lateral", lateral), ("longitudinal", longitudinal), ("combined", both)] {
        let path = figures.join(format!("tyre-{name}.svg"));
        figure.write_svg(&path).expect("a figure");
        println!("{}", path.display());
    }
}
