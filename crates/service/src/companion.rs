//! Threads of ordinary priority beside a loop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use rt::clock::monotonic_ns;
use rt::notify::Watchdog;

/// A thread that ends with this value, after it has done its last work.
#[derive(Debug)]
pub struct Companion {
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Companion {
    /// Starts the thread, whose work parks in between and goes on until the flag is raised. Call it
    /// before the process becomes real-time: threads inherit, and their memory is locked with the
    /// rest.
    pub fn start(builder: Builder, work: impl FnOnce(&AtomicBool) + Send + 'static) -> std::io::Result<Self> {
        let ended = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&ended);
        let thread = Some(builder.spawn(move || work(&flag))?);
        Ok(Self { ended, thread })
    }
}

impl Drop for Companion {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // One that panicked has nothing more to say.
            let _ = thread.join();
        }
    }
}

/// A counter that the loop raises with every step. A watchdog message is a system call with a heap
/// allocation in it, so that a companion sends it to systemd, but only while the counter goes on: a
/// loop that is stuck is restarted.
#[derive(Debug)]
pub struct Heartbeat {
    beats: Arc<AtomicU64>,
    _companion: Option<Companion>,
}

impl Heartbeat {
    /// Starts the thread if systemd asks for a watchdog.
    pub fn start() -> std::io::Result<Self> {
        let beats = Arc::new(AtomicU64::new(0));
        let mut watchdog = Watchdog::from_environment();
        let Some(interval_ns) = watchdog.interval_ns() else {
            return Ok(Self { beats, _companion: None });
        };
        let counted = Arc::clone(&beats);
        let companion = Companion::start(Builder::new(), move |ended| {
            let mut seen = 0;
            while !ended.load(Ordering::Relaxed) {
                std::thread::park_timeout(Duration::from_nanos(interval_ns / 4));
                let now = counted.load(Ordering::Relaxed);
                if std::mem::replace(&mut seen, now) != now {
                    // systemd draws its own conclusions from a message that does not arrive.
                    let _ = watchdog.ping_if_due(monotonic_ns());
                }
            }
        })?;
        Ok(Self { beats, _companion: Some(companion) })
    }

    /// The loop has made a step. Real-time safe.
    #[inline]
    pub fn beat(&self) {
        self.beats.fetch_add(1, Ordering::Relaxed);
    }
}
