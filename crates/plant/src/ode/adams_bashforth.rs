//! Adams–Bashforth methods: one evaluation per step, and the slopes of the steps before.
//!
//! ```text
//! AB2  (1)  x ← x + h/2·(3·f_k − f_{k−1})
//! AB3  (2)  x ← x + h/12·(23·f_k − 16·f_{k−1} + 5·f_{k−2})
//! ```
//! The missing slopes at the start come from steps of RK4. Each such step is wrong by O(h⁵) and
//! there are at most two of them, so the start does not lower the order. (Starting with Euler would
//! lower that of AB3 from 3 to 2: two local errors of O(h²).) Reference: Butcher, Numerical Methods
//! for Ordinary Differential Equations, 2008, §24.

use super::{Moment, System, Workspace, runge_kutta};

/// One step with `PAST` slopes of earlier steps: 1 gives Eq. (1), 2 gives Eq. (2).
pub(super) fn step<S: System + ?Sized, const PAST: usize>(
    system: &S,
    moment: Moment<'_>,
    state: &mut [f64],
    workspace: &mut Workspace,
) {
    if workspace.past_step_s != moment.step_s {
        workspace.restart();
        workspace.past_step_s = moment.step_s;
    }
    if workspace.past_count < PAST {
        runge_kutta::rk4(system, moment, state, workspace);
    } else {
        let ([now, ..], [last, before]) = (&mut workspace.slopes, &workspace.past);
        system.derivative(moment.time_s, state, moment.inputs, now);
        for (index, x) in state.iter_mut().enumerate() {
            *x += moment.step_s
                * if PAST == 1 {
                    (3.0 * now[index] - last[index]) / 2.0 // Eq. (1)
                } else {
                    (23.0 * now[index] - 16.0 * last[index] + 5.0 * before[index]) / 12.0 // Eq. (2)
                };
        }
    }
    // The slope at the start of this step becomes the latest of the past ones: vectors change
    // places, nothing is copied.
    workspace.past.swap(0, 1);
    std::mem::swap(&mut workspace.past[0], &mut workspace.slopes[0]);
    workspace.past_count = (workspace.past_count + 1).min(workspace.past.len());
}
