//! What is wrong with measured inputs, in words.

/// The faults, in the order of their bits in `/acquisition/` and in a health block.
const FAULTS: [&str; 5] = ["out of range", "stuck", "jump", "stale", "not a number"];
/// The reactions, in the order of their numbers.
const REACTIONS: [&str; 4] = ["", "held", "ramped to safe", "stop asked for"];

/// What is wrong and what is done about it; empty when all is well.
pub fn trouble(faults: u64, reaction: u64) -> String {
    let found = FAULTS.iter().enumerate().filter(|(bit, _)| faults >> bit & 1 == 1);
    let faults = found.map(|(_, name)| *name).collect::<Vec<_>>().join(", ");
    let reaction = usize::try_from(reaction).ok().and_then(|number| REACTIONS.get(number));
    let parts = [faults.as_str(), reaction.copied().unwrap_or("")];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_and_reactions_have_words() {
        assert_eq!(trouble(0, 0), "");
        assert_eq!(trouble(1 | 8, 0), "out of range, stale");
        assert_eq!(trouble(2 | 4 | 16, 3), "stuck, jump, not a number: stop asked for");
        assert_eq!(trouble(0, 2), "ramped to safe");
    }
}
