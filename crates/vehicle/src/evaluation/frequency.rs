//! ISO 7401, frequency response: gain and phase of a response to a sweep, by Fourier integrals.
//!
//! A sweep begins and ends at zero, so that the ratio of the Fourier integrals over the whole run
//! is the transfer function:
//! ```text
//! H(f) = ∫ y(t) e^{−2πi f t} dt / ∫ u(t) e^{−2πi f t} dt
//! ```
//! Each value is a mean over a narrow band of frequencies (cross spectrum over auto spectrum),
//! which takes out the leakage of the ends.

use super::{Context, Figure, Quantity, Recording};
use crate::evaluation::step_steer::steering_of;

/// Gain and phase at a frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response {
    /// Frequency (Hz).
    pub frequency_hz: f64,
    /// Magnitude.
    pub gain: f64,
    /// Phase (rad), negative when the response lags.
    pub phase_rad: f64,
}

/// Frequencies in a band, and half its width (Hz).
const BAND: usize = 5;
const HALF_BAND_HZ: f64 = 0.04;

/// The response at a frequency.
#[must_use]
pub fn response(time: &[f64], input: &[f64], output: &[f64], frequency_hz: f64) -> Response {
    let (mut real, mut imaginary, mut power) = (0.0, 0.0, 0.0);
    for k in 0..BAND {
        let share = k as f64 / (BAND - 1) as f64 - 0.5;
        let at = frequency_hz + 2.0 * HALF_BAND_HZ * share;
        let (u, y) = (integral(time, input, at), integral(time, output, at));
        // y · conj(u) and u · conj(u)
        real += y[0] * u[0] + y[1] * u[1];
        imaginary += y[1] * u[0] - y[0] * u[1];
        power += u[0] * u[0] + u[1] * u[1];
    }
    Response { frequency_hz, gain: real.hypot(imaginary) / power, phase_rad: imaginary.atan2(real) }
}

fn integral(time: &[f64], signal: &[f64], frequency_hz: f64) -> [f64; 2] {
    let pairs = time.iter().zip(signal);
    pairs.fold([0.0, 0.0], |[real, imaginary], (time, value)| {
        let (sine, cosine) = (std::f64::consts::TAU * frequency_hz * time).sin_cos();
        [real + value * cosine, imaginary - value * sine]
    })
}

/// Frequencies at which a response is worked out, logarithmically between two.
#[must_use]
pub fn frequencies(from_hz: f64, to_hz: f64, count: usize) -> Vec<f64> {
    let steps = count.saturating_sub(1).max(1) as f64;
    (0..count).map(|k| from_hz * (to_hz / from_hz).powf(k as f64 / steps)).collect()
}

/// The response of a quantity to the steering over frequency. Parameters: `from_hz`, `to_hz`.
#[must_use]
pub fn curve(recording: &Recording, context: &Context, quantity: Quantity) -> Vec<Response> {
    let (steering, _) = steering_of(recording);
    let (time, input) = (recording.get(Quantity::Time), recording.get(steering));
    let from_hz = context.parameter("from_hz", 0.2) * 1.2;
    let to_hz = context.parameter("to_hz", 3.0) * 0.9;
    let points = frequencies(from_hz, to_hz, 40);
    points.into_iter().map(|frequency| response(time, input, recording.get(quantity), frequency)).collect()
}

/// Key figures of a frequency response.
#[must_use]
pub fn figures(recording: &Recording, context: &Context) -> Vec<Figure> {
    let yaw = curve(recording, context, Quantity::YawRate);
    let low = yaw.first().copied();
    let highest = yaw.iter().copied().max_by(|one, other| one.gain.total_cmp(&other.gain));
    let (steering, _) = steering_of(recording);
    let (time, input) = (recording.get(Quantity::Time), recording.get(steering));
    let at_one = response(time, input, recording.get(Quantity::YawRate), 1.0);
    let bandwidth = low.and_then(|low| {
        let cut = low.gain / std::f64::consts::SQRT_2;
        yaw.iter().find(|point| point.gain < cut).map(|point| point.frequency_hz)
    });
    vec![
        Figure::new("yaw-rate gain at low frequency", "1/s", low.map(|found| found.gain))
            .defined("of the lowest frequency of the sweep (ISO 7401)"),
        Figure::new("largest yaw-rate gain", "1/s", highest.map(|found| found.gain))
            .defined("over all frequencies of the sweep"),
        Figure::new("frequency of the largest gain", "Hz", highest.map(|found| found.frequency_hz))
            .defined("yaw natural frequency, as far as damping lets it show"),
        Figure::new("yaw-rate phase at 1 Hz", "°", at_one.phase_rad.to_degrees())
            .defined("negative when the yaw rate lags the steering (ISO 7401)"),
        Figure::new("bandwidth of the yaw rate", "Hz", bandwidth)
            .defined("where the gain has fallen by 3 dB from that at low frequency"),
    ]
}
