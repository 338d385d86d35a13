//! Elimination without exchange of rows: the order was chosen before.

use super::Square;
use crate::math::Number;
use crate::model::ROWS;

/// Factors in place, with inverse pivots on the diagonal; returns the largest multiplier.
#[inline]
pub(super) fn factorise<T: Number>(matrix: &mut Square<T>, rank: usize) -> T {
    match rank {
        1 => factorise_fixed::<T, 1>(matrix),
        2 => factorise_fixed::<T, 2>(matrix),
        3 => factorise_fixed::<T, 3>(matrix),
        4 => factorise_fixed::<T, 4>(matrix),
        5 => factorise_fixed::<T, 5>(matrix),
        _ => factorise_fixed::<T, 6>(matrix),
    }
}

fn factorise_fixed<T: Number, const N: usize>(matrix: &mut Square<T>) -> T {
    let mut m = [[T::splat(0.0); N]; N];
    for (row, given) in m.iter_mut().zip(matrix.iter()) {
        row.copy_from_slice(&given[..N]);
    }
    let mut largest = T::splat(0.0);
    for column in 0..N {
        let inverse = T::splat(1.0) / m[column][column];
        m[column][column] = inverse;
        for row in column + 1..N {
            let factor = m[row][column] * inverse;
            m[row][column] = factor;
            largest = largest.max(factor.abs());
            let pivot_row = m[column];
            for (value, above) in m[row].iter_mut().zip(&pivot_row).skip(column + 1) {
                *value -= factor * *above;
            }
        }
    }
    for (row, out) in m.iter().zip(matrix.iter_mut()) {
        out[..N].copy_from_slice(row);
    }
    largest
}

/// Solves with the factors.
#[inline]
pub(super) fn solve<T: Number>(matrix: &Square<T>, rank: usize, x: &mut [T; ROWS]) {
    match rank {
        1 => solve_fixed::<T, 1>(matrix, x),
        2 => solve_fixed::<T, 2>(matrix, x),
        3 => solve_fixed::<T, 3>(matrix, x),
        4 => solve_fixed::<T, 4>(matrix, x),
        5 => solve_fixed::<T, 5>(matrix, x),
        _ => solve_fixed::<T, 6>(matrix, x),
    }
}

#[inline(always)]
fn solve_fixed<T: Number, const N: usize>(matrix: &Square<T>, x: &mut [T; ROWS]) {
    for k in 1..N {
        for l in 0..k {
            x[k] -= matrix[k][l] * x[l];
        }
    }
    for k in (0..N).rev() {
        for l in k + 1..N {
            x[k] -= matrix[k][l] * x[l];
        }
        x[k] = x[k] * matrix[k][k];
    }
}
