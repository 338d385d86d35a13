//! What the loop reports: how a step went, looked at after each one.

use lockstep::{Report, status};
use rt::events::{Condition, Kind, Reporter, Severity};

static OVERRUN: Kind = Kind::counted("overrun", Severity::Warning, "overrun");
static LATE_ANSWER: Kind = warning("late-answer", "no answer in time");

/// What a step had to report, by the bits of its status. A held answer has no kind of its own: a
/// late or a refused answer is its cause.
static OF_STATUS: [(u64, Kind); 7] = [
    (
        status::INPUT_HELD | status::INPUT_CLAMPED | status::STATE_HELD | status::STEP_REJECTED,
        warning("model-warning", "the model refused or limited something"),
    ),
    (status::SAFE_STOP, warning("safe-stop", "safe stop, the vehicle brakes by itself")),
    (status::TAKING_OVER, Kind::new("takeover", Severity::Information, "answers take over from the safe stop")),
    (status::ANSWER_REFUSED, warning("answer-refused", "an answer out of all bounds was refused")),
    (status::STEP_REPEATED, warning("step-repeated", "a step left the possible motion and was repeated")),
    (status::LOOPS_OPEN, warning("loops-open", "the loops of the mechanism did not close")),
    (status::STATE_RESET, warning("state-reset", "the vehicle went on from its settled initial state")),
];

const fn warning(name: &'static str, what: &'static str) -> Kind {
    Kind::new(name, Severity::Warning, what)
}

/// Looks at every step and reports what changes. Nothing here allocates, locks or prints.
pub struct Watch {
    overrun: Condition,
    late_answer: Condition,
    of_status: [Condition; OF_STATUS.len()],
    period_ns: u64,
}

impl Watch {
    /// A step may take so long.
    #[must_use]
    pub fn new(period_ns: u64) -> Self {
        Self {
            overrun: Condition::new(&OVERRUN),
            late_answer: Condition::new(&LATE_ANSWER),
            of_status: OF_STATUS.each_ref().map(|(_, kind)| Condition::new(kind)),
            period_ns,
        }
    }

    /// Looks at the step that was just made and was over so long after it was due (ns). Real-time
    /// safe.
    #[inline]
    pub fn look(&mut self, report: &Report, over_ns: u64, reporter: &mut Reporter) {
        // The report already names the next one.
        let step = report.step.saturating_sub(1);
        let late_ns = over_ns.saturating_sub(self.period_ns);
        self.overrun.look_with_time(late_ns > 0, step, late_ns, reporter);
        self.late_answer.look(report.is_late, step, reporter);
        for ((bits, _), condition) in OF_STATUS.iter().zip(&mut self.of_status) {
            condition.look(report.status & bits != 0, step, reporter);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lockstep::status::{ANSWER_REFUSED, INPUT_CLAMPED, SAFE_STOP, TAKING_OVER};
    use rt::events::{Phase, ring};

    #[test]
    fn a_silence_is_reported_from_its_first_late_answer_to_the_end_of_the_takeover() {
        let (mut reporter, mut events) = ring(64);
        let mut watch = Watch::new(1_000);
        for step in 1..=12 {
            let status = match step {
                5..=6 => SAFE_STOP,
                7..=9 => TAKING_OVER,
                11 => ANSWER_REFUSED,
                _ => 0,
            };
            let is_late = (3..7).contains(&step);
            let report = Report { step: step + 1, status, is_late, ..Report::default() };
            let over_ns = if step == 2 { 1_001 } else { 1_000 };
            watch.look(&report, over_ns, &mut reporter);
        }
        let seen: Vec<_> = std::iter::from_fn(|| events.next())
            .map(|event| (event.kind.name, event.phase, event.step, event.count))
            .collect();
        assert_eq!(
            seen,
            [
                ("overrun", Phase::Begin, 2, 0),
                ("overrun", Phase::End, 3, 1),
                ("late-answer", Phase::Begin, 3, 0),
                ("safe-stop", Phase::Begin, 5, 0),
                ("late-answer", Phase::End, 7, 4),
                ("safe-stop", Phase::End, 7, 2),
                ("takeover", Phase::Begin, 7, 0),
                ("takeover", Phase::End, 10, 3),
                ("answer-refused", Phase::Begin, 11, 0),
                ("answer-refused", Phase::End, 12, 1),
            ]
        );
    }

    #[test]
    fn a_warning_of_a_plant_is_reported() {
        let (mut reporter, mut events) = ring(64);
        let report = Report { step: 2, status: INPUT_CLAMPED, ..Report::default() };
        Watch::new(1_000).look(&report, 0, &mut reporter);
        assert_eq!(events.next().map(|event| event.kind.name), Some("model-warning"));
    }
}
