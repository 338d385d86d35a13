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
        Figure::new("duration", "s", end).defined("simulated"),
        Figure::new("speed at the end", "km/h", 3.6 * speed).defined("mean over the last second"),
        Figure::new("yaw rate at the end", "°/s", rate.to_degrees()).defined("mean over the last second"),
        Figure::new("radius at the end", "m", (rate.abs() > 1e-4).then(|| speed / rate.abs()))
            .defined("speed over yaw rate, last second; none when it goes straight on"),
        Figure::new("lateral acceleration at the end", "m/s²", steady(Quantity::LateralAcceleration))
            .defined("mean over the last second"),
        Figure::new("roll at the end", "°", steady(Quantity::Roll)).defined("mean over the last second"),
        Figure::new("articulation at the end", "°", steady(Quantity::Articulation))
            .defined("heading of the last axle less that of the first unit, mean over the last second"),
        Figure::new("largest yaw rate", "°/s", peak(recording.get(Quantity::YawRate)).abs()).defined("magnitude"),
        Figure::new("largest sideslip angle", "°", peak(recording.get(Quantity::Sideslip)).abs()).defined("magnitude"),
        Figure::new("x at the end", "m", at_end(Quantity::X)).defined("of the vehicle's origin"),
        Figure::new("y at the end", "m", at_end(Quantity::Y)).defined("of the vehicle's origin"),
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
        Figure::new("creep", "mm", creep * 1e3).defined("displacement in the second half of the run"),
        Figure::new("creep in an hour", "mm", creep * 1e3 * 3600.0 / seconds).defined("the same, for an hour"),
        Figure::new("largest speed", "mm/s", fastest * 1e3).defined("in the second half of the run"),
    ]
}
