//! Lock-step between two processes: the answer comes, the deadline passes, a signal comes; spinning
//! and sleeping.
//!
//! No test here says how long anything takes. Deadlines are either far away, and then only the
//! right answer ends the waiting, or have passed.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nix::sys::pthread::{pthread_kill, pthread_self};
use nix::sys::signal::Signal;
use shm_layout::blocks::{PLANT_INPUTS, PLANT_OUTPUTS, PlantInputs, PlantOutputs};
use shm_layout::clock::monotonic_ns;
use shm_layout::{Reader, Region, Wait, Waited};

use crate::child::{self, Child};
use crate::place::{self, Place};

const MILLISECOND_NS: u64 = 1_000_000;
/// Far away: no test takes so long unless something hangs.
const FAR_NS: u64 = 60_000 * MILLISECOND_NS;
const NEAR_NS: u64 = 20 * MILLISECOND_NS;
/// Sleeping needs many steps: what goes wrong there does so when a wake-up comes late.
const STEPS_ASLEEP: u64 = 20_000;
/// Two who spin on one CPU change places only when the scheduler says so.
const STEPS_SPINNING: u64 = 300;

fn how(role: &str) -> Wait {
    match role {
        "spin" => Wait::Spin,
        _ => Wait::Sleep,
    }
}

fn steps(how: Wait) -> u64 {
    match how {
        Wait::Spin => STEPS_SPINNING,
        Wait::Sleep => STEPS_ASLEEP,
    }
}

/// Answers the outputs of each step with the inputs of the same step.
fn play_partner(how: Wait) {
    let region = Region::open(&place::given(), None).unwrap();
    let mut outputs = region.reader(PLANT_OUTPUTS);
    let mut writer = region.claim(PLANT_INPUTS).unwrap();
    let mut inputs = PlantInputs { input_count: 1, ..PlantInputs::default() };
    child::say("ready");
    for step in 1..=steps(how) {
        let waited = outputs.wait_for_step(step, monotonic_ns() + FAR_NS, how);
        assert_eq!(waited, Waited::Answered, "step {step} of the partner");
        inputs.stamp.step = step;
        inputs.inputs[0] = -outputs.last().unwrap().outputs[0];
        writer.publish_and_wake(&inputs);
    }
    child::listen();
}

fn run_lock_step(test: String, role: &str) {
    if let Some(role) = child::role() {
        return play_partner(how(&role));
    }
    let (place, region) = Place::with_region();
    let mut inputs = region.reader(PLANT_INPUTS);
    let mut writer = region.claim(PLANT_OUTPUTS).unwrap();
    let mut outputs = PlantOutputs { output_count: 1, ..PlantOutputs::default() };
    let partner = Child::start(test, role, &place.environment());
    partner.expect("ready");
    for step in 1..=steps(how(role)) {
        outputs.stamp.step = step;
        outputs.outputs[0] = step as f64;
        writer.publish_and_wake(&outputs);
        let waited = inputs.wait_for_step(step, monotonic_ns() + FAR_NS, how(role));
        assert_eq!(waited, Waited::Answered, "step {step}");
        assert_eq!(inputs.last().unwrap().inputs[0], -(step as f64));
    }
    assert!(partner.end().success());
}

#[test]
fn two_processes_go_in_lock_step_spinning() {
    run_lock_step(this_test!(), "spin");
}

/// The sleeper waits through a read-only mapping. Both publish so fast that a wake-up is often
/// still on its way when the other already waits for the next step: it must not be taken for the
/// end of the waiting.
#[test]
fn two_processes_go_in_lock_step_asleep() {
    run_lock_step(this_test!(), "sleep");
}

/// A block that holds step 7, and a reader of it.
fn with_step_seven(test: impl Fn(&mut Reader<PlantOutputs>, Wait)) {
    let (_place, region) = Place::with_region();
    let mut outputs = PlantOutputs::default();
    outputs.stamp.step = 7;
    region.claim(PLANT_OUTPUTS).unwrap().publish(&outputs);
    for how in [Wait::Spin, Wait::Sleep] {
        test(&mut region.reader(PLANT_OUTPUTS), how);
    }
}

#[test]
fn what_is_there_already_is_an_answer_even_after_the_deadline() {
    with_step_seven(|reader, how| {
        assert_eq!(reader.wait_for_step(7, 0, how), Waited::Answered);
        assert_eq!(reader.last().unwrap().stamp.step, 7);
    });
}

#[test]
fn without_an_answer_the_deadline_ends_the_waiting_and_the_last_snapshot_is_kept() {
    with_step_seven(|reader, how| {
        for deadline_ns in [0, monotonic_ns(), monotonic_ns() + NEAR_NS] {
            assert_eq!(reader.wait_for_step(8, deadline_ns, how), Waited::Late);
            assert!(monotonic_ns() >= deadline_ns, "it gave up before the deadline");
            assert_eq!(reader.last().unwrap().stamp.step, 7);
        }
    });
}

#[test]
fn news_are_what_was_not_read_yet() {
    with_step_seven(|reader, how| {
        assert_eq!(reader.wait_for_news(0, how), Waited::Answered);
        assert_eq!(reader.wait_for_news(monotonic_ns() + NEAR_NS, how), Waited::Late);
        assert_eq!(reader.last_sequence(), 1);
    });
}

#[test]
fn an_empty_block_is_no_answer() {
    let (_place, region) = Place::with_region();
    let mut reader = region.reader(PLANT_OUTPUTS);
    for how in [Wait::Spin, Wait::Sleep] {
        assert_eq!(reader.wait_until(monotonic_ns() + NEAR_NS, how, |_| true), Waited::Late);
        assert!(reader.last().is_none());
    }
}

/// Every look finds something new and nothing that is wanted; the deadline counts all the same.
#[test]
fn a_writer_that_publishes_without_end_does_not_keep_a_waiter_past_its_deadline() {
    let (_place, region) = Place::with_region();
    let writer = RefCell::new(region.claim(PLANT_OUTPUTS).unwrap());
    let publish = || writer.borrow_mut().publish(&PlantOutputs::default());
    publish();
    for how in [Wait::Spin, Wait::Sleep] {
        let give_up_ns = monotonic_ns() + FAR_NS;
        // The fastest writer there can be: it has always published again when the reader has
        // looked.
        let unwanted = |_: &PlantOutputs| {
            publish();
            monotonic_ns() >= give_up_ns
        };
        let waited = region.reader(PLANT_OUTPUTS).wait_until(monotonic_ns() + NEAR_NS, how, unwanted);
        assert_eq!(waited, Waited::Late, "{how:?}: the waiting ended only when the writer gave up");
    }
}

/// A signal that comes before the sleep does not end it, so many are sent; the flag shows that the
/// handler ran.
#[test]
fn a_signal_ends_the_sleep() {
    let (_place, region) = Place::with_region();
    let signalled = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGUSR1, signalled.clone()).unwrap();
    let ended = AtomicBool::new(false);
    let sleeper = pthread_self();
    let give_up_ns = monotonic_ns() + FAR_NS;
    let waited = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !ended.load(Ordering::Relaxed) {
                pthread_kill(sleeper, Signal::SIGUSR1).unwrap();
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        let waited = region.reader(PLANT_OUTPUTS).wait_for_step(1, give_up_ns, Wait::Sleep);
        ended.store(true, Ordering::Relaxed);
        waited
    });
    assert_eq!(waited, Waited::Late);
    assert!(signalled.load(Ordering::Relaxed));
    assert!(monotonic_ns() < give_up_ns, "the sleep was ended by the deadline, not by the signal");
}
