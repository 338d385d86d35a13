//! What one question to a road costs: four wheels drive along it at 30 m/s in steps of 1 ms, each
//! with its hint.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result};
use vehicle::files::Source;
use vehicle::terrain::{self, Hint, Road, Terrain as _};

use super::Context;
use crate::place::pause;
use crate::report::{Report, Target, blank};
use crate::statistics::Summary;

/// Roads of `models/roads`, one of each kind.
const ROADS: [(&str, &str, &str); 3] = [
    ("road_flat", "a question to a flat road", "flat.toml"),
    ("road_height_map", "a question to a height map", "hills.toml"),
    ("road_crg", "a question to an OpenCRG road", "country.crg"),
];
/// What well under a microsecond is taken to mean (µs).
const GOOD_US: f64 = 0.5;
const ROUNDS: u64 = 100;
const STEPS: usize = 1_000;
const DISTANCE_M: f64 = 0.03;
/// Where the wheels are: ahead and to the left (m).
const WHEELS: [[f64; 2]; 4] = [[1.3, 0.8], [1.3, -0.8], [-1.3, 0.8], [-1.3, -0.8]];

pub fn measure(context: &Context, report: &mut Report) -> Result<()> {
    for (key, label, file) in ROADS {
        let road = read(file)?;
        let rounds = context.effort(ROUNDS);
        let summary = context.place.seat().run(|| {
            let times = (0..rounds).map(|_| question_us(&road)).collect();
            Summary::of(times).context("no round was measured")
        })?;
        report.row_of(label, &summary, [blank()]);
        report.figures_of(key, &summary, "µs");
        report.target(Target::at_most(&format!("{label}, p50"), GOOD_US, "µs", summary.p50));
    }
    Ok(())
}

fn read(file: &str) -> Result<Road> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/roads").join(file);
    let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(terrain::read_road(&Source::new(&path.display().to_string(), &bytes))?)
}

/// Microseconds a question.
fn question_us(road: &Road) -> f64 {
    pause();
    let places: Vec<[[f64; 2]; 4]> = (0..STEPS).map(|step| wheels_at(road, step)).collect();
    let mut hints = [Hint::default(); 4];
    let begun = Instant::now();
    for wheels in &places {
        for (place, hint) in wheels.iter().zip(&mut hints) {
            black_box(road.at(black_box(place[0]), black_box(place[1]), hint));
        }
    }
    begun.elapsed().as_secs_f64() * 1e6 / (WHEELS.len() * STEPS) as f64
}

fn wheels_at(road: &Road, step: usize) -> [[f64; 2]; 4] {
    let driven = DISTANCE_M * step as f64;
    WHEELS.map(|[ahead, left]| match road.crg() {
        Some(crg) => {
            let [first, last] = crg.u_range_m();
            crg.position_m(first + (2.0 + driven) % (last - first - 4.0) + ahead, left)
        }
        None => [driven + ahead, left],
    })
}
