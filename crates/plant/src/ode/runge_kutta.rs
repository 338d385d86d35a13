//! Explicit Runge–Kutta methods. With h the step and u held during it:
//!
//! ```text
//! Euler  (1)  x ← x + h·k1                            k1 = f(t, x, u)
//! Heun   (2)  x ← x + h/2·(k1 + k2)                   k2 = f(t + h, x + h·k1, u)
//! RK4    (3)  x ← x + h/6·(k1 + 2·k2 + 2·k3 + k4)     k2 = f(t + h/2, x + h/2·k1, u)
//!                                                     k3 = f(t + h/2, x + h/2·k2, u)
//!                                                     k4 = f(t + h,   x + h·k3,   u)
//! ```
//! Reference: Butcher, Numerical Methods for Ordinary Differential Equations, 2008, §23.

use super::{Moment, System, Workspace};

/// Eq. (1): RTSDS Eq. 9.
pub(super) fn euler<S: System + ?Sized>(system: &S, moment: Moment<'_>, state: &mut [f64], workspace: &mut Workspace) {
    let [k1, ..] = &mut workspace.slopes;
    system.derivative(moment.time_s, state, moment.inputs, k1);
    for (x, k1) in state.iter_mut().zip(k1) {
        *x += *k1 * moment.step_s;
    }
}

/// Eq. (2).
pub(super) fn heun<S: System + ?Sized>(system: &S, moment: Moment<'_>, state: &mut [f64], workspace: &mut Workspace) {
    let Moment { time_s, step_s, inputs } = moment;
    let ([k1, k2, ..], probe) = (&mut workspace.slopes, &mut workspace.probe);
    system.derivative(time_s, state, inputs, k1);
    offset(probe, state, step_s, k1);
    system.derivative(time_s + step_s, probe, inputs, k2);
    for (index, x) in state.iter_mut().enumerate() {
        *x += step_s / 2.0 * (k1[index] + k2[index]);
    }
}

/// Eq. (3). Leaves k1, the slope at the start, in the first place of the workspace.
pub(super) fn rk4<S: System + ?Sized>(system: &S, moment: Moment<'_>, state: &mut [f64], workspace: &mut Workspace) {
    let Moment { time_s, step_s, inputs } = moment;
    let ([k1, k2, k3, k4], probe) = (&mut workspace.slopes, &mut workspace.probe);
    let half_s = step_s / 2.0;
    system.derivative(time_s, state, inputs, k1);
    offset(probe, state, half_s, k1);
    system.derivative(time_s + half_s, probe, inputs, k2);
    offset(probe, state, half_s, k2);
    system.derivative(time_s + half_s, probe, inputs, k3);
    offset(probe, state, step_s, k3);
    system.derivative(time_s + step_s, probe, inputs, k4);
    for (index, x) in state.iter_mut().enumerate() {
        *x += step_s / 6.0 * (k1[index] + 2.0 * (k2[index] + k3[index]) + k4[index]);
    }
}

/// probe = state + length · slope.
fn offset(probe: &mut [f64], state: &[f64], length_s: f64, slope: &[f64]) {
    for ((probe, x), k) in probe.iter_mut().zip(state).zip(slope) {
        *probe = x + length_s * k;
    }
}
