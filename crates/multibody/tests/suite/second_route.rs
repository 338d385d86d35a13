//! Accelerations by the dense Lagrange-multiplier system of the whole, on tyres, at random
//! admissible states: of the passenger car and the tractor-semitrailer (`hmmwv.rs` has the same for
//! the HMMWV, and numbers of a solver that shares no code), and of the generated chassis with many
//! corners, which also assembles and stands.

use crate::support::Random;
use crate::support::bench::Bench;
use multibody::Method;
use multibody::generate::corners;

/// A state that 20 ms of motion from random velocities lead to, with new velocities.
fn anywhere(name: &str, random: &mut Random) -> Bench {
    let mut bench = Bench::shipped(name);
    for drive in &mut bench.inputs.driven {
        *drive = [0.02 * random.next(), 0.3 * random.next(), 5.0 * random.next()];
    }
    bench.push(random, 2.0);
    bench.run(Method::RungeKutta4, 1e-3, 20, |_, violation| assert!(violation < 1e-9));
    bench.push(random, 2.0);
    bench
}

#[test]
fn fifty_random_states_agree_with_the_dense_system() {
    for (name, freedoms) in [("passenger-car", 14), ("tractor-semitrailer", 0)] {
        let mut random = Random(20_261_117);
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for _ in 0..50 {
            let mut bench = anywhere(name, &mut random);
            if freedoms > 0 {
                assert_eq!(bench.state.independent(&bench.model).count(), freedoms, "{name}");
            }
            let difference = bench.difference_of_routes();
            assert!(difference < 1e-8, "{name}: {difference:e}");
            let model = &bench.model;
            let height = bench.workspace.position(model, model.plan().base, Default::default()).z;
            (least, most) = (least.min(height), most.max(height));
        }
        assert!(most - least > 0.02, "{name}: states that differ: {least} {most}");
    }
}

/// Both routes solve the same equations; the dense one loses digits to its condition (multipliers
/// beside accelerations).
const TOLERANCE: f64 = 1e-8;

#[test]
fn every_corner_is_a_cluster_of_its_own() {
    for count in [2, 3, 16, 64] {
        let bench = Bench::new(&corners(count));
        // The free chassis, and for each corner the wishbones and the wheel on them.
        assert_eq!(bench.model.clusters().len(), 1 + 2 * count);
        assert!(bench.model.clusters().iter().all(|it| it.velocities.len() <= 6));
        assert_eq!(bench.state.independent(&bench.model).count(), 6 + 2 * count);
    }
}

#[test]
fn it_stands_on_its_wheels() {
    let mut bench = Bench::new(&corners(6));
    bench.equilibrium();
    // It stands level, 40 to 60 cm high, as the HMMWV does.
    let position = &bench.state.position;
    let height = position[2];
    assert!((0.4..0.6).contains(&height), "{height}");
    assert!(position[4].abs() < 0.02 && position[5].abs() < 0.02);
}

#[test]
fn accelerations_agree_with_the_dense_route() {
    let mut random = Random(11);
    for count in [2, 5, 8] {
        let mut bench = Bench::new(&corners(count));
        for _ in 0..5 {
            bench.push(&mut random, 1.0);
            let independent: Vec<usize> = bench.state.independent(&bench.model).collect();
            for primitive in
                bench.model.bodies()[1..].iter().flat_map(|it| &bench.model.primitives()[it.primitives.clone()])
            {
                if independent.contains(&primitive.velocity) && primitive.velocities().len() == 1 {
                    bench.state.position[primitive.position] += 0.02 * random.next();
                }
            }
            let difference = bench.difference_of_routes();
            assert!(difference < TOLERANCE, "{count}: {difference:e}");
        }
    }
}
