//! What the loop reports: how a step went, looked at after each one.

use rt::events::{Condition, Kind, Reporter, Severity};
use service::vehicle::status::{ANSWER_REFUSED, LOOPS_OPEN, SAFE_STOP, STEP_REPEATED, TAKING_OVER};

use crate::exchange::Exchange;

static OVERRUN: Kind = Kind::new(
    "overrun",
    Severity::Warning,
    "the step was over after the next one was due",
)
.with_time("at the latest after");
static LATE_ANSWER: Kind = Kind::new("late-answer", Severity::Warning, "no answer in time");
static MODEL_WARNING: Kind = Kind::new(
    "model-warning",
    Severity::Warning,
    "the model refused or limited something",
);

/// What a vehicle says of its steps, bit by bit. Held forces need no word: a late or a refused answer is their cause.
static OF_VEHICLES: [(u64, Kind); 5] = [
    (
        SAFE_STOP,
        Kind::new(
            "safe-stop",
            Severity::Warning,
            "safe stop, the vehicle brakes by itself",
        ),
    ),
    (
        TAKING_OVER,
        Kind::new(
            "takeover",
            Severity::Information,
            "answers take over from the safe stop",
        ),
    ),
    (
        ANSWER_REFUSED,
        Kind::new(
            "answer-refused",
            Severity::Warning,
            "an answer that no vehicle gives was refused",
        ),
    ),
    (
        STEP_REPEATED,
        Kind::new(
            "step-repeated",
            Severity::Warning,
            "a step went where no vehicle goes and was made again",
        ),
    ),
    (
        LOOPS_OPEN,
        Kind::new(
            "loops-open",
            Severity::Warning,
            "the loops of the mechanism did not close",
        ),
    ),
];

/// Looks at every step and reports what changes. Nothing here allocates, locks or prints.
pub struct Watch {
    overrun: Condition,
    late_answer: Condition,
    model_warning: Condition,
    of_vehicles: [Condition; OF_VEHICLES.len()],
    period_ns: u64,
    misses: u64,
    warnings: u64,
}

impl Watch {
    /// Begins with what the simulation has counted so far; a step may take so long.
    pub fn new(simulation: &dyn Exchange, period_ns: u64) -> Self {
        Self {
            overrun: Condition::new(&OVERRUN),
            late_answer: Condition::new(&LATE_ANSWER),
            model_warning: Condition::new(&MODEL_WARNING),
            of_vehicles: std::array::from_fn(|index| Condition::new(&OF_VEHICLES[index].1)),
            period_ns,
            misses: simulation.misses(),
            warnings: simulation.warnings(),
        }
    }

    /// Looks at the step that was just made and was over so long after it was due (ns). Real-time safe.
    #[inline]
    pub fn look(&mut self, simulation: &dyn Exchange, over_ns: u64, reporter: &mut Reporter) {
        // The simulation already stands before the next one.
        let step = simulation.step().saturating_sub(1);
        let status = simulation.status();
        let (misses, warnings) = (simulation.misses(), simulation.warnings());
        self.overrun
            .look_with_time(over_ns > self.period_ns, step, over_ns, reporter);
        self.late_answer.look(misses != self.misses, step, reporter);
        let mut is_told = false;
        for ((bit, _), condition) in OF_VEHICLES.iter().zip(&mut self.of_vehicles) {
            condition.look(status & bit != 0, step, reporter);
            is_told |= status & bit != 0;
        }
        let is_untold = warnings != self.warnings && !is_told;
        self.model_warning.look(is_untold, step, reporter);
        (self.misses, self.warnings) = (misses, warnings);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rt::events::{Phase, ring};
    use shm_layout::{Wait, Waited};

    /// A simulation that is as the test says.
    #[derive(Default)]
    struct Told {
        step: u64,
        misses: u64,
        warnings: u64,
        status: u64,
    }

    impl Exchange for Told {
        fn publish(&mut self, _sample_ns: u64, _wait: Wait) {}
        fn await_answer(&mut self, _deadline_ns: u64, _wait: Wait) -> Waited {
            Waited::Answered
        }
        fn has_begun(&self) -> bool {
            true
        }
        fn advance(&mut self) {}
        fn step(&self) -> u64 {
            self.step
        }
        fn misses(&self) -> u64 {
            self.misses
        }
        fn warnings(&self) -> u64 {
            self.warnings
        }
        fn status(&self) -> u64 {
            self.status
        }
    }

    #[test]
    fn a_silence_is_told_from_its_first_late_answer_to_the_end_of_the_takeover() {
        let (mut reporter, mut events) = ring(64);
        let mut told = Told::default();
        let mut watch = Watch::new(&told, 1_000);
        for step in 1..=12 {
            told.step = step + 1;
            told.misses += u64::from((3..7).contains(&step));
            told.status = match step {
                5..7 => SAFE_STOP,
                7..10 => TAKING_OVER,
                _ => 0,
            };
            // A refused answer is counted as a warning too, and told once.
            if step == 11 {
                told.status = ANSWER_REFUSED;
                told.warnings += 1;
            }
            let over_ns = if step == 2 { 1_001 } else { 1_000 };
            watch.look(&told, over_ns, &mut reporter);
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
    fn a_warning_of_a_plant_has_no_other_word() {
        let (mut reporter, mut events) = ring(64);
        let mut told = Told::default();
        let mut watch = Watch::new(&told, 1_000);
        told.warnings = 1;
        watch.look(&told, 0, &mut reporter);
        assert_eq!(events.next().map(|event| event.kind.name), Some("model-warning"));
    }
}
