//! What one question to a part costs: `cargo run --release -p vehicle --example costs -- PART`,
//! with PART
//! - `tyres`: each tyre model, at slips that change from call to call, as they do on a road
//! - `roads [FILE …]`: each kind of road; four wheels drive along it at 30 m/s in steps of 1 ms, each with its hint
//! - `powertrain [FILE [WHEELS]]`: a step with four substeps
//!
//! Times are taken over blocks of calls; the fastest and the median block are printed, so that a
//! moment in which the machine does something else does not count.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;
use vehicle::DriverInput;
use vehicle::files::read;
use vehicle::library::{Kind, find};
use vehicle::powertrain::{self, Drive};
use vehicle::terrain::{self, Hint, Road, Terrain};
use vehicle::tyre::{self, Slip};

/// Nanoseconds per call, fastest and median, over blocks of calls.
fn costs_ns(blocks: usize, calls: usize, mut call: impl FnMut(usize)) -> [f64; 2] {
    let block = |block: usize| {
        let began = Instant::now();
        (block * calls..(block + 1) * calls).for_each(&mut call);
        began.elapsed().as_nanos() as f64 / calls as f64
    };
    let mut times: Vec<f64> = (0..blocks).map(block).collect();
    times.sort_by(f64::total_cmp);
    [times[0], times[blocks / 2]]
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((part, _)) if part == "tyres" => tyres(),
        Some((part, files)) if part == "roads" => roads(files),
        Some((part, rest)) if part == "powertrain" => powertrain(rest),
        _ => Err("expected tyres, roads or powertrain".into()),
    }
}

fn tyres() -> Result<(), Box<dyn Error>> {
    println!("{:<36} {:>7} {:>7} {:>7} {:>7}", "ns per call", "forces", "load", "radius", "relax");
    for name in Kind::Tyre.shipped() {
        let tyre = tyre::read(&find(Kind::Tyre, name, None)?.source())?;
        let load = 0.35 * tyre.load_range_n().1;
        let combined = fastest(|x| tyre.forces(black_box(&slip(load, x))));
        let vertical = fastest(|x| tyre.load_n(black_box(0.02 + 0.01 * x), x, 70.0));
        let radius = fastest(|x| tyre.rolling_radius_m(black_box(load * (1.0 + 0.2 * x)), 70.0));
        let relaxation = fastest(|x| tyre.relaxation(black_box(load * (1.0 + 0.2 * x)), 0.01));
        println!("{name:<36} {combined:>7.1} {vertical:>7.1} {radius:>7.1} {relaxation:>7.1}");
    }
    Ok(())
}

/// Fastest of short runs: other processes disturb the rest.
fn fastest<T>(call: impl Fn(f64) -> T) -> f64 {
    costs_ns(3000, 1000, |at| drop(black_box(call((at % 1000) as f64 * 1e-3 - 0.5))))[0]
}

fn slip(load: f64, x: f64) -> Slip {
    let load_n = load * (1.0 + 0.2 * x);
    Slip { load_n, longitudinal: 0.2 * x, lateral: 0.3 * x, camber_rad: 0.05 * x, friction: 1.0, speed_m_s: 25.0 }
}

fn roads(files: &[String]) -> Result<(), Box<dyn Error>> {
    println!("{:32} {:>10} {:>10} {:>14}", "road", "minimum ns", "median ns", "no hint, ns");
    let shipped: Vec<String> = Kind::Road.shipped().map(str::to_owned).collect();
    for name in shipped.iter().chain(files) {
        let road = terrain::read_road(&find(Kind::Road, name, None)?.source())?;
        let places: Vec<[f64; 2]> = (0..16_000).map(|question| place(&road, question / 4, question % 4)).collect();
        let [with, without] = [true, false].map(|keeps_hints| {
            let mut hints = [Hint::default(); 4];
            costs_ns(400, 400, |question| {
                let hint = &mut hints[question % 4];
                if !keeps_hints {
                    *hint = Hint::default();
                }
                let [x, y] = places[question % places.len()];
                black_box(road.at(black_box(x), black_box(y), hint));
            })
        });
        println!("{name:32} {:>10.1} {:>10.1} {:>14.1}", with[0], with[1], without[1]);
    }
    Ok(())
}

/// Where one of four wheels is.
fn place(road: &Road, step: usize, wheel: usize) -> [f64; 2] {
    let [ahead, left] = [[1.3, 0.8], [1.3, -0.8], [-1.3, 0.8], [-1.3, -0.8]][wheel];
    let driven = 0.03 * step as f64;
    match road.crg() {
        Some(crg) => {
            let [first, last] = crg.u_range_m();
            crg.position_m(first + (2.0 + driven) % (last - first - 4.0) + ahead, left)
        }
        None => [driven + ahead, left],
    }
}

fn powertrain(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    const SUBSTEPS: usize = 4;
    let file = match arguments.first() {
        Some(path) => read(path.as_ref())?,
        None => find(Kind::Powertrain, "hmmwv", None)?,
    };
    let wheels: usize = arguments.get(1).map_or(Ok(4), |it| it.parse())?;
    let mut train = powertrain::read(&file.source(), wheels)?;
    let (mut drive, mut spin, mut sum) = (Drive::new(wheels), vec![0.0; wheels], 0.0);
    let [fastest, median] = costs_ns(400, 1000, |step| {
        let t = 1e-3 * step as f64;
        let input = DriverInput { throttle_ratio: 0.5 + 0.5 * (0.3 * t).sin(), ..DriverInput::RELEASED };
        let speed = 25.0 * (1.0 - (0.1 * t).cos());
        spin.iter_mut().enumerate().for_each(|(k, it)| *it = speed + 0.2 * k as f64);
        train.begin_step(&input, &spin, 1e-3);
        for _ in 0..SUBSTEPS {
            train.torques(&spin, 2.5e-4, &mut drive);
            train.advance(&spin, 2.5e-4);
        }
        sum += drive.torque_nm.iter().sum::<f64>();
    });
    let name = &file.name;
    println!(
        "{name}: {fastest:.0} ns fastest, {median:.0} ns median per step with {SUBSTEPS} substeps (check {sum:.3e})"
    );
    Ok(())
}
