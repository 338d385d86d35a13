//! The generated chassis with many corners: it assembles, stands, and agrees with the dense route.

use crate::support::Random;
use multibody::assembly::{assemble, equilibrium};
use multibody::dynamics::{evaluate, forward};
use multibody::generate::corners;
use multibody::{Inputs, Model, State, Workspace, dense};

/// Both routes solve the same equations; the dense one loses digits to its condition (multipliers
/// beside accelerations).
const TOLERANCE: f64 = 1e-8;

#[test]
fn every_corner_is_a_cluster_of_its_own() {
    for count in [2, 3, 16, 64] {
        let model = Model::new(&corners(count)).expect("a model");
        // The free chassis, and for each corner the wishbones and the wheel on them.
        assert_eq!(model.clusters().len(), 1 + 2 * count);
        assert!(model.clusters().iter().all(|it| it.velocities.len() <= 6));
        let (mut state, inputs, mut workspace) = (State::new(&model), Inputs::new(&model), Workspace::new(&model));
        assemble(&model, &mut state, &inputs, &mut workspace).expect("closes");
        assert_eq!(state.independent(&model).count(), 6 + 2 * count);
    }
}

#[test]
fn it_stands_on_its_wheels() {
    let model = Model::new(&corners(6)).expect("a model");
    let wheels = model.description().wheels.clone();
    let (mut state, inputs, mut workspace) = (State::new(&model), Inputs::new(&model), Workspace::new(&model));
    assemble(&model, &mut state, &inputs, &mut workspace).expect("closes");
    equilibrium(&model, &mut state, &inputs, &mut wheels.as_slice(), &mut workspace).expect("stands");
    // It stands level, 40 to 60 cm high, as the HMMWV does.
    let height = state.position[2];
    assert!((0.4..0.6).contains(&height), "{height}");
    assert!(state.position[4].abs() < 0.02 && state.position[5].abs() < 0.02);
}

#[test]
fn accelerations_agree_with_the_dense_route() {
    let mut random = Random(11);
    for count in [2, 5, 8] {
        let model = Model::new(&corners(count)).expect("a model");
        let wheels = model.description().wheels.clone();
        let (mut state, inputs, mut workspace) = (State::new(&model), Inputs::new(&model), Workspace::new(&model));
        assemble(&model, &mut state, &inputs, &mut workspace).expect("closes");
        for _ in 0..5 {
            let independent: Vec<usize> = state.independent(&model).collect();
            for index in &independent {
                state.velocity[*index] = random.next();
            }
            for slot in 1..model.bodies().len() {
                for primitive in &model.primitives()[model.bodies()[slot].primitives.clone()] {
                    if independent.contains(&primitive.velocity) && primitive.velocities().len() == 1 {
                        state.position[primitive.position] += 0.02 * random.next();
                    }
                }
            }
            forward(&model, &mut state, &inputs, &mut workspace);
            evaluate(&model, &mut state, &inputs, &mut wheels.as_slice(), &mut workspace);
            let fast = workspace.acceleration().to_vec();
            let dense = dense::accelerations(&model, &mut state, &inputs, &mut wheels.as_slice(), &mut workspace);
            let scale = dense.iter().fold(1.0_f64, |max, it| it.abs().max(max));
            for (fast, dense) in fast.iter().zip(&dense) {
                assert!((fast - dense).abs() < TOLERANCE * scale, "{count}: {fast} {dense}");
            }
        }
    }
}
