//! ISO 4138: steady-state circular driving.
//!
//! With δ_H the steering-wheel angle, i_S the steering ratio, L the wheelbase, a_y the lateral
//! acceleration and κ = r/v the curvature that is driven, the understeer gradient is how much more
//! the road wheels must be turned than the curve alone needs:
//! ```text
//! U = d(δ_H/i_S − L κ)/da_y                                                        (1)
//! ```
//! On a constant radius L κ is constant; at a constant speed it is L a_y/v²; so (1) serves both
//! methods. U is the slope of the straight line through the samples between two lateral
//! accelerations, where the vehicle is nearly linear. It is positive for an understeering vehicle,
//! and then the yaw-rate gain v/(L + U v²) is largest at the characteristic speed √(L/U).

use super::signal::{index_at, line, most, smoothed};
use super::{Context, Figure, Quantity, Recording};

/// Fits are made between these lateral accelerations (m/s²) unless the manoeuvre says otherwise.
const FIT_M_S2: [f64; 2] = [0.5, 3.5];
/// Accelerations are averaged over so long (s): a steady state has nothing that is faster.
const WINDOW_S: f64 = 0.5;

/// Gradients over lateral acceleration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gradients {
    /// U of Eq. (1) (rad s²/m).
    pub understeer_rad_s2_m: f64,
    /// Of the steering wheel (rad s²/m).
    pub steering_wheel_rad_s2_m: f64,
    /// Of the sideslip angle (rad s²/m).
    pub sideslip_rad_s2_m: f64,
    /// Of the roll angle (rad s²/m).
    pub roll_rad_s2_m: f64,
}

/// Signals of a steady-state run, of equal length, in SI units.
#[derive(Clone, Copy, Debug)]
pub struct Steady<'a> {
    /// Lateral acceleration (m/s²).
    pub lateral: &'a [f64],
    /// Curvature (1/m).
    pub curvature: &'a [f64],
    /// Steering-wheel angle (rad).
    pub steering_wheel: &'a [f64],
    /// Sideslip angle (rad).
    pub sideslip: &'a [f64],
    /// Roll angle (rad).
    pub roll: &'a [f64],
}

impl Gradients {
    /// Fits straight lines between two magnitudes of lateral acceleration (m/s²).
    #[must_use]
    pub fn fit(signals: &Steady<'_>, wheelbase_m: f64, steering_ratio: f64, between: [f64; 2]) -> Option<Self> {
        let used: Vec<usize> = (0..signals.lateral.len())
            .filter(|place| (between[0]..=between[1]).contains(&signals.lateral[*place].abs()))
            .collect();
        let slope = |value: &dyn Fn(usize) -> f64| {
            let points = used.iter().map(|place| (signals.lateral[*place], value(*place)));
            line(points).map(|(slope, _)| slope)
        };
        Some(Self {
            understeer_rad_s2_m: slope(&|place| {
                signals.steering_wheel[place] / steering_ratio - wheelbase_m * signals.curvature[place]
            })?,
            steering_wheel_rad_s2_m: slope(&|place| signals.steering_wheel[place])?,
            sideslip_rad_s2_m: slope(&|place| signals.sideslip[place])?,
            roll_rad_s2_m: slope(&|place| signals.roll[place])?,
        })
    }
}

/// Gradients of a recording after `settled_s`, and the largest lateral acceleration there (m/s²).
#[must_use]
pub fn gradients(recording: &Recording, context: &Context) -> (Option<Gradients>, f64) {
    let time = recording.get(Quantity::Time);
    let begin = index_at(time, context.parameter("settled_s", 0.0));
    let quiet = |quantity, factor: f64| {
        let values = smoothed(recording.get(quantity), recording.spacing_s(), WINDOW_S);
        let values: Vec<f64> = values[begin.min(values.len())..].iter().map(|value| value * factor).collect();
        values
    };
    let degree = 1_f64.to_radians();
    let (yaw_rate, speed) = (quiet(Quantity::YawRate, degree), quiet(Quantity::Speed, 1.0 / 3.6));
    let curvature: Vec<f64> = yaw_rate.iter().zip(&speed).map(|(rate, speed)| rate / speed.max(0.1)).collect();
    let lateral = quiet(Quantity::LateralAcceleration, 1.0);
    let signals = Steady {
        lateral: &lateral,
        curvature: &curvature,
        steering_wheel: &quiet(Quantity::SteeringWheel, degree),
        sideslip: &quiet(Quantity::Sideslip, degree),
        roll: &quiet(Quantity::Roll, degree),
    };
    let between = [context.parameter("fit_from_m_s2", FIT_M_S2[0]), context.parameter("fit_to_m_s2", FIT_M_S2[1])];
    let largest = most(&lateral.iter().map(|value| value.abs()).collect::<Vec<_>>());
    (Gradients::fit(&signals, context.wheelbase_m, context.steering_ratio, between), largest)
}

/// Key figures of steady-state cornering. Parameters: `settled_s`, `fit_from_m_s2`, `fit_to_m_s2`.
#[must_use]
pub fn figures(recording: &Recording, context: &Context) -> Vec<Figure> {
    let (found, largest) = gradients(recording, context);
    let per_g = |take: fn(&Gradients) -> f64| found.as_ref().map(|found| take(found).to_degrees() * 9.80665);
    let understeer = found.map(|found| found.understeer_rad_s2_m);
    let characteristic = understeer
        .filter(|understeer| *understeer > 0.0)
        .map(|understeer| 3.6 * (context.wheelbase_m / understeer).sqrt());
    vec![
        Figure::new("understeer gradient", "°/g", per_g(|found| found.understeer_rad_s2_m)).defined("slope of steering-wheel angle over steering ratio, less wheelbase times curvature, over lateral acceleration (ISO 4138)"),
        Figure::new("steering-wheel angle gradient", "°/g", per_g(|found| found.steering_wheel_rad_s2_m)).defined("slope of the steering-wheel angle over lateral acceleration (ISO 4138)"),
        Figure::new("sideslip angle gradient", "°/g", per_g(|found| found.sideslip_rad_s2_m)).defined("slope of the sideslip angle at the centre of gravity over lateral acceleration (ISO 4138)"),
        Figure::new("roll angle gradient", "°/g", per_g(|found| found.roll_rad_s2_m)).defined("slope of the roll angle over lateral acceleration; positive: leans out of the curve (ISO 4138)"),
        Figure::new("characteristic speed", "km/h", characteristic).defined("√(wheelbase / understeer gradient): where the yaw-rate gain is largest; none for an oversteering vehicle"),
        Figure::new("largest lateral acceleration", "m/s²", largest).defined("reached in the run, mean over 0.5 s"),
    ]
}
