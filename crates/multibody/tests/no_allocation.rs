//! A step leaves the heap alone: every method, with loops, springs, tyres and a driven rack. Page
//! faults are counted in `page_faults.rs`.

use multibody::assembly::assemble;
use multibody::{Inputs, Integrator, Method, Model, State, Workspace, shipped};
use rt::allocation::{CountingAllocator, forbid};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn steps_of_every_method_do_not_allocate() {
    for name in ["hmmwv", "tractor-semitrailer", "four-bar"] {
        let model = Model::new(&shipped::description(name).expect("shipped")).expect("a model");
        let wheels = model.description().wheels.clone();
        for (_, method) in Method::NAMES {
            let (mut state, mut workspace, inputs) = (State::new(&model), Workspace::new(&model), Inputs::new(&model));
            assemble(&model, &mut state, &inputs, &mut workspace).expect("closes");
            let mut integrator = Integrator::new(&model, method, 5e-4);
            integrator.start(&model, &mut state, &inputs, &mut workspace);
            forbid(|| {
                for _ in 0..50 {
                    integrator.step(&model, &mut state, &inputs, &mut wheels.as_slice(), &mut workspace);
                }
            });
            assert!(state.time > 0.0249 && state.position.iter().all(|it| it.is_finite()), "{name} {method:?}");
        }
    }
}

#[test]
#[should_panic]
fn the_guard_sees_an_allocation() {
    forbid(|| drop(std::hint::black_box(vec![1.0; 16])));
}
