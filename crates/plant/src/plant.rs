//! The one thing that the simulation process knows: a plant that is stepped.

use crate::description::{Description, Port};
use crate::status::StepStatus;
use std::ops::BitOrAssign;

/// A dynamic system that advances by constant steps.
///
/// It lives in a real-time loop: [`step`](Plant::step), [`outputs`](Plant::outputs) and
/// [`state`](Plant::state) neither allocate, lock, print nor panic, whatever the slices contain and
/// however long they are. Everything that can fail is done when the plant is built.
///
/// One exchange, at time t_k:
/// 1. [`outputs`](Plant::outputs) gives y_k = G(x_k, u_{k−1});
/// 2. the controller answers with the inputs u_k;
/// 3. [`step`](Plant::step) gives x_{k+1} = F(x_k, u_k), with u_k held during the step.
///
/// Outputs that depend on the inputs at once (a flow through a valve) use the inputs of the last
/// step, because those of the next are not known when outputs are published.
pub trait Plant: Send {
    /// Names, units and ranges of all that goes in and out.
    fn description(&self) -> &Description;

    /// Back to the initial state, the default inputs and time zero.
    fn reset(&mut self);

    /// The whole state: the integrated quantities as [`Description::states`] lists them, then the
    /// inputs that were applied last. Its length never changes.
    fn state(&self) -> &[f64];

    /// Goes on from a published state, as a restarted process does. On an error nothing changes.
    ///
    /// The state is complete for one-step integrators: they continue with the same bits. Multistep
    /// integrators start their history again, which keeps their order.
    fn restore(&mut self, time_s: f64, state: &[f64]) -> Result<(), RestoreError>;

    /// Advances by `step_s` seconds with the inputs held constant.
    ///
    /// Inputs that are missing or not finite do not poison the state: the last good value is used,
    /// and the status says so.
    fn step(&mut self, inputs: &[f64], step_s: f64) -> StepStatus;

    /// Writes the outputs, as many as fit, in the order of [`Description::outputs`].
    fn outputs(&self, outputs: &mut [f64]);

    /// The time that has been simulated (s). After k steps of constant length it is k · `step_s`,
    /// without the drift of a running sum.
    fn time_s(&self) -> f64;
}

/// Why a published state was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the names of the fields say what they are")]
pub enum RestoreError {
    /// The state belongs to another plant or controller.
    #[error("the state has {found} values, but this one has {expected}; restore only what the same scenario published")]
    Length { expected: usize, found: usize },
    /// A value is not usable.
    #[error("state value {index} is {value}; expected a finite number; start from the initial state instead")]
    NotFinite { index: usize, value: f64 },
    /// A value is outside its range.
    #[error("state value {index} is {value}; expected {min}..{max}; start from the initial state instead")]
    OutOfRange { index: usize, value: f64, min: f64, max: f64 },
    /// The time is not usable.
    #[error("the time is {value} s; expected a finite number that is not negative")]
    Time { value: f64 },
}

/// Refuses a state of the wrong length or with values that are not finite.
pub(crate) fn check_state(state: &[f64], expected: usize) -> Result<(), RestoreError> {
    if state.len() != expected {
        return Err(RestoreError::Length { expected, found: state.len() });
    }
    match state.iter().position(|value| !value.is_finite()) {
        Some(index) => Err(RestoreError::NotFinite { index, value: state[index] }),
        None => Ok(()),
    }
}

/// Keeps bad numbers out: takes over the values that are numbers, clamped to their ranges; the
/// others keep their last value. Reports with the two flags that some were held and some clamped.
pub(crate) fn accept<Status: BitOrAssign + Copy + Default>(
    held: &mut [f64],
    offered: &[f64],
    ports: &[Port],
    [any_held, any_clamped]: [Status; 2],
) -> Status {
    let mut status = Status::default();
    for (index, (held, port)) in held.iter_mut().zip(ports).enumerate() {
        match offered.get(index).copied().filter(|value| value.is_finite()) {
            Some(value) => {
                *held = port.range.clamp(value);
                if *held != value {
                    status |= any_clamped;
                }
            }
            None => status |= any_held,
        }
    }
    status
}
