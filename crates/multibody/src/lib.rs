//! Recursive multibody dynamics: from a description of bodies, joints and springs to a mechanism
//! that steps in microseconds.
//!
//! [`Description`] is plain data, [`Model`] is what the step reads, [`State`] is what it changes,
//! [`Workspace`] is its scratch memory.

pub mod assembly;
pub mod dense;
pub mod description;
pub mod dynamics;
pub mod files;
pub mod forces;
pub mod generate;
pub mod integrate;
pub mod inverse;
pub mod linear;
pub use ::math;
pub mod model;
pub mod reaction;
pub mod rebase;
pub mod rest;
pub mod shipped;
pub mod state;
pub mod topology;
pub mod wheel_spin;

pub use description::{BodyId, Description, Joint, JointKind};
pub use dynamics::Workspace;
pub use integrate::{Integrator, Method};
pub use model::Model;
pub use state::{Inputs, State};
