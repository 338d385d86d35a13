//! The torque at the steering wheel: a constant force that is uploaded once and changed from then
//! on.
//!
//! Changing an effect is a system call that may wait: for the driver's lock, for the USB, and for a
//! device made by a program even for that program. So the loop only leaves the torque in a shared
//! place, and a thread of its own carries it to the device at a fixed rate: when it has changed,
//! and again twice a second, for devices that end an effect by themselves or were reset. The
//! thread is also the watchdog: when the loop says nothing for a while, whatever the reason, the
//! torque is zero. When this process dies, the kernel removes the effect.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde::Deserialize;

/// A force that stays the same is sent again after this time.
const REFRESH_AFTER: Duration = Duration::from_millis(500);

#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct FeedbackSettings {
    /// The torque that the wheel gives at its highest level (Nm).
    pub max_torque_nm: f64,
    /// How much of the asked torque is given, 0 to 1.
    #[serde(default = "whole")]
    pub gain: f64,
    /// How often the force is brought up to date (Hz).
    #[serde(default = "refresh_hz")]
    pub refresh_hz: f64,
    /// Without a word from the loop for so long the force is zero (s).
    #[serde(default = "zero_after_s")]
    pub zero_after_s: f64,
    /// For a wheel that pulls to the wrong side.
    #[serde(default)]
    pub invert: bool,
}

fn whole() -> f64 {
    1.0
}

fn refresh_hz() -> f64 {
    200.0
}

fn zero_after_s() -> f64 {
    0.1
}

impl FeedbackSettings {
    pub fn check(&self, place: &str) -> Result<(), String> {
        let fields = [
            ("max_torque_nm", self.max_torque_nm, 0.01, 100.0),
            ("gain", self.gain, 0.0, 1.0),
            ("refresh_hz", self.refresh_hz, 10.0, 1000.0),
            ("zero_after_s", self.zero_after_s, 0.01, 10.0),
        ];
        let wrong = fields.iter().find(|(_, value, least, greatest)| !(least..=greatest).contains(&value));
        wrong.map_or(Ok(()), |(field, value, least, greatest)| {
            Err(format!("{place}: force_feedback.{field} = {value}: expected {least} to {greatest}"))
        })
    }

    /// The level of a torque (positive to the left): the whole of 16 bits is the highest torque.
    pub fn level(&self, torque_nm: f64) -> i16 {
        let sign = if self.invert { -1.0 } else { 1.0 };
        // What is no number becomes no force.
        (sign * self.gain * (torque_nm / self.max_torque_nm).clamp(-1.0, 1.0) * f64::from(i16::MAX)).round() as i16
    }
}

pub(super) trait Actuator: Send {
    /// Pulls with a level from now on; positive to the left.
    fn set_level(&mut self, level: i16) -> io::Result<()>;

    /// Pulls with the same level, whether or not the device still does.
    fn refresh(&mut self, level: i16) -> io::Result<()>;
}

#[derive(Default)]
struct Shared {
    /// Bits of the torque (Nm).
    torque_nm: AtomicU64,
    /// How often the loop has updated.
    updates: AtomicU64,
    ended: AtomicBool,
}

/// The thread that carries the torque. Dropping it ends the force.
pub(super) struct Feedback {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Feedback {
    pub fn start(settings: FeedbackSettings, actuator: Box<dyn Actuator>) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let seen = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("wheel-force".to_owned())
            .spawn(move || follow(settings, &seen, actuator))?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Leaves a torque for the thread (Nm, positive to the left). Real-time safe.
    pub fn set_torque(&self, torque_nm: f64) {
        self.shared.torque_nm.store(torque_nm.to_bits(), Ordering::Relaxed);
        self.shared.updates.fetch_add(1, Ordering::Release);
    }
}

impl Drop for Feedback {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

fn follow(settings: FeedbackSettings, shared: &Shared, mut actuator: Box<dyn Actuator>) {
    let period = Duration::from_secs_f64(1.0 / settings.refresh_hz);
    let zero_after = Duration::from_secs_f64(settings.zero_after_s);
    let (mut updates, mut heard) = (0, Instant::now());
    let (mut level, mut sent) = (0, Instant::now());
    while !shared.ended.load(Ordering::Acquire) {
        std::thread::park_timeout(period);
        let updated = shared.updates.load(Ordering::Acquire);
        if updated != updates {
            (updates, heard) = (updated, Instant::now());
        }
        let wanted = match updates {
            0 => 0,
            _ if heard.elapsed() > zero_after => 0,
            _ => settings.level(f64::from_bits(shared.torque_nm.load(Ordering::Relaxed))),
        };
        let outcome = if wanted != level {
            actuator.set_level(wanted)
        } else if level != 0 && sent.elapsed() >= REFRESH_AFTER {
            actuator.refresh(level)
        } else {
            continue;
        };
        match outcome {
            Ok(()) => (level, sent) = (wanted, Instant::now()),
            Err(problem) if problem.raw_os_error() == Some(libc::ENODEV) => return,
            // Interrupted or busy: again at the next turn.
            Err(_) => {}
        }
    }
    let _ = actuator.set_level(0);
}
