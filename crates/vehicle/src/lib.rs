//! The subsystems of a vehicle: what acts on the mechanism that `multibody` steps.
//!
//! The mechanism says how its chassis and its wheel carriers move ([`Kinematics`]); the subsystems
//! answer with the forces on them and with the displacement of the steering rack ([`Forces`]). One
//! exchange per step, with nothing stiff in it: wheel spin, tyre deflection, brakes and driveline
//! live here and take substeps of their own.
//!
//! ```text
//!   Kinematics  ──► terrain ──► tyre ─┐
//!   DriverInput ──► powertrain ───────┼─► rotation (spin and slip, substeps) ──► Forces
//!               ──► brake ────────────┘                                          ▲  ▲
//!               ──► steering ────────────────────────────────────────────────────┘  │
//!   Kinematics, wind ──► aerodynamics ──────────────────────────────────────────────┘
//! ```
//!
//! | folder | what it holds |
//! | --- | --- |
//! | [`tyre`] | forces of a tyre from load, slip and camber |
//! | [`terrain`] | height, normal and friction of the road |
//! | [`powertrain`] | from the throttle to torques on the wheels |
//! | [`brake`] | from the pedal to the torque that each brake can hold |
//! | [`steering`] | from the steering wheel to the rack, and back to the driver's hands |
//! | [`aerodynamics`] | forces of the air |
//! | [`driver`] | who turns the steering wheel and presses the pedals |
//! | [`rotation`] | wheel spin and tyre deflection, together and in substeps |
//! | [`bounds`], [`divergence`] | where no vehicle goes, and a run that went there |
//! | [`evaluation`] | key figures of a run, as standards define them |
//!
//! Architecture invariants: the crate knows nothing of shared memory, clocks or processes. What is
//! called in a step neither allocates, locks, prints nor panics. The same inputs give the same
//! bits.

pub mod aerodynamics;
mod arcs;
pub mod assembly;
pub mod bounds;
pub mod brake;
pub mod contact;
pub mod divergence;
pub mod driver;
pub mod evaluation;
mod fields;
pub mod library;
pub mod linkage;
pub mod mechanism;
mod numbers;
pub mod powertrain;
pub mod rotation;
pub mod safe_stop;
pub mod simulation;
pub mod state;
pub mod steering;
pub mod subsystems;
pub mod terrain;
pub mod tyre;

pub use files;
pub use multibody::math::{Quaternion, Vector3};
pub use signals::blocks::{
    Coordinate, DriverInput, Forces, Kinematics, SteeredBy, SteeringMotion, VehicleState, WHEELS_MAX, WheelForces,
    WheelKinematics, WheelState,
};
