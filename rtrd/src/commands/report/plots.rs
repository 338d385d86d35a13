//! Which plots belong to which kind of manoeuvre, as SVG.

use plot::{LinePlot, Panel, PlotError, Series, axis_title};
use vehicle::driver::path::Corridor;
use vehicle::evaluation::{Quantity as Q, frequency};

use super::run::{Reference, Run};

/// A plot with the line above it.
pub struct Drawing {
    pub heading: &'static str,
    pub svg: String,
}

/// Panels of a plot over time.
const DRIVING: &[Q] = &[
    Q::SteeringWheel,
    Q::RoadWheel,
    Q::YawRate,
    Q::LateralAcceleration,
    Q::Sideslip,
    Q::Roll,
    Q::Articulation,
    Q::Speed,
];
const BRAKING: &[Q] = &[
    Q::Speed,
    Q::ForwardAcceleration,
    Q::Brake,
    Q::Antilock,
    Q::LargestSlip,
    Q::YawRate,
    Q::Heading,
    Q::SteeringWheel,
];
const ACCELERATION: &[Q] = &[Q::Speed, Q::ForwardAcceleration, Q::EngineSpeed, Q::Gear, Q::Throttle, Q::LargestSlip];
const COAST_DOWN: &[Q] = &[Q::Speed, Q::ForwardAcceleration, Q::AirResistance];
const BUMP: &[Q] = &[Q::VerticalAcceleration, Q::Z, Q::Pitch, Q::LeastLoad, Q::Speed];
const PARKING: &[Q] = &[Q::X, Q::Speed, Q::Pitch, Q::LeastLoad];

pub fn drawings(runs: &[Run], reference: Option<&Reference>) -> Result<Vec<Drawing>, PlotError> {
    let kind = runs[0].kind();
    let mut drawings = Vec::new();
    let mut add = |heading, plot: LinePlot| -> Result<(), PlotError> {
        let svg = plot.to_svg()?;
        drawings.push(Drawing { heading, svg });
        Ok(())
    };
    if kind == "steady-state-circle" {
        for (heading, quantity) in [
            ("Steering-wheel angle over lateral acceleration", Q::SteeringWheel),
            ("Sideslip angle over lateral acceleration", Q::Sideslip),
            ("Roll over lateral acceleration", Q::Roll),
        ] {
            add(heading, cross(runs, Q::LateralAcceleration, quantity))?;
        }
    }
    if kind == "frequency-response" {
        add("Response of the yaw rate to the steering", response(runs))?;
    }
    if kind == "lane-change" {
        add("Path", path(runs, reference))?;
    }
    if has_path(kind) {
        add("Path", path(runs, reference).with_equal_scales())?;
    }
    let panels = match kind {
        "braking" => BRAKING,
        "acceleration" => ACCELERATION,
        "coast-down" => COAST_DOWN,
        "bump" => BUMP,
        "parking" => PARKING,
        _ => DRIVING,
    };
    add("Over time", over(runs, Q::Time, panels, reference))?;
    match kind {
        "braking" | "acceleration" => add("Over distance", over(runs, Q::Distance, &[Q::Speed], None))?,
        "bump" => add("Over the place", over(runs, Q::X, &[Q::VerticalAcceleration, Q::Pitch], None))?,
        "lane-change" | "sine-steer" | "step-steer" => {
            add("Lateral acceleration over steering", cross(runs, steering(runs), Q::LateralAcceleration))?
        }
        _ => {}
    }
    Ok(drawings)
}

fn has_path(kind: &str) -> bool {
    matches!(kind, "trajectory" | "reference" | "steady-state-circle" | "step-steer" | "sine-steer")
}

/// What was steered in the first run.
fn steering(runs: &[Run]) -> Q {
    if shows(&runs[0], Q::SteeringWheel) { Q::SteeringWheel } else { Q::RoadWheel }
}

/// Whether a signal has anything to show.
fn shows(run: &Run, quantity: Q) -> bool {
    run.recording.get(quantity).iter().any(|value| value.is_finite() && value.abs() > 1e-6)
}

fn line(run: &Run, over: Q, quantity: Q) -> Series {
    let series = Series::new(run.title.clone(), run.recording.pairs(over, quantity));
    if quantity == Q::Gear { series.in_steps() } else { series }
}

/// Panels over a common quantity; with reference data and its bands where there are any.
fn over(runs: &[Run], over: Q, panels: &[Q], reference: Option<&Reference>) -> LinePlot {
    let wanted = panels
        .iter()
        .copied()
        .filter(|quantity| runs.iter().any(|run| shows(run, *quantity)))
        // The road wheels say no more than the steering wheel, where that is turned.
        .filter(|quantity| *quantity != Q::RoadWheel || steering(runs) == Q::RoadWheel)
        // One unit has no articulation.
        .filter(|quantity| {
            *quantity != Q::Articulation || runs.iter().any(|run| run.setup.description.wheels.len() > 8)
        });
    let panels = wanted.map(|quantity| {
        let mut series: Vec<Series> = runs.iter().map(|run| line(run, over, quantity)).collect();
        if let Some((points, half)) = reference.and_then(|given| given.points(quantity)) {
            series.push(band(&points, half));
            series.push(Series::new("reference", points).dashed());
        }
        Panel::new(axis_title(quantity.name()), series)
    });
    LinePlot::new("", axis_title(over.name()), panels.collect())
}

/// Both edges of a band in one series, with a gap between.
fn band(points: &[(f64, f64)], half: f64) -> Series {
    let edge = |side: f64| points.iter().map(move |(x, y)| (*x, y + side * half));
    let points = edge(1.0).chain([(f64::NAN, f64::NAN)]).chain(edge(-1.0));
    Series::new("tolerance", points.collect()).dashed()
}

fn cross(runs: &[Run], over: Q, quantity: Q) -> LinePlot {
    let begin = |run: &Run| {
        let settled = run.context.parameter("settled_s", 0.0);
        let time = run.recording.get(Q::Time);
        time.partition_point(|when| *when < settled)
    };
    let series = runs.iter().map(|run| {
        let points = run.recording.pairs(over, quantity);
        let first = if over == Q::LateralAcceleration { begin(run) } else { 0 };
        Series::new(run.title.clone(), points[first.min(points.len())..].to_vec())
    });
    LinePlot::new("", axis_title(over.name()), vec![Panel::new(axis_title(quantity.name()), series.collect())])
}

/// The path seen from above, with the cones of a lane change.
fn path(runs: &[Run], reference: Option<&Reference>) -> LinePlot {
    let mut series: Vec<Series> = runs.iter().map(|run| line(run, Q::X, Q::Y)).collect();
    for run in runs {
        if let Some(corridor) = run.setup.manoeuvre.corridor(&run.setup.driver) {
            let name = match runs.len() {
                1 => "cones".to_owned(),
                _ => format!("cones, {}", run.setup.vehicle.name),
            };
            series.push(Series::new(name, cones(&corridor)).dashed());
        }
    }
    let given = reference.and_then(|given| Some((given.points(Q::X)?.0, given.points(Q::Y)?.0)));
    if let Some((x, y)) = given {
        let points = x.iter().zip(&y).map(|((_, x), (_, y))| (*x, *y)).collect();
        series.push(Series::new("reference", points).dashed());
    }
    LinePlot::new("", axis_title(Q::X.name()), vec![Panel::new(axis_title(Q::Y.name()), series)])
}

/// Both edges of every lane, with gaps between them.
fn cones(corridor: &Corridor) -> Vec<(f64, f64)> {
    let (sine, cosine) = corridor.heading_rad.sin_cos();
    let place = |along: f64, left: f64| {
        (corridor.origin_m[0] + along * cosine - left * sine, corridor.origin_m[1] + along * sine + left * cosine)
    };
    let edges = corridor.sections.iter().flat_map(|section| {
        [0.5, -0.5].map(|side| {
            let left = section.middle_m + side * section.width_m;
            [place(section.start_m, left), place(section.end_m, left), (f64::NAN, f64::NAN)]
        })
    });
    edges.flatten().collect()
}

fn response(runs: &[Run]) -> LinePlot {
    let curves: Vec<_> =
        runs.iter().map(|run| (run, frequency::curve(&run.recording, &run.context, Q::YawRate))).collect();
    let panel = |label: &str, value: fn(&frequency::Response) -> f64| {
        let series = curves.iter().map(|(run, curve)| {
            let points = curve.iter().map(|point| (point.frequency_hz, value(point)));
            Series::new(run.title.clone(), points.collect())
        });
        Panel::new(label, series.collect())
    };
    let panels =
        vec![panel("gain [1/s]", |point| point.gain), panel("phase [°]", |point| point.phase_rad.to_degrees())];
    LinePlot::new("", "frequency [Hz]", panels)
}
