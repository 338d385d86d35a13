//! What the loop reports: how an answer went, looked at after each one.

use rt::events::{Condition, Event, Kind, Reporter, Severity};
use service::{Answering, missing};

static NO_DRIVER: Kind = Kind::new(
    "driver-silent",
    Severity::Warning,
    "answers without the driver, whose data is too old",
);
static NO_EXTERNAL: Kind = Kind::new(
    "external-late",
    Severity::Warning,
    "a subsystem of another process did not answer in time",
);
static NO_SIGNAL: Kind = Kind::new(
    "signal-missing",
    Severity::Warning,
    "the controller held a demand or lacked an output",
);
static LOAD_OUTSIDE: Kind = Kind::new(
    "tyre-load-outside",
    Severity::Warning,
    "a tyre carries a load for which its file was not fitted",
);
static WAITING: Kind = Kind::new(
    "waiting-for-driver",
    Severity::Information,
    "no answer yet, the driver's data has not come",
);
static ASKED_AGAIN: Kind = Kind::new(
    "asked-again",
    Severity::Information,
    "asked for a step again, which was answered as before,",
);
static UNANSWERED: Kind = Kind::new(
    "unanswered",
    Severity::Warning,
    "questions passed unanswered before",
);

/// Looks at every answer and reports what changes. Nothing here allocates, locks or prints.
pub struct Watch {
    driver: Condition,
    external: Condition,
    signal: Condition,
    load_outside: Condition,
    waiting: Condition,
    /// The step of the last question; 0 before the first.
    asked: u64,
}

impl Watch {
    /// Begins where the models stand.
    pub fn new(subsystems: &dyn Answering) -> Self {
        Self {
            driver: Condition::new(&NO_DRIVER),
            external: Condition::new(&NO_EXTERNAL),
            signal: Condition::new(&NO_SIGNAL),
            load_outside: Condition::new(&LOAD_OUTSIDE),
            waiting: Condition::new(&WAITING),
            asked: subsystems.step(),
        }
    }

    /// Looks at the question that was just dealt with. Real-time safe.
    #[inline]
    pub fn look(&mut self, subsystems: &dyn Answering, is_answered: bool, reporter: &mut Reporter) {
        let Some(question) = subsystems.question() else {
            return;
        };
        let step = question.step;
        self.waiting.look(!is_answered, step, reporter);
        if !is_answered {
            // The dynamics ask for the same step until somebody answers.
            return;
        }
        let without = subsystems.missing();
        self.driver.look(without & missing::DRIVER != 0, step, reporter);
        self.external
            .look(without & missing::EXTERNAL != 0, step, reporter);
        self.signal.look(without & missing::SIGNAL != 0, step, reporter);
        self.load_outside
            .look(without & missing::TYRE_FIT != 0, step, reporter);
        if step == self.asked {
            reporter.report(Event::once(&ASKED_AGAIN, step));
        } else if self.asked > 0 && step > self.asked + 1 {
            reporter.report(Event {
                count: step - self.asked - 1,
                ..Event::once(&UNANSWERED, step)
            });
        }
        self.asked = step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rt::events::{Phase, ring};
    use shm_layout::{Stamp, Wait, Waited};

    /// Models that are as the test says.
    #[derive(Default)]
    struct Told {
        question: Stamp,
        missing: u64,
    }

    impl Answering for Told {
        fn await_question(&mut self, _deadline_ns: u64, _wait: Wait) -> Waited {
            Waited::Answered
        }
        fn question(&self) -> Option<Stamp> {
            Some(self.question)
        }
        fn answer(&mut self, _wait: Wait) -> bool {
            true
        }
        fn step(&self) -> u64 {
            self.question.step
        }
        fn warnings(&self) -> u64 {
            0
        }
        fn missing(&self) -> u64 {
            self.missing
        }
    }

    #[test]
    fn what_an_answer_lacks_and_gaps_in_the_questions_are_told() {
        let (mut reporter, mut events) = ring(64);
        let mut told = Told::default();
        let mut watch = Watch::new(&told);
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
            told.question.step = step;
            told.missing = lacks;
            watch.look(&told, is_answered, &mut reporter);
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
