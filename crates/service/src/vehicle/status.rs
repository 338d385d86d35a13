//! What the dynamics say of a vehicle's last step: the bits of `status` in `/plant_outputs/`. None is set when all is well.

/// Nobody answered: the forces of the last answer are held.
pub const FORCES_HELD: u64 = 1;
/// Nobody answered for too long: the vehicle brakes to a stop by itself.
pub const SAFE_STOP: u64 = 1 << 1;
/// Answers are taking over from the safe stop.
pub const TAKING_OVER: u64 = 1 << 2;
/// An answer was not one of a vehicle and was not used.
pub const ANSWER_REFUSED: u64 = 1 << 3;
/// A step went where no vehicle goes and was made again without the answer.
pub const STEP_REPEATED: u64 = 1 << 4;
/// The loops of the mechanism did not close.
pub const LOOPS_OPEN: u64 = 1 << 5;

const WORDS: [(u64, &str); 6] = [
    (FORCES_HELD, "forces held"),
    (SAFE_STOP, "SAFE STOP"),
    (TAKING_OVER, "taking over"),
    (ANSWER_REFUSED, "answer refused"),
    (STEP_REPEATED, "step repeated"),
    (LOOPS_OPEN, "loops open"),
];

/// The bits in words; empty when all is well.
#[must_use]
pub fn words(status: u64) -> String {
    let set = WORDS.iter().filter(|(bit, _)| status & bit != 0);
    set.map(|(_, word)| *word).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_has_a_word() {
        assert_eq!(words(0), "");
        assert_eq!(words(SAFE_STOP | ANSWER_REFUSED), "SAFE STOP, answer refused");
        let all = WORDS.iter().fold(0, |all, (bit, _)| all | bit);
        assert_eq!(words(all).matches(',').count(), WORDS.len() - 1);
    }
}
