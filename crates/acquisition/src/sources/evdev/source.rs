//! The open wheel.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use nix::errno::Errno;
use nix::unistd::read;

use super::super::arrivals::Arrivals;
use super::events::{EVENT_BYTES, Event};
use super::feedback::Feedback;
use super::mapping::{Controls, Mapping};
use crate::{Clock, Counters, Sample, Source, State};

/// Records at one read. The kernel keeps some dozens.
const RECORDS: usize = 64;
/// No opportunity takes longer than so many reads.
const MOST_READS: usize = 1024;

/// A wheel, pedals or a gear lever.
pub(super) struct WheelSource {
    events: OwnedFd,
    controls: Box<dyn Controls>,
    mapping: Mapping,
    feedback: Option<Feedback>,
    arrivals: Arrivals,
    /// Zero for never.
    repeat_after_ns: u64,
    /// When a sample was last handed over.
    handed_ns: Option<u64>,
    /// Records were lost, and the next report ends what means nothing.
    dropped: bool,
    buffer: [u8; RECORDS * EVENT_BYTES],
    /// How many bytes of an unfinished record the buffer begins with.
    held: usize,
}

impl WheelSource {
    /// Takes records from a descriptor that does not block; `controls` knows the positions behind
    /// them.
    pub fn new(
        events: OwnedFd,
        controls: Box<dyn Controls>,
        mapping: Mapping,
        feedback: Option<Feedback>,
        repeat_after_s: f64,
        counters: Counters,
    ) -> Self {
        Self {
            events,
            controls,
            mapping,
            feedback,
            // A wheel that nobody turns says nothing, and is none the worse for it: it never counts
            // as stalled.
            arrivals: Arrivals::new(counters, f64::INFINITY),
            repeat_after_ns: (repeat_after_s * 1e9) as u64,
            handed_ns: None,
            dropped: false,
            buffer: [0; RECORDS * EVENT_BYTES],
            held: 0,
        }
    }

    /// One record; the sample, if it completes one.
    #[inline]
    fn handle(&mut self, record: &[u8; EVENT_BYTES], now_ns: u64) -> Option<Sample> {
        match Event::read(record) {
            Event::Dropped => self.dropped = true,
            Event::Report { at_ns } => {
                if std::mem::take(&mut self.dropped) {
                    self.arrivals.counters.resynchronised += 1;
                    if self.controls.refresh().is_ok() {
                        self.mapping.refresh(self.controls.as_ref());
                    }
                }
                return Some(self.mapping.sample(at_ns.min(now_ns)));
            }
            _ if self.dropped => {}
            Event::Axis { code, value } => self.mapping.moved(code, value),
            Event::Button { code, pressed } => self.mapping.pressed(code, pressed),
            Event::Other => {}
        }
        None
    }

    fn is_time_to_repeat(&self, now_ns: u64) -> bool {
        let long_ago = |at_ns: u64| now_ns.saturating_sub(at_ns) >= self.repeat_after_ns;
        self.repeat_after_ns > 0 && self.handed_ns.is_none_or(long_ago)
    }

    /// The records in the buffer; how many samples they made.
    fn handle_all(&mut self, filled: usize, now_ns: u64, each: &mut dyn FnMut(&Sample)) -> u64 {
        let mut samples = 0;
        let whole = filled / EVENT_BYTES * EVENT_BYTES;
        for at in (0..whole).step_by(EVENT_BYTES) {
            let record = std::array::from_fn(|byte| self.buffer[at + byte]);
            if let Some(sample) = self.handle(&record, now_ns) {
                samples += 1;
                each(&sample);
            }
        }
        self.buffer.copy_within(whole..filled, 0);
        self.held = filled - whole;
        samples
    }
}

impl Source for WheelSource {
    fn channels(&self) -> &[String] {
        self.mapping.names()
    }

    fn clock(&self) -> Clock {
        Clock::Kernel
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        (!self.arrivals.has_left()).then(|| self.events.as_fd())
    }

    fn take(&mut self, now_ns: u64, each: &mut dyn FnMut(&Sample)) -> State {
        let mut samples = 0;
        for _ in 0..MOST_READS {
            if self.arrivals.has_left() {
                break;
            }
            match read(&self.events, &mut self.buffer[self.held..]) {
                Ok(0) => self.arrivals.leave(),
                Ok(bytes) => {
                    self.arrivals.counters.bytes += bytes as u64;
                    samples += self.handle_all(self.held + bytes, now_ns, each);
                }
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => break,
                // Unplugged.
                Err(_) => self.arrivals.leave(),
            }
        }
        self.arrivals.counters.remainders += u64::from(self.held > 0);
        let quiet = samples == 0 && self.is_time_to_repeat(now_ns);
        if quiet && !self.arrivals.has_left() && !self.dropped {
            // No record means that nothing has moved: the values hold now, and whoever looks at
            // their age should know.
            samples = 1;
            each(&self.mapping.sample(now_ns));
        }
        if samples > 0 {
            self.handed_ns = Some(now_ns);
        }
        self.arrivals.taken(samples, now_ns)
    }

    fn counters(&self) -> &Counters {
        &self.arrivals.counters
    }

    fn feel(&mut self, torque_nm: f64, _now_ns: u64) {
        if let Some(feedback) = &self.feedback {
            feedback.feel(torque_nm);
        }
    }
}
