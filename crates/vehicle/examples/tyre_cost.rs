//! What one call of each tyre model costs: `cargo run --release -p vehicle --example tyre_cost`.
//!
//! Slips change from call to call, as they do on a road. Runs are short and the smallest is
//! printed: other processes disturb the rest.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use vehicle::files::Source;
use vehicle::tyre::{self, Slip, Tyre};

const CALLS: u32 = 1000;
const RUNS: u32 = 3000;

fn nanoseconds(mut call: impl FnMut(f64)) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        for index in 0..CALLS {
            call(f64::from(index % 1000) * 1e-3 - 0.5);
        }
        least = least.min(start.elapsed().as_nanos() as f64 / f64::from(CALLS));
    }
    least
}

fn report(name: &str, tyre: &dyn Tyre) {
    let load = 0.35 * tyre.load_range_n().1;
    let combined = nanoseconds(|x| {
        black_box(tyre.forces(black_box(&Slip {
            load_n: load * (1.0 + 0.2 * x),
            longitudinal: 0.2 * x,
            lateral: 0.3 * x,
            camber_rad: 0.05 * x,
            friction: 1.0,
            speed_m_s: 25.0,
        })));
    });
    let vertical = nanoseconds(|x| {
        black_box(tyre.load_n(black_box(0.02 + 0.01 * x), x, 70.0));
    });
    let radius = nanoseconds(|x| {
        black_box(tyre.rolling_radius_m(black_box(load * (1.0 + 0.2 * x)), 70.0));
    });
    let relaxation = nanoseconds(|x| {
        black_box(tyre.relaxation(black_box(load * (1.0 + 0.2 * x)), 0.01));
    });
    println!("{name:<36} {combined:>7.1} {vertical:>7.1} {radius:>7.1} {relaxation:>7.1}");
}

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/tyres");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("models/tyres").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    println!("{:<36} {:>7} {:>7} {:>7} {:>7}", "ns per call", "forces", "load", "radius", "relax");
    for path in paths {
        let bytes = std::fs::read(&path).expect("a file");
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match tyre::read(&Source::new(&name, &bytes)) {
            Ok(tyre) => report(&name, &*tyre),
            Err(error) => eprintln!("{error}"),
        }
    }
}
