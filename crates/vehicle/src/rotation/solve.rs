//! One implicit step of wheels that frictions may hold.
//!
//! ```text
//! A ΔΩ = b + f,     |f_i| ≤ cap_i,     f_i = −cap_i sign(Ω⁺_i)  where  Ω⁺_i = Ω_i + ΔΩ_i ≠ 0
//! ```
//! A is symmetric and positive. A wheel either turns, with its friction against it, or stands, with the friction that it takes. Which of them stand
//! is found by trial: a wheel whose direction would change stands, a standing wheel that needs more than its capacity turns. Without coupling
//! between the wheels one trial is exact.

use crate::WHEELS_MAX;

/// How often the set of standing wheels is tried.
const TRIALS: usize = 12;
/// Most entries of the matrix.
const ENTRIES: usize = WHEELS_MAX * WHEELS_MAX;

/// Scratch memory and result of the solver.
#[derive(Clone, Debug)]
pub struct Solver {
    factor: Box<[f64; ENTRIES]>,
    right: [f64; WHEELS_MAX],
    direction: [f64; WHEELS_MAX],
    /// ΔΩ (rad/s).
    pub change: [f64; WHEELS_MAX],
    /// f (Nm).
    pub friction: [f64; WHEELS_MAX],
}

impl Default for Solver {
    fn default() -> Self {
        Self {
            factor: Box::new([0.0; ENTRIES]),
            right: [0.0; WHEELS_MAX],
            direction: [0.0; WHEELS_MAX],
            change: [0.0; WHEELS_MAX],
            friction: [0.0; WHEELS_MAX],
        }
    }
}

/// The problem: `matrix` is row by row, `coupled` says whether it has entries off its diagonal.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// A.
    pub matrix: &'a [f64],
    /// Whether A has entries off its diagonal.
    pub coupled: bool,
    /// b (Nm).
    pub torque: &'a [f64],
    /// cap (Nm).
    pub capacity: &'a [f64],
    /// Ω (rad/s).
    pub spin: &'a [f64],
}

impl Solver {
    /// Finds ΔΩ and f.
    #[inline]
    pub fn solve(&mut self, problem: &Problem<'_>) {
        if problem.coupled {
            self.solve_coupled(problem);
        } else {
            self.solve_alone(problem);
        }
    }

    fn solve_alone(&mut self, problem: &Problem<'_>) {
        let count = problem.spin.len();
        for wheel in 0..count {
            let (spin, capacity) = (problem.spin[wheel], problem.capacity[wheel]);
            let slope = problem.matrix[wheel * count + wheel];
            // The torque that would leave the wheel with its present speed, seen from standstill.
            let push = problem.torque[wheel] + slope * spin;
            let friction = if push.abs() <= capacity {
                -push
            } else {
                -capacity * push.signum()
            };
            self.friction[wheel] = friction;
            self.change[wheel] = if push.abs() <= capacity {
                -spin
            } else {
                (problem.torque[wheel] + friction) / slope
            };
        }
    }

    fn solve_coupled(&mut self, problem: &Problem<'_>) {
        let count = problem.spin.len();
        for wheel in 0..count {
            let direction = if problem.spin[wheel] == 0.0 {
                problem.torque[wheel]
            } else {
                problem.spin[wheel]
            };
            let stands = problem.spin[wheel] == 0.0 && problem.torque[wheel].abs() <= problem.capacity[wheel];
            self.direction[wheel] = if stands { 0.0 } else { direction.signum() };
        }
        for _ in 0..TRIALS {
            self.try_directions(problem);
            if !self.correct_directions(problem) {
                break;
            }
        }
    }

    /// Solves for wheels that turn as `direction` says, or stand where it is zero.
    fn try_directions(&mut self, problem: &Problem<'_>) {
        let count = problem.spin.len();
        for row in 0..count {
            let stands = self.direction[row] == 0.0;
            for column in 0..count {
                let other_stands = self.direction[column] == 0.0;
                let entry = problem.matrix[row * count + column];
                self.factor[row * count + column] = match (stands || other_stands, row == column) {
                    (false, _) => entry,
                    (true, true) => 1.0,
                    (true, false) => 0.0,
                };
            }
            self.right[row] = if stands {
                -problem.spin[row]
            } else {
                let held: f64 = (0..count)
                    .filter(|column| self.direction[*column] == 0.0)
                    .map(|column| problem.matrix[row * count + column] * problem.spin[column])
                    .sum();
                problem.torque[row] - problem.capacity[row] * self.direction[row] + held
            };
        }
        cholesky_solve(&mut self.factor[..count * count], &mut self.right[..count]);
        self.change = self.right;
        for row in 0..count {
            self.friction[row] = if self.direction[row] == 0.0 {
                let needed: f64 = (0..count)
                    .map(|column| problem.matrix[row * count + column] * self.change[column])
                    .sum();
                needed - problem.torque[row]
            } else {
                -problem.capacity[row] * self.direction[row]
            };
        }
    }

    /// Whether any wheel must change from turning to standing or back.
    fn correct_directions(&mut self, problem: &Problem<'_>) -> bool {
        let mut changed = false;
        for wheel in 0..problem.spin.len() {
            let after = problem.spin[wheel] + self.change[wheel];
            let direction = &mut self.direction[wheel];
            if *direction != 0.0 && after * *direction < 0.0 && problem.capacity[wheel] > 0.0 {
                *direction = 0.0;
                changed = true;
            } else if *direction == 0.0 && self.friction[wheel].abs() > problem.capacity[wheel] {
                *direction = -self.friction[wheel].signum();
                changed = true;
            }
        }
        changed
    }
}

/// Solves A x = b for a symmetric positive A in place; a pivot that is not positive is taken as one.
fn cholesky_solve(matrix: &mut [f64], right: &mut [f64]) {
    let count = right.len();
    for row in 0..count {
        for column in 0..=row {
            let sum: f64 = (0..column)
                .map(|k| matrix[row * count + k] * matrix[column * count + k])
                .sum();
            let rest = matrix[row * count + column] - sum;
            matrix[row * count + column] = if row == column {
                if rest > 0.0 { rest.sqrt() } else { 1.0 }
            } else {
                rest / matrix[column * count + column]
            };
        }
    }
    for row in 0..count {
        let sum: f64 = (0..row).map(|k| matrix[row * count + k] * right[k]).sum();
        right[row] = (right[row] - sum) / matrix[row * count + row];
    }
    for row in (0..count).rev() {
        let sum: f64 = (row + 1..count).map(|k| matrix[k * count + row] * right[k]).sum();
        right[row] = (right[row] - sum) / matrix[row * count + row];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(matrix: &[f64], coupled: bool, torque: &[f64], capacity: &[f64], spin: &[f64]) -> Solver {
        let mut solver = Solver::default();
        solver.solve(&Problem {
            matrix,
            coupled,
            torque,
            capacity,
            spin,
        });
        solver
    }

    #[test]
    fn a_brake_holds_up_to_its_capacity_and_never_turns_a_wheel_back() {
        let held = solved(&[2.0], false, &[5.0], &[6.0], &[0.0]);
        assert_eq!((held.change[0], held.friction[0]), (0.0, -5.0));
        let slips = solved(&[2.0], false, &[8.0], &[6.0], &[0.0]);
        assert_eq!((slips.change[0], slips.friction[0]), (1.0, -6.0));
        // 6 Nm could take away 3 rad/s, but there is only 1: it stops and stays.
        let stops = solved(&[2.0], false, &[0.0], &[6.0], &[1.0]);
        assert_eq!((stops.change[0], stops.friction[0]), (-1.0, -2.0));
    }

    #[test]
    fn coupled_and_alone_agree_where_there_is_no_coupling() {
        let (torque, capacity, spin) = ([5.0, -30.0, 4.0], [6.0, 10.0, 0.0], [0.0, 2.0, -1.0]);
        let diagonal = [2.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 3.0];
        let one = solved(&diagonal, false, &torque, &capacity, &spin);
        let other = solved(&diagonal, true, &torque, &capacity, &spin);
        for wheel in 0..3 {
            assert!((one.change[wheel] - other.change[wheel]).abs() < 1e-14);
            assert!((one.friction[wheel] - other.friction[wheel]).abs() < 1e-14);
        }
    }

    #[test]
    fn a_locked_axle_stands_on_one_brake() {
        // Two wheels tied by 1e6 Nms/rad; the second has a brake that holds both against 100 Nm on the first.
        let tie = 1e6;
        let matrix = [tie + 10.0, -tie, -tie, tie + 10.0];
        let solver = solved(&matrix, true, &[100.0, 0.0], &[0.0, 500.0], &[0.0, 0.0]);
        assert!(solver.change[0].abs() < 1e-3 && solver.change[1] == 0.0);
        assert!(
            (solver.friction[1] + 100.0).abs() < 1e-2,
            "{:?}",
            solver.friction[1]
        );
    }
}
