//! What the process tells its service manager: ready, status, stopping, still alive.
//!
//! The protocol is systemd's: a datagram to the socket that `NOTIFY_SOCKET` names. Without that
//! variable (the process was started by hand or by a test) every call succeeds and does nothing.
//!
//! None of this is real-time safe: each message allocates, opens a socket, and can wait when the
//! manager does not empty it. Call from a thread that is not real-time, or from a loop that can
//! afford it at a low rate (status and watchdog: once per second at most).

use std::io;

use sd_notify::NotifyState;

/// Tells the manager that start-up is complete.
///
/// # Errors
/// When the socket is named but cannot be written.
pub fn ready() -> io::Result<()> {
    sd_notify::notify(&[NotifyState::Ready])
}

/// Gives the manager one line for people (`systemctl status` shows it). Line breaks become spaces:
/// in the protocol they would start a new message.
///
/// # Errors
/// When the socket is named but cannot be written.
pub fn status(line: &str) -> io::Result<()> {
    sd_notify::notify(&[NotifyState::Status(&line.replace(['\n', '\r'], " "))])
}

/// Tells the manager that an orderly end has begun.
///
/// # Errors
/// When the socket is named but cannot be written.
pub fn stopping() -> io::Result<()> {
    sd_notify::notify(&[NotifyState::Stopping])
}

/// Says "still alive" often enough for the manager's watchdog, or never when it has none.
#[derive(Clone, Debug)]
pub struct Watchdog {
    interval_ns: Option<u64>,
    next_ping_ns: u64,
}

impl Watchdog {
    /// The watchdog that `WATCHDOG_USEC` (and `WATCHDOG_PID`, when set) ask this process to serve.
    /// Without `NOTIFY_SOCKET` there is none: nothing would receive it.
    #[must_use]
    pub fn from_environment() -> Self {
        let timeout = std::env::var_os("NOTIFY_SOCKET").and_then(|_| sd_notify::watchdog_enabled());
        Self::with_timeout_ns(timeout.and_then(|time| u64::try_from(time.as_nanos()).ok()))
    }

    /// Half of the time after which the manager gives up (ns): one message may be late or lost.
    fn with_timeout_ns(timeout_ns: Option<u64>) -> Self {
        let interval_ns = timeout_ns.filter(|ns| *ns > 0).map(|ns| ns.div_ceil(2));
        Self { interval_ns, next_ping_ns: 0 }
    }

    /// Time between two messages (ns); `None` when there is no watchdog.
    #[must_use]
    pub const fn interval_ns(&self) -> Option<u64> {
        self.interval_ns
    }

    /// Sends a message when one is due at `now_ns` (monotonic), and says whether it did. Not
    /// real-time safe: call it from a thread that watches the loop's progress, or from the loop at
    /// a low rate.
    ///
    /// # Errors
    /// When the socket is named but cannot be written. The message stays due.
    pub fn ping_if_due(&mut self, now_ns: u64) -> io::Result<bool> {
        let Some(interval_ns) = self.interval_ns.filter(|_| now_ns >= self.next_ping_ns) else {
            return Ok(false);
        };
        sd_notify::notify(&[NotifyState::Watchdog])?;
        self.next_ping_ns = now_ns.saturating_add(interval_ns);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_twice_per_timeout() {
        for (timeout_ns, interval_ns) in
            [(None, None), (Some(0), None), (Some(1), Some(1)), (Some(3_000_000_000), Some(1_500_000_000))]
        {
            assert_eq!(Watchdog::with_timeout_ns(timeout_ns).interval_ns(), interval_ns);
        }
    }
}
