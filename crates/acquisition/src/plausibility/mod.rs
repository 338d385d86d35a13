//! Whether a value can be believed: range, stuck, jump, stale; and what is done when it cannot.
