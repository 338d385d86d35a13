//! Properties of random mechanisms, open and closed: two routes to the accelerations agree, what
//! physics conserves is conserved, and nothing depends on the base body or on where the pole is.

use crate::support::bench::Bench;
use crate::support::mechanism::{Dice, settings};
use multibody::math::Vector3;
use multibody::rebase::rebased;
use multibody::{BodyId, Description, Method};
use proptest::prelude::*;

/// A twentieth of a second; whether it was tame all the way.
fn run(bench: &mut Bench) -> bool {
    bench.start(Method::RungeKutta4, 2e-4);
    (0..250).all(|_| {
        bench.step();
        is_tame(bench)
    })
}

/// Accelerations of the bodies of these names, in the state that a description begins with.
fn body_accelerations(d: &Description, names: &[String]) -> Vec<Vector3> {
    let mut bench = Bench::new(d);
    bench.evaluate();
    let of = |name: &String| bench.body_accelerations(bench.body(name)).map(|(_, found)| found);
    names.iter().flat_map(of).collect()
}

/// Away from dead points: there the loops turn small motions into large ones, within less than a
/// step.
fn is_tame(bench: &Bench) -> bool {
    let largest = |list: &[f64]| list.iter().fold(0.0_f64, |max, it| it.abs().max(max));
    largest(&bench.state.velocity) < 10.0 && largest(bench.workspace.acceleration()) < 150.0
}

/// A random mechanism in motion, alone or on the ground.
fn any_bench(dice: &mut Dice, most: usize, floats: bool, closed: bool, is_alone: bool) -> Bench {
    let mut bench = Bench::new(&dice.any(most, floats, closed, is_alone));
    if closed {
        bench.push(&mut dice.0, 0.5);
        bench.evaluate();
    }
    bench.evaluate();
    bench
}

fn names(d: &Description) -> Vec<String> {
    d.bodies[1..].iter().map(|it| it.name.clone()).collect()
}

fn assert_same(ours: &[Vector3], theirs: &[Vector3], tolerance: f64) -> Result<(), TestCaseError> {
    let scale = ours.iter().fold(1.0_f64, |max, it| it.norm().max(max));
    for (ours, theirs) in ours.iter().zip(theirs) {
        prop_assert!((*ours - *theirs).norm() < tolerance * scale, "{:?} {:?}", ours, theirs);
    }
    Ok(())
}

proptest! {
    #![proptest_config(settings(60))]

    #[test]
    fn recursion_agrees_with_the_dense_system(seed in any::<u64>(), floats in any::<bool>(), closed in any::<bool>()) {
        let mut dice = Dice::new(seed);
        let mut bench = any_bench(&mut dice, 13, floats, closed, false);
        prop_assume!(is_tame(&bench));
        let difference = bench.difference_of_routes();
        prop_assert!(difference < 1e-7, "{}", difference);
    }

    #[test]
    fn energy_is_conserved(seed in any::<u64>(), floats in any::<bool>(), closed in any::<bool>()) {
        let mut dice = Dice::new(seed);
        let mut bench = any_bench(&mut dice, 7, floats, closed, false);
        prop_assume!(is_tame(&bench));
        let before = bench.energy();
        prop_assume!(run(&mut bench));
        let size = bench.workspace.kinetic_energy(&bench.model);
        let after = bench.energy();
        prop_assert!((after - before).abs() < 1e-7 * (1.0 + size), "{} {}", before, after);
    }

    #[test]
    fn momentum_is_conserved_when_nothing_acts_from_outside(seed in any::<u64>(), closed in any::<bool>()) {
        let mut dice = Dice::new(seed);
        let mut bench = any_bench(&mut dice, 7, true, closed, true);
        prop_assume!(is_tame(&bench));
        let before = bench.momentum();
        prop_assume!(run(&mut bench));
        for (now, then) in bench.momentum().iter().zip(before) {
            prop_assert!((*now - then).norm() < 1e-7 * (1.0 + then.norm()), "{:?} {:?}", now, then);
        }
    }

    #[test]
    fn the_base_body_changes_nothing(seed in any::<u64>(), closed in any::<bool>()) {
        let mut dice = Dice::new(seed);
        let count = 2 + dice.below(8);
        let mut d = if closed { dice.closed(true) } else { dice.tree(count, true) };
        if closed {
            // The loops are closed where all coordinates are zero; the whole may stand anywhere and
            // move.
            d.joints[0].coordinates.iter_mut().for_each(|it| *it = dice.0.next());
            d.joints[0].velocities.iter_mut().for_each(|it| *it = dice.0.next());
        } else {
            dice.set_in_motion(&mut d);
        }
        let base = BodyId(1 + dice.below(d.bodies.len() - 1));
        let moved = rebased(&d, base).expect("floats");
        prop_assert_eq!(moved.joints[0].bodies[1], base);
        let ours = body_accelerations(&d, &names(&d));
        let theirs = body_accelerations(&moved, &names(&d));
        assert_same(&ours, &theirs, 1e-7)?;
    }

    #[test]
    fn the_place_on_earth_changes_nothing(seed in any::<u64>(), floats in any::<bool>()) {
        let mut dice = Dice::new(seed);
        let mut d = dice.closed(floats);
        let mut far = d.clone();
        let offset = dice.0.vector() * 1e4;
        if floats {
            d.joints[0].velocities.iter_mut().for_each(|it| *it = dice.0.next());
            far.joints[0].velocities = d.joints[0].velocities.clone();
            (0..3).for_each(|k| far.joints[0].coordinates[k] += offset.to_array()[k]);
        } else {
            far.bodies[1..].iter_mut().for_each(|it| it.centre += offset);
            far.joints.iter_mut().for_each(|it| {
                it.point += offset;
                it.second_point += offset;
            });
        }
        let ours = body_accelerations(&d, &names(&d));
        let theirs = body_accelerations(&far, &names(&far));
        // What the ground carries has its pole at the origin: 10 km away an inertia carries 1e8 kg
        // m², which costs eight digits.
        assert_same(&ours, &theirs, if floats { 1e-8 } else { 1e-3 })?;
    }
}
