//! Straight on: times of acceleration, and rolling out against its closed form.
//!
//! A vehicle that rolls out has the resistance F = f₀ + f₁ v + f₂ v² (ISO 10521-1). With f₁ left
//! out, as for drag and a constant rolling resistance, the time between two speeds has a closed
//! form, with m* the mass and what the turning wheels add to it:
//! ```text
//! m* v̇ = −(f₀ + f₂ v²)                                                            (1)
//! t = m*/√(f₀ f₂) · (atan(v₁ √(f₂/f₀)) − atan(v₂ √(f₂/f₀)))                        (2)
//! ```

use super::signal::{line, reaches, smoothed};
use super::{Context, Figure, Quantity, Recording};
use crate::files::curve;

/// Resistance of (1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoadLoad {
    /// f₀ (N).
    pub constant_n: f64,
    /// f₂ (N s²/m²).
    pub quadratic_n_s2_m2: f64,
}

impl RoadLoad {
    /// Fits (1) to a speed (m/s) over time (s).
    #[must_use]
    pub fn fit(time: &[f64], speed: &[f64], mass_kg: f64) -> Option<Self> {
        let count = time.len();
        let spread = (count / 200).max(1);
        let points = (spread..count.saturating_sub(spread)).step_by(spread).map(|place| {
            let deceleration =
                (speed[place - spread] - speed[place + spread]) / (time[place + spread] - time[place - spread]);
            (speed[place] * speed[place], mass_kg * deceleration)
        });
        line(points).map(|(slope, offset)| Self { constant_n: offset, quadratic_n_s2_m2: slope })
    }

    /// Eq. (2): the time from one speed to a lower one (s).
    #[must_use]
    pub fn time_s(&self, mass_kg: f64, from_m_s: f64, to_m_s: f64) -> f64 {
        let root = (self.quadratic_n_s2_m2 / self.constant_n).sqrt();
        mass_kg / (self.constant_n * self.quadratic_n_s2_m2).sqrt()
            * ((from_m_s * root).atan() - (to_m_s * root).atan())
    }
}

/// Key figures of full throttle from standstill. Time begins when the throttle is first pressed.
#[must_use]
pub fn acceleration_figures(recording: &Recording) -> Vec<Figure> {
    let time = recording.get(Quantity::Time);
    let (speed, distance) = (recording.get(Quantity::Speed), recording.get(Quantity::Distance));
    let throttle = recording.get(Quantity::Throttle);
    let begin = throttle.iter().position(|pedal| *pedal > 0.0).unwrap_or(0);
    let start_s = time.get(begin).copied().unwrap_or(0.0);
    let until = |level: f64| reaches(time, speed, level, begin).map(|when| when - start_s);
    let forward = smoothed(recording.get(Quantity::ForwardAcceleration), recording.spacing_s(), 0.2);
    let from_m = distance.get(begin).copied().unwrap_or(0.0);
    let quarter = reaches(time, distance, from_m + 402.336, begin).map(|when| when - start_s);
    let between = until(80.0).zip(until(100.0)).map(|(from, to)| to - from);
    vec![
        Figure::new("0–50 km/h", "s", until(50.0)).defined("from the first movement of the throttle"),
        Figure::new("0–80 km/h", "s", until(80.0)).defined("from the first movement of the throttle"),
        Figure::new("0–100 km/h", "s", until(100.0)).defined("from the first movement of the throttle"),
        Figure::new("80–100 km/h", "s", between).defined("in the same run"),
        Figure::new("quarter mile", "s", quarter).defined("402.336 m from the first movement of the throttle"),
        Figure::new("largest acceleration", "m/s²", super::signal::most(&forward)).defined("mean over 0.2 s"),
        Figure::new("speed reached", "km/h", super::signal::most(speed)).defined("in the run"),
        Figure::new("distance", "m", super::signal::most(distance) - from_m).defined("driven in the run"),
    ]
}

/// Key figures of rolling out.
#[must_use]
pub fn coast_down_figures(recording: &Recording, context: &Context) -> Vec<Figure> {
    let time = recording.get(Quantity::Time);
    let speed: Vec<f64> = recording.get(Quantity::Speed).iter().map(|speed| speed / 3.6).collect();
    let mass = context.mass_kg + context.turning_mass_kg;
    let load = RoadLoad::fit(time, &speed, mass);
    let between = |from: f64, to: f64| {
        let begin = reaches(time, &speed, from / 3.6, 0)?;
        Some(reaches(time, &speed, to / 3.6, 0)? - begin)
    };
    let closed = |from: f64, to: f64| {
        // Only where the run got there.
        between(from, to)?;
        load.map(|load| load.time_s(mass, from / 3.6, to / 3.6))
    };
    let top = speed.first().copied().unwrap_or(0.0) * 3.6 - 1.0;
    let air = recording.get(Quantity::AirResistance);
    let middle_s = time.last().copied().unwrap_or(0.0) * 0.1;
    let drag = curve::between(time, air, middle_s) / curve::between(time, &speed, middle_s).powi(2);
    vec![
        Figure::new("90–70 km/h", "s", between(90.0, 70.0)).defined("measured in the run"),
        Figure::new("90–70 km/h, closed form", "s", closed(90.0, 70.0))
            .defined("m*/√(f₀ f₂) (atan(v₁ √(f₂/f₀)) − atan(v₂ √(f₂/f₀)))"),
        Figure::new("60–40 km/h", "s", between(60.0, 40.0)).defined("measured in the run"),
        Figure::new("60–40 km/h, closed form", "s", closed(60.0, 40.0)).defined("as above"),
        Figure::new("40–20 km/h", "s", between(40.0, 20.0)).defined("measured in the run"),
        Figure::new("40–20 km/h, closed form", "s", closed(40.0, 20.0)).defined("as above"),
        Figure::new("whole run", "s", between(top, 20.0)).defined("from 1 km/h below the initial speed to 20 km/h"),
        Figure::new("constant resistance f₀", "N", load.map(|load| load.constant_n))
            .defined("fit of m* dv/dt = −(f₀ + f₂ v²) to the run"),
        Figure::new("quadratic resistance f₂", "N s²/m²", load.map(|load| load.quadratic_n_s2_m2))
            .defined("fit of m* dv/dt = −(f₀ + f₂ v²) to the run"),
        Figure::new("drag of the air over speed squared", "N s²/m²", drag)
            .defined("from the model of the air, for comparison with f₂"),
        Figure::new("distance", "m", super::signal::most(recording.get(Quantity::Distance)))
            .defined("rolled in the run"),
    ]
}
