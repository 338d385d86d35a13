//! Signals as flags that a loop looks at, and nothing done inside the handler.
//!
//! | signal | effect |
//! | --- | --- |
//! | SIGTERM, SIGINT | [`Flags::stop_requested`] is true from then on |
//! | SIGHUP | the next [`Flags::take_reload`] is true, once; and, for a thread beside the loop, the next [`Flags::take_reread`] |
//! | SIGINT for the second time | the process ends at once with status 130, for one that no longer looks at its flags |
//!
//! A second SIGTERM is not special: a supervisor and a service manager may both send one.
//!
//! A signal also interrupts a sleep of [`crate::clock::sleep_until_ns`], so a loop sees the flag at
//! once and not at the end of its period. Two cases remain in which it takes up to a period: the
//! signal arrives between the look at the flag and the sleep, or the kernel hands it to another
//! thread (it prefers the main one).

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGPIPE, SIGTERM};
use signal_hook::flag;

/// Exit status after a second SIGINT: 128 + 2, as a shell reports a process that SIGINT ended.
pub const SECOND_INTERRUPT_STATUS: i32 = 130;

/// Lets this process end quietly when its output is no longer read, as in `rtrd signals |
/// head`. Rust ignores SIGPIPE and panics instead. Not for a process that has something to put in
/// order first.
///
/// # Errors
/// When the kernel refuses the handler.
pub fn end_on_broken_pipe() -> io::Result<()> {
    let always = Arc::new(AtomicBool::new(true));
    flag::register_conditional_default(SIGPIPE, always).map(|_| ())
}

/// What the operating system or a person has asked of this process. Clones share the same flags.
#[derive(Clone, Debug)]
pub struct Flags {
    stop: Arc<AtomicBool>,
    reload: Arc<AtomicBool>,
    reread: Arc<AtomicBool>,
}

impl Flags {
    /// Installs the handlers. Once per process, before the loop starts.
    ///
    /// # Errors
    /// When the kernel refuses a handler.
    pub fn register() -> io::Result<Self> {
        let interrupted = Arc::new(AtomicBool::new(false));
        // Actions run in the order of registration: the shutdown must look before its condition is
        // set.
        flag::register_conditional_shutdown(SIGINT, SECOND_INTERRUPT_STATUS, Arc::clone(&interrupted))?;
        flag::register(SIGINT, interrupted)?;
        Self::register_patiently()
    }

    /// As [`Self::register`], but a second SIGINT is not special: for a process that has taken
    /// something from the machine, looks at its flags often, and must give it back before it ends.
    ///
    /// # Errors
    /// When the kernel refuses a handler.
    pub fn register_patiently() -> io::Result<Self> {
        let flags = Self { stop: Arc::default(), reload: Arc::default(), reread: Arc::default() };
        flag::register(SIGINT, Arc::clone(&flags.stop))?;
        flag::register(SIGTERM, Arc::clone(&flags.stop))?;
        flag::register(SIGHUP, Arc::clone(&flags.reload))?;
        flag::register(SIGHUP, Arc::clone(&flags.reread))?;
        Ok(flags)
    }

    /// Whether SIGTERM or SIGINT has arrived. Real-time safe.
    #[inline]
    #[must_use]
    pub fn stop_requested(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// Whether SIGHUP has arrived since the last call; clears the flag. Real-time safe.
    #[inline]
    #[must_use = "the flag is cleared by this call"]
    pub fn take_reload(&self) -> bool {
        self.reload.load(Ordering::Relaxed) && self.reload.swap(false, Ordering::AcqRel)
    }

    /// As [`Self::take_reload`], with a flag of its own: for the thread that reads files while the
    /// loop goes on.
    #[must_use = "the flag is cleared by this call"]
    pub fn take_reread(&self) -> bool {
        self.reread.swap(false, Ordering::AcqRel)
    }
}
