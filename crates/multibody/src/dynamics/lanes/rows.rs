//! Constraint rows in lanes.
//!
//! With the axis s of a column as a motion and s(p) its velocity at a point, the entries are
//! ```text
//! point      Φ = p_j − p_i            ± s(p)             three rows along earth axes            (1)
//! plane      Φ = n · (p_j − p_i) − o  ± n · s(p_j)                                            (2)
//! distance   Φ = (d · d − l²) / 2l    ± d · s(p_i) / l                                        (3)
//! angle      Φ = a · b − o            ± (b × a) · s_ω                                         (4)
//! ```

use super::{Frame, Kernel};
use crate::math::{MotionOf, Number, VectorOf};
use crate::model::{Bundle, COLUMNS, LaneRow, LaneRowKind, ROWS};

/// A row where the bodies are: what its entries are made of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Placed<T> {
    /// Eq. (1): p.
    Point(VectorOf<T>),
    /// Eq. (2) and (3): p and the direction.
    Line(VectorOf<T>, VectorOf<T>),
    /// Eq. (4): the direction.
    Turn(VectorOf<T>),
}

impl<T: Number> Default for Placed<T> {
    fn default() -> Self {
        Self::Turn(VectorOf::default())
    }
}

impl<T: Number> Placed<T> {
    /// Adds the rates of the row under a motion, times a sign, to the entries that begin at `row`.
    #[inline(always)]
    pub(super) fn add(&self, row: usize, motion: &MotionOf<T>, minus: bool, out: &mut [T; ROWS]) {
        let mut put =
            |k: usize, value: T| out[row + k] = if minus { out[row + k] - value } else { out[row + k] + value };
        match *self {
            Self::Point(p) => {
                let v = motion.at(p);
                put(0, v.x);
                put(1, v.y);
                put(2, v.z);
            }
            Self::Line(p, direction) => put(0, direction.dot(motion.at(p))),
            Self::Turn(direction) => put(0, direction.dot(motion.angular)),
        }
    }
}

/// Violation of a row, and the row where the bodies are.
#[inline(always)]
pub(super) fn evaluate<T: Number>(row: &LaneRow<T>, frames: &[Frame<T>], violation: &mut [T; ROWS]) -> Placed<T> {
    let (i, j) = (&frames[row.ends[0]], &frames[row.ends[1]]);
    let (ri, oi, rj, oj) = (i.rotation, i.origin, j.rotation, j.origin);
    match row.kind {
        LaneRowKind::Point { first, second } => {
            let p = oj + rj * second;
            let d = p - (oi + ri * first);
            violation[row.row] = d.x;
            violation[row.row + 1] = d.y;
            violation[row.row + 2] = d.z;
            Placed::Point(p)
        }
        LaneRowKind::Plane { normal, first, second, offset } => {
            let (n, p) = (ri * normal, oj + rj * second);
            violation[row.row] = n.dot(p - (oi + ri * first)) - offset;
            Placed::Line(p, n)
        }
        LaneRowKind::Angle { first, second, offset } => {
            let (a, b) = (ri * first, rj * second);
            violation[row.row] = a.dot(b) - offset;
            Placed::Turn(b.cross(a))
        }
        LaneRowKind::Distance { first, second, length } => {
            let p = oi + ri * first;
            let d = oj + rj * second - p;
            violation[row.row] = (d.dot(d) - length * length) / (length + length);
            Placed::Line(p, d * (T::splat(1.0) / length))
        }
    }
}

/// −( w · (β_j − β_i) + κ ): the second derivative of the row that velocities and biases give, with
/// the opposite sign.
///
/// A point has the acceleration β(p) + ω × v(p).
#[inline(always)]
pub(super) fn known<T: Number>(row: &LaneRow<T>, placed: &Placed<T>, frames: &[Frame<T>], right: &mut [T; ROWS]) {
    let (i, j) = (&frames[row.ends[0]], &frames[row.ends[1]]);
    let acceleration = |of: &Frame<T>, p: VectorOf<T>| of.bias.at(p) + of.velocity.angular.cross(of.velocity.at(p));
    match (row.kind, *placed) {
        (_, Placed::Point(p)) => {
            let a = acceleration(i, p) - acceleration(j, p);
            right[row.row] = a.x;
            right[row.row + 1] = a.y;
            right[row.row + 2] = a.z;
        }
        (LaneRowKind::Distance { first: _, second, length }, Placed::Line(p, direction)) => {
            let q = j.origin + j.rotation * second;
            let u = j.velocity.at(q) - i.velocity.at(p);
            let a = acceleration(j, q) - acceleration(i, p);
            right[row.row] = -(direction.dot(a) + u.dot(u) * (T::splat(1.0) / length));
        }
        (_, Placed::Line(p, n)) => {
            let (vi, vj) = (&i.velocity, &j.velocity);
            let (relative, v) = (vj.angular - vi.angular, vj.at(p));
            let bias = vi.angular.cross(n).dot(v - vi.at(p)) + n.dot(relative.cross(v));
            right[row.row] = -(n.dot(j.bias.at(p) - i.bias.at(p)) + bias);
        }
        (LaneRowKind::Angle { first, second, .. }, Placed::Turn(direction)) => {
            let (a, b) = (i.rotation * first, j.rotation * second);
            let (wi, wj) = (i.velocity.angular, j.velocity.angular);
            let turning = wj.cross(b).cross(a) + b.cross(wi.cross(a));
            let bias = direction.dot(j.bias.angular - i.bias.angular);
            right[row.row] = -(bias + turning.dot(wj - wi));
        }
        (_, Placed::Turn(_)) => {}
    }
}

/// Columns of the constraint Jacobian, one for each velocity coordinate.
#[inline(always)]
pub(super) fn jacobian<T: Number>(bundle: &Bundle<T>, kernel: &Kernel<T>, columns: &mut [[T; ROWS]; COLUMNS]) {
    for (row, placed) in bundle.rows.iter().zip(&kernel.placed) {
        for (column, sign) in row.signs[..bundle.columns].iter().enumerate() {
            if *sign != 0 {
                placed.add(row.row, &kernel.axis[column], *sign < 0, &mut columns[column]);
            }
        }
    }
}
