//! What a report states: measured numbers, each beside the peer's if there is one, and requirements
//! with whether the run meets them.

use std::fmt;

use serde::Serialize;

use super::short;

/// One measured number as it goes to the file. Its name stays the same from version to version.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// Group and quantity, `shm-uncontended.write.p50`.
    pub name: String,
    pub value: f64,
    pub unit: &'static str,
    /// Who was measured beside us, in the same run.
    pub peer: Option<String>,
    /// What the peer achieved, in the same unit.
    pub peer_value: Option<f64>,
    /// How many times better we are: above 1 is good for us.
    pub ratio: Option<f64>,
}

impl Figure {
    pub fn alone(name: String, value: f64, unit: &'static str) -> Self {
        Self { name, value, unit, peer: None, peer_value: None, ratio: None }
    }

    /// A duration beside a peer's: the ratio is peer / ours, because less is better.
    pub fn beside(name: String, value: f64, unit: &'static str, peer: &str, peer_value: f64) -> Self {
        let ratio = Some(peer_value / value).filter(|ratio| ratio.is_finite());
        Self { name, value, unit, peer: Some(peer.to_owned()), peer_value: Some(peer_value), ratio }
    }
}

/// A requirement, and what was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    what: String,
    wanted: String,
    found: String,
    met: bool,
}

impl Target {
    pub fn at_least(what: &str, wanted: f64, unit: &str, found: f64) -> Self {
        Self::new(what, "≥", wanted, unit, found, found >= wanted)
    }

    pub fn above(what: &str, wanted: f64, unit: &str, found: f64) -> Self {
        Self::new(what, ">", wanted, unit, found, found > wanted)
    }

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
    fn a_ratio_above_one_is_good_for_us() {
        let figure = Figure::beside("a".to_owned(), 10.0, "ns", "peer", 25.0);
        assert_eq!(figure.ratio, Some(2.5));
    }

    #[test]
    fn the_file_has_exactly_the_agreed_keys() {
        let json = serde_json::to_value(Figure::alone("a".to_owned(), 1.0, "ns")).unwrap();
        let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["name", "peer", "peer_value", "ratio", "unit", "value"]);
        assert!(json["ratio"].is_null());
    }

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
