//! Something that lasts for some steps: from a flag in every step to one event at its beginning and
//! one at its end.

use super::{Event, Kind, Phase, Reporter};
use crate::clock::monotonic_ns;

/// A flag that is looked at in every step.
#[derive(Debug)]
pub struct Condition {
    kind: &'static Kind,
    /// Steps for which it has lasted; 0 while there is nothing.
    count: u64,
    value_ns: u64,
}

impl Condition {
    /// Nothing yet.
    #[must_use]
    pub const fn new(kind: &'static Kind) -> Self {
        Self { kind, count: 0, value_ns: 0 }
    }

    /// Looks at the flag in this step; a change is an event. Real-time safe: the clock is read at a
    /// change only.
    #[inline]
    pub fn look(&mut self, is_on: bool, step: u64, reporter: &mut Reporter) {
        self.look_with_time(is_on, step, 0, reporter);
    }

    /// As [`Self::look`], for a kind with a time (ns): its largest is in the event of the end.
    #[inline]
    pub fn look_with_time(&mut self, is_on: bool, step: u64, value_ns: u64, reporter: &mut Reporter) {
        if is_on {
            self.value_ns = self.value_ns.max(value_ns);
            if self.count == 0 {
                self.report(Phase::Begin, step, reporter);
            }
            self.count += 1;
        } else if self.count > 0 {
            self.report(Phase::End, step, reporter);
            (self.count, self.value_ns) = (0, 0);
        }
    }

    #[cold]
    fn report(&self, phase: Phase, step: u64, reporter: &mut Reporter) {
        reporter.report(Event {
            kind: self.kind,
            phase,
            step,
            time_ns: monotonic_ns(),
            count: self.count,
            value_ns: self.value_ns,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Severity, ring};
    use super::*;

    static KIND: Kind = Kind::counted("overrun", Severity::Warning, "overrun");

    #[test]
    fn a_course_is_two_events_however_long_it_lasts() {
        let (mut reporter, mut events) = ring(16);
        let mut condition = Condition::new(&KIND);
        for (step, value_ns) in [(1, 0), (2, 40), (3, 90), (4, 20), (5, 0), (6, 0), (7, 5)] {
            condition.look_with_time(value_ns > 0, step, value_ns, &mut reporter);
        }
        let seen: Vec<_> = std::iter::from_fn(|| events.next())
            .map(|event| (event.phase, event.step, event.count, event.value_ns))
            .collect();
        assert_eq!(seen, [(Phase::Begin, 2, 0, 40), (Phase::End, 5, 3, 90), (Phase::Begin, 7, 0, 5)]);
    }
}
