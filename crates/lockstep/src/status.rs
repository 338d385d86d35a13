//! What the last step had to report: the bits of `status` in `/plant_outputs/`, the same for
//! plants and vehicles. None is set when all is well.

macro_rules! vocabulary {
    ($($(#[$documentation:meta])* $name:ident = $bit:literal, $text:literal;)*) => {
        $($(#[$documentation])* pub const $name: u64 = 1 << $bit;)*
        /// Each bit with its text.
        pub const TEXTS: &[(u64, &str)] = &[$(($name, $text)),*];
    };
}

vocabulary! {
    /// An input was missing or not finite; its last good value was used.
    INPUT_HELD = 0, "input held";
    /// An input was outside its range; the nearest value inside was used.
    INPUT_CLAMPED = 1, "input clamped";
    /// The state met a limit of the plant and was held there.
    LIMIT_REACHED = 2, "limit reached";
    /// The step would have given a state that is not finite; the state before it was kept.
    STATE_HELD = 3, "state held";
    /// The step length was not positive, or time would not stay finite; nothing was done.
    STEP_REJECTED = 4, "step rejected";
    /// No answer came in time, or none that could be used: the last one is held.
    ANSWER_HELD = 5, "answer held";
    /// No answer for too long: the vehicle brakes to a stop by itself.
    SAFE_STOP = 6, "SAFE STOP";
    /// Answers are taking over from the safe stop.
    TAKING_OVER = 7, "taking over";
    /// An answer was outside what the model can be given and was not used.
    ANSWER_REFUSED = 8, "answer refused";
    /// A step left the range of possible motion and was repeated without the answer.
    STEP_REPEATED = 9, "step repeated";
    /// The loops of the mechanism did not close.
    LOOPS_OPEN = 10, "loops open";
    /// The repeated step failed as well: the model went on from its settled initial state.
    STATE_RESET = 11, "state reset";
}

/// What is counted as a warning: something was refused or repeated, not merely limited by nature.
pub const WARNINGS: u64 =
    INPUT_HELD | INPUT_CLAMPED | STATE_HELD | STEP_REJECTED | ANSWER_REFUSED | STEP_REPEATED | LOOPS_OPEN | STATE_RESET;

/// The bits as text; empty when all is well.
#[must_use]
pub fn text(status: u64) -> String {
    let set = TEXTS.iter().filter(|(bit, _)| status & bit != 0);
    set.map(|(_, text)| *text).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_has_its_own_text() {
        assert_eq!(text(0), "");
        assert_eq!(text(SAFE_STOP | ANSWER_REFUSED), "SAFE STOP, answer refused");
        let all = TEXTS.iter().fold(0, |all, (bit, _)| all | bit);
        assert_eq!(all.count_ones() as usize, TEXTS.len());
        assert_eq!(text(all).matches(',').count(), TEXTS.len() - 1);
    }
}
