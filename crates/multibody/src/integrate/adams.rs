//! Adams–Bashforth methods.
//!
//! ```text
//! x_{n+1} = x_n + h Σ_k b_k ẋ_{n−k},   b = 3/2, −1/2  or  23/12, −16/12, 5/12                 (1)
//! ```
//! For a ball, x is the rotation vector u about the present orientation: u_{n−k} = log(q_n⁻¹ q_{n−k}), and u̇ is the
//! rate in that chart. They start with Runge–Kutta steps of order four.

use super::tangent::{at, turn};
use crate::dynamics::quaternion;
use crate::math::{Number, Pair, QuaternionOf, VectorOf, carried_rate};
use crate::model::{Model, PrimitiveKind};
use crate::state::State;

#[derive(Clone, Debug, Default)]
struct Past {
    position: Vec<f64>,
    velocity: Vec<f64>,
    acceleration: Vec<f64>,
}

/// The last three evaluations, newest first.
#[derive(Clone, Debug)]
pub(super) struct History {
    past: [Past; 3],
    len: usize,
}

impl History {
    pub(super) fn new(model: &Model) -> Self {
        let past = Past {
            position: vec![0.0; model.position_count()],
            velocity: vec![0.0; model.velocity_count()],
            acceleration: vec![0.0; model.velocity_count()],
        };
        Self {
            past: [past.clone(), past.clone(), past],
            len: 0,
        }
    }

    pub(super) fn forget(&mut self) {
        self.len = 0;
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn push(&mut self, state: &State, acceleration: &[f64]) {
        self.past.rotate_right(1);
        let newest = &mut self.past[0];
        newest.position.copy_from_slice(&state.position);
        newest.velocity.copy_from_slice(&state.velocity);
        newest.acceleration.copy_from_slice(acceleration);
        self.len = (self.len + 1).min(3);
    }

    /// Eq. (1).
    pub(super) fn advance(&self, order: usize, model: &Model, step: f64, state: &mut State) {
        let b = if order == 3 {
            [23.0 / 12.0 * step, -16.0 / 12.0 * step, 5.0 / 12.0 * step]
        } else {
            [1.5 * step, -0.5 * step, 0.0]
        };
        let [new, old, older] = &self.past;
        for (k, velocity) in state.velocity.iter_mut().enumerate() {
            *velocity +=
                b[0] * new.acceleration[k] + b[1] * old.acceleration[k] + b[2] * older.acceleration[k];
        }
        for primitive in &model.primitives {
            let (place, column) = (primitive.position, primitive.velocity);
            if primitive.kind != PrimitiveKind::Ball {
                state.position[place] +=
                    b[0] * new.velocity[column] + b[1] * old.velocity[column] + b[2] * older.velocity[column];
                continue;
            }
            // Both earlier rates at once.
            let back = quaternion(&new.position, place).conjugate();
            let past = |lane: usize| if lane == 0 { old } else { older };
            let part = |k: usize| Pair::gather(|lane| past(lane).position[place + k]);
            let back = QuaternionOf {
                w: Pair::splat(back.w),
                v: VectorOf::splat(back.v),
            };
            let then = QuaternionOf {
                w: part(0),
                v: VectorOf::new(part(1), part(2), part(3)),
            };
            let rates = carried_rate(
                back * then,
                VectorOf::gather(|lane| at(&past(lane).velocity, column)),
            );
            let mut rotation = at(&new.velocity, column) * b[0] + rates.lane(0) * b[1];
            if order == 3 {
                rotation += rates.lane(1) * b[2];
            }
            turn(&mut state.position, place, rotation);
        }
    }
}
