//! The tests of the crate. Tests that count for the whole process have their own programs beside
//! this.

mod adams_joints;
mod antiroll;
mod base_body;
mod benchmarks;
mod conservation;
mod force_elements;
mod hmmwv;
mod hostile_files;
mod integrators;
mod inverse;
mod linear;
mod model_files;
mod pinocchio_trees;
mod point_forces;
mod properties;
mod second_route;
mod support;
mod topology;
mod vehicle_motion;
