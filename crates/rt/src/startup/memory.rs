//! Memory that is there before the loop needs it: locked, touched, and never given back.
//!
//! `mlockall` keeps pages from leaving and brings new ones in at the moment they are mapped. For an
//! unprivileged process it has a trap: locked memory is limited (`RLIMIT_MEMLOCK`, 8 MiB on most
//! systems), and once all *future* memory is to be locked, a mapping beyond the limit fails, and a
//! stack that grows beyond it kills the process. So the limit is looked at first, and a small one
//! means that nothing is locked.
//!
//! Touching in advance is worth having even without the lock: the first use of a page costs a
//! fault, and the default allocator returns freed memory to the kernel, so that the next allocation
//! pays again.

use nix::sys::mman::{MlockAllFlags, mlockall};
use nix::sys::resource::Resource;

use super::{Outcome, Wishes};
use crate::fixes;
use crate::machine::tree::field_bytes;
use crate::rights::{CAP_IPC_LOCK, has_capability, limit};

mod stack;

/// What a process must be allowed to lock (`RLIMIT_MEMLOCK`): several times what a service has
/// mapped at its start, so that it never comes near the limit (bytes).
pub const LOCKED_MEMORY_BYTES: u64 = 96 << 20;
const KIB: u64 = 1024;

/// Locks all present and future memory.
pub(super) fn lock(wishes: &Wishes) -> Outcome {
    if !wishes.lock_memory {
        return Outcome::NotWished;
    }
    // A limit that cannot be read counts as none at all.
    let limit_bytes = limit(Resource::RLIMIT_MEMLOCK).map_or(0, |limit| limit.soft.unwrap_or(u64::MAX));
    let needed_bytes = needed_bytes(mapped_bytes(), wishes);
    if limit_bytes < needed_bytes && !has_capability(CAP_IPC_LOCK) {
        let reason = format!(
            "RLIMIT_MEMLOCK is {} KiB, {} KiB are needed, and CAP_IPC_LOCK is absent",
            limit_bytes / KIB,
            needed_bytes / KIB
        );
        return not_locked(&reason);
    }
    match mlockall(MlockAllFlags::MCL_CURRENT | MlockAllFlags::MCL_FUTURE) {
        Ok(()) => Outcome::Granted,
        Err(error) => not_locked(&format!("mlockall: {}", error.desc())),
    }
}

fn not_locked(reason: &str) -> Outcome {
    let fix = format!(
        "`{}`, or `LimitMEMLOCK=infinity` in the service unit, or `* - memlock unlimited` in \
         /etc/security/limits.conf and a new login",
        fixes::set_capabilities()
    );
    Outcome::missing(
        &format!("memory is not locked ({reason})"),
        "a page that went away delays a step by microseconds to milliseconds",
        &fix,
    )
}

/// What must be allowed; more for a program that has mapped more than any service.
fn needed_bytes(mapped_bytes: u64, wishes: &Wishes) -> u64 {
    let wished_bytes = (wishes.prefault_heap_bytes as u64).saturating_add(wishes.prefault_stack_bytes as u64);
    mapped_bytes.saturating_add(wished_bytes).max(LOCKED_MEMORY_BYTES)
}

/// Address space of this process (bytes); 0 when `/proc` cannot be read.
fn mapped_bytes() -> u64 {
    field_bytes(&std::fs::read_to_string("/proc/self/status").unwrap_or_default(), "VmSize:")
}

/// Touches the wished amounts of stack and heap.
pub(super) fn prefault(wishes: &Wishes) -> Outcome {
    if wishes.prefault_stack_bytes == 0 && wishes.prefault_heap_bytes == 0 {
        return Outcome::NotWished;
    }
    // Heap first: it must be there even when the stack is shorter than wished.
    if let Err(missing) = prefault_heap(wishes.prefault_heap_bytes) {
        return missing;
    }
    prefault_stack(wishes.prefault_stack_bytes)
}

fn prefault_stack(wished_bytes: usize) -> Outcome {
    let touched_bytes = stack::touch(wished_bytes);
    if touched_bytes >= wished_bytes {
        return Outcome::Granted;
    }
    Outcome::missing(
        &format!("only {touched_bytes} of {wished_bytes} bytes of stack could be touched (the stack ends there)"),
        "a deeper call faults, or overflows the stack",
        "wish for less, or start with `ulimit -s` (main thread) or a thread of larger stack",
    )
}

fn prefault_heap(wished_bytes: usize) -> Result<(), Outcome> {
    if wished_bytes == 0 {
        return Ok(());
    }
    keep_freed_memory();
    let mut block = Vec::<u8>::new();
    block.try_reserve_exact(wished_bytes).map_err(|_| heap_too_small(wished_bytes))?;
    block.resize(wished_bytes, 1);
    drop(std::hint::black_box(block));
    Ok(())
}

fn heap_too_small(wished_bytes: usize) -> Outcome {
    Outcome::missing(
        &format!("{wished_bytes} bytes of heap could not be allocated in advance"),
        "allocations after start-up fault, or fail",
        "wish for less, or raise the memory limit of the service",
    )
}

/// Tells glibc's allocator to serve everything from its own heap and to keep what is freed. Other
/// allocators have no such switch; the prefault is then of little use, and of no harm.
fn keep_freed_memory() {
    #[cfg(target_env = "gnu")]
    {
        set_allocator_option(libc::M_TRIM_THRESHOLD, -1);
        set_allocator_option(libc::M_MMAP_MAX, 0);
    }
}

/// Lets all threads share one heap. Otherwise glibc's allocator reserves 64 MiB of address space
/// for a thread, which a process with all its memory locked has to count against its limit. Call it
/// before the first thread is started.
pub fn share_one_heap() {
    #[cfg(target_env = "gnu")]
    set_allocator_option(libc::M_ARENA_MAX, 1);
}

/// An option that glibc does not know any more is left at its default: the effect is a page fault,
/// not a fault.
#[cfg(target_env = "gnu")]
#[allow(unsafe_code, reason = "glibc's allocator is tuned by a C function only")]
fn set_allocator_option(option: libc::c_int, value: libc::c_int) {
    // SAFETY: `mallopt` takes two integers, checks the option, and takes the allocator's own lock.
    unsafe { libc::mallopt(option, value) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_need_counts_all_that_may_be_locked() {
        let wishes = Wishes { prefault_heap_bytes: 30, prefault_stack_bytes: 2, ..Wishes::default() };
        assert_eq!(needed_bytes(1000, &wishes), LOCKED_MEMORY_BYTES);
        assert_eq!(needed_bytes(LOCKED_MEMORY_BYTES, &wishes), LOCKED_MEMORY_BYTES + 32);
        let absurd = Wishes { prefault_heap_bytes: usize::MAX, ..Wishes::default() };
        assert_eq!(needed_bytes(1000, &absurd), u64::MAX);
    }

    #[test]
    fn the_address_space_of_this_process_is_known() {
        assert!(mapped_bytes() > 1 << 20);
    }

    #[test]
    fn more_heap_or_stack_than_there_is_is_missing_and_not_a_crash() {
        let heap = (prefault_heap(isize::MAX as usize).unwrap_err(), "of heap could not be allocated");
        for (outcome, expected) in [heap, (prefault_stack(1 << 40), "of stack could be touched")] {
            let Outcome::Missing(line) = outcome else { panic!("{outcome:?}") };
            assert!(line.contains(expected), "{line}");
        }
    }
}
