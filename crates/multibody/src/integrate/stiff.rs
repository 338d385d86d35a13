//! A linearly implicit method of order two for stiff models.
//!
//! Two stages of Rosenbrock type on ẋ = v, v̇ = a(x, v) in the independent coordinates, γ = 1 −
//! 1/√2, which is L-stable:
//! ```text
//! (1 − γhJ) k₁ = f(y_n),   (1 − γhJ) k₂ = f(y_n + h k₁) − 2 k₁,   y_{n+1} = y_n + 3/2 h k₁ + 1/2 h k₂      (1)
//! ```
//! Its order does not depend on the Jacobian J being exact, so difference quotients will do, and
//! the dependent coordinates, which the forward pass sets anyway, need no part in it. With J = [0
//! 1; A_x A_v] the system reduces to one of half the size:
//! ```text
//! ( 1 − γh A_v − γ²h² A_x ) k_v = r_v + γh A_x r_x,      k_x = r_x + γh k_v                                 (2)
//! ```

use super::tangent::advance;
use super::{Integrator, Work};
use crate::dynamics::{Status, lu, lu_solve};
use crate::forces::Tyre;
use crate::model::Model;
use crate::state::State;

const GAMMA: f64 = 1.0 - std::f64::consts::FRAC_1_SQRT_2;
const SMALL: f64 = 1e-7;

/// Matrices and vectors of eq. (2).
#[derive(Clone, Debug)]
pub(super) struct Linear {
    independent: Vec<usize>,
    base: Vec<f64>,
    by_position: Vec<f64>,
    matrix: Vec<f64>,
    pivots: Vec<usize>,
    right: Vec<f64>,
    tangent: Vec<f64>,
    first: [Vec<f64>; 2],
    second: [Vec<f64>; 2],
}

impl Linear {
    pub(super) fn new(model: &Model, wanted: bool) -> Self {
        let count = if wanted { model.velocity_count() } else { 0 };
        let zeros = vec![0.0; count];
        let pair = [zeros.clone(), zeros.clone()];
        Self {
            independent: Vec::with_capacity(count),
            base: zeros.clone(),
            by_position: vec![0.0; count * count],
            matrix: vec![0.0; count * count],
            pivots: vec![0; count],
            right: zeros.clone(),
            tangent: zeros,
            first: pair.clone(),
            second: pair,
        }
    }

    /// k from r: eq. (2). All coordinates get k_x = r_x, the independent ones the implicit part as
    /// well.
    fn solve(&mut self, h: f64, second: bool) {
        let k = if second { &mut self.second } else { &mut self.first };
        let count = self.independent.len();
        for (row, index) in self.independent.iter().enumerate() {
            let coupled = self.by_position[row * count..(row + 1) * count].iter().zip(&self.independent);
            let sum: f64 = coupled.map(|(entry, column)| entry * k[0][*column]).sum();
            self.right[row] = k[1][*index] + GAMMA * h * sum;
        }
        lu_solve(&self.matrix[..count * count], &self.pivots, &mut self.right[..count]);
        for (row, index) in self.independent.iter().enumerate() {
            k[1][*index] = self.right[row];
            k[0][*index] += GAMMA * h * self.right[row];
        }
    }
}

impl Integrator {
    pub(super) fn rosenbrock(&mut self, work: &mut Work<'_, impl Tyre>) -> Status {
        let (h, begin) = (self.step, work.state.time);
        self.stages.begin(work.state);
        work.workspace.hold_partition = true;
        self.stiff.independent.clear();
        self.stiff.independent.extend(work.state.independent(work.model));
        self.stiff.base.copy_from_slice(&work.workspace.acceleration);
        self.linearise(work);
        self.stiff.first[0].copy_from_slice(&self.stages.velocity);
        self.stiff.first[1].copy_from_slice(&self.stiff.base);
        self.stiff.solve(h, false);
        self.restore(work.state);
        advance(work.model, &mut work.state.position, &self.stiff.first[0], h);
        for (velocity, k) in work.state.velocity.iter_mut().zip(&self.stiff.first[1]) {
            *velocity += h * k;
        }
        work.state.time = begin + h;
        let status = work.evaluate(work.inputs, &self.external);
        for k in 0..work.state.velocity.len() {
            self.stiff.second[0][k] = work.state.velocity[k] - 2.0 * self.stiff.first[0][k];
            self.stiff.second[1][k] = work.workspace.acceleration[k] - 2.0 * self.stiff.first[1][k];
        }
        self.stiff.solve(h, true);
        self.restore(work.state);
        for k in 0..work.state.velocity.len() {
            let change = |part: usize| h * (1.5 * self.stiff.first[part][k] + 0.5 * self.stiff.second[part][k]);
            self.stiff.tangent[k] = change(0);
            work.state.velocity[k] += change(1);
        }
        advance(work.model, &mut work.state.position, &self.stiff.tangent, 1.0);
        work.workspace.hold_partition = false;
        status.worst(work.forward())
    }

    fn restore(&self, state: &mut State) {
        state.position.copy_from_slice(&self.stages.position);
        state.velocity.copy_from_slice(&self.stages.velocity);
    }

    /// Matrix of eq. (2) by difference quotients, factored. Driven joints stand where the step
    /// begins.
    fn linearise(&mut self, work: &mut Work<'_, impl Tyre>) {
        let (h, count) = (self.step, self.stiff.independent.len());
        self.between.driven.copy_from_slice(&self.driven);
        for column in 0..count {
            let index = self.stiff.independent[column];
            self.restore(work.state);
            self.stiff.tangent.fill(0.0);
            self.stiff.tangent[index] = SMALL;
            advance(work.model, &mut work.state.position, &self.stiff.tangent, 1.0);
            work.evaluate(&self.between, &self.external);
            for (row, of) in self.stiff.independent.iter().enumerate() {
                self.stiff.by_position[row * count + column] =
                    (work.workspace.acceleration[*of] - self.stiff.base[*of]) / SMALL;
            }
            self.restore(work.state);
            work.state.velocity[index] += SMALL;
            work.evaluate(&self.between, &self.external);
            for (row, of) in self.stiff.independent.iter().enumerate() {
                let by_velocity = (work.workspace.acceleration[*of] - self.stiff.base[*of]) / SMALL;
                let unity = if row == column { 1.0 } else { 0.0 };
                self.stiff.matrix[row * count + column] = unity
                    - GAMMA * h * by_velocity
                    - GAMMA * GAMMA * h * h * self.stiff.by_position[row * count + column];
            }
        }
        self.restore(work.state);
        lu(&mut self.stiff.matrix[..count * count], &mut self.stiff.pivots, count);
    }
}
