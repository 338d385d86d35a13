//! What several tests share: reading the reference data.

pub mod bench;
pub mod mechanism;

use multibody::math::{Matrix3, Symmetric3, Vector3};
use serde_json::Value;

pub fn reference(name: &str) -> Value {
    let path = format!("{}/tests/reference/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("reference data");
    serde_json::from_str(&text).expect("JSON")
}

pub fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(number).collect()
}

pub fn vector(value: &Value) -> Vector3 {
    let list = numbers(value);
    Vector3::new(list[0], list[1], list[2])
}

pub fn matrix(value: &Value) -> Matrix3 {
    let rows = value.as_array().expect("rows");
    let row = |k: usize| <[f64; 3]>::try_from(numbers(&rows[k])).expect("three numbers");
    Matrix3::from_rows([row(0), row(1), row(2)])
}

pub fn symmetric(value: &Value) -> Symmetric3 {
    let m = matrix(value).columns;
    Symmetric3::new([m[0].x, m[1].y, m[2].z], [m[1].x, m[2].x, m[2].y])
}

/// A small generator of numbers in −1..1, the same on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> Vector3 {
        Vector3::new(self.next(), self.next(), self.next())
    }

    pub fn unit(&mut self) -> Vector3 {
        self.vector().normalised().expect("not zero")
    }
}

/// Spin of wheels that roll at a forward speed, and that speed of the base: what a vehicle at rest
/// lacks to be on its way.
pub fn set_rolling(model: &multibody::Model, state: &mut multibody::State, speed_m_s: f64) {
    let description = model.description();
    let free =
        description.joints.iter().position(|joint| joint.kind == multibody::JointKind::Free).expect("a free joint");
    let (_, forward) = model.coordinate(free, 0).expect("a displacement");
    state.velocity[forward] = speed_m_s;
    for wheel in &description.wheels {
        let hub = description
            .joints
            .iter()
            .position(|joint| joint.bodies[1] == wheel.body && joint.kind == multibody::JointKind::Revolute);
        let (_, spin) = model.coordinate(hub.expect("a hub"), 0).expect("an angle");
        state.velocity[spin] = speed_m_s / wheel.tyre.radius;
    }
}
