//! Over an obstacle: how hard the body is hit and how soon it is calm again.

use super::signal::{least, most, peak, smoothed};
use super::{Context, Figure, Quantity, Recording};

/// The body is calm when it stays within this of its rest height (m).
const CALM_M: f64 = 0.005;

/// The last time at which a signal is farther than a bound from its final value, after a time;
/// `None` when it is calm from the beginning.
#[must_use]
pub fn settled_s(time: &[f64], signal: &[f64], bound: f64, from_s: f64) -> Option<f64> {
    let last = *signal.last()?;
    let place = signal.iter().rposition(|value| (value - last).abs() > bound)?;
    (time[place] > from_s).then(|| time[place] - from_s)
}

/// Key figures of a bump. Parameter: `x_m`, where its middle is.
#[must_use]
pub fn figures(recording: &Recording, context: &Context) -> Vec<Figure> {
    let (time, x) = (recording.get(Quantity::Time), recording.get(Quantity::X));
    let at = context.parameter("x_m", 50.0);
    let reached = x.iter().position(|place| *place > at - 2.0 * context.wheelbase_m);
    let begin = reached.unwrap_or(0);
    let over_s = x.iter().position(|place| *place > at).map(|place| time[place]);
    let raw = &recording.get(Quantity::VerticalAcceleration)[begin.min(x.len())..];
    let vertical = smoothed(raw, recording.spacing_s(), 0.02);
    let pitch = &recording.get(Quantity::Pitch)[begin.min(x.len())..];
    let height = recording.get(Quantity::Z);
    let squares: f64 = vertical.iter().map(|value| value * value).sum::<f64>() / vertical.len() as f64;
    let first_pitch = pitch.first().copied().unwrap_or(0.0);
    let pitches: Vec<f64> = pitch.iter().map(|value| value - first_pitch).collect();
    let speed = recording.get(Quantity::Speed);
    vec![
        Figure::new("speed", "km/h", speed.get(begin).copied()).defined("before the bump"),
        Figure::new("largest acceleration upwards", "m/s²", most(&vertical))
            .defined("at the centre of gravity of the body, mean over 0.02 s"),
        Figure::new("largest acceleration downwards", "m/s²", -least(&vertical))
            .defined("at the centre of gravity of the body, mean over 0.02 s"),
        Figure::new("root mean square of vertical acceleration", "m/s²", squares.sqrt())
            .defined("from before the bump to the end of the run"),
        Figure::new("largest change of pitch", "°", peak(&pitches).abs()).defined("from its value before the bump"),
        Figure::new("settling time", "s", over_s.and_then(|over| settled_s(time, height, CALM_M, over))).defined(
            "from when the vehicle's origin is over the bump until its height stays within 5 mm of its end value",
        ),
        Figure::new("least wheel load", "N", least(&recording.get(Quantity::LeastLoad)[begin.min(x.len())..]))
            .defined("zero when a wheel lifts off"),
    ]
}
