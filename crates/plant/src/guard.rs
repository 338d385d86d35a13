//! Keeps bad numbers out: what arrives from another process may be missing, infinite or not a
//! number.

use crate::description::Port;

/// What had to be done to a set of values.
pub(crate) struct Accepted {
    /// At least one was missing or not finite, and its last value holds.
    pub any_held: bool,
    /// At least one was outside its range and was moved to the nearest end.
    pub any_clamped: bool,
}

/// Takes over the values that are numbers, clamped to their ranges; the others keep their last
/// value.
pub(crate) fn accept(held: &mut [f64], offered: &[f64], ports: &[Port]) -> Accepted {
    let mut accepted = Accepted { any_held: false, any_clamped: false };
    for (index, (held, port)) in held.iter_mut().zip(ports).enumerate() {
        match offered.get(index).copied().filter(|value| value.is_finite()) {
            Some(value) => {
                *held = port.range.clamp(value);
                accepted.any_clamped |= *held != value;
            }
            None => accepted.any_held = true,
        }
    }
    accepted
}
