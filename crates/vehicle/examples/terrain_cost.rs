//! What one question to a road costs, in nanoseconds, for each kind: four wheels drive along it at
//! 30 m/s in steps of 1 ms, each with its hint.
//!
//! Times are taken over 100 steps at a time and the median of these is told, so that a moment in
//! which the machine does something else does not count.
//!
//! `cargo run --release -p vehicle --example terrain_cost`

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use vehicle::files::Source;
use vehicle::terrain::{self, Hint, Road, Terrain};

const STEPS: usize = 4_000;
const STEPS_AT_A_TIME: usize = 100;
const ROUNDS: usize = 10;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/roads");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the shipped roads")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml" || ending == "crg"))
        .collect();
    paths.extend(std::env::args().skip(1).map(Into::into));
    paths.sort();
    println!("{:32} {:>10} {:>10} {:>14}", "road", "minimum ns", "median ns", "no hint, ns");
    for path in paths {
        let bytes = std::fs::read(&path).expect("a readable file");
        let name = path.display().to_string();
        let road = terrain::read_road(&Source::new(&name, &bytes)).unwrap_or_else(|error| panic!("{error}"));
        let places = places(&road);
        let with = costs_ns(&road, &places, true);
        let without = costs_ns(&road, &places, false);
        println!(
            "{:32} {:>10.1} {:>10.1} {:>14.1}",
            path.file_name().unwrap_or_default().display(),
            with[0],
            with[with.len() / 2],
            without[without.len() / 2]
        );
    }
}

/// Where four wheels are, step by step.
fn places(road: &Road) -> Vec<[[f64; 2]; 4]> {
    let corners = [[1.3, 0.8], [1.3, -0.8], [-1.3, 0.8], [-1.3, -0.8]];
    let at = |step: usize| {
        let driven = 0.03 * step as f64;
        corners.map(|[ahead, left]| match road.crg() {
            Some(crg) => {
                let [first, last] = crg.u_range_m();
                crg.position_m(first + (2.0 + driven) % (last - first - 4.0) + ahead, left)
            }
            None => [driven + ahead, left],
        })
    };
    (0..STEPS).map(at).collect()
}

/// Nanoseconds per question, sorted.
fn costs_ns(road: &dyn Terrain, places: &[[[f64; 2]; 4]], keep_hints: bool) -> Vec<f64> {
    let mut costs = Vec::new();
    for _ in 0..ROUNDS {
        let mut hints = [Hint::default(); 4];
        for steps in places.chunks(STEPS_AT_A_TIME) {
            let began = Instant::now();
            for wheels in steps {
                for (place, hint) in wheels.iter().zip(&mut hints) {
                    if !keep_hints {
                        *hint = Hint::default();
                    }
                    black_box(road.at(black_box(place[0]), black_box(place[1]), hint));
                }
            }
            costs.push(began.elapsed().as_nanos() as f64 / (4 * steps.len()) as f64);
        }
    }
    costs.sort_by(f64::total_cmp);
    costs
}
