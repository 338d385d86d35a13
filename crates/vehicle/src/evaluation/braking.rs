//! Braking: how far, how hard, how straight.
//!
//! With v₁ the speed when the pedal is first pressed, v_b = 0.8 v₁, v_e = 0.1 v₁ and the distances
//! s_b, s_e at which they are reached, the mean fully developed deceleration (UN R13-H) is
//! ```text
//! MFDD = (v_b² − v_e²)/(2 (s_e − s_b))
//! ```

use super::signal::{mean, peak, reaches};
use super::{Figure, Quantity, Recording};

/// What a stop is judged by, in SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// When the pedal was first pressed (s).
    pub begin_s: f64,
    /// Speed then (m/s).
    pub from_m_s: f64,
    /// Distance from then to standstill (m).
    pub distance_m: Option<f64>,
    /// Time from then to standstill (s).
    pub time_s: Option<f64>,
    /// Mean fully developed deceleration (m/s²).
    pub mean_m_s2: Option<f64>,
}

/// Slower than this is standstill (m/s).
const STANDSTILL_M_S: f64 = 0.1;

impl Stop {
    /// Evaluates a stop from pedal, speed (m/s) and distance (m) over time (s).
    #[must_use]
    pub fn new(time: &[f64], brake: &[f64], speed: &[f64], distance: &[f64]) -> Option<Self> {
        let begin = brake.iter().position(|pedal| *pedal > 0.0)?;
        let from_m_s = speed[begin];
        let at = |level: f64| reaches(distance, speed, level, begin);
        let (fast, slow) = (0.8 * from_m_s, 0.1 * from_m_s);
        let mean_m_s2 = at(fast).zip(at(slow)).map(|(from, to)| (fast * fast - slow * slow) / (2.0 * (to - from)));
        Some(Self {
            begin_s: time[begin],
            from_m_s,
            distance_m: at(STANDSTILL_M_S).map(|end| end - distance[begin]),
            time_s: reaches(time, speed, STANDSTILL_M_S, begin).map(|end| end - time[begin]),
            mean_m_s2,
        })
    }
}

/// Key figures of a stop.
#[must_use]
pub fn figures(recording: &Recording) -> Vec<Figure> {
    let (time, brake) = (recording.get(Quantity::Time), recording.get(Quantity::Brake));
    let speed: Vec<f64> = recording.get(Quantity::Speed).iter().map(|speed| speed / 3.6).collect();
    let stop = Stop::new(time, brake, &speed, recording.get(Quantity::Distance));
    let begin = brake.iter().position(|pedal| *pedal > 0.0).unwrap_or(0);
    let after = |quantity| &recording.get(quantity)[begin.min(recording.len())..];
    let from = |quantity| {
        let values = after(quantity);
        let first = values.first().copied().unwrap_or(0.0);
        let moved: Vec<f64> = values.iter().map(|value| value - first).collect();
        peak(&moved).abs()
    };
    let active: Vec<f64> = after(Quantity::Antilock).iter().map(|value| f64::from(u8::from(*value > 1e-3))).collect();
    let slip = after(Quantity::LargestSlip);
    let moving = speed[begin.min(speed.len())..].iter().position(|speed| *speed < 2.0).unwrap_or(slip.len());
    let locked: Vec<f64> =
        slip[..moving.min(slip.len())].iter().map(|value| f64::from(u8::from(*value < -0.9))).collect();
    vec![
        Figure::new("speed at the pedal", "km/h", stop.map(|stop| 3.6 * stop.from_m_s))
            .defined("when the pedal is first pressed"),
        Figure::new("stopping distance", "m", stop.and_then(|stop| stop.distance_m))
            .defined("from the first movement of the pedal to standstill"),
        Figure::new("stopping time", "s", stop.and_then(|stop| stop.time_s))
            .defined("from the first movement of the pedal to standstill"),
        Figure::new("mean fully developed deceleration", "m/s²", stop.and_then(|stop| stop.mean_m_s2))
            .defined("(v_b² − v_e²)/(2 (s_e − s_b)) between 80 % and 10 % of the speed (UN R13-H)"),
        Figure::new("largest change of heading", "°", from(Quantity::Heading))
            .defined("from the first movement of the pedal on"),
        Figure::new("largest yaw rate", "°/s", peak(after(Quantity::YawRate)).abs())
            .defined("magnitude, from the first movement of the pedal on"),
        Figure::new("largest lateral deviation", "m", from(Quantity::Y))
            .defined("of the vehicle's origin, from the first movement of the pedal on"),
        Figure::new("largest steering-wheel angle", "°", peak(after(Quantity::SteeringWheel)).abs())
            .defined("with which the driver keeps to the line"),
        Figure::new("anti-lock system at work", "%", 100.0 * mean(&active))
            .defined("share of the time in which it takes pressure away"),
        Figure::new("a wheel is locked", "%", 100.0 * mean(&locked))
            .defined("share of the time above 2 m/s in which a wheel slips by more than 90 %"),
    ]
}
