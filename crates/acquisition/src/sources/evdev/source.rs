//! The open wheel, and the records of the kernel's input devices (`struct input_event`,
//! linux/input.h): time, type, code, value.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use super::super::arrivals::Arrivals;
use super::super::records::{Device, RecordSource};
use super::channel::{Controls, Mapping};
use super::feedback::Feedback;
use crate::{Clock, Counters, Sample};

/// Size of a record on a machine of 64 bits (B).
const EVENT_BYTES: usize = 24;

enum Event {
    /// All changes that happened at one time, on the clock that was asked for, have been named.
    Report {
        at_ns: u64,
    },
    /// Records were lost: what follows until the next report means nothing.
    Dropped,
    Axis {
        code: u16,
        value: i32,
    },
    Button {
        code: u16,
        pressed: bool,
    },
    /// Something that no channel is made of.
    Other,
}

impl Event {
    fn read(record: &[u8; EVENT_BYTES]) -> Self {
        let long = |at: usize| i64::from_ne_bytes(std::array::from_fn(|byte| record[at + byte]));
        let short = |at: usize| u16::from_ne_bytes([record[at], record[at + 1]]);
        let value = i32::from_ne_bytes(std::array::from_fn(|byte| record[20 + byte]));
        let code = short(18);
        match short(16) {
            EV_SYN if code == SYN_REPORT => {
                let at_ns = long(0).saturating_mul(1_000_000_000).saturating_add(long(8).saturating_mul(1_000));
                Self::Report { at_ns: u64::try_from(at_ns).unwrap_or(0) }
            }
            EV_SYN if code == SYN_DROPPED => Self::Dropped,
            EV_ABS => Self::Axis { code, value },
            EV_KEY => Self::Button { code, pressed: value != 0 },
            _ => Self::Other,
        }
    }
}

const EV_SYN: u16 = 0;
const EV_KEY: u16 = 1;
const EV_ABS: u16 = 3;
const SYN_REPORT: u16 = 0;
const SYN_DROPPED: u16 = 3;

pub(super) struct Wheel {
    events: OwnedFd,
    /// Knows the positions behind the records.
    controls: Box<dyn Controls>,
    mapping: Mapping,
    feedback: Option<Feedback>,
    /// Records were lost, and the next report ends what means nothing.
    dropped: bool,
    /// Zero for never.
    repeat_after_ns: u64,
    /// When a sample was last handed over.
    handed_ns: Option<u64>,
}

impl Wheel {
    /// Takes records from a descriptor that does not block.
    pub fn source(
        events: OwnedFd,
        controls: Box<dyn Controls>,
        mapping: Mapping,
        feedback: Option<Feedback>,
        repeat_after_s: f64,
        counters: Counters,
    ) -> RecordSource<Self> {
        let names = mapping.names.clone();
        let repeat_after_ns = (repeat_after_s * 1e9) as u64;
        let wheel = Self { events, controls, mapping, feedback, dropped: false, repeat_after_ns, handed_ns: None };
        // A wheel at rest sends nothing: it never counts as stalled.
        let arrivals = Arrivals::new(counters, f64::INFINITY);
        RecordSource::new(wheel, names, Clock::Kernel, EVENT_BYTES, arrivals)
    }

    fn sample(&mut self, record: &[u8; EVENT_BYTES], now_ns: u64, counters: &mut Counters) -> Option<Sample> {
        match Event::read(record) {
            Event::Dropped => self.dropped = true,
            Event::Report { at_ns } => {
                if std::mem::take(&mut self.dropped) {
                    counters.resynchronised += 1;
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
}

impl AsFd for Wheel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.events.as_fd()
    }
}

impl Device for Wheel {
    fn handle(&mut self, bytes: &[u8], now_ns: u64, counters: &mut Counters, each: &mut dyn FnMut(&Sample)) -> u64 {
        let mut samples = 0;
        for record in bytes.as_chunks().0 {
            if let Some(sample) = self.sample(record, now_ns, counters) {
                samples += 1;
                self.handed_ns = Some(now_ns);
                each(&sample);
            }
        }
        samples
    }

    /// No record means that nothing has moved: the values hold now, and their age is zero.
    fn at_rest(&mut self, now_ns: u64) -> Option<Sample> {
        let long_ago = |at_ns: u64| now_ns.saturating_sub(at_ns) >= self.repeat_after_ns;
        let is_time = self.repeat_after_ns > 0 && self.handed_ns.is_none_or(long_ago) && !self.dropped;
        is_time.then(|| {
            self.handed_ns = Some(now_ns);
            self.mapping.sample(now_ns)
        })
    }

    fn set_torque(&mut self, torque_nm: f64) {
        if let Some(feedback) = &self.feedback {
            feedback.set_torque(torque_nm);
        }
    }
}
