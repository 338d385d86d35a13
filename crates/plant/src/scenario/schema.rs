//! The shape of a scenario file, before anything in it is checked. Values carry their place in the
//! text.

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;
use toml::Spanned;

/// Numbers by name.
pub(super) type Numbers = BTreeMap<Spanned<String>, Spanned<f64>>;

/// Points [time_s, value].
pub(super) type Points = Vec<Spanned<(f64, f64)>>;

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "a scenario")]
pub(super) struct ScenarioText {
    pub name: Spanned<String>,
    pub description: String,
    pub figure: Option<String>,
    pub step_s: Spanned<f64>,
    pub duration_s: Spanned<f64>,
    pub integrator: Spanned<String>,
    pub substeps: Option<Spanned<u32>>,
    pub plant: PlantText,
    pub controller: ControllerText,
    #[serde(default)]
    pub demands: BTreeMap<Spanned<String>, Spanned<DemandText>>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with `kind`, `parameters` and `initial`")]
pub(super) struct PlantText {
    pub kind: Spanned<String>,
    #[serde(default)]
    pub parameters: Numbers,
    #[serde(default)]
    pub initial: Numbers,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with `kind` and the controller's settings")]
pub(super) struct ControllerText {
    pub kind: Spanned<String>,
    pub measured: Option<Spanned<String>>,
    pub driven: Option<Spanned<String>>,
    pub kp: Option<Spanned<f64>>,
    pub ki: Option<Spanned<f64>>,
    pub kd: Option<Spanned<f64>>,
    pub derivative_filter_s: Option<Spanned<f64>>,
    pub error_full_scale: Option<Spanned<f64>>,
}

/// A demand: a number, or a table.
pub(super) enum DemandText {
    Constant(f64),
    Profile(ProfileText),
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with `points` or `file`")]
pub(super) struct ProfileText {
    pub points: Option<Spanned<Points>>,
    pub file: Option<Spanned<String>>,
    pub column: Option<Spanned<String>>,
    pub interpolation: Option<Spanned<String>>,
    pub repeat_s: Option<Spanned<f64>>,
}

impl<'de> Deserialize<'de> for DemandText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DemandVisitor)
    }
}

/// Written out, because an untagged enum would forget the places of the values inside.
struct DemandVisitor;

impl<'de> Visitor<'de> for DemandVisitor {
    type Value = DemandText;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a number, or a table with `points` or `file`")
    }

    fn visit_f64<E>(self, value: f64) -> Result<DemandText, E> {
        Ok(DemandText::Constant(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<DemandText, E> {
        Ok(DemandText::Constant(value as f64))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<DemandText, A::Error> {
        ProfileText::deserialize(MapAccessDeserializer::new(map)).map(DemandText::Profile)
    }
}
