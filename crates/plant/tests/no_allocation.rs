//! What is called in every step allocates nothing: proved by an allocator that counts, with a control that
//! must be caught.
#![allow(unsafe_code)] // a global allocator cannot be written without it

use plant::{Method, Scenario};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Passes everything on to the system's allocator and counts, per thread.
struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

fn count() -> u64 {
    COUNT.with(Cell::get)
}

// SAFETY: every request is passed on unchanged to the system's allocator, which keeps the contract; the count
// is a constant-initialised thread-local without a destructor, so touching it does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`, which is the same here.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the pointer came from `alloc` above, which is the system's, with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_hundred_thousand_exchanges_allocate_nothing() {
    for name in ["tank-level", "car-cruise", "tank-fig15"] {
        for method in Method::ALL {
            let scenario = Scenario::builtin(name)
                .expect("a shipped scenario")
                .with_method(method, 2);
            let (mut plant, mut controller) = (scenario.build_plant(), scenario.build_controller());
            let (mut demands, mut inputs, mut outputs) = ([0.0; 2], [0.0; 2], [0.0; 5]);
            let before = count();
            for step in 0..100_000u32 {
                let time_s = f64::from(step) * scenario.step_s();
                plant.outputs(&mut outputs);
                scenario.demands().values(time_s, &mut demands);
                if step % 1000 == 0 {
                    demands = [f64::NAN; 2];
                    outputs[0] = f64::INFINITY;
                }
                controller.update(time_s, &demands, &outputs, scenario.step_s(), &mut inputs);
                plant.step(&inputs, scenario.step_s());
            }
            assert_eq!(count() - before, 0, "{name} with {method}");
            assert!(
                plant
                    .state()
                    .iter()
                    .chain(controller.state())
                    .all(|value| value.is_finite())
            );
        }
    }
}

#[test]
fn the_counter_sees_an_allocation() {
    let before = count();
    drop(std::hint::black_box(vec![1.0f64; 4]));
    assert_eq!(count() - before, 2, "one to take, one to give back");
}
