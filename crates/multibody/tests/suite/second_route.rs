//! Accelerations of the passenger car and the tractor-semitrailer by the dense Lagrange-multiplier
//! system of the whole, on their tyres, at random admissible states. `hmmwv.rs` has the same for
//! the HMMWV, and numbers of a solver that shares no code.

use crate::support::Random;
use crate::support::bench::Bench;
use multibody::Method;

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
