//! One channel in operation.

use super::Reading;
use crate::Sample;
use crate::calibration::Calibration;
use crate::differentiation::{Differentiator, Estimate};
use crate::plan::{ChannelPlan, Derivative};
use crate::plausibility::{Monitor, Output, Reaction};

/// Where the derivatives come from.
enum Derived {
    Nowhere,
    Samples(Box<Differentiator>),
    Channel { channel: usize, factor: f64 },
}

pub(super) struct Channel {
    name: String,
    raw_name: String,
    source: usize,
    only_changes: bool,
    calibration: Calibration,
    derived: Derived,
    monitor: Monitor,
    output: Output,
    /// The place of the number in the source's samples.
    place: Option<usize>,
    raw: f64,
    sample_ns: u64,
    /// The newest value that was believed (unit).
    measured: f64,
    estimate: Estimate,
}

impl Channel {
    pub(super) fn new(plan: &ChannelPlan) -> Self {
        let derived = match plan.derivative {
            Derivative::None => Derived::Nowhere,
            Derivative::Method { method, gap_ns } => Derived::Samples(Box::new(Differentiator::new(method, gap_ns))),
            Derivative::Measured { channel, factor } => Derived::Channel { channel, factor },
        };
        Self {
            name: plan.name.clone(),
            raw_name: plan.raw.clone(),
            source: plan.source,
            only_changes: plan.only_changes,
            calibration: plan.calibration.clone(),
            derived,
            monitor: Monitor::new(plan.rules),
            output: Output::default(),
            place: None,
            raw: f64::NAN,
            sample_ns: 0,
            measured: f64::NAN,
            estimate: Estimate::default(),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn source(&self) -> usize {
        self.source
    }

    /// The channel that measures this one's rate.
    pub(super) fn rate_channel(&self) -> Option<usize> {
        match self.derived {
            Derived::Channel { channel, .. } => Some(channel),
            _ => None,
        }
    }

    pub(super) fn raw_name(&self) -> &str {
        &self.raw_name
    }

    /// Finds its number by name; says whether it is there.
    pub(super) fn bind(&mut self, numbers: &[String]) -> bool {
        self.place = numbers.iter().position(|number| *number == self.raw_name);
        self.place.is_some()
    }

    #[inline]
    pub(super) fn take(&mut self, sample: &Sample) {
        let Some(raw) = self.place.and_then(|place| sample.get(place)) else {
            return;
        };
        self.raw = raw;
        self.sample_ns = sample.sample_ns;
        if !self.only_changes {
            self.examine(sample.sample_ns, raw);
        }
    }

    /// A number at a time: calibrated, checked, and differentiated if it can be believed.
    fn examine(&mut self, sample_ns: u64, raw: f64) {
        let value = self.calibration.convert(raw);
        let wrong = self.monitor.check(sample_ns, raw, value);
        let believed = self.monitor.rules().sharpest(wrong) == Reaction::None;
        if believed {
            self.measured = self.calibration.clamp(value);
        }
        if let Derived::Samples(differentiator) = &mut self.derived {
            if believed {
                self.estimate = differentiator.push(sample_ns, self.measured);
            } else {
                differentiator.reset();
                self.estimate = Estimate::default();
            }
        }
    }

    /// Brings everything up to date.
    pub(super) fn tick(&mut self, now_ns: u64, gone: bool, rate: Option<&Reading>) -> Reading {
        self.monitor.tick(now_ns, gone);
        if self.only_changes && self.sample_ns > 0 && !gone {
            self.examine(now_ns, self.raw);
        }
        if let (Derived::Channel { factor, .. }, Some(rate)) = (&self.derived, rate) {
            self.estimate = Estimate { rate: rate.value * factor, acceleration: rate.rate * factor };
        }
        let reaction = self.monitor.rules().sharpest(self.monitor.faults());
        let shown = self.output.show(now_ns, self.monitor.rules(), reaction, self.measured, self.estimate);
        let derivative = |number: f64| match self.derived {
            Derived::Nowhere => f64::NAN,
            _ => number,
        };
        Reading {
            value: shown.value,
            rate: derivative(shown.rate),
            acceleration: derivative(shown.acceleration),
            age_ns: if self.sample_ns == 0 { 0 } else { now_ns.saturating_sub(self.sample_ns) },
            known_ns: if self.only_changes && !gone { now_ns } else { self.sample_ns },
            reaction,
            ..self.reading()
        }
    }

    /// What is known without a clock.
    pub(super) fn reading(&self) -> Reading {
        Reading {
            raw: self.raw,
            value: f64::NAN,
            rate: f64::NAN,
            acceleration: f64::NAN,
            sample_ns: self.sample_ns,
            age_ns: 0,
            known_ns: 0,
            faults: self.monitor.faults(),
            reaction: Reaction::None,
            fault_count: self.monitor.count(),
        }
    }
}
