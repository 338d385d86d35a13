//! Tells systemd that the loop lives, without making the loop do it.
//!
//! A watchdog message is a system call with a heap allocation in it, so a thread of ordinary
//! priority sends it, but only while the loop's heartbeat goes on: a loop that is stuck is
//! restarted by systemd.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use rt::clock::monotonic_ns;
use rt::notify::Watchdog;

/// A counter that the loop raises with every step.
#[derive(Debug)]
pub struct Heartbeat {
    beats: Arc<AtomicU64>,
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Heartbeat {
    /// Starts the thread if systemd asks for a watchdog. Call it before the process becomes
    /// real-time: threads inherit.
    pub fn start() -> Self {
        let beats = Arc::new(AtomicU64::new(0));
        let ended = Arc::new(AtomicBool::new(false));
        let mut watchdog = Watchdog::from_environment();
        let thread = watchdog.interval_ns().map(|interval_ns| {
            let (beats, ended) = (beats.clone(), ended.clone());
            std::thread::spawn(move || {
                let mut seen = 0;
                while !ended.load(Ordering::Relaxed) {
                    std::thread::park_timeout(Duration::from_nanos(interval_ns / 4));
                    let now = beats.load(Ordering::Relaxed);
                    if now != seen {
                        seen = now;
                        // systemd draws its own conclusions from a message that does not arrive.
                        let _ = watchdog.ping_if_due(monotonic_ns());
                    }
                }
            })
        });
        Self { beats, ended, thread }
    }

    /// The loop has made a step. Real-time safe.
    #[inline]
    pub fn beat(&self) {
        self.beats.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}
