//! How the cost of a step grows with the number of suspension corners: 2 to 64 double wishbones on
//! one chassis.
//!
//! Each corner is eliminated by itself, so the cost should be a straight line, cost = intercept +
//! slope · corners, and the cost of a corner should stay what it is. All sizes are measured in turn
//! within each round, with about the same time for each.

use std::path::Path;

use anyhow::{Context as _, Result};
use multibody::generate::corners;
use plot::{LinePlot, Panel, Series};

use super::Context;
use super::multibody::ours::Vehicle;
use crate::place::pause;
use crate::report::{Report, Target, short};
use crate::statistics::{Line, Summary};

pub const NAME: &str = "corners";
const COUNTS: [usize; 10] = [2, 4, 6, 8, 12, 16, 24, 32, 48, 64];
const ROUNDS: u64 = 200;
/// Corners times steps in a batch.
const CORNER_STEPS: u64 = 3_200;
/// Steps until the chassis has come to rest.
const SETTLING_STEPS: u64 = 2_000;
/// What counts as a straight line.
const STRAIGHT: f64 = 0.99;

/// The cost of a step with so many corners (µs).
struct Point {
    count: usize,
    summary: Summary,
}

pub fn run(context: &Context) -> Result<Report> {
    let rounds = context.effort(ROUNDS);
    let points = context.place.seat().run(|| measure(rounds))?;
    let median = fit(&points, |summary| summary.p50)?;
    let least = fit(&points, |summary| summary.min)?;
    let mut report = report(&points, &median, &least);
    report.note(format!("{rounds} rounds, all sizes in turn; 4 bodies, a loop and a tie rod in each corner"));
    if let Some(folder) = context.figures {
        report.note(format!("plot: {}", draw(&points, &least, folder)?));
    }
    Ok(report)
}

fn measure(rounds: u64) -> Result<Vec<Point>> {
    let vehicle = |count: usize| {
        let mut vehicle = Vehicle::assembled(&corners(count))?;
        (0..SETTLING_STEPS).for_each(|_| vehicle.step());
        vehicle.check_whole()?;
        Ok(vehicle)
    };
    let mut vehicles: Vec<Vehicle> = COUNTS.into_iter().map(vehicle).collect::<Result<_>>()?;
    let mut times_ns = vec![Vec::new(); COUNTS.len()];
    for _ in 0..rounds {
        for ((vehicle, times), count) in vehicles.iter_mut().zip(&mut times_ns).zip(COUNTS) {
            times.push(vehicle.time_ns(CORNER_STEPS / count as u64, Vehicle::step));
        }
        pause();
    }
    let point = |(count, times): (usize, Vec<f64>)| {
        let summary = Summary::of(times).context("no round was measured")?;
        Ok(Point { count, summary: summary.scaled(1e-3) })
    };
    COUNTS.into_iter().zip(times_ns).map(point).collect()
}

fn fit(points: &[Point], of: fn(&Summary) -> f64) -> Result<Line> {
    let places: Vec<(f64, f64)> = points.iter().map(|it| (it.count as f64, of(&it.summary))).collect();
    Line::through(&places).context("there is no line through one point")
}

fn report(points: &[Point], median: &Line, least: &Line) -> Report {
    let columns = ["corners", "bodies", "min", "p50", "p99", "max", "µs per corner (min)", "(p50)"];
    let mut report = Report::new(NAME, &columns);
    for Point { count, summary } in points {
        let numbers = [summary.min, summary.p50, summary.p99, summary.max].map(short);
        let shares = [summary.min, summary.p50].map(|cost| format!("{:.3}", cost / *count as f64));
        let names = [count.to_string(), (1 + 4 * count).to_string()];
        report.row(names.into_iter().chain(numbers).chain(shares));
        report.figures_of(&format!("{count}"), summary, "µs");
    }
    for (part, line) in [("p50", median), ("min", least)] {
        report.figure(&format!("slope.{part}"), line.slope, "µs");
        report.figure(&format!("intercept.{part}"), line.intercept, "µs");
        report.figure(&format!("r_squared.{part}"), line.r_squared, "1");
        report.note(format!(
            "line through {part}: {:.2} µs + {:.3} µs for each corner, R² {:.5}",
            line.intercept, line.slope, line.r_squared
        ));
    }
    report.target(Target::at_least("growth is a straight line, minima", STRAIGHT, "of R²", least.r_squared));
    report
}

/// Above the cost of a step, below that of a corner.
fn draw(points: &[Point], line: &Line, folder: &Path) -> Result<String> {
    let series = |name: &str, of: &dyn Fn(&Point) -> f64| {
        Series::new(name, points.iter().map(|it| (it.count as f64, of(it))).collect())
    };
    let (slope, intercept) = (line.slope, line.intercept);
    let straight = series(&format!("{intercept:.1} + {slope:.2} n"), &|it| line.at(it.count as f64));
    let flat = series(&format!("{intercept:.1} / n + {slope:.2}"), &|it| line.at(it.count as f64) / it.count as f64);
    let whole = vec![
        series("median", &|it| it.summary.p50),
        series("least", &|it| it.summary.min),
        from_zero(straight).dashed(),
    ];
    let share = vec![
        series("median", &|it| it.summary.p50 / it.count as f64),
        series("least", &|it| it.summary.min / it.count as f64),
        from_zero(flat).dashed(),
    ];
    let panels = vec![Panel::new("step (µs)", whole), Panel::new("step / n (µs)", share)];
    let title = "Cost of a step by number of double-wishbone corners";
    let path = folder.join("corners.svg");
    LinePlot::new(title, "corners n", panels).write_svg(&path)?;
    Ok(path.display().to_string())
}

/// Takes both axes down to zero: a point by itself draws nothing.
fn from_zero(mut series: Series) -> Series {
    series.points.extend([(f64::NAN, f64::NAN), (0.0, 0.0)]);
    series
}
