//! Looks at every sample of a channel and keeps what is wrong with it.

use super::{Fault, Faults, RangeRule, Rules, TimeRule};
use crate::NANOSECONDS_PER_SECOND;

/// The faults of one channel over time. Real-time safe.
#[derive(Clone, Debug)]
pub struct Monitor {
    pub rules: Rules,
    pub faults: Faults,
    /// When each fault was last seen (ns), by its place in [`Fault::ALL`].
    seen_ns: [u64; Fault::ALL.len()],
    pub count: u64,
    before: Option<Before>,
    /// Since when nothing has arrived, as far as staleness is concerned (ns).
    received_ns: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Before {
    sample_ns: u64,
    raw: f64,
    value: f64,
    /// Since when the raw number has been the same (ns).
    same_since_ns: u64,
}

impl Monitor {
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            faults: Faults::default(),
            seen_ns: [0; Fault::ALL.len()],
            count: 0,
            before: None,
            received_ns: None,
        }
    }

    /// Looks at a sample: its raw number, and its value before it was clamped. Says what is wrong
    /// with this very one.
    pub fn check(&mut self, sample_ns: u64, raw: f64, value: f64) -> Faults {
        let mut wrong = Faults::default();
        wrong.set(Fault::NotANumber, !(raw.is_finite() && value.is_finite()));
        if wrong.none() {
            let same_since_ns = self.same_since_ns(sample_ns, raw);
            wrong.set(Fault::OutOfRange, self.is_out_of_range(value));
            wrong.set(Fault::Jump, self.is_jump(sample_ns, value));
            wrong.set(Fault::Stuck, self.is_stuck(sample_ns, same_since_ns));
            self.before = Some(Before { sample_ns, raw, value, same_since_ns });
        }
        self.received_ns = Some(self.received_ns.unwrap_or(0).max(sample_ns));
        for fault in Fault::ALL {
            if wrong.has(fault) {
                self.see(fault, sample_ns);
            } else if sample_ns >= self.seen_ns[fault as usize].saturating_add(self.rules.recover_ns) {
                self.faults.set(fault, false);
            }
        }
        wrong
    }

    /// Looks at the clock, and whether the source is there.
    pub fn tick(&mut self, now_ns: u64, source_is_gone: bool) {
        let received_ns = *self.received_ns.get_or_insert(now_ns);
        let old = |rule: TimeRule| now_ns.saturating_sub(received_ns) > rule.longest_ns;
        if source_is_gone || self.rules.stale.is_some_and(old) {
            self.see(Fault::Stale, now_ns);
        }
    }

    fn see(&mut self, fault: Fault, now_ns: u64) {
        if !self.faults.has(fault) {
            self.count += 1;
        }
        self.faults.set(fault, true);
        self.seen_ns[fault as usize] = now_ns;
    }

    fn is_out_of_range(&self, value: f64) -> bool {
        let outside = |RangeRule { min, max, .. }: RangeRule| {
            min.is_some_and(|least| value < least) || max.is_some_and(|most| value > most)
        };
        self.rules.range.is_some_and(outside)
    }

    /// Across a silence, a value may have gone anywhere.
    fn is_jump(&self, sample_ns: u64, value: f64) -> bool {
        let (Some(rule), Some(before)) = (self.rules.jump, self.before) else {
            return false;
        };
        let passed_s = sample_ns.saturating_sub(before.sample_ns) as f64 / NANOSECONDS_PER_SECOND;
        let allowed = rule.step_max + rule.rate_max * passed_s;
        !self.faults.has(Fault::Stale) && (value - before.value).abs() > allowed
    }

    fn same_since_ns(&self, sample_ns: u64, raw: f64) -> u64 {
        let same = self.before.filter(|before| before.raw == raw && sample_ns >= before.sample_ns);
        same.map_or(sample_ns, |before| before.same_since_ns)
    }

    fn is_stuck(&self, sample_ns: u64, same_since_ns: u64) -> bool {
        let too_long = |rule: TimeRule| sample_ns.saturating_sub(same_since_ns) > rule.longest_ns;
        self.rules.stuck.is_some_and(too_long)
    }
}
