//! Touching the stack of the calling thread in advance, as far as it reaches and no further.

// Unsafe code: only a C function knows where the stack of a thread ends.
#![allow(unsafe_code)]

use std::hint::black_box;
use std::mem::MaybeUninit;

/// Size of one touched frame (bytes): a page on x86-64, at most a page elsewhere.
const FRAME_BYTES: usize = 4096;
/// Left untouched at the end of the stack (bytes).
const MARGIN_BYTES: usize = 128 << 10;

/// Touches `wished_bytes` below the current frame, or as much as the stack has; returns how much.
pub(super) fn touch(wished_bytes: usize) -> usize {
    // A frame is a little larger than its page: leave an eighth for return addresses and saved
    // registers.
    let left_bytes = left_below_here_bytes().saturating_sub(MARGIN_BYTES);
    let touched_bytes = wished_bytes.min(left_bytes / 8 * 7);
    if touched_bytes > 0 {
        touch_frames(touched_bytes.div_ceil(FRAME_BYTES));
    }
    touched_bytes
}

/// Fills one page in each of `frames` nested calls.
#[inline(never)]
fn touch_frames(frames: usize) {
    let mut page = [0_u8; FRAME_BYTES];
    black_box(&mut page);
    if frames > 1 {
        touch_frames(frames - 1);
    }
    // Used after the call, so that the frame cannot be given up before it.
    black_box(&page);
}

/// From the current frame down to the end of the stack (bytes); 0 when the end is not known.
fn left_below_here_bytes() -> usize {
    let here = 0_u8;
    let here_address = black_box(&raw const here).addr();
    lowest_address().map_or(0, |lowest| here_address.saturating_sub(lowest))
}

/// The lowest address of the calling thread's stack.
fn lowest_address() -> Option<usize> {
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    // SAFETY: takes no argument and cannot fail.
    let thread = unsafe { libc::pthread_self() };
    // SAFETY: the thread is alive, being the caller; the pointer is to writable memory of the right
    // type.
    let status = unsafe { libc::pthread_getattr_np(thread, attributes.as_mut_ptr()) };
    if status != 0 {
        return None;
    }
    // SAFETY: the call above succeeded and has written the attributes.
    let mut attributes = unsafe { attributes.assume_init() };
    let mut lowest = std::ptr::null_mut();
    let mut size_bytes = 0;
    // SAFETY: the attributes are initialised, and both results are writable.
    let status = unsafe { libc::pthread_attr_getstack(&raw const attributes, &raw mut lowest, &raw mut size_bytes) };
    // SAFETY: the attributes are initialised and not used again.
    unsafe { libc::pthread_attr_destroy(&raw mut attributes) };
    (status == 0).then(|| lowest.addr())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::allocation::page_faults;

    /// Sizes that differ by more than four times: glibc keeps stacks of ended threads, and would
    /// otherwise hand the touched stack of one test to another.
    const SHORT_BYTES: usize = 64 << 10;
    const MEDIUM_BYTES: usize = 2 << 20;
    const LONG_BYTES: usize = 16 << 20;

    fn on_stack_of<R: Send + 'static>(bytes: usize, work: fn() -> R) -> R {
        std::thread::Builder::new().stack_size(bytes).spawn(work).unwrap().join().unwrap()
    }

    #[test]
    fn stops_before_the_end_of_the_stack() {
        let touched_bytes = on_stack_of(MEDIUM_BYTES, || touch(usize::MAX));
        assert!(touched_bytes > MEDIUM_BYTES / 2, "{touched_bytes}");
        assert!(touched_bytes < MEDIUM_BYTES, "{touched_bytes}");
    }

    #[test]
    fn a_stack_shorter_than_the_margin_is_left_alone() {
        assert_eq!(on_stack_of(SHORT_BYTES, || touch(4096)), 0);
    }

    #[test]
    fn a_touched_stack_faults_no_more() {
        let (first, second) = on_stack_of(LONG_BYTES, || {
            let before = page_faults();
            touch(1 << 20);
            let between = page_faults();
            touch(1 << 20);
            (between - before, page_faults() - between)
        });
        // 256 pages; huge pages could serve them with fewer faults, but not with none.
        assert!(first.minor >= 1, "{first:?}");
        assert!(second.minor < first.minor.max(2), "{second:?} after {first:?}");
    }
}
