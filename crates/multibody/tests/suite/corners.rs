//! The generated chassis with many corners: it assembles, stands, and agrees with the dense route.

use crate::support::Random;
use crate::support::bench::Bench;
use multibody::generate::corners;

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
