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
    /// Some way on from a seed, where neighbouring seeds are no longer alike.
    pub fn seeded(seed: u64) -> Self {
        let mut random = Self(seed | 1);
        (0..8).for_each(|_| {
            random.next();
        });
        random
    }

    pub fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// A whole number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        let share = 0.5 * (self.next() + 1.0);
        ((share * count as f64) as usize).min(count - 1)
    }

    pub fn vector(&mut self) -> Vector3 {
        Vector3::new(self.next(), self.next(), self.next())
    }

    pub fn unit(&mut self) -> Vector3 {
        self.vector().normalised().expect("not zero")
    }
}
