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

use super::Integrator;
use super::external::evaluate_held;
use super::tangent::advance;
use crate::dynamics::{Status, Workspace, forward, lu, lu_solve};
use crate::forces::Tyre;
use crate::model::Model;
use crate::state::{Inputs, State};

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
    pub(super) fn rosenbrock(
        &mut self,
        model: &Model,
        state: &mut State,
        inputs: &Inputs,
        tyre: &mut impl Tyre,
        workspace: &mut Workspace,
    ) -> Status {
        let (h, begin) = (self.step, state.time);
        self.stages.begin(state);
        workspace.hold_partition = true;
        self.stiff.independent.clear();
        self.stiff.independent.extend(state.independent(model));
        self.stiff.base.copy_from_slice(&workspace.acceleration);
        self.linearise(model, state, tyre, workspace);
        self.stiff.first[0].copy_from_slice(&self.stages.velocity);
        self.stiff.first[1].copy_from_slice(&self.stiff.base);
        self.stiff.solve(h, false);
        self.restore(state);
        advance(model, &mut state.position, &self.stiff.first[0], h);
        for (velocity, k) in state.velocity.iter_mut().zip(&self.stiff.first[1]) {
            *velocity += h * k;
        }
        state.time = begin + h;
        let status = evaluate_held(model, state, inputs, tyre, &self.external, workspace);
        for k in 0..state.velocity.len() {
            self.stiff.second[0][k] = state.velocity[k] - 2.0 * self.stiff.first[0][k];
            self.stiff.second[1][k] = workspace.acceleration[k] - 2.0 * self.stiff.first[1][k];
        }
        self.stiff.solve(h, true);
        self.restore(state);
        for k in 0..state.velocity.len() {
            let change =
                |part: usize| h * (1.5 * self.stiff.first[part][k] + 0.5 * self.stiff.second[part][k]);
            self.stiff.tangent[k] = change(0);
            state.velocity[k] += change(1);
        }
        advance(model, &mut state.position, &self.stiff.tangent, 1.0);
        workspace.hold_partition = false;
        status.worst(forward(model, state, inputs, workspace))
    }

    fn restore(&self, state: &mut State) {
        state.position.copy_from_slice(&self.stages.position);
        state.velocity.copy_from_slice(&self.stages.velocity);
    }

    /// Matrix of eq. (2) by difference quotients, factored. Driven joints stand where the step
    /// begins.
    fn linearise(
        &mut self,
        model: &Model,
        state: &mut State,
        tyre: &mut impl Tyre,
        workspace: &mut Workspace,
    ) {
        let (h, count) = (self.step, self.stiff.independent.len());
        self.between.driven.copy_from_slice(&self.driven);
        for column in 0..count {
            let index = self.stiff.independent[column];
            self.restore(state);
            self.stiff.tangent.fill(0.0);
            self.stiff.tangent[index] = SMALL;
            advance(model, &mut state.position, &self.stiff.tangent, 1.0);
            evaluate_held(model, state, &self.between, tyre, &self.external, workspace);
            for (row, of) in self.stiff.independent.iter().enumerate() {
                self.stiff.by_position[row * count + column] =
                    (workspace.acceleration[*of] - self.stiff.base[*of]) / SMALL;
            }
            self.restore(state);
            state.velocity[index] += SMALL;
            evaluate_held(model, state, &self.between, tyre, &self.external, workspace);
            for (row, of) in self.stiff.independent.iter().enumerate() {
                let by_velocity = (workspace.acceleration[*of] - self.stiff.base[*of]) / SMALL;
                let unity = if row == column { 1.0 } else { 0.0 };
                self.stiff.matrix[row * count + column] = unity
                    - GAMMA * h * by_velocity
                    - GAMMA * GAMMA * h * h * self.stiff.by_position[row * count + column];
            }
        }
        self.restore(state);
        lu(&mut self.stiff.matrix[..count * count], &mut self.stiff.pivots, count);
    }
}
