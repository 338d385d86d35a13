//! What one step, or one answer of a controller, has to report: a few facts that fit in one word.
//!
//! The real-time path cannot print. It returns these flags; the service counts them, publishes the
//! word in its health block and a reader turns it into text with `Display`.

use std::fmt;
use std::ops::{BitOr, BitOrAssign};

/// Writes a set of flags as a type with constants, union, test, bits and text.
macro_rules! flag_word {
    ($(#[$type_doc:meta])* $type:ident { $($(#[$doc:meta])* $name:ident = $bit:expr, $text:expr;)* }) => {
        $(#[$type_doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $type(u32);

        impl $type {
            /// Nothing to report.
            pub const OK: Self = Self(0);
            $($(#[$doc])* pub const $name: Self = Self(1 << $bit);)*

            /// Each flag with its text.
            pub const FLAGS: &'static [(Self, &'static str)] = &[$((Self::$name, $text)),*];

            /// Whether there is nothing to report.
            pub const fn is_ok(self) -> bool {
                self.0 == 0
            }

            /// Whether every flag of `other` is set here.
            pub const fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }

            /// The word for a shared-memory field.
            pub const fn bits(self) -> u32 {
                self.0
            }

            /// The flags of a word; bits that mean nothing are dropped.
            pub fn from_bits(bits: u32) -> Self {
                let known = Self::FLAGS.iter().fold(Self::OK, |all, (flag, _)| all | *flag);
                Self(bits & known.0)
            }
        }

        impl BitOr for $type {
            type Output = Self;
            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        impl BitOrAssign for $type {
            fn bitor_assign(&mut self, other: Self) {
                self.0 |= other.0;
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_flags(formatter, Self::FLAGS.iter().filter(|(flag, _)| self.contains(*flag)).map(|(_, text)| *text))
            }
        }
    };
}

flag_word! {
    /// What [`crate::Plant::step`] has to report.
    StepStatus {
        /// An input was missing or not a finite number; its last good value (at first its default)
        /// was used.
        INPUT_HELD = 0, "input held";
        /// An input was outside its range; the nearest value inside was used.
        INPUT_CLAMPED = 1, "input clamped";
        /// The state met one of the plant's limits (a full tank, a standing car) and was held
        /// there.
        LIMIT_REACHED = 2, "limit reached";
        /// The step would have given a state that is not finite; the state before it was kept.
        STATE_HELD = 3, "state held";
        /// The step length was not positive, or time would not stay finite; nothing was done.
        STEP_REJECTED = 4, "step rejected";
    }
}

flag_word! {
    /// What [`crate::Controller::update`] has to report.
    ControlStatus {
        /// A demand was missing or not a finite number; its last good value (at first its default)
        /// was used.
        DEMAND_HELD = 0, "demand held";
        /// A measured output was missing or not a finite number; the last answer was repeated.
        OUTPUT_MISSING = 1, "output missing";
        /// The answer met the end of the input's range.
        SATURATED = 2, "saturated";
        /// A demand was outside its range; the nearest value inside was used.
        DEMAND_CLAMPED = 3, "demand clamped";
    }
}

fn write_flags<'a>(formatter: &mut fmt::Formatter<'_>, texts: impl Iterator<Item = &'a str>) -> fmt::Result {
    let mut separator = "";
    for text in texts {
        write!(formatter, "{separator}{text}")?;
        separator = ", ";
    }
    if separator.is_empty() { formatter.write_str("ok") } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_survives_the_shared_memory() {
        let status = StepStatus::INPUT_HELD | StepStatus::LIMIT_REACHED;
        assert_eq!(StepStatus::from_bits(status.bits()), status);
        assert!(status.contains(StepStatus::INPUT_HELD) && !status.contains(StepStatus::STATE_HELD));
        assert_eq!(StepStatus::from_bits(1 << 31), StepStatus::OK);
    }

    #[test]
    fn the_text_lists_the_flags() {
        assert_eq!(StepStatus::OK.to_string(), "ok");
        let status = StepStatus::INPUT_CLAMPED | StepStatus::LIMIT_REACHED;
        assert_eq!(status.to_string(), "input clamped, limit reached");
        assert_eq!((ControlStatus::OK | ControlStatus::SATURATED).to_string(), "saturated");
    }
}
