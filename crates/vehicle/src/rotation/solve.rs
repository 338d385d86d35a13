//! One implicit step of wheels that frictions may hold.
//!
//! ```text
//! A ΔΩ = b + f,     |f_i| ≤ cap_i,     f_i = −cap_i sign(Ω⁺_i)  where  Ω⁺_i = Ω_i + ΔΩ_i ≠ 0
//! ```
//! A is symmetric and positive: a diagonal, and the driveline's slope between the wheels that it
//! couples. A wheel either turns, with its friction against it, or stands, with the friction that
//! it takes. Which of the coupled wheels stand is found by trial: a wheel whose direction would
//! change stands, a standing wheel that needs more than its capacity turns. For a wheel that is
//! coupled to none, one trial is exact.

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

/// The problem.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// Diagonal of A without the driveline (Nms/rad).
    pub diagonal: &'a [f64],
    /// The driveline's part of A, row by row (Nms/rad): as many columns as there are wheels, read
    /// only where wheels are coupled.
    pub damping: &'a [f64],
    /// The wheels that the driveline couples.
    pub coupled: &'a [usize],
    /// b (Nm).
    pub torque: &'a [f64],
    /// cap (Nm).
    pub capacity: &'a [f64],
    /// Ω (rad/s).
    pub spin: &'a [f64],
}

impl Problem<'_> {
    /// Entry of A for two of the coupled wheels, counted among themselves.
    #[inline(always)]
    fn entry(&self, row: usize, column: usize) -> f64 {
        let (wheel, other) = (self.coupled[row], self.coupled[column]);
        let tied = self.damping[wheel * self.spin.len() + other];
        if row == column { tied + self.diagonal[wheel] } else { tied }
    }
}

impl Solver {
    /// Finds ΔΩ and f.
    #[inline]
    pub fn solve(&mut self, problem: &Problem<'_>) {
        if problem.coupled.len() < problem.spin.len() {
            self.solve_alone(problem);
        }
        // The sizes of most vehicles, known to the compiler.
        match problem.coupled.len() {
            0 => {}
            2 => self.solve_coupled(problem, 2),
            4 => self.solve_coupled(problem, 4),
            count => self.solve_coupled(problem, count),
        }
    }

    /// All wheels as if there were no driveline; those that are coupled are written over.
    fn solve_alone(&mut self, problem: &Problem<'_>) {
        let wheels = problem.spin.iter().zip(problem.capacity);
        let wheels = wheels.zip(problem.torque.iter().zip(problem.diagonal));
        let results = self.change.iter_mut().zip(&mut self.friction);
        for (((spin, capacity), (torque, slope)), (change, friction)) in wheels.zip(results) {
            // The torque that would leave the wheel with its present speed, seen from standstill.
            let push = torque + slope * spin;
            if push.abs() <= *capacity {
                (*friction, *change) = (-push, -spin);
            } else {
                *friction = -capacity * push.signum();
                *change = (torque + *friction) / slope;
            }
        }
    }

    #[inline(always)]
    fn solve_coupled(&mut self, problem: &Problem<'_>, count: usize) {
        for (direction, wheel) in self.direction.iter_mut().zip(problem.coupled) {
            let (spin, torque) = (problem.spin[*wheel], problem.torque[*wheel]);
            let stands = spin == 0.0 && torque.abs() <= problem.capacity[*wheel];
            let towards = if spin == 0.0 { torque } else { spin };
            *direction = if stands { 0.0 } else { towards.signum() };
        }
        for _ in 0..TRIALS {
            self.try_directions(problem, count);
            if !self.correct_directions(problem) {
                break;
            }
        }
    }

    /// Solves for wheels that turn as `direction` says, or stand where it is zero.
    #[inline(always)]
    fn try_directions(&mut self, problem: &Problem<'_>, count: usize) {
        let (factor, right) = (&mut self.factor[..count * count], &mut self.right[..count]);
        let direction = &self.direction[..count];
        let coupled = &problem.coupled[..count];
        for (row, wheel) in coupled.iter().enumerate() {
            right[row] = problem.torque[*wheel] - problem.capacity[*wheel] * direction[row];
            for column in 0..=row {
                factor[row * count + column] = problem.entry(row, column);
            }
        }
        let any_stands = direction.contains(&0.0);
        if any_stands {
            hold_standing(problem, direction, factor, right);
        }
        solve_symmetric(factor, right, count);
        for ((wheel, change), direction) in coupled.iter().zip(right).zip(direction) {
            self.change[*wheel] = *change;
            self.friction[*wheel] = -problem.capacity[*wheel] * direction;
        }
        if any_stands {
            self.find_frictions(problem);
        }
    }

    /// The frictions that standing wheels take.
    #[cold]
    fn find_frictions(&mut self, problem: &Problem<'_>) {
        let count = problem.coupled.len();
        for (row, wheel) in problem.coupled.iter().enumerate() {
            if self.direction[row] == 0.0 {
                let terms = (0..count).map(|column| problem.entry(row, column) * self.right[column]);
                self.friction[*wheel] = terms.sum::<f64>() - problem.torque[*wheel];
            }
        }
    }

    /// Whether any wheel must change from turning to standing or back.
    #[inline]
    fn correct_directions(&mut self, problem: &Problem<'_>) -> bool {
        let mut changed = false;
        for (direction, wheel) in self.direction.iter_mut().zip(problem.coupled) {
            let after = problem.spin[*wheel] + self.change[*wheel];
            let (friction, capacity) = (self.friction[*wheel], problem.capacity[*wheel]);
            if *direction != 0.0 && after * *direction < 0.0 && capacity > 0.0 {
                *direction = 0.0;
                changed = true;
            } else if *direction == 0.0 && friction.abs() > capacity {
                *direction = -friction.signum();
                changed = true;
            }
        }
        changed
    }
}

/// Rows of standing wheels become ΔΩ = −Ω, and what they do to the others goes to the right-hand
/// side.
#[cold]
fn hold_standing(problem: &Problem<'_>, direction: &[f64], factor: &mut [f64], right: &mut [f64]) {
    let count = right.len();
    for stands in (0..count).filter(|row| direction[*row] == 0.0) {
        let spin = problem.spin[problem.coupled[stands]];
        for other in 0..count {
            if direction[other] != 0.0 {
                right[other] += problem.entry(other, stands) * spin;
            }
            factor[stands.max(other) * count + stands.min(other)] = 0.0;
        }
        factor[stands * count + stands] = 1.0;
        right[stands] = -spin;
    }
}

/// Solves A x = b for a symmetric positive A, of which the lower triangle is given, in place: A = L
/// D Lᵀ. A pivot that is not positive is taken as one.
#[inline(always)]
fn solve_symmetric(matrix: &mut [f64], x: &mut [f64], count: usize) {
    for pivot in 0..count {
        let diagonal = matrix[pivot * count + pivot];
        let inverse = if diagonal > 0.0 { 1.0 / diagonal } else { 1.0 };
        for row in pivot + 1..count {
            let multiplier = matrix[row * count + pivot] * inverse;
            for column in pivot + 1..=row {
                matrix[row * count + column] -= multiplier * matrix[column * count + pivot];
            }
            x[row] -= multiplier * x[pivot];
        }
        x[pivot] *= inverse;
        for row in pivot + 1..count {
            matrix[row * count + pivot] *= inverse;
        }
    }
    for row in (0..count).rev() {
        for below in row + 1..count {
            x[row] -= matrix[below * count + row] * x[below];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A matrix row by row; either its diagonal counts alone, or all wheels are coupled.
    fn solved(matrix: &[f64], is_coupled: bool, torque: &[f64], capacity: &[f64], spin: &[f64]) -> Solver {
        let count = spin.len();
        let mut damping = matrix.to_vec();
        let diagonal: Vec<f64> = (0..count).map(|wheel| std::mem::take(&mut damping[wheel * count + wheel])).collect();
        let coupled: Vec<usize> = if is_coupled { (0..count).collect() } else { Vec::new() };
        let mut solver = Solver::default();
        solver.solve(&Problem { diagonal: &diagonal, damping: &damping, coupled: &coupled, torque, capacity, spin });
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
        // Two wheels tied by 1e6 Nms/rad; the second has a brake that holds both against 100 Nm on
        // the first.
        let tie = 1e6;
        let matrix = [tie + 10.0, -tie, -tie, tie + 10.0];
        let solver = solved(&matrix, true, &[100.0, 0.0], &[0.0, 500.0], &[0.0, 0.0]);
        assert!(solver.change[0].abs() < 1e-3 && solver.change[1] == 0.0);
        assert!((solver.friction[1] + 100.0).abs() < 1e-2, "{:?}", solver.friction[1]);
    }

    /// The middle axle of three is driven through an open differential and the last wheel is braked
    /// to a stop: what the solver finds satisfies A ΔΩ = b + f.
    #[test]
    fn wheels_beside_the_driveline_are_solved_as_well() {
        let (diagonal, coupled) = ([8.0, 9.0, 7.0, 6.0, 5.0, 4.0], [2, 3]);
        let mut damping = vec![0.0; 36];
        for row in coupled {
            for column in coupled {
                damping[row * 6 + column] = 20.0;
            }
        }
        let torque = [10.0, -4.0, 120.0, 90.0, 3.0, 0.0];
        let (capacity, spin) = ([1.0, 2.0, 3.0, 30.0, 0.5, 400.0], [9.0, 9.1, 9.2, 8.9, 9.3, 9.0]);
        let mut solver = Solver::default();
        solver.solve(&Problem {
            diagonal: &diagonal,
            damping: &damping,
            coupled: &coupled,
            torque: &torque,
            capacity: &capacity,
            spin: &spin,
        });
        for row in 0..6 {
            let tied: f64 = (0..6).map(|column| damping[row * 6 + column] * solver.change[column]).sum();
            let left = diagonal[row] * solver.change[row] + tied;
            let residual = left - torque[row] - solver.friction[row];
            assert!(residual.abs() < 1e-12, "wheel {row}: {residual:e}");
            assert!(solver.friction[row].abs() <= capacity[row]);
        }
        assert_eq!(solver.change[5], -9.0, "the braked wheel stands");
        assert_eq!(solver.friction[0], -1.0, "the others turn against their friction");
    }
}
