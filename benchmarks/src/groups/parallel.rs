//! Whether two threads step a vehicle faster than one, by number of bodies.
//!
//! Corners are independent of each other, so the passes can be shared among threads; but every pass ends with a meeting, and a
//! step of a small vehicle is over before a second thread has noticed that it began. The sizes are those of the group
//! `corners`. One thread and two are measured in turn within each round, and both should arrive at the same bits.

use std::path::Path;

use anyhow::{Context as _, Result};
use multibody::generate;
use multibody::parallel::Pool;
use plot::{LinePlot, Panel, Series};

use super::Context;
use super::multibody::ours::Vehicle;
use crate::place::{Place, pause};
use crate::report::{Report, Target, short, times};
use crate::statistics::Summary;

/// The name of the group.
pub const NAME: &str = "parallel";
const COUNTS: [usize; 8] = [2, 4, 8, 16, 24, 32, 48, 64];
const ROUNDS: u64 = 60;
/// Corners times steps in a batch.
const CORNER_STEPS: u64 = 3_200;
/// Steps until the chassis has come to rest.
const SETTLING_STEPS: u64 = 2_000;
const THREADS: usize = 2;

/// Cost of a step with so many bodies (µs).
struct Point {
    corners: usize,
    bodies: usize,
    one: Summary,
    two: Summary,
    /// Whether both arrived at the same state.
    same_bits: bool,
}

/// The same vehicle twice.
struct Pair {
    one: Vehicle,
    two: Vehicle,
    pool: Pool,
}

impl Pair {
    /// The second thread inherits the CPU and the priority of the one that makes the pool: the other seat.
    fn new(place: &Place, corners: usize) -> Result<Self> {
        let description = generate::corners(corners);
        let (one, two) = (
            Vehicle::assembled(&description)?,
            Vehicle::assembled(&description)?,
        );
        let other = place.other_seat().map_err(anyhow::Error::msg)?;
        let pool = other.run(|| Ok(Pool::new(&two.model, &two.workspace, THREADS)?))?;
        let mut pair = Self { one, two, pool };
        pair.round(SETTLING_STEPS);
        pair.one.check_whole()?;
        Ok(pair)
    }

    /// Mean time of a step with one thread and with two (ns).
    fn round(&mut self, steps: u64) -> [f64; 2] {
        let pool = &mut self.pool;
        [
            self.one.time_ns(steps, Vehicle::step),
            self.two.time_ns(steps, |vehicle| vehicle.step_parallel(pool)),
        ]
    }

    /// Whether both have arrived at the same state.
    fn is_same(&self) -> bool {
        let (one, two) = (&self.one.state, &self.two.state);
        one.position == two.position && one.velocity == two.velocity
    }
}

/// Measures the group.
pub fn run(context: &Context) -> Result<Report> {
    if let Err(why) = context.place.other_seat() {
        return Ok(Report::skipped(NAME, why));
    }
    let rounds = context.effort(ROUNDS);
    let points = context.place.seat().run(|| measure(context.place, rounds))?;
    let mut report = report(&points);
    report.note(format!(
        "{rounds} rounds, one thread and two in turn, on CPU {} and {}",
        context.place.cpu,
        context.place.other_cpu.unwrap_or(context.place.cpu)
    ));
    if let Some(folder) = context.figures {
        report.note(format!("plot: {}", draw(&points, folder)?));
    }
    Ok(report)
}

fn measure(place: &Place, rounds: u64) -> Result<Vec<Point>> {
    COUNTS
        .into_iter()
        .map(|count| measure_one(place, count, rounds))
        .collect()
}

/// One size after the other: workers of a pool spin, and those of another size would be in the way.
fn measure_one(place: &Place, corners: usize, rounds: u64) -> Result<Point> {
    let mut pair = Pair::new(place, corners)?;
    let mut times_ns = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        let round = pair.round(CORNER_STEPS / corners as u64);
        times_ns
            .iter_mut()
            .zip(round)
            .for_each(|(times, time)| times.push(time));
        pause();
    }
    pair.one.check_whole()?;
    pair.two.check_whole()?;
    let [one, two] = times_ns.map(|times| Summary::of(times).map(|summary| summary.scaled(1e-3)));
    Ok(Point {
        corners,
        bodies: 1 + 4 * corners,
        one: one.context("no round was measured")?,
        two: two.context("no round was measured")?,
        same_bits: pair.is_same(),
    })
}

fn report(points: &[Point]) -> Report {
    let columns = [
        "bodies",
        "corners",
        "µs, 1 thread: min",
        "p50",
        "2 threads: min",
        "p50",
        "1 / 2 threads",
        "of minima",
        "same bits",
    ];
    let mut report = Report::new(NAME, &columns);
    for point in points {
        let Point { bodies, one, two, .. } = point;
        report.figures_of(&format!("{bodies}.sequential"), one, "µs");
        report.figures_of(&format!("{bodies}.two_threads"), two, "µs");
        let numbers = [one.min, one.p50, two.min, two.p50].map(short);
        let ratios = [one.p50 / two.p50, one.min / two.min].map(times);
        let names = [bodies.to_string(), point.corners.to_string()];
        let verdict = if point.same_bits { "yes" } else { "no" }.to_owned();
        report.row(names.into_iter().chain(numbers).chain(ratios).chain([verdict]));
    }
    let same = points.iter().filter(|point| point.same_bits).count();
    let what = "one thread and two arrive at the same bits";
    report.target(Target::at_least(what, points.len() as f64, "sizes", same as f64));
    for (part, of) in [("medians", median as fn(&Summary) -> f64), ("minima", least)] {
        let found = crossover(points, of);
        report.note(match found {
            Some(bodies) => format!("two threads are faster from {bodies} bodies on, by {part}"),
            None => format!("no crossover here, by {part}: one thread is faster at the largest"),
        });
        if let Some(bodies) = found {
            report.figure(&format!("crossover.{part}"), bodies as f64, "1");
        }
    }
    report
}

fn median(summary: &Summary) -> f64 {
    summary.p50
}

fn least(summary: &Summary) -> f64 {
    summary.min
}

/// The number of bodies from which on two threads are always faster.
fn crossover(points: &[Point], of: fn(&Summary) -> f64) -> Option<usize> {
    let faster = |point: &&Point| of(&point.two) < of(&point.one);
    points
        .iter()
        .rev()
        .take_while(faster)
        .last()
        .map(|point| point.bodies)
}

fn draw(points: &[Point], folder: &Path) -> Result<String> {
    let series = |name: &str, of: fn(&Point) -> f64| {
        Series::new(name, points.iter().map(|it| (it.bodies as f64, of(it))).collect())
    };
    let whole = vec![
        series("1 thread, median", |it| it.one.p50),
        series("2 threads, median", |it| it.two.p50),
        series("1 thread, least", |it| it.one.min).dashed(),
        series("2 threads, least", |it| it.two.min).dashed(),
    ];
    let panels = vec![Panel::new("step (µs)", whole)];
    let path = folder.join("parallel.svg");
    LinePlot::new("One thread and two, by number of bodies", "bodies", panels).write_svg(&path)?;
    Ok(path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(bodies: usize, one: f64, two: f64) -> Point {
        let summary = |cost| Summary::of(vec![cost]).unwrap();
        Point {
            corners: 0,
            bodies,
            one: summary(one),
            two: summary(two),
            same_bits: true,
        }
    }

    #[test]
    fn the_crossover_is_where_two_threads_begin_to_win_for_good() {
        let points = [
            point(9, 1.0, 3.0),
            point(17, 2.0, 1.9),
            point(33, 4.0, 4.1),
            point(65, 8.0, 6.0),
            point(129, 16.0, 9.0),
        ];
        assert_eq!(crossover(&points, median), Some(65));
        assert_eq!(crossover(&points[..3], median), None);
        assert_eq!(crossover(&[], least), None);
    }
}
