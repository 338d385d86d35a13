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
    // Two wheels tied by 1e6 Nms/rad; the second has a brake that holds both against 100 Nm on the first.
    let tie = 1e6;
    let matrix = [tie + 10.0, -tie, -tie, tie + 10.0];
    let solver = solved(&matrix, true, &[100.0, 0.0], &[0.0, 500.0], &[0.0, 0.0]);
    assert!(solver.change[0].abs() < 1e-3 && solver.change[1] == 0.0);
    assert!((solver.friction[1] + 100.0).abs() < 1e-2, "{:?}", solver.friction[1]);
}

/// The middle axle of three is driven through an open differential and the last wheel is braked to
/// a stop: what the solver finds satisfies A ΔΩ = b + f.
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
