//! A step takes no page fault: 10⁵ steps of the HMMWV, counted by the kernel for this thread (`getrusage`).

use multibody::assembly::assemble;
use multibody::{Inputs, Integrator, Method, Model, State, Workspace};
use rt::allocation::page_faults;
use std::path::Path;

/// Faults that something takes, minor and major.
fn faults_of(mut something: impl FnMut()) -> u64 {
    let before = page_faults();
    something();
    let taken = page_faults() - before;
    taken.minor + taken.major
}

#[test]
fn a_hundred_thousand_steps_take_no_page_fault() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/hmmwv");
    let model = Model::new(&multibody::files::read_folder(&folder).expect("reads")).expect("a model");
    let wheels = model.description().wheels.clone();
    let (mut state, mut inputs, mut workspace) =
        (State::new(&model), Inputs::new(&model), Workspace::new(&model));
    assemble(&model, &mut state, &inputs, &mut workspace).expect("closes");
    let mut integrator = Integrator::new(&model, Method::AdamsBashforth3, 5e-4);
    integrator.start(&model, &mut state, &inputs, &mut workspace);
    let mut steps = |count: usize| {
        for _ in 0..count {
            let t = state.time;
            inputs.driven[0] = [0.01 * t.sin(), 0.01 * t.cos(), -0.01 * t.sin()];
            integrator.step(
                &model,
                &mut state,
                &inputs,
                &mut wheels.as_slice(),
                &mut workspace,
            );
        }
        assert!(state.position.iter().all(|it| it.is_finite()));
    };
    steps(100);
    // The kernel moves pages about now and then on its own account (compaction): a step that faults does so every time.
    let attempts: Vec<u64> = (0..3).map(|_| faults_of(|| steps(100_000 / 3 + 1))).collect();
    assert!(attempts.contains(&0), "{attempts:?}");
    assert!(attempts.iter().sum::<u64>() < 10, "{attempts:?}");
}

/// The control: memory that was never touched.
#[test]
fn the_count_sees_fresh_memory() {
    let count = faults_of(|| {
        let mut fresh = vec![0_u8; 64 * 1024 * 1024];
        for byte in fresh.iter_mut().step_by(4096) {
            *byte = 1;
        }
        std::hint::black_box(&fresh);
    });
    assert!(count >= 32, "{count}");
}
