//! One measured number, and the peer's if there is one.

use serde::Serialize;

/// One measured number as it goes to the file. Its name stays the same from version to version.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// Group and quantity, `shm-uncontended.write.p50`.
    pub name: String,
    /// What was measured.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
    /// Who was measured beside us, in the same run.
    pub peer: Option<String>,
    /// What the peer achieved, in the same unit.
    pub peer_value: Option<f64>,
    /// How many times better we are: above 1 is good for us.
    pub ratio: Option<f64>,
}

impl Figure {
    /// A number without a peer.
    pub fn alone(name: String, value: f64, unit: &'static str) -> Self {
        Self { name, value, unit, peer: None, peer_value: None, ratio: None }
    }

    /// A duration beside a peer's: the ratio is peer / ours, because less is better.
    pub fn beside(name: String, value: f64, unit: &'static str, peer: &str, peer_value: f64) -> Self {
        let ratio = Some(peer_value / value).filter(|ratio| ratio.is_finite());
        Self { name, value, unit, peer: Some(peer.to_owned()), peer_value: Some(peer_value), ratio }
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
}
