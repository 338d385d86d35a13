//! Adams–Bashforth methods.
//!
//! ```text
//! x_{n+1} = x_n + h Σ_k b_k ẋ_{n−k},   b = 3/2, −1/2  or  23/12, −16/12, 5/12                 (1)
//! ```
//! For a ball, x is the rotation vector u about the present orientation: u_{n−k} = log(q_n⁻¹
//! q_{n−k}), and u̇ is the rate in that chart. They start with Runge–Kutta steps of order four.

use super::tangent::{at, turn};
use crate::dynamics::quaternion;
use crate::math::{Number, Pair, QuaternionOf, VectorOf, carried_rate};
use crate::model::{Model, PrimitiveKind};
use crate::state::State;

/// Slices up to this long are not worth a call.
const SHORT: usize = 3;

#[derive(Clone, Debug, Default)]
struct Past {
    position: Vec<f64>,
    velocity: Vec<f64>,
    acceleration: Vec<f64>,
}

/// Coordinates whose rates are velocities and that stand side by side, so that they advance as one
/// slice.
#[derive(Clone, Debug)]
struct Run {
    position: usize,
    velocity: usize,
    len: usize,
}

/// The last three evaluations.
#[derive(Clone, Debug)]
pub(super) struct History {
    /// A ring: see [`History::ordered`].
    past: [Past; 3],
    newest: usize,
    len: usize,
    runs: Vec<Run>,
    /// First position and first velocity of each ball.
    balls: Vec<(usize, usize)>,
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
            newest: 0,
            len: 0,
            runs: runs(model),
            balls: balls(model).collect(),
        }
    }

    /// Newest first.
    fn ordered(&self) -> [&Past; 3] {
        let [a, b, c] = &self.past;
        match self.newest {
            0 => [a, b, c],
            1 => [b, c, a],
            _ => [c, a, b],
        }
    }

    pub(super) fn forget(&mut self) {
        self.len = 0;
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn push(&mut self, state: &State, acceleration: &[f64]) {
        self.newest = if self.newest == 0 { 2 } else { self.newest - 1 };
        let newest = &mut self.past[self.newest];
        newest.position.copy_from_slice(&state.position);
        newest.velocity.copy_from_slice(&state.velocity);
        newest.acceleration.copy_from_slice(acceleration);
        self.len = (self.len + 1).min(3);
    }

    /// Eq. (1).
    pub(super) fn advance(&self, order: usize, step: f64, state: &mut State) {
        let b = if order == 3 {
            [23.0 / 12.0 * step, -16.0 / 12.0 * step, 5.0 / 12.0 * step]
        } else {
            [1.5 * step, -0.5 * step, 0.0]
        };
        let [new, old, older] = self.ordered();
        let past = (&new.acceleration, &old.acceleration, &older.acceleration);
        add(&mut state.velocity, b, past.0, past.1, past.2);
        for run in &self.runs {
            if run.len <= SHORT {
                for k in 0..run.len {
                    let column = run.velocity + k;
                    let past = [new.velocity[column], old.velocity[column], older.velocity[column]];
                    state.position[run.position + k] += sum(b, past);
                }
                continue;
            }
            let columns = run.velocity..run.velocity + run.len;
            add(
                &mut state.position[run.position..run.position + run.len],
                b,
                &new.velocity[columns.clone()],
                &old.velocity[columns.clone()],
                &older.velocity[columns],
            );
        }
        for (place, column) in &self.balls {
            let rates = earlier_rates(new, [old, older], *place, *column);
            let mut rotation = at(&new.velocity, *column) * b[0] + rates.lane(0) * b[1];
            if order == 3 {
                rotation += rates.lane(1) * b[2];
            }
            turn(&mut state.position, *place, rotation);
        }
    }
}

/// Eq. (1) for a slice. Not inlined, because the compiler knows of arguments that they do not
/// overlap, and then takes several at once.
#[inline(never)]
fn add(values: &mut [f64], b: [f64; 3], new: &[f64], old: &[f64], older: &[f64]) {
    for (((value, new), old), older) in values.iter_mut().zip(new).zip(old).zip(older) {
        *value += sum(b, [*new, *old, *older]);
    }
}

#[inline(always)]
fn sum(b: [f64; 3], past: [f64; 3]) -> f64 {
    b[0] * past[0] + b[1] * past[1] + b[2] * past[2]
}

/// Both earlier rates of a ball at once, in the chart of the newest.
#[inline]
fn earlier_rates(new: &Past, past: [&Past; 2], place: usize, column: usize) -> VectorOf<Pair> {
    let back = quaternion(&new.position, place).conjugate();
    let back = QuaternionOf { w: Pair::splat(back.w), v: VectorOf::splat(back.v) };
    let part = |k: usize| Pair::gather(|lane| past[lane].position[place + k]);
    let then = QuaternionOf { w: part(0), v: VectorOf::new(part(1), part(2), part(3)) };
    let angular = VectorOf::gather(|lane| at(&past[lane].velocity, column));
    carried_rate(back * then, angular)
}

fn balls(model: &Model) -> impl Iterator<Item = (usize, usize)> {
    let list = model.primitives.iter();
    list.filter(|it| it.kind == PrimitiveKind::Ball).map(|it| (it.position, it.velocity))
}

/// Everything but balls, as few slices as possible.
fn runs(model: &Model) -> Vec<Run> {
    let plain = model.primitives.iter().filter(|it| it.kind != PrimitiveKind::Ball);
    let mut places: Vec<(usize, usize)> = plain.map(|it| (it.position, it.velocity)).collect();
    places.sort_unstable();
    let mut runs: Vec<Run> = Vec::new();
    for (position, velocity) in places {
        match runs.last_mut() {
            Some(run) if (run.position + run.len, run.velocity + run.len) == (position, velocity) => {
                run.len += 1;
            }
            _ => runs.push(Run { position, velocity, len: 1 }),
        }
    }
    runs
}
