//! Small fixed-size mathematics: vectors, rotations, spatial vectors and inertias.
//!
//! Plain `Copy` structs of `f64`, everything inlined: the step is made of these, and nothing here
//! allocates or branches on sizes. Motion and force are different types, so that a velocity cannot
//! be added to a wrench.

mod circular;
mod matrix;
mod number;
mod pair;
mod register;
mod rotation;
mod spatial;
mod symmetric;
mod vector;

pub use circular::sin_cos;
pub use matrix::{Matrix3, MatrixOf};
pub use number::Number;
pub use pair::Pair;
pub use rotation::{Quaternion, QuaternionOf, carried_rate, rotation_rate};
pub use spatial::{Force, ForceOf, Motion, MotionOf};
pub use symmetric::{Inertia, InertiaOf, RigidOf, Symmetric3, SymmetricOf};
pub use vector::{Vector3, VectorOf};
