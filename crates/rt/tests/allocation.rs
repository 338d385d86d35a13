//! The loop leaves the heap alone and takes no page fault; and each check catches a step that does
//! not.

use std::hint::black_box;

use rt::allocation::{CountingAllocator, NoAllocation, PageFaults, forbid, heap_calls, is_counting, page_faults};
use rt::histogram::Histogram;
use rt::periodic::{OverrunPolicy, Periodic};
use rt::wakeups::measure_wakeups;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn a_step_that_allocates_is_caught() {
    assert!(is_counting());
    let caught = std::panic::catch_unwind(|| forbid(|| drop(black_box(Box::new(1_u64)))));
    let message = *caught.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(message, "the step called the heap: 1 allocations, 1 deallocations");
}

#[test]
fn a_step_that_only_frees_is_caught() {
    let block = black_box(vec![0_u8; 64]);
    let stretch = NoAllocation::begin();
    drop(block);
    let calls = stretch.heap_calls();
    assert_eq!((calls.allocations, calls.deallocations), (0, 1));
}

#[test]
fn growing_and_zeroed_blocks_are_counted() {
    let stretch = NoAllocation::begin();
    let mut numbers = black_box(vec![0_u64; 8]);
    numbers.push(1);
    assert_eq!(black_box(&numbers).len(), 9);
    assert_eq!(stretch.heap_calls().allocations, 2);
}

#[test]
fn other_threads_are_not_counted() {
    let (begin, begun) = std::sync::mpsc::channel::<()>();
    let (end, ended) = std::sync::mpsc::channel::<u64>();
    let other = std::thread::spawn(move || {
        begun.recv().unwrap();
        let before = heap_calls();
        (0..100).for_each(|_| drop(black_box(Box::new(0_u8))));
        end.send((heap_calls() - before).allocations).unwrap();
    });
    let before = heap_calls();
    begin.send(()).unwrap();
    let theirs = ended.recv().unwrap();
    // Sending and receiving may allocate a little on this thread, the boxes were the other's.
    assert!(theirs >= 100);
    assert!((heap_calls() - before).allocations < 100);
    other.join().unwrap();
}

#[test]
fn the_loop_leaves_the_heap_alone() {
    for policy in [OverrunPolicy::Skip, OverrunPolicy::RunLate] {
        let mut own = Histogram::new();
        let periodic = forbid(|| {
            let mut periodic = Periodic::new(20_000, policy);
            while periodic.statistics().wakeups < 1000 {
                let Some(wake) = periodic.wait() else { continue };
                own.record(wake.latency_ns);
                periodic.finish_step();
            }
            periodic
        });
        assert_eq!(own, periodic.statistics().latency);
        assert_eq!(periodic.statistics().execution.count(), 1000);
    }
}

#[test]
fn the_measurement_leaves_the_heap_alone() {
    let mut latency_us_counts = vec![0; 100];
    let statistics = forbid(|| measure_wakeups(20_000, 200, &|| false, &mut latency_us_counts));
    assert_eq!(statistics.wakeups, 200);
}

fn faults_of(step: impl FnOnce()) -> PageFaults {
    let before = page_faults();
    step();
    page_faults() - before
}

#[test]
fn a_step_that_touches_a_fresh_page_is_caught() {
    // Larger than anything that the allocator keeps: the kernel maps it, and no page of it is there
    // yet.
    let mut fresh = black_box(vec![0_u8; 64 << 20]);
    let faults = faults_of(|| fresh[32 << 20] = 1);
    assert_eq!(black_box(fresh)[32 << 20], 1);
    assert!(faults.minor + faults.major >= 1, "{faults:?}");
}

#[test]
fn the_loop_takes_no_page_fault() {
    let mut periodic = Periodic::new(20_000, OverrunPolicy::Skip);
    let mut run = |wakeups: u64| {
        let end = periodic.statistics().wakeups + wakeups;
        while periodic.statistics().wakeups < end {
            if periodic.wait().is_some() {
                periodic.finish_step();
            }
        }
    };
    run(10);
    // The memory of a test is not locked: the kernel may take a page away once, but not in every
    // attempt.
    let clean = (0..5).any(|_| faults_of(|| run(200)) == PageFaults::default());
    assert!(clean, "five runs of a loop that touches nothing new, and each had a page fault");
}
