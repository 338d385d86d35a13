//! The shape of the model files, before anything in them is checked. Values carry their place in
//! the text.

use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// Tables by name, with the place of each name.
pub(super) type Named<T> = BTreeMap<Spanned<String>, T>;
/// Three numbers with their place.
pub(super) type Triple = Spanned<[f64; 3]>;
/// A number with its place.
pub(super) type Number = Spanned<f64>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a topology file")]
pub(super) struct TopologyText {
    pub name: Spanned<String>,
    #[serde(default)]
    pub description: String,
    pub bodies: Vec<Spanned<String>>,
    pub base: Option<Spanned<String>>,
    #[serde(default)]
    pub joints: Named<JointText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a joint: { type = \"…\", bodies = [\"…\", \"…\"] }")]
pub(super) struct JointText {
    #[serde(rename = "type")]
    pub kind: Spanned<String>,
    pub bodies: Spanned<[Spanned<String>; 2]>,
    #[serde(default)]
    pub driven: bool,
    pub cut: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a parameter file")]
pub(super) struct ParametersText {
    pub gravity_m_s2: Option<Triple>,
    #[serde(default)]
    pub bodies: Named<BodyText>,
    #[serde(default)]
    pub joints: Named<JointParameters>,
    #[serde(default)]
    pub tsda: Named<TsdaText>,
    #[serde(default)]
    pub rsda: Named<RsdaText>,
    #[serde(default)]
    pub antiroll: Named<AntirollText>,
    #[serde(default)]
    pub point_force: Named<PointForceText>,
    #[serde(default)]
    pub wheels: Named<WheelText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a body")]
pub(super) struct BodyText {
    pub mass_kg: Number,
    pub centre_of_gravity_m: Triple,
    pub moments_kg_m2: Triple,
    pub products_kg_m2: Option<Triple>,
    pub orientation_wxyz: Option<Spanned<[f64; 4]>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "parameters of a joint")]
pub(super) struct JointParameters {
    pub point_m: Option<Triple>,
    pub second_point_m: Option<Triple>,
    pub axis: Option<Triple>,
    pub second_axis: Option<Triple>,
    pub lead_m: Option<Number>,
    pub length_m: Option<Number>,
    pub coordinates: Option<Spanned<Vec<f64>>>,
    pub velocities: Option<Spanned<Vec<f64>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a curve: { points = [[x, y], …] }")]
pub(super) struct CurveText {
    pub points: Spanned<Vec<[f64; 2]>>,
    pub interpolation: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a stop: { length_m = …, stiffness_n_m = … }")]
pub(super) struct LengthStopText {
    pub length_m: Number,
    pub stiffness_n_m: Number,
    pub damping_ns_m: Option<Number>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a stop: { angle_rad = …, stiffness_nm_rad = … }")]
pub(super) struct AngleStopText {
    pub angle_rad: Number,
    pub stiffness_nm_rad: Number,
    pub damping_nms_rad: Option<Number>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a spring along a line")]
pub(super) struct TsdaText {
    pub bodies: [Spanned<String>; 2],
    pub points_m: Spanned<[[f64; 3]; 2]>,
    pub free_length_m: Option<Number>,
    pub stiffness_n_m: Option<Number>,
    pub damping_ns_m: Option<Number>,
    pub preload_n: Option<Number>,
    pub spring_curve: Option<CurveText>,
    pub damper_curve: Option<CurveText>,
    pub bump_stop: Option<LengthStopText>,
    pub rebound_stop: Option<LengthStopText>,
    #[serde(default)]
    pub actuator: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a spring on a joint")]
pub(super) struct RsdaText {
    pub joint: Spanned<String>,
    pub against: Option<Spanned<String>>,
    pub coordinate: Option<Spanned<String>>,
    pub free_angle_rad: Option<Number>,
    pub stiffness_nm_rad: Option<Number>,
    pub damping_nms_rad: Option<Number>,
    pub preload_nm: Option<Number>,
    pub spring_curve: Option<CurveText>,
    pub damper_curve: Option<CurveText>,
    pub lower_stop: Option<AngleStopText>,
    pub upper_stop: Option<AngleStopText>,
    #[serde(default)]
    pub actuator: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an antiroll bar")]
pub(super) struct AntirollText {
    pub chassis: Spanned<String>,
    pub bodies: [Spanned<String>; 2],
    pub points_m: Spanned<[[f64; 3]; 2]>,
    pub stiffness_nm_rad: Number,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a force at a point")]
pub(super) struct PointForceText {
    pub body: Spanned<String>,
    pub point_m: Triple,
    pub force_n: Option<Triple>,
    pub torque_nm: Option<Triple>,
    pub axes: Option<Spanned<String>>,
    #[serde(default)]
    pub actuator: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a wheel")]
pub(super) struct WheelText {
    pub body: Spanned<String>,
    pub centre_m: Triple,
    pub axis: Triple,
    pub spin_inertia_kg_m2: Option<Number>,
    pub spin_rad_s: Option<Number>,
    pub radius_m: Number,
    pub stiffness_n_m: Number,
    pub damping_ns_m: Option<Number>,
    pub friction_ratio: Option<Number>,
    pub cornering_n_rad: Option<Number>,
    pub slip_stiffness_n: Option<Number>,
    pub compliance_steer_rad_n: Option<Number>,
    pub compliance_steer_rad_nm: Option<Number>,
    pub compliance_camber_rad_n: Option<Number>,
    pub compliance_camber_rad_nm: Option<Number>,
}
