//! ISO 3888-1: the double lane change is passed when no cone is touched.

use super::signal::{index_at, least, peak, smoothed};
use super::{Figure, Quantity, Recording};

/// Key figures of a lane change. The recording has the least distance from the sides of the
/// vehicle, at every axle, to the cones.
#[must_use]
pub fn figures(recording: &Recording) -> Vec<Figure> {
    let clearance = recording.get(Quantity::Clearance);
    let (time, speed) = (recording.get(Quantity::Time), recording.get(Quantity::Speed));
    let within: Vec<usize> = (0..clearance.len()).filter(|place| clearance[*place].is_finite()).collect();
    let entry = within.first().map(|place| speed[*place]);
    let exit = within.last().map(|place| speed[*place]);
    let duration = within.first().zip(within.last()).map(|(first, last)| time[*last] - time[*first]);
    let nearest = least(&within.iter().map(|place| clearance[*place]).collect::<Vec<_>>());
    let steering = recording.get(Quantity::SteeringWheel);
    let spacing = recording.spacing_s();
    let rates: Vec<f64> = steering.windows(2).map(|pair| (pair[1] - pair[0]) / spacing).collect();
    let lateral = smoothed(recording.get(Quantity::LateralAcceleration), spacing, 0.1);
    let began = index_at(time, 0.2);
    let largest = |quantity| peak(recording.get(quantity)).abs();
    vec![
        Figure::verdict("passed", nearest >= 0.0)
            .defined("the sides of the vehicle stay between the cones at every axle (ISO 3888-1)"),
        Figure::new("entry speed", "km/h", entry).defined("at the first cones"),
        Figure::new("exit speed", "km/h", exit).defined("at the last cones"),
        Figure::new("time between the cones", "s", duration).defined("from the first cones to the last"),
        Figure::new("least clearance", "m", nearest)
            .defined("between a side of the vehicle, at an axle, and the cones; negative when one was hit"),
        Figure::new("largest lateral acceleration", "m/s²", peak(&lateral[began.min(lateral.len())..]).abs())
            .defined("at the centre of gravity of the body, mean over 0.1 s"),
        Figure::new("largest yaw rate", "°/s", largest(Quantity::YawRate)).defined("magnitude"),
        Figure::new("largest sideslip angle", "°", largest(Quantity::Sideslip))
            .defined("at the centre of gravity of the body, magnitude"),
        Figure::new("largest roll", "°", largest(Quantity::Roll)).defined("magnitude"),
        Figure::new("largest steering-wheel angle", "°", largest(Quantity::SteeringWheel)).defined("magnitude"),
        Figure::new("largest steering-wheel rate", "°/s", peak(&rates).abs()).defined("magnitude"),
        Figure::new("least wheel load", "N", least(recording.get(Quantity::LeastLoad)))
            .defined("zero when a wheel lifts off"),
    ]
}
