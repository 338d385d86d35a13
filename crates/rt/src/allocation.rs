//! Proof that a step leaves the heap alone and takes no page fault.
//!
//! A heap call in the real-time path works for months and then waits for a lock or for the kernel.
//! Review does not find it, because it hides in a dependency; counting does. A test binary installs
//! the counting allocator and runs the step inside [`forbid`]:
//!
//! ```
//! use rt::allocation::{CountingAllocator, forbid};
//!
//! #[global_allocator]
//! static ALLOCATOR: CountingAllocator = CountingAllocator;
//!
//! # fn main() {
//! let mut state = vec![0.0_f64; 64];
//! forbid(|| state.iter_mut().for_each(|x| *x += 1.0));
//! # }
//! ```
//!
//! The allocator itself never panics and never refuses: it counts, per thread, and the verdict is
//! given outside. Freeing counts as well, since it takes the same locks.
//!
//! Page faults are counted by the kernel, in every build: [`page_faults`].

// Unsafe code: implementing `GlobalAlloc` is an unsafe trait implementation, and it forwards to
// unsafe methods.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ops::Sub;

use nix::sys::resource::{UsageWho, getrusage};

thread_local! {
    // Constant initial value and no destructor: the first use neither allocates nor registers
    // anything.
    static CALLS: Cell<HeapCalls> = const { Cell::new(HeapCalls { allocations: 0, deallocations: 0 }) };
}

/// How often a thread has called the heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeapCalls {
    /// Blocks asked for or resized.
    pub allocations: u64,
    /// Blocks given back.
    pub deallocations: u64,
}

impl HeapCalls {
    /// Whether the heap was left alone.
    #[must_use]
    pub const fn none(&self) -> bool {
        self.allocations == 0 && self.deallocations == 0
    }
}

impl Sub for HeapCalls {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        Self {
            allocations: self.allocations - earlier.allocations,
            deallocations: self.deallocations - earlier.deallocations,
        }
    }
}

/// The system's allocator with a counter per thread. For tests and diagnostic builds.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountingAllocator;

fn count(allocations: u64, deallocations: u64) {
    // A thread that is being torn down has no counter any more; nothing will ask for it
    // either.
    let _ = CALLS.try_with(|calls| {
        let before = calls.get();
        calls.set(HeapCalls {
            allocations: before.allocations + allocations,
            deallocations: before.deallocations + deallocations,
        });
    });
}

// SAFETY: every method forwards its arguments unchanged to `System`, which keeps the contract of
// the trait; counting touches one thread-local cell, allocates nothing and cannot unwind.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, 0);
        // SAFETY: the caller promises a layout of non-zero size, as `System` wants it.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(1, 0);
        // SAFETY: the caller promises a layout of non-zero size, as `System` wants it.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(1, 0);
        // SAFETY: the block came from this allocator, hence from `System`, with this layout; the
        // caller promises a new size that is neither zero nor too large.
        unsafe { System.realloc(block, layout, new_size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(0, 1);
        // SAFETY: the block came from this allocator, hence from `System`, with this layout.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Heap calls of the current thread since it began. Stays at zero unless [`CountingAllocator`] is
/// installed.
#[must_use]
pub fn heap_calls() -> HeapCalls {
    CALLS.with(Cell::get)
}

/// Whether [`CountingAllocator`] is the global allocator of this program: without it, every count
/// is zero and would prove nothing.
#[must_use]
pub fn is_counting() -> bool {
    let before = heap_calls();
    drop(std::hint::black_box(Box::new(0_u8)));
    heap_calls() != before
}

/// A stretch of code in which the current thread is to leave the heap alone.
#[derive(Debug)]
pub struct NoAllocation {
    before: HeapCalls,
}

impl NoAllocation {
    /// Begins the stretch.
    ///
    /// # Panics
    /// When nothing counts, see [`is_counting`].
    #[must_use]
    pub fn begin() -> Self {
        assert!(
            is_counting(),
            "heap calls are not counted: declare `#[global_allocator] static A: CountingAllocator = \
             CountingAllocator;` in this program"
        );
        Self { before: heap_calls() }
    }

    /// Heap calls of this thread since the stretch began.
    #[must_use]
    pub fn heap_calls(&self) -> HeapCalls {
        heap_calls() - self.before
    }
}

/// Runs `step`, and panics afterwards when it has called the heap.
///
/// # Panics
/// When `step` allocated or freed, or when nothing counts (see [`is_counting`]).
pub fn forbid<R>(step: impl FnOnce() -> R) -> R {
    let stretch = NoAllocation::begin();
    let result = step();
    let calls = stretch.heap_calls();
    assert!(
        calls.none(),
        "the step called the heap: {} allocations, {} deallocations",
        calls.allocations,
        calls.deallocations
    );
    result
}

/// As [`forbid`], and panics as well when `step` has taken a page fault.
///
/// # Panics
/// When `step` called the heap or took a page fault, or when nothing counts.
pub fn forbid_with_faults<R>(step: impl FnOnce() -> R) -> R {
    let (result, faults) = forbid(|| {
        let before = page_faults();
        let result = step();
        (result, page_faults() - before)
    });
    assert!(faults == PageFaults::default(), "the step took page faults: {faults:?}");
    result
}

/// Page faults of one thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageFaults {
    /// Served without a disk: a fresh page, or one that only lacked its mapping. About a
    /// microsecond each.
    pub minor: u64,
    /// Served from a disk. Milliseconds each.
    pub major: u64,
}

impl Sub for PageFaults {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        Self { minor: self.minor - earlier.minor, major: self.major - earlier.major }
    }
}

/// Page faults of the current thread since it began.
#[must_use]
pub fn page_faults() -> PageFaults {
    getrusage(UsageWho::RUSAGE_THREAD).map_or(PageFaults::default(), |usage| PageFaults {
        minor: usage.minor_page_faults() as u64,
        major: usage.major_page_faults() as u64,
    })
}
