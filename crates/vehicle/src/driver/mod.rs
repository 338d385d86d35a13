//! Who turns the steering wheel and presses the pedals: a manoeuvre file, or a driver that follows
//! a path and holds a speed.
//!
//! A file becomes a [`Manoeuvre`]: where it begins, what the driver does, when it is over, what a
//! report should work out. With the dimensions of a vehicle it becomes a [`Driver`].
//! `docs/manoeuvres.md` describes the language; `models/manoeuvres/` has those that ship.
//!
//! ```text
//!   file ──read──► Manoeuvre ──driver(setup)──► Player: phases ─┬─ hands: course over time, or follower of the path ─► DriverInput
//!                                                               └─ feet: cruise control, or pedals over time
//! ```

mod blend;
mod condition;
mod follower;
mod manoeuvre;
pub mod path;
mod player;
mod read;
mod setup;
pub mod signal;
mod speed;
mod table;

use crate::state::Stateful;
use crate::{DriverInput, Kinematics, SteeredBy};
pub use condition::{Condition, Passed};
pub use follower::{Follower, FollowerGains, FollowerState};
pub use manoeuvre::{Evaluation, Initial, Manoeuvre, WheelSpin, WindCourse};
pub use read::{EVALUATIONS, read};
pub use setup::{DriverSetup, SetupError};
pub use speed::{Cruise, Feet, Pedals, Speed};
pub use table::{Interpolation, Table};

/// A driver. Nothing in a step allocates or panics.
pub trait Driver: Stateful + Send {
    /// What the driver does during the step that begins with this motion. Steering angle, rate and
    /// acceleration are those at the end of the step.
    fn drive(&mut self, motion: &Kinematics, step_s: f64) -> DriverInput;

    /// Whether the manoeuvre is over.
    fn has_finished(&self, motion: &Kinematics) -> bool;
}

/// What a manoeuvre moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Channel {
    /// The steering wheel.
    #[default]
    SteeringWheel,
    /// The rack itself, past the steering system.
    Rack,
    /// The road wheels of a vehicle that an angle steers, past the steering system.
    RoadWheels,
}

impl Channel {
    /// What the manoeuvre imposes, if it bypasses the steering system.
    #[must_use]
    pub fn imposes(self) -> Option<SteeredBy> {
        match self {
            Self::SteeringWheel => None,
            Self::Rack => Some(SteeredBy::Rack),
            Self::RoadWheels => Some(SteeredBy::Angle),
        }
    }
}
