//! A PID controller in parallel form, sampled once per step of h seconds.
//!
//! With r the demand, y the measured output, S its full scale and u the driven input in [u_min,
//! u_max]:
//!
//! ```text
//! (1)  e_k = (r_k − y_k) / S                                      error as a part of the full scale
//! (2)  d_k = (T_f·d_{k−1} − k_d·(y_k − y_{k−1}) / S) / (T_f + h)   filtered derivative of the measurement
//! (3)  v_k = k_p·e_k + i_k + d_k
//! (4)  u_k = min(max(v_k, u_min), u_max)
//! (5)  i_{k+1} = min(max(i_k + k_i·h·e_k, u_min), u_max),
//!      but i_{k+1} = i_k when v_k is beyond an end of the range and the sum would go further
//! ```
//!
//! Why the error is scaled, Eq. (1): RTSDS prints gains (Fig. 18, 19, 23) but not the unit of the
//! error. Its controller is wired to a simulated sensor that gives "zero to one volt" for the
//! output's range (§4.3) and answers with a pulse width of 0 to 1, so it sees the output as a part
//! of its full scale: S = 30 cm for the tank, 200 m/s for the car. Errors in raw centimetres would
//! saturate the valve for any error above half a centimetre with k_p = 2, which makes a switch of
//! the controller and its three gains pointless. `error_full_scale = 1` in a scenario gives raw
//! units all the same.
//!
//! Eq. (2) takes the derivative of the measurement alone, so that a step of the demand does not
//! kick; the filter, a backward Euler lag of time T_f, keeps noise of the measurement out. Eq. (5)
//! is conditional integration: the sum does not wind up while the input is saturated. It also stays
//! within the input's range, since at rest (e = d = 0) it is the input.
//!
//! All that the controller remembers is in [`Controller::state`]: restored into a new process, it
//! gives the answer that the old one would have given.

use super::{Controller, ControllerDescription, accept_demands};
use crate::description::{Description, Port, Range, ValueError, find};
use crate::plant::{RestoreError, check_state};
use crate::status::ControlStatus;

/// Gains and wiring.
#[derive(Clone, Debug, PartialEq)]
pub struct PidSettings {
    /// The output that is measured, y; the demand has the same name.
    pub measured: String,
    /// The input that is driven, u; all others are demands of their own names.
    pub driven: String,
    /// Proportional gain k_p (unit of u).
    pub kp: f64,
    /// Integral gain k_i (unit of u / s).
    pub ki: f64,
    /// Derivative gain k_d (unit of u · s).
    pub kd: f64,
    /// Time of the derivative's filter T_f (s); `None` gives |k_d / k_p| / 10, a usual choice.
    pub derivative_filter_s: Option<f64>,
    /// S, in the unit of the output; `None` gives the width of the output's range.
    pub error_full_scale: Option<f64>,
}

/// Why the settings were refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the names of the fields say what they are")]
pub enum PidError {
    /// The plant has no such output.
    #[error(transparent)]
    Measured(ValueError),
    /// The plant has no such input.
    #[error(transparent)]
    Driven(ValueError),
    /// A number is impossible.
    #[error("`{field}` = {value} is impossible; expected {expected}")]
    Number { field: &'static str, value: f64, expected: &'static str },
}

// Positions in the state; the held demands follow.
const INTEGRAL: usize = 0;
const DERIVATIVE: usize = 1;
const MEASURED_LAST: usize = 2;
const DRIVEN_LAST: usize = 3;
/// 1 once a measurement has been seen, 0 before.
const STARTED: usize = 4;
const DEMANDS: usize = 5;

/// The controller.
#[derive(Clone, Debug)]
pub struct Pid {
    description: ControllerDescription,
    kp: f64,
    ki: f64,
    kd: f64,
    derivative_filter_s: f64,
    error_full_scale: f64,
    measured_index: usize,
    driven_index: usize,
    driven_range: Range,
    /// The inputs that demands fill directly, in the order of the demands after the first.
    passed_indexes: Vec<usize>,
    state: Vec<f64>,
    initial: Vec<f64>,
}

impl Pid {
    /// Wires a controller to a plant.
    pub fn new(plant: &Description, settings: &PidSettings) -> Result<Self, PidError> {
        let measured_index =
            find(&plant.outputs, "an output of the plant", &settings.measured).map_err(PidError::Measured)?;
        let driven_index = find(&plant.inputs, "an input of the plant", &settings.driven).map_err(PidError::Driven)?;
        check_numbers(settings)?;
        let (measured, driven) = (&plant.outputs[measured_index], &plant.inputs[driven_index]);
        let passed_indexes: Vec<usize> = (0..plant.inputs.len()).filter(|i| *i != driven_index).collect();
        let mut demands = vec![Port { meaning: format!("demand: {}", measured.meaning), ..measured.clone() }];
        demands.extend(passed_indexes.iter().map(|index| plant.inputs[*index].clone()));
        let mut initial = vec![0.0; DEMANDS];
        initial[DRIVEN_LAST] = driven.default;
        initial.extend(demands.iter().map(|port| port.default));
        Ok(Pid {
            kp: settings.kp,
            ki: settings.ki,
            kd: settings.kd,
            derivative_filter_s: settings.derivative_filter_s.unwrap_or_else(|| usual_filter_s(settings)),
            error_full_scale: settings.error_full_scale.unwrap_or_else(|| measured.range.span()),
            measured_index,
            driven_index,
            driven_range: driven.range,
            passed_indexes,
            state: initial.clone(),
            initial,
            description: ControllerDescription { name: "pid".into(), input_count: plant.inputs.len(), demands },
        })
    }

    /// Eq. (1) to (5) for one measurement. A measurement so large that the numbers overflow is as
    /// good as none.
    fn answer(&mut self, measured: f64, step_s: f64) -> ControlStatus {
        let state = &mut self.state;
        let error = (state[DEMANDS] - measured) / self.error_full_scale; // Eq. (1)
        let change = (measured - state[MEASURED_LAST]) / self.error_full_scale;
        let filter_s = self.derivative_filter_s;
        let derivative = if state[STARTED] == 0.0 {
            0.0
        } else {
            (filter_s * state[DERIVATIVE] - self.kd * change) / (filter_s + step_s) // Eq. (2)
        };
        let wanted = self.kp * error + state[INTEGRAL] + derivative; // Eq. (3)
        let growth = self.ki * step_s * error;
        if !wanted.is_finite() || !growth.is_finite() {
            return ControlStatus::OUTPUT_MISSING;
        }
        let driven = self.driven_range.clamp(wanted); // Eq. (4)
        let further = (wanted > driven && growth > 0.0) || (wanted < driven && growth < 0.0);
        if !further {
            state[INTEGRAL] = self.driven_range.clamp(state[INTEGRAL] + growth); // Eq. (5)
        }
        (state[DERIVATIVE], state[MEASURED_LAST]) = (derivative, measured);
        (state[DRIVEN_LAST], state[STARTED]) = (driven, 1.0);
        if driven == wanted { ControlStatus::OK } else { ControlStatus::SATURATED }
    }
}

impl Controller for Pid {
    fn description(&self) -> &ControllerDescription {
        &self.description
    }

    fn reset(&mut self) {
        self.state.copy_from_slice(&self.initial);
    }

    fn state(&self) -> &[f64] {
        &self.state
    }

    fn restore(&mut self, state: &[f64]) -> Result<(), RestoreError> {
        check_state(state, self.state.len())?;
        self.state.copy_from_slice(state);
        Ok(())
    }

    fn update(&mut self, demands: &[f64], outputs: &[f64], step_s: f64, inputs: &mut [f64]) -> ControlStatus {
        let mut status = accept_demands(&mut self.state[DEMANDS..], demands, &self.description.demands);
        let measured = outputs.get(self.measured_index).copied().filter(|value| value.is_finite());
        status |= match measured {
            Some(measured) if step_s.is_finite() && step_s > 0.0 => self.answer(measured, step_s),
            _ => ControlStatus::OUTPUT_MISSING,
        };
        if let Some(input) = inputs.get_mut(self.driven_index) {
            *input = self.state[DRIVEN_LAST];
        }
        for (index, demand) in self.passed_indexes.iter().zip(&self.state[DEMANDS + 1..]) {
            if let Some(input) = inputs.get_mut(*index) {
                *input = *demand;
            }
        }
        status
    }
}

fn usual_filter_s(settings: &PidSettings) -> f64 {
    if settings.kp == 0.0 { 0.0 } else { (settings.kd / settings.kp).abs() / 10.0 }
}

/// Gains that are numbers at all.
const GAINS: Range = Range::new(-1e9, 1e9);

fn check_numbers(settings: &PidSettings) -> Result<(), PidError> {
    let gains = [("kp", settings.kp), ("ki", settings.ki), ("kd", settings.kd)];
    if let Some((field, value)) = gains.into_iter().find(|(_, value)| !GAINS.contains(*value)) {
        return Err(PidError::Number { field, value, expected: "a number between -1e9 and 1e9" });
    }
    if let Some(value) = settings.derivative_filter_s.filter(|value| !(0.0..=1e6).contains(value)) {
        return Err(PidError::Number { field: "derivative_filter_s", value, expected: "0 to 1e6 s" });
    }
    if let Some(value) = settings.error_full_scale.filter(|value| !(1e-9..=1e9).contains(value)) {
        return Err(PidError::Number { field: "error_full_scale", value, expected: "1e-9 to 1e9" });
    }
    Ok(())
}
