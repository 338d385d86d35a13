//! ISO 7401, one wave of the steering wheel: gain and lag from the first two peaks.
//!
//! One wave is no steady oscillation, so the standard compares peaks: the first peak of the
//! response belongs to the first of the steering wheel, the second to the second, which has the
//! other sign. Lag is the time between the two; as a phase it is 360° f Δt.

use super::signal::{index_at, peak};
use super::step_steer::steering_of;
use super::{Context, Figure, Quantity, Recording};

/// Peaks of a wave and of the response to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaveResponse {
    /// Response over input at the first and at the second peak.
    pub gain: [f64; 2],
    /// Time from the peak of the input to that of the response (s), at both peaks.
    pub lag_s: [f64; 2],
}

impl WaveResponse {
    /// Evaluates a wave that begins at `from_s`.
    #[must_use]
    pub fn new(time: &[f64], input: &[f64], output: &[f64], from_s: f64, frequency_hz: f64) -> Option<Self> {
        let begin = index_at(time, from_s);
        let inputs = peaks(time, input, begin)?;
        let outputs = peaks(time, output, index_at(time, inputs[0].0 - 0.05 / frequency_hz))?;
        Some(Self {
            gain: [0, 1].map(|k| outputs[k].1 / inputs[k].1),
            lag_s: [0, 1].map(|k| outputs[k].0 - inputs[k].0),
        })
    }
}

/// The first peak after a sample and the next one to the other side: time and value. Each is the
/// vertex of the parabola through three samples.
fn peaks(time: &[f64], signal: &[f64], begin: usize) -> Option<[(f64, f64); 2]> {
    let largest = peak(signal.get(begin..)?).abs();
    if largest == 0.0 {
        return None;
    }
    // The first half wave is the first one worth the name.
    let first = (begin..signal.len()).find(|place| signal[*place].abs() > 0.3 * largest)?;
    let sign = signal[first].signum();
    let ends = (first..signal.len()).find(|place| signal[*place] * sign < 0.0).unwrap_or(signal.len());
    let one = vertex(time, signal, first, ends, sign)?;
    let beyond = (ends..signal.len()).find(|place| signal[*place] * -sign > 0.3 * largest)?;
    let over = (beyond..signal.len()).find(|place| signal[*place] * -sign < 0.0).unwrap_or(signal.len());
    let two = vertex(time, signal, beyond, over, -sign)?;
    Some([one, two])
}

fn vertex(time: &[f64], signal: &[f64], from: usize, to: usize, sign: f64) -> Option<(f64, f64)> {
    let place = (from..to).max_by(|one, other| (sign * signal[*one]).total_cmp(&(sign * signal[*other])))?;
    let neighbours = place.checked_sub(1).zip(signal.get(place + 1));
    let Some((before, after)) = neighbours else {
        return Some((time[place], signal[place]));
    };
    let (before, middle) = (signal[before], signal[place]);
    let bend = before - 2.0 * middle + after;
    let shift = if bend == 0.0 { 0.0 } else { 0.5 * (before - after) / bend };
    let spacing = time[place] - time[place - 1];
    Some((time[place] + shift * spacing, middle - 0.25 * (before - after) * shift))
}

/// Key figures of a wave. Parameters: `at_s`, `frequency_hz`.
#[must_use]
pub fn figures(recording: &Recording, context: &Context) -> Vec<Figure> {
    let time = recording.get(Quantity::Time);
    let (steering, unit) = steering_of(recording);
    let (at_s, frequency_hz) = (context.parameter("at_s", 1.0), context.parameter("frequency_hz", 0.5));
    let answer =
        |quantity| WaveResponse::new(time, recording.get(steering), recording.get(quantity), at_s, frequency_hz);
    let (yaw, lateral) = (answer(Quantity::YawRate), answer(Quantity::LateralAcceleration));
    let phase = |lag_s: f64| 360.0 * frequency_hz * lag_s;
    vec![
        Figure::new("steering amplitude", unit, peak(recording.get(steering)).abs())
            .defined("largest angle of the steering"),
        Figure::new("yaw-rate gain, first peak", "1/s", yaw.map(|found| found.gain[0]))
            .defined("first peak of the yaw rate over the first of the steering (ISO 7401)"),
        Figure::new("yaw-rate gain, second peak", "1/s", yaw.map(|found| found.gain[1]))
            .defined("second peak of the yaw rate over the second of the steering (ISO 7401)"),
        Figure::new("yaw-rate lag, first peak", "ms", yaw.map(|found| 1e3 * found.lag_s[0]))
            .defined("between the first peaks of steering and yaw rate (ISO 7401)"),
        Figure::new("yaw-rate phase lag", "°", yaw.map(|found| phase(found.lag_s[0])))
            .defined("360° times frequency times the lag of the first peak"),
        Figure::new("lateral-acceleration gain, first peak", "m/s²/°", lateral.map(|found| found.gain[0]))
            .defined("first peak of the lateral acceleration over the first of the steering (ISO 7401)"),
        Figure::new("lateral-acceleration lag, first peak", "ms", lateral.map(|found| 1e3 * found.lag_s[0]))
            .defined("between the first peaks of steering and lateral acceleration (ISO 7401)"),
        Figure::new("lateral-acceleration lag, second peak", "ms", lateral.map(|found| 1e3 * found.lag_s[1]))
            .defined("between the second peaks (ISO 7401)"),
        Figure::new("lateral-acceleration phase lag", "°", lateral.map(|found| phase(found.lag_s[0])))
            .defined("360° times frequency times the lag of the first peak"),
        Figure::new("largest lateral acceleration", "m/s²", peak(recording.get(Quantity::LateralAcceleration)).abs())
            .defined("magnitude"),
        Figure::new("largest sideslip angle", "°", peak(recording.get(Quantity::Sideslip)).abs())
            .defined("at the centre of gravity of the body, magnitude"),
        Figure::new("largest roll", "°", peak(recording.get(Quantity::Roll)).abs()).defined("magnitude"),
    ]
}
