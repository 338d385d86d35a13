//! What is called in every step allocates nothing: proved by an allocator that counts, with a
//! control that must be caught.

use plant::{Method, Scenario};
use rt::allocation::{CountingAllocator, NoAllocation};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn a_hundred_thousand_exchanges_allocate_nothing() {
    for name in ["tank-level", "car-cruise", "tank-fig15"] {
        for method in Method::all() {
            let scenario = Scenario::builtin(name).expect("a shipped scenario").with_method(method, 2);
            let (mut plant, mut controller) = (scenario.build_plant(), scenario.build_controller());
            let (mut demands, mut inputs, mut outputs) = ([0.0; 2], [0.0; 2], [0.0; 5]);
            let guard = NoAllocation::begin();
            for step in 0..100_000u32 {
                let time_s = f64::from(step) * scenario.step_s();
                plant.outputs(&mut outputs);
                scenario.demands().values(time_s, &mut demands);
                if step % 1000 == 0 {
                    demands = [f64::NAN; 2];
                    outputs[0] = f64::INFINITY;
                }
                controller.update(&demands, &outputs, scenario.step_s(), &mut inputs);
                plant.step(&inputs, scenario.step_s());
            }
            let heap = guard.heap_calls();
            assert_eq!((heap.allocations, heap.deallocations), (0, 0), "{name} with {method}");
            assert!(plant.state().iter().chain(controller.state()).all(|value| value.is_finite()));
        }
    }
}

#[test]
fn the_counter_sees_an_allocation() {
    let guard = NoAllocation::begin();
    drop(std::hint::black_box(vec![1.0f64; 4]));
    let heap = guard.heap_calls();
    assert_eq!((heap.allocations, heap.deallocations), (1, 1));
}
