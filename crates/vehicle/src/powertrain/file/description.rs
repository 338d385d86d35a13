//! A powertrain file as it is written. Every value knows its place, so that a fault can name its
//! line.

use serde::Deserialize;
use toml::Spanned;

/// A number that may be missing.
pub type Number = Option<Spanned<f64>>;
/// Numbers that may be missing.
pub type Numbers = Option<Spanned<Vec<Spanned<f64>>>>;
/// Points that may be missing.
pub type Points = Option<Spanned<Vec<Spanned<[f64; 2]>>>>;

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// "train", which may be left out; [`crate::powertrain::read`] looks at it.
    #[serde(rename = "kind")]
    pub _kind: Option<Spanned<String>>,
    pub engine: Spanned<EngineFile>,
    pub launch: Option<Spanned<LaunchFile>>,
    pub gearbox: Spanned<GearboxFile>,
    pub axles: Spanned<Vec<Spanned<AxleFile>>>,
    pub centre: Option<Spanned<DifferentialFile>>,
    pub mounting: Option<Spanned<MountingFile>>,
}

/// `[engine]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineFile {
    pub kind: Spanned<String>,
    pub inertia_kg_m2: Number,
    pub idle_rpm: Number,
    pub idle_torque_nm: Number,
    pub stall_rpm: Number,
    pub starter_nm: Number,
    pub limit_rpm: Number,
    // polynomial
    pub full_nm: Numbers,
    pub closed_nm: Numbers,
    // curves
    pub full: Points,
    pub closed: Points,
    // map
    pub throttle: Numbers,
    pub speed_rpm: Numbers,
    pub torque_nm: Option<Spanned<Vec<Spanned<Vec<f64>>>>>,
    // electric
    pub torque_max_nm: Number,
    pub power_max_w: Number,
    pub speed_max_rpm: Number,
    pub regeneration: Number,
}

/// `[launch]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaunchFile {
    pub kind: Spanned<String>,
    // clutch
    pub torque_nm: Number,
    pub operated_by: Option<Spanned<String>>,
    pub engage_rpm: Option<Spanned<[f64; 2]>>,
    // converter
    pub capacity: Points,
    pub ratio: Points,
    pub lock_up_torque_nm: Number,
    pub lock_up_on_rpm: Number,
    pub lock_up_off_rpm: Number,
    pub lock_up_from_gear: Option<Spanned<i32>>,
    pub lock_up_time_s: Number,
}

/// `[gearbox]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GearboxFile {
    pub forward: Spanned<Vec<Spanned<f64>>>,
    pub reverse: Number,
    pub hand_over: Option<Spanned<String>>,
    pub shift_time_s: Number,
    pub shift_torque_nm: Number,
    pub input_inertia_kg_m2: Number,
    pub output_inertia_kg_m2: Number,
    pub efficiency: Number,
    pub up_rpm: Points,
    pub down_rpm: Points,
    pub dwell_s: Number,
}

/// `[[axles]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AxleFile {
    pub wheels: Spanned<[Spanned<i64>; 2]>,
    pub ratio: Number,
    pub share: Number,
    pub half_shaft_inertia_kg_m2: Number,
    pub differential: Option<Spanned<DifferentialFile>>,
}

/// `[centre]` and the differential of an axle.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DifferentialFile {
    pub kind: Spanned<String>,
    pub preload_nm: Number,
    pub bias: Number,
    pub start_rad_s: Number,
    pub full_rad_s: Number,
    pub viscous_nms_rad: Number,
}

/// `[mounting]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MountingFile {
    pub engine: Spanned<String>,
    pub final_drive: Spanned<String>,
}
