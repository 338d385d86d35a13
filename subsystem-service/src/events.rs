//! What the loop reports: how an answer went, looked at after each one.

use lockstep::{Reply, missing};
use rt::events::{Condition, Event, Kind, Reporter, Severity};

/// What an answer lacked, by the bits of [`missing`].
static OF_MISSING: [(u64, Kind); 4] = [
    (missing::DRIVER, warning("driver-silent", "answers without the driver, whose data is too old")),
    (missing::EXTERNAL, warning("external-late", "a subsystem of another process did not answer in time")),
    (missing::SIGNAL, warning("signal-missing", "the controller held a demand or lacked an output")),
    (missing::TYRE_FIT, warning("tyre-load-outside", "a tyre carries a load for which its file was not fitted")),
];
static UNANSWERED: Kind = warning("unanswered", "questions passed unanswered before");
static WAITING: Kind =
    Kind::new("waiting-for-driver", Severity::Information, "no answer yet, the driver's data has not come");
static ASKED_AGAIN: Kind =
    Kind::new("asked-again", Severity::Information, "asked for a step again, which was answered as before,");

const fn warning(name: &'static str, what: &'static str) -> Kind {
    Kind::new(name, Severity::Warning, what)
}

/// Looks at every answer and reports what changes. Nothing here allocates, locks or prints.
pub struct Watch {
    of_missing: [Condition; OF_MISSING.len()],
    waiting: Condition,
    /// The step of the last question; 0 before the first.
    asked: u64,
}

impl Watch {
    /// Begins where the models stand.
    #[must_use]
    pub fn new(reply: &Reply) -> Self {
        Self {
            of_missing: OF_MISSING.each_ref().map(|(_, kind)| Condition::new(kind)),
            waiting: Condition::new(&WAITING),
            asked: reply.step,
        }
    }

    /// Looks at the question that was just dealt with. Real-time safe.
    #[inline]
    pub fn look(&mut self, reply: &Reply, reporter: &mut Reporter) {
        let step = reply.question.step;
        self.waiting.look(!reply.is_answered, step, reporter);
        if !reply.is_answered {
            // The dynamics ask for the same step until they are answered.
            return;
        }
        for ((bit, _), condition) in OF_MISSING.iter().zip(&mut self.of_missing) {
            condition.look(reply.missing & bit != 0, step, reporter);
        }
        if step == self.asked {
            reporter.report(Event::once(&ASKED_AGAIN, step));
        } else if self.asked > 0 && step > self.asked + 1 {
            reporter.report(Event { count: step - self.asked - 1, ..Event::once(&UNANSWERED, step) });
        }
        self.asked = step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rt::events::{Phase, ring};

    #[test]
    fn what_an_answer_lacks_and_gaps_in_the_questions_are_told() {
        let (mut reporter, mut events) = ring(64);
        let mut reply = Reply::default();
        let mut watch = Watch::new(&reply);
        for (step, lacks, is_answered) in [
            (1, 0, false),
            (1, 0, true),
            (2, missing::DRIVER, true),
            (3, missing::DRIVER | missing::EXTERNAL, true),
            (4, 0, true),
            (4, 0, true),
            (9, missing::SIGNAL, true),
            (10, missing::TYRE_FIT, true),
            (11, missing::TYRE_FIT, true),
            (12, 0, true),
        ] {
            reply.question.step = step;
            reply.missing = lacks;
            reply.is_answered = is_answered;
            watch.look(&reply, &mut reporter);
        }
        let seen: Vec<_> = std::iter::from_fn(|| events.next())
            .map(|event| (event.kind.name, event.phase, event.step, event.count))
            .collect();
        assert_eq!(
            seen,
            [
                ("waiting-for-driver", Phase::Begin, 1, 0),
                ("waiting-for-driver", Phase::End, 1, 1),
                ("driver-silent", Phase::Begin, 2, 0),
                ("external-late", Phase::Begin, 3, 0),
                ("driver-silent", Phase::End, 4, 2),
                ("external-late", Phase::End, 4, 1),
                ("asked-again", Phase::Once, 4, 1),
                ("signal-missing", Phase::Begin, 9, 0),
                ("unanswered", Phase::Once, 9, 4),
                ("signal-missing", Phase::End, 10, 1),
                ("tyre-load-outside", Phase::Begin, 10, 0),
                ("tyre-load-outside", Phase::End, 12, 2),
            ]
        );
    }
}
