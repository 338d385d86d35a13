//! Plants that are ordinary differential equations: ẋ = f(t, x, u), y = g(x, u), with limits on x.
//!
//! Three things are kept apart, so that each can be read and tested alone: the [`System`] is the
//! immutable model (equations and constants), the state is a plain slice, and the [`Workspace`]
//! holds what an integration [`Method`] needs between its stages. [`OdePlant`] ties them together
//! as a [`crate::Plant`].

mod adams_bashforth;
mod method;
mod ode_plant;
mod runge_kutta;

pub use method::{Method, Moment, Workspace};
pub use ode_plant::{OdePlant, StepClock};

use crate::description::Description;

/// A system of ordinary differential equations with its constants. It never changes once built.
///
/// The slices have the lengths that the description gives; nothing here allocates, locks, prints or
/// panics.
pub trait System: Send {
    /// Names, units and ranges of inputs, outputs and states; the states' defaults are the initial
    /// values.
    fn describe(&self) -> Description;

    /// Writes ẋ = f(t, x, u). A method may ask for states a little outside the limits.
    fn derivative(&self, time_s: f64, state: &[f64], inputs: &[f64], derivative: &mut [f64]);

    /// Brings a state that left its limits back to them, as RTSDS Eq. 6, 10, 20 and 24 do after
    /// each step. Says whether it changed anything.
    fn limit(&self, state: &mut [f64]) -> bool;

    /// Writes y = g(x, u).
    fn outputs(&self, state: &[f64], inputs: &[f64], outputs: &mut [f64]);
}
