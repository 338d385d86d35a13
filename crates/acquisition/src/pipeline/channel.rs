//! One channel in operation.

use super::Reading;
use crate::Sample;
use crate::differentiation::{Differentiator, Estimate};
use crate::plan::{ChannelPlan, Derivative};
use crate::plausibility::{Monitor, Output, Reaction};

pub(super) struct Channel {
    pub plan: ChannelPlan,
    differentiator: Option<Box<Differentiator>>,
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
    pub fn new(plan: &ChannelPlan) -> Self {
        let differentiator = match plan.derivative {
            Derivative::Method { method, gap_ns } => Some(Box::new(Differentiator::new(method, gap_ns))),
            _ => None,
        };
        Self {
            plan: plan.clone(),
            differentiator,
            monitor: Monitor::new(plan.rules),
            output: Output::default(),
            place: None,
            raw: f64::NAN,
            sample_ns: 0,
            measured: f64::NAN,
            estimate: Estimate::default(),
        }
    }

    pub fn rate_channel(&self) -> Option<usize> {
        match self.plan.derivative {
            Derivative::Measured { channel, .. } => Some(channel),
            _ => None,
        }
    }

    /// Finds its number by name; says whether it is there.
    pub fn bind(&mut self, numbers: &[String]) -> bool {
        self.place = numbers.iter().position(|number| *number == self.plan.raw);
        self.place.is_some()
    }

    pub fn take(&mut self, sample: &Sample) {
        let Some(raw) = self.place.and_then(|place| sample.get(place)) else {
            return;
        };
        self.raw = raw;
        self.sample_ns = sample.sample_ns;
        if !self.plan.only_changes {
            self.examine(sample.sample_ns, raw);
        }
    }

    /// A number at a time: calibrated, checked, and differentiated if it can be believed.
    fn examine(&mut self, sample_ns: u64, raw: f64) {
        let value = self.plan.calibration.convert(raw);
        let wrong = self.monitor.check(sample_ns, raw, value);
        let believed = self.monitor.rules.sharpest(wrong) == Reaction::None;
        if believed {
            self.measured = self.plan.calibration.clamp(value);
        }
        if let Some(differentiator) = &mut self.differentiator {
            if believed {
                self.estimate = differentiator.push(sample_ns, self.measured);
            } else {
                differentiator.reset();
                self.estimate = Estimate::default();
            }
        }
    }

    pub fn tick(&mut self, now_ns: u64, gone: bool, rate: Option<&Reading>) -> Reading {
        self.monitor.tick(now_ns, gone);
        if self.plan.only_changes && self.sample_ns > 0 && !gone {
            self.examine(now_ns, self.raw);
        }
        if let (Derivative::Measured { factor, .. }, Some(rate)) = (self.plan.derivative, rate) {
            self.estimate = Estimate { rate: rate.value * factor, acceleration: rate.rate * factor };
        }
        let reaction = self.monitor.rules.sharpest(self.monitor.faults);
        let (value, estimate) = self.output.show(now_ns, &self.monitor.rules, reaction, self.measured, self.estimate);
        let derivative = |number: f64| match self.plan.derivative {
            Derivative::None => f64::NAN,
            _ => number,
        };
        Reading {
            value,
            rate: derivative(estimate.rate),
            acceleration: derivative(estimate.acceleration),
            age_ns: if self.sample_ns == 0 { 0 } else { now_ns.saturating_sub(self.sample_ns) },
            known_ns: if self.plan.only_changes && !gone { now_ns } else { self.sample_ns },
            reaction,
            ..self.reading()
        }
    }

    pub fn reading(&self) -> Reading {
        Reading {
            raw: self.raw,
            value: f64::NAN,
            rate: f64::NAN,
            acceleration: f64::NAN,
            sample_ns: self.sample_ns,
            age_ns: 0,
            known_ns: 0,
            faults: self.monitor.faults,
            reaction: Reaction::None,
            fault_count: self.monitor.count,
        }
    }
}
