//! A requirement, and whether a run meets it.

use std::fmt;

use super::short;

/// A requirement with what was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    what: String,
    wanted: String,
    found: String,
    met: bool,
}

impl Target {
    /// At least so much of something.
    pub fn at_least(what: &str, wanted: f64, unit: &str, found: f64) -> Self {
        Self::new(what, "≥", wanted, unit, found, found >= wanted)
    }

    /// More than so much of something.
    pub fn above(what: &str, wanted: f64, unit: &str, found: f64) -> Self {
        Self::new(what, ">", wanted, unit, found, found > wanted)
    }

    /// At most so much of something.
    pub fn at_most(what: &str, wanted: f64, unit: &str, found: f64) -> Self {
        Self::new(what, "≤", wanted, unit, found, found <= wanted)
    }

    fn new(what: &str, sign: &str, wanted: f64, unit: &str, found: f64, met: bool) -> Self {
        Self {
            what: what.to_owned(),
            wanted: format!("{sign} {wanted} {unit}"),
            found: format!("{} {unit}", short(found)),
            met,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let mark = if self.met { '✔' } else { '✘' };
        write!(formatter, "{}, target {}: {} {mark}", self.what, self.wanted, self.found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_itself_is_good_enough() {
        assert!(Target::at_least("a", 1.5, "×", 1.5).met);
        assert!(Target::at_most("a", 1.2, "µs", 1.2).met);
    }

    #[test]
    fn what_was_not_measured_is_not_met() {
        assert!(!Target::at_least("a", 1.5, "×", f64::NAN).met);
        assert!(!Target::at_most("a", 1.2, "µs", f64::NAN).met);
    }

    #[test]
    fn a_verdict_says_what_was_wanted_and_found() {
        let shown = Target::at_least("write", 1.5, "×", 1.9).to_string();
        assert_eq!(shown, "write, target ≥ 1.5 ×: 1.90 × ✔");
    }
}
