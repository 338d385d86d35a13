//! ISO 7401, step input: how quickly and how calmly the yaw rate follows the steering wheel.
//!
//! Time zero is when the steering has made half of its change. With r the yaw rate and r_ss its new
//! steady value:
//! ```text
//! T_r     r reaches 0.9 r_ss                     response time
//! T_r,max r reaches its peak                     peak response time
//! U_r     (r_max − r_ss)/r_ss                    overshoot
//! TB      T_r,max |β_ss|                         TB factor
//! ```

use super::signal::{index_at, mean, peak, reaches};
use super::{Context, Figure, Quantity, Recording};

/// The answer of a signal to a step of another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepResponse {
    /// When half of the step was made (s).
    pub zero_s: f64,
    /// The step.
    pub step: f64,
    /// New steady value.
    pub steady: f64,
    /// From time zero to 90 % of the steady value (s).
    pub response_s: Option<f64>,
    /// From time zero to the peak (s).
    pub peak_s: f64,
    /// Largest value.
    pub peak: f64,
}

impl StepResponse {
    /// Largest value over the steady one, as a share of it.
    #[must_use]
    pub fn overshoot(&self) -> f64 {
        (self.peak / self.steady - 1.0).max(0.0)
    }

    /// Evaluates a response. Steady values are means over the last `settled_s` of the signals; they
    /// begin from their values at `from_s`.
    #[must_use]
    pub fn new(time: &[f64], input: &[f64], output: &[f64], from_s: f64, settled_s: f64) -> Option<Self> {
        let (first, end) = (index_at(time, from_s), time.len());
        let last = index_at(time, time.last()? - settled_s);
        if first + 2 >= last || last >= end {
            return None;
        }
        let step = mean(&input[last..]) - input[first];
        let steady = mean(&output[last..]);
        let zero_s = reaches(time, input, input[first] + 0.5 * step, first)?;
        let begin = index_at(time, zero_s);
        let sign = steady.signum();
        let place = (begin..end).max_by(|one, other| (sign * output[*one]).total_cmp(&(sign * output[*other])))?;
        Some(Self {
            zero_s,
            step,
            steady,
            response_s: reaches(time, output, 0.9 * steady, first).map(|when| when - zero_s),
            peak_s: time[place] - zero_s,
            peak: output[place],
        })
    }
}

/// Key figures of a step input. Parameters: `at_s` (when the step begins), `settled_s` (length of
/// the steady end, 1 s).
#[must_use]
pub fn figures(recording: &Recording, context: &Context) -> Vec<Figure> {
    let time = recording.get(Quantity::Time);
    let (steering, unit) = steering_of(recording);
    let at_s = context.parameter("at_s", 1.0);
    let settled_s = context.parameter("settled_s", 1.0);
    let answer = |quantity| StepResponse::new(time, recording.get(steering), recording.get(quantity), at_s, settled_s);
    let (yaw, lateral, roll) =
        (answer(Quantity::YawRate), answer(Quantity::LateralAcceleration), answer(Quantity::Roll));
    let sideslip = answer(Quantity::Sideslip).map(|found| found.steady);
    let lateral_of = |take: fn(&StepResponse) -> f64| lateral.as_ref().map(take);
    let speed = recording.get(Quantity::Speed);
    let begin = index_at(time, at_s).min(speed.len().saturating_sub(1));
    vec![
        Figure::new("speed", "km/h", speed.get(begin).copied()).defined("when the steering begins to turn"),
        Figure::new("steering step", unit, yaw.map(|found| found.step))
            .defined("new steady angle of the steering, less that before"),
        Figure::new("steady-state yaw rate", "°/s", yaw.map(|found| found.steady))
            .defined("mean over the end of the run"),
        Figure::new("steady-state lateral acceleration", "m/s²", lateral_of(|found| found.steady))
            .defined("mean over the end of the run"),
        Figure::new("yaw-rate gain", "1/s", yaw.map(|found| found.steady / found.step))
            .defined("steady-state yaw rate over the steering step (ISO 7401)"),
        Figure::new("yaw-rate response time", "s", yaw.and_then(|found| found.response_s))
            .defined("from 50 % of the steering step to 90 % of the steady-state yaw rate (ISO 7401)"),
        Figure::new("yaw-rate peak response time", "s", yaw.map(|found| found.peak_s))
            .defined("from 50 % of the steering step to the peak of the yaw rate (ISO 7401)"),
        Figure::new("yaw-rate overshoot", "%", yaw.map(|found| 100.0 * found.overshoot()))
            .defined("peak over steady state, less one (ISO 7401)"),
        Figure::new("lateral-acceleration response time", "s", lateral.and_then(|found| found.response_s))
            .defined("from 50 % of the steering step to 90 % of the steady-state lateral acceleration (ISO 7401)"),
        Figure::new("lateral-acceleration peak response time", "s", lateral_of(|found| found.peak_s))
            .defined("from 50 % of the steering step to its peak (ISO 7401)"),
        Figure::new("steady-state sideslip angle", "°", sideslip)
            .defined("at the centre of gravity of the body, mean over the end of the run"),
        Figure::new("TB factor", "° s", yaw.zip(sideslip).map(|(yaw, sideslip)| yaw.peak_s * sideslip.abs()))
            .defined("yaw-rate peak response time times steady-state sideslip angle (ISO 7401)"),
        Figure::new("roll at steady state", "°", roll.map(|found| found.steady))
            .defined("mean over the end of the run; positive to the right"),
        Figure::new("largest sideslip angle", "°", peak(recording.get(Quantity::Sideslip)))
            .defined("at the centre of gravity of the body"),
    ]
}

/// What was steered: the steering wheel, or the road wheels where the rack was moved.
pub(super) fn steering_of(recording: &Recording) -> (Quantity, &'static str) {
    if peak(recording.get(Quantity::SteeringWheel)) != 0.0 {
        (Quantity::SteeringWheel, "° (steering wheel)")
    } else {
        (Quantity::RoadWheel, "° (road wheels)")
    }
}
