//! From recorded signals to the key figures that standards define.
//!
//! ```text
//!   Simulation ──► Recorder ──► Recording ──evaluate──► Vec<Figure>
//! ```
//! Everything here is a pure function of slices, so that each figure can be tried on signals whose
//! answer is known. Which figures belong to a manoeuvre is said by its `[evaluate]` table.
//!
//! | file | figures |
//! | --- | --- |
//! | [`steady_state`] | ISO 4138: understeer gradient, roll and sideslip gradients, characteristic speed |
//! | [`step_steer`] | ISO 7401: response times, overshoot, steady-state gain, TB |
//! | [`sine_steer`] | ISO 7401: gain and lag of one wave |
//! | [`frequency`] | ISO 7401: gain and phase over frequency |
//! | [`lane_change`] | ISO 3888-1: passed or not, least clearance |
//! | [`braking`] | stopping distance, mean fully developed deceleration, largest yaw |
//! | [`longitudinal`] | times of acceleration, coast-down with its closed form |
//! | [`bump`] | peak vertical acceleration, settling |
//! | [`course`] | where a run without a standard ends; creep of a parked vehicle |
//! | [`comparison`] | how far a run is from recorded data |

pub mod braking;
pub mod bump;
pub mod comparison;
pub mod course;
mod figure;
pub mod frequency;
pub mod lane_change;
pub mod longitudinal;
mod quantity;
mod recorder;
mod recording;
pub mod signal;
pub mod sine_steer;
pub mod steady_state;
pub mod step_steer;

use crate::assembly::Setup;
use crate::driver::Evaluation;
pub use figure::{Figure, Value};
pub use quantity::Quantity;
pub use recorder::Recorder;
pub use recording::Recording;

/// What an evaluation needs to know beside the recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Context {
    /// Parameters of the manoeuvre's `[evaluate]` table.
    pub parameters: std::collections::BTreeMap<String, f64>,
    /// Distance from the front axle to the (mean) rear axle (m).
    pub wheelbase_m: f64,
    /// Angle of the steering wheel per angle of the road wheels.
    pub steering_ratio: f64,
    /// Mass (kg).
    pub mass_kg: f64,
    /// Mass that the turning wheels stand for, Σ J/R² (kg).
    pub turning_mass_kg: f64,
}

impl Context {
    /// The context of a vehicle in a manoeuvre.
    #[must_use]
    pub fn new(setup: &Setup) -> Self {
        let evaluation = setup.manoeuvre.evaluation.as_ref();
        Self {
            parameters: evaluation.map(|given| given.parameters.clone()).unwrap_or_default(),
            wheelbase_m: setup.driver.wheelbase_m,
            steering_ratio: setup.driver.steering_ratio,
            mass_kg: setup.driver.mass_kg,
            turning_mass_kg: setup.turning_mass_kg(),
        }
    }

    /// A parameter, or what it is when the manoeuvre does not say.
    #[must_use]
    pub fn parameter(&self, name: &str, otherwise: f64) -> f64 {
        self.parameters.get(name).copied().unwrap_or(otherwise)
    }
}

/// The key figures of a recording. A manoeuvre without `[evaluate]` gets those of a course.
#[must_use]
pub fn evaluate(evaluation: Option<&Evaluation>, recording: &Recording, context: &Context) -> Vec<Figure> {
    match evaluation.map(|given| given.kind.as_str()) {
        Some("steady-state-circle") => steady_state::figures(recording, context),
        Some("step-steer") => step_steer::figures(recording, context),
        Some("sine-steer") => sine_steer::figures(recording, context),
        Some("frequency-response") => frequency::figures(recording, context),
        Some("lane-change") => lane_change::figures(recording),
        Some("braking") => braking::figures(recording),
        Some("acceleration") => longitudinal::acceleration_figures(recording),
        Some("coast-down") => longitudinal::coast_down_figures(recording, context),
        Some("bump") => bump::figures(recording, context),
        Some("parking") => course::parking_figures(recording),
        _ => course::figures(recording),
    }
}
