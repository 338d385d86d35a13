//! Small dense factorisations in place, row-major, without allocation.
//!
//! Sizes up to six, which is what suspensions have, are compiled for their size: loops unroll and
//! bounds vanish.

/// LU with partial pivoting of a `size`×`size` matrix; returns the smallest pivot's magnitude.
#[inline]
pub(crate) fn lu(matrix: &mut [f64], pivots: &mut [usize], size: usize) -> f64 {
    match size {
        1 => lu_sized(matrix, pivots, 1),
        2 => lu_sized(matrix, pivots, 2),
        3 => lu_sized(matrix, pivots, 3),
        4 => lu_sized(matrix, pivots, 4),
        5 => lu_sized(matrix, pivots, 5),
        6 => lu_sized(matrix, pivots, 6),
        _ => lu_sized(matrix, pivots, size),
    }
}

#[inline(always)]
fn lu_sized(matrix: &mut [f64], pivots: &mut [usize], size: usize) -> f64 {
    let (matrix, pivots) = (&mut matrix[..size * size], &mut pivots[..size]);
    let mut smallest = f64::INFINITY;
    for column in 0..size {
        let mut best = column;
        for row in column + 1..size {
            if matrix[row * size + column].abs() > matrix[best * size + column].abs() {
                best = row;
            }
        }
        pivots[column] = best;
        if best != column {
            for k in 0..size {
                matrix.swap(column * size + k, best * size + k);
            }
        }
        let pivot = matrix[column * size + column];
        smallest = smallest.min(pivot.abs());
        let inverse = if pivot == 0.0 { 0.0 } else { 1.0 / pivot };
        // The inverse is stored: substitution multiplies.
        matrix[column * size + column] = inverse;
        let (upper, lower) = matrix.split_at_mut((column + 1) * size);
        let pivot_row = &upper[column * size..];
        for row in lower.chunks_exact_mut(size).take(size - column - 1) {
            let factor = row[column] * inverse;
            row[column] = factor;
            for k in column + 1..size {
                row[k] -= factor * pivot_row[k];
            }
        }
    }
    smallest
}

/// Solves with the factors of [`lu`].
#[inline]
pub(crate) fn lu_solve(matrix: &[f64], pivots: &[usize], right: &mut [f64]) {
    match right.len() {
        1 => solve_fixed::<1>(matrix, pivots, right),
        2 => solve_fixed::<2>(matrix, pivots, right),
        3 => solve_fixed::<3>(matrix, pivots, right),
        4 => solve_fixed::<4>(matrix, pivots, right),
        5 => solve_fixed::<5>(matrix, pivots, right),
        6 => solve_fixed::<6>(matrix, pivots, right),
        _ => solve_any(matrix, pivots, right),
    }
}

fn solve_fixed<const N: usize>(matrix: &[f64], pivots: &[usize], right: &mut [f64]) {
    let (matrix, mut x) = (&matrix[..N * N], [0.0; N]);
    x.copy_from_slice(right);
    for (k, pivot) in pivots.iter().enumerate().take(N) {
        x.swap(k, *pivot);
    }
    for k in 1..N {
        for l in 0..k {
            x[k] -= matrix[k * N + l] * x[l];
        }
    }
    for k in (0..N).rev() {
        for l in k + 1..N {
            x[k] -= matrix[k * N + l] * x[l];
        }
        x[k] *= matrix[k * N + k];
    }
    right.copy_from_slice(&x);
}

fn solve_any(matrix: &[f64], pivots: &[usize], right: &mut [f64]) {
    let size = right.len();
    for (k, pivot) in pivots.iter().enumerate().take(size) {
        right.swap(k, *pivot);
    }
    for k in 1..size {
        let row = &matrix[k * size..k * size + k];
        let sum: f64 = row.iter().zip(&right[..k]).map(|(a, b)| a * b).sum();
        right[k] -= sum;
    }
    for k in (0..size).rev() {
        let row = &matrix[k * size..(k + 1) * size];
        let sum: f64 = row[k + 1..].iter().zip(&right[k + 1..]).map(|(a, b)| a * b).sum();
        right[k] = (right[k] - sum) * row[k];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lu_solves_a_system_that_needs_pivoting() {
        let original = [0.0, 2.0, 1.0, 1.0, -1.0, 3.0, 4.0, 0.5, -2.0];
        let (mut matrix, mut pivots, mut right) = (original, [0; 3], [1.0, 2.0, 3.0]);
        assert!(lu(&mut matrix, &mut pivots, 3) > 0.1);
        lu_solve(&matrix, &pivots, &mut right);
        for (row, expected) in original.chunks(3).zip([1.0, 2.0, 3.0]) {
            let sum: f64 = row.iter().zip(&right).map(|(a, b)| a * b).sum();
            assert!((sum - expected).abs() < 1e-14);
        }
    }
}
