//! Small fixed-size mathematics: vectors, rotations, spatial vectors and inertias.
//!
//! Plain `Copy` structs of `f64`, everything inlined: the step is made of these, and nothing here allocates or branches
//! on sizes. Motion and force are different types, so that a velocity cannot be added to a wrench.

mod matrix;
mod rotation;
mod spatial;
mod symmetric;
mod vector;

pub use matrix::Matrix3;
pub use rotation::{Quaternion, rotation_rate};
pub use spatial::{Force, Motion};
pub use symmetric::{Inertia, Symmetric3};
pub use vector::Vector3;
