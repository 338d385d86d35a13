//! Runs without a standard: where they end, and whether a parked vehicle stays.

use super::signal::{index_at, mean, peak};
use super::{Figure, Quantity, Recording};

/// Key figures of any run.
#[must_use]
pub fn figures(recording: &Recording) -> Vec<Figure> {
    let time = recording.get(Quantity::Time);
    let end = time.last().copied().unwrap_or(0.0);
    let last = index_at(time, end - 1.0);
    let steady = |quantity| mean(&recording.get(quantity)[last.min(recording.len())..]);
    let speed = steady(Quantity::Speed) / 3.6;
    let rate = steady(Quantity::YawRate).to_radians();
    let at_end = |quantity| recording.get(quantity).last().copied();
    vec![
        Figure::new("duration", end, "s", "simulated"),
        Figure::new("speed at the end", 3.6 * speed, "km/h", "mean over the last second"),
        Figure::new("yaw rate at the end", rate.to_degrees(), "°/s", "mean over the last second"),
        Figure::new(
            "radius at the end",
            (rate.abs() > 1e-4).then(|| speed / rate.abs()),
            "m",
            "speed over yaw rate, last second; none when it goes straight on",
        ),
        Figure::new(
            "lateral acceleration at the end",
            steady(Quantity::LateralAcceleration),
            "m/s²",
            "mean over the last second",
        ),
        Figure::new("roll at the end", steady(Quantity::Roll), "°", "mean over the last second"),
        Figure::new(
            "articulation at the end",
            steady(Quantity::Articulation),
            "°",
            "heading of the last axle less that of the first unit, mean over the last second",
        ),
        Figure::new("largest yaw rate", peak(recording.get(Quantity::YawRate)).abs(), "°/s", "magnitude"),
        Figure::new("largest sideslip angle", peak(recording.get(Quantity::Sideslip)).abs(), "°", "magnitude"),
        Figure::new("x at the end", at_end(Quantity::X), "m", "of the vehicle's origin"),
        Figure::new("y at the end", at_end(Quantity::Y), "m", "of the vehicle's origin"),
    ]
}

/// Key figures of a parked vehicle.
#[must_use]
pub fn parking_figures(recording: &Recording) -> Vec<Figure> {
    let half = recording.len() / 2;
    let moved = |quantity| {
        let values = &recording.get(quantity)[half..];
        values.last().zip(values.first()).map_or(0.0, |(last, first)| last - first)
    };
    let creep = moved(Quantity::X).hypot(moved(Quantity::Y)).hypot(moved(Quantity::Z));
    let time = recording.get(Quantity::Time);
    let seconds = time.last().zip(time.get(half)).map_or(1.0, |(last, first)| last - first);
    let fastest = peak(&recording.get(Quantity::Speed)[half..]).abs() / 3.6;
    vec![
        Figure::new("creep", creep * 1e3, "mm", "displacement in the second half of the run"),
        Figure::new("creep in an hour", creep * 1e3 * 3600.0 / seconds, "mm", "the same, for an hour"),
        Figure::new("largest speed", fastest * 1e3, "mm/s", "in the second half of the run"),
    ]
}
