//! A step takes no page fault: 10⁵ steps one after the other, counted by the kernel for the whole
//! process (`/proc/self/stat`).
//!
//! Memory is locked where that is permitted, as the services do. Locked or not, the kernel may move
//! pages about on its own account (compaction, balancing between nodes) and charge the process a
//! minor fault when it looks the page up again. That hits one stretch of steps and not the next,
//! whereas a step that faults does so in each: so there are a few attempts, and one of them has to
//! pass 10⁵ steps with none at all.

use multibody::assembly::assemble;
use multibody::{Inputs, Integrator, Method, Model, State, Workspace, shipped};
use rt::startup::{Wishes, enter};
use std::fs::File;
use std::io::Read;

const STEPS: usize = 100_000;
const ATTEMPTS: usize = 5;

/// Minor and major faults of the process so far: fields 10 and 12 of its `stat`, read without the
/// heap.
fn process_faults() -> u64 {
    let mut text = [0_u8; 1024];
    let mut file = File::open("/proc/self/stat").expect("Linux");
    let count = file.read(&mut text).expect("can be read");
    let text = std::str::from_utf8(&text[..count]).expect("is text");
    // The second field is a name in brackets that may hold anything.
    let (_, rest) = text.rsplit_once(')').expect("has a name");
    let mut fields = rest.split_whitespace().skip(7);
    let mut next = || fields.next().and_then(|it| it.parse::<u64>().ok());
    let (minor, _, major) = (next(), next(), next());
    minor.expect("a number") + major.expect("a number")
}

/// Faults that something takes.
fn faults_of(mut something: impl FnMut()) -> u64 {
    let before = process_faults();
    something();
    process_faults() - before
}

/// The control: memory that was never touched.
fn touch_fresh_memory() {
    let mut fresh = vec![0_u8; 64 * 1024 * 1024];
    for byte in fresh.iter_mut().step_by(4096) {
        *byte = 1;
    }
    std::hint::black_box(&fresh);
}

// One test, because tests of a file share a process, and its count.
#[test]
fn a_hundred_thousand_steps_take_no_page_fault() {
    assert!(faults_of(touch_fresh_memory) >= 32, "the count sees nothing");
    let wishes = Wishes { lock_memory: true, ..Wishes::default() };
    let granted = enter(&wishes).expect("nothing is required");
    granted.missing().for_each(|line| eprintln!("{line}"));
    for model in ["hmmwv", "tractor-semitrailer"] {
        let attempts = attempts(model);
        assert_eq!(attempts.last(), Some(&0), "{model}: {attempts:?}");
    }
}

/// Faults of 10⁵ steps, attempt after attempt until there are none.
fn attempts(name: &str) -> Vec<u64> {
    let model = Model::new(&shipped::description(name).expect("shipped")).expect("a model");
    let wheels = model.description().wheels.clone();
    let (mut state, mut inputs, mut workspace) = (State::new(&model), Inputs::new(&model), Workspace::new(&model));
    assemble(&model, &mut state, &inputs, &mut workspace).expect("closes");
    let mut integrator = Integrator::new(&model, Method::AdamsBashforth3, 5e-4);
    integrator.start(&model, &mut state, &inputs, &mut workspace);
    let mut steps = |count: usize| {
        for _ in 0..count {
            let t = state.time;
            inputs.driven.fill([0.01 * t.sin(), 0.01 * t.cos(), -0.01 * t.sin()]);
            let tyre = &mut wheels.as_slice();
            integrator.step(&model, &mut state, &inputs, tyre, &mut workspace);
        }
        assert!(state.position.iter().all(|it| it.is_finite()));
    };
    steps(100);
    let mut found = Vec::with_capacity(ATTEMPTS);
    while found.len() < ATTEMPTS && found.last() != Some(&0) {
        found.push(faults_of(|| steps(STEPS)));
    }
    found
}
