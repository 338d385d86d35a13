//! Parallel evaluation: the same bits on every number of threads; forces from outside act in every evaluation of a step.

use multibody::assembly::assemble;
use multibody::forces::NoTyres;
use multibody::math::{Force, Symmetric3, Vector3};
use multibody::{
    BodyId, Description, Inputs, Integrator, Joint, JointKind, Method, Model, Pool, State, Workspace,
};
use std::path::Path;

/// The state after some steps, the rack moving; no pool for zero threads.
fn run(model: &Model, method: Method, threads: usize, steps: usize) -> State {
    let wheels = model.description().wheels.clone();
    let (mut state, mut inputs, mut workspace) =
        (State::new(model), Inputs::new(model), Workspace::new(model));
    assemble(model, &mut state, &inputs, &mut workspace).expect("closes");
    let mut integrator = Integrator::new(model, method, 1e-3);
    integrator.start(model, &mut state, &inputs, &mut workspace);
    let mut pool = (threads > 0).then(|| Pool::new(model, &workspace, threads).expect("threads"));
    for step in 1..=steps {
        let t = 1e-3 * step as f64;
        for drive in &mut inputs.driven {
            *drive = [
                0.01 * (3.0 * t).sin(),
                0.03 * (3.0 * t).cos(),
                -0.09 * (3.0 * t).sin(),
            ];
        }
        let tyre = &mut wheels.as_slice();
        match &mut pool {
            Some(pool) => integrator.step_parallel(pool, model, &mut state, &inputs, tyre, &mut workspace),
            None => integrator.step(model, &mut state, &inputs, tyre, &mut workspace),
        };
    }
    state
}

#[test]
fn every_number_of_threads_has_the_bits_of_the_serial_step() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let read = |name: &str| multibody::files::read_folder(&folder.join(name)).expect("reads");
    let descriptions = [
        read("hmmwv"),
        read("passenger-car"),
        read("tractor-semitrailer"),
        multibody::generate::corners(9),
    ];
    for description in &descriptions {
        let model = Model::new(description).expect("a model");
        for method in [Method::AdamsBashforth3, Method::RungeKutta4] {
            let serial = run(&model, method, 0, 40);
            assert!(serial.position.iter().all(|it| it.is_finite()));
            for threads in 1..=3 {
                let parallel = run(&model, method, threads, 40);
                assert_eq!(parallel, serial, "{} {threads}", description.name);
            }
        }
    }
}

/// A chassis on two corners tips over: partitions change, and two clusters that go side by side in one register fall apart for that step.
#[test]
fn changes_of_partition_have_the_same_bits() {
    let model = Model::new(&multibody::generate::corners(2)).expect("a model");
    let serial = run(&model, Method::AdamsBashforth3, 0, 1500);
    assert!(serial.position.iter().all(|it| it.is_finite()));
    for threads in 1..=2 {
        assert_eq!(
            run(&model, Method::AdamsBashforth3, threads, 1500),
            serial,
            "{threads}"
        );
    }
}

/// What the equality above would catch: one term less in the last place.
#[test]
fn a_state_that_differs_in_the_last_place_is_not_equal() {
    let model = Model::new(&multibody::generate::corners(2)).expect("a model");
    let state = run(&model, Method::AdamsBashforth3, 2, 5);
    let mut other = state.clone();
    other.position[2] = other.position[2].next_up();
    assert_ne!(state, other);
}

/// A free body of 2 kg under a force of 6 N that the caller adds before each step: x = ½ (F/m) t², which each method of order two or
/// more meets exactly, and the first-order one as x = ½ (F/m) t (t + h).
#[test]
fn forces_from_outside_are_held_over_the_step() {
    let mut description = Description::empty("free");
    description.gravity = Vector3::ZERO;
    let body = description.add_body("body", 2.0, Vector3::ZERO, Symmetric3::new([1.0; 3], [0.0; 3]));
    let free = Joint::new(
        "free",
        JointKind::Free,
        [BodyId::GROUND, body],
        Vector3::ZERO,
        Vector3::AXES[2],
    );
    description.joints.push(free);
    let model = Model::new(&description).expect("a model");
    for (name, method) in Method::NAMES {
        let (mut state, inputs, mut workspace) =
            (State::new(&model), Inputs::new(&model), Workspace::new(&model));
        let step = 0.01;
        let mut integrator = Integrator::new(&model, method, step);
        integrator.start(&model, &mut state, &inputs, &mut workspace);
        for _ in 0..100 {
            let push = Force::at(Vector3::new(6.0, 0.0, 0.0), Vector3::ZERO);
            workspace.add_force(&model, body, push);
            integrator.step(&model, &mut state, &inputs, &mut NoTyres, &mut workspace);
        }
        let extra = if method == Method::SemiImplicitEuler {
            step
        } else {
            0.0
        };
        let expected = 0.5 * 3.0 * 1.0 * (1.0 + extra);
        // Difference quotients of the implicit method leave some 1e-8.
        assert!(
            (state.position[0] - expected).abs() < 1e-7,
            "{name}: {:?}",
            state.position
        );
    }
}
