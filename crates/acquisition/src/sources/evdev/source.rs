//! The open wheel.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use super::super::arrivals::Arrivals;
use super::super::records::Records;
use super::events::{EVENT_BYTES, Event};
use super::feedback::Feedback;
use super::mapping::{Controls, Mapping};
use crate::{Clock, Counters, Sample, Source, State};

/// A wheel, pedals or a gear lever.
pub(super) struct WheelSource {
    events: OwnedFd,
    reports: Reports,
    feedback: Option<Feedback>,
    arrivals: Arrivals,
    /// Zero for never.
    repeat_after_ns: u64,
    /// When a sample was last handed over.
    handed_ns: Option<u64>,
    records: Records,
}

/// From records to samples.
struct Reports {
    controls: Box<dyn Controls>,
    mapping: Mapping,
    /// Records were lost, and the next report ends what means nothing.
    dropped: bool,
    resynchronised: u64,
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
        let resynchronised = counters.resynchronised;
        Self {
            events,
            reports: Reports { controls, mapping, dropped: false, resynchronised },
            feedback,
            // A wheel at rest sends nothing: it never counts as stalled.
            arrivals: Arrivals::new(counters, f64::INFINITY),
            repeat_after_ns: (repeat_after_s * 1e9) as u64,
            handed_ns: None,
            records: Records::new(EVENT_BYTES),
        }
    }

    fn is_time_to_repeat(&self, now_ns: u64) -> bool {
        let long_ago = |at_ns: u64| now_ns.saturating_sub(at_ns) >= self.repeat_after_ns;
        self.repeat_after_ns > 0 && self.handed_ns.is_none_or(long_ago)
    }
}

impl Reports {
    /// One record; the sample, if it completes one.
    #[inline]
    fn handle(&mut self, record: &[u8; EVENT_BYTES], now_ns: u64) -> Option<Sample> {
        match Event::read(record) {
            Event::Dropped => self.dropped = true,
            Event::Report { at_ns } => {
                if std::mem::take(&mut self.dropped) {
                    self.resynchronised += 1;
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

impl Source for WheelSource {
    fn channels(&self) -> &[String] {
        self.reports.mapping.names()
    }

    fn clock(&self) -> Clock {
        Clock::Kernel
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        (!self.arrivals.has_left()).then(|| self.events.as_fd())
    }

    fn take(&mut self, now_ns: u64, each: &mut dyn FnMut(&Sample)) -> State {
        let Self { events, reports, arrivals, records, .. } = self;
        let mut samples = records.take(events, arrivals, |bytes| {
            let mut samples = 0;
            for record in bytes.as_chunks().0 {
                if let Some(sample) = reports.handle(record, now_ns) {
                    samples += 1;
                    each(&sample);
                }
            }
            samples
        });
        arrivals.counters.resynchronised = reports.resynchronised;
        let quiet = samples == 0 && self.is_time_to_repeat(now_ns);
        if quiet && !self.arrivals.has_left() && !self.reports.dropped {
            // No record means that nothing has moved: the values hold now, and their
            // age is zero.
            samples = 1;
            each(&self.reports.mapping.sample(now_ns));
        }
        if samples > 0 {
            self.handed_ns = Some(now_ns);
        }
        self.arrivals.taken(samples, now_ns)
    }

    fn counters(&self) -> &Counters {
        &self.arrivals.counters
    }

    fn set_torque(&mut self, torque_nm: f64, _now_ns: u64) {
        if let Some(feedback) = &self.feedback {
            feedback.set_torque(torque_nm);
        }
    }
}
