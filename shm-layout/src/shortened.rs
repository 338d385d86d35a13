//! What a process says when the memory of its region is taken away.
//!
//! Who may write the region's file may also shorten it. The kernel then sends SIGBUS to whoever
//! touches a page that is gone, which nothing in user space can prevent (the reasons are in
//! docs/decisions/0023-who-may-make-a-region.md). The handler says which file it was, with nothing
//! but calls that are allowed in a handler, and then lets the signal end the process with a core.
#![allow(unsafe_code)]

use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::OnceLock;

use nix::libc::{STDERR_FILENO, c_int, c_void, siginfo_t};
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, raise, sigaction};
use nix::sys::stat::fstat;
use nix::unistd::write;

use crate::block::REGION_BYTES;

/// The region that the handler looks at, with both of its answers, made before they are needed.
#[derive(Debug)]
struct Watched {
    /// A description of its own, without locks: it keeps nobody's region in use.
    file: OwnedFd,
    shortened: String,
    whole: String,
}

/// Written once and then only read, which takes no lock: a handler may do that.
static WATCHED: OnceLock<Watched> = OnceLock::new();

/// Watches the first region of this process that is handed over; further ones are ignored.
pub(crate) fn explain_faults(file: OwnedFd, path: &Path) -> io::Result<()> {
    let path = path.display();
    let watched = Watched {
        file,
        shortened: format!(
            "ERROR SIGBUS: region {path} was shortened while it was in use, and its memory is gone; its owner, root and \
             its group can do that: find the program that did, and start the run again\n"
        ),
        whole: format!(
            "ERROR SIGBUS: memory that this process has mapped is gone; region {path} is whole, so another file was \
             shortened (a program that was overwritten?), or the memory is damaged (see `dmesg`)\n"
        ),
    };
    if WATCHED.set(watched).is_err() {
        return Ok(());
    }
    // The handler is taken away when it begins, so that the signal, which comes again at the same
    // instruction, ends the process as if there had been none.
    let flags = SaFlags::SA_SIGINFO | SaFlags::SA_ONSTACK | SaFlags::SA_RESETHAND;
    let action = SigAction::new(SigHandler::SigAction(say_why), flags, SigSet::empty());
    // SAFETY: the handler makes only calls that are async-signal-safe (fstat, write, raise), and
    // takes neither locks nor memory.
    unsafe { sigaction(Signal::SIGBUS, &action) }?;
    Ok(())
}

extern "C" fn say_why(_signal: c_int, info: *mut siginfo_t, _context: *mut c_void) {
    if let Some(watched) = WATCHED.get() {
        let is_short = fstat(&watched.file).is_ok_and(|found| found.st_size < REGION_BYTES as i64);
        let line = if is_short { &watched.shortened } else { &watched.whole };
        // SAFETY: standard error is open for as long as the process lives.
        let errors = unsafe { BorrowedFd::borrow_raw(STDERR_FILENO) };
        // There is nobody left to tell that it could not be said.
        let _ = write(errors, line.as_bytes());
    }
    // SAFETY: with SA_SIGINFO the kernel passes a valid pointer, or null from nobody.
    let code = unsafe { info.as_ref() }.map_or(0, |info| info.si_code);
    // One that was sent, and not raised by a fault, does not come again by itself.
    if code <= 0 {
        let _ = raise(Signal::SIGBUS);
    }
}
