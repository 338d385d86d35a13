//! A plant: any dynamic system with named inputs, outputs and parameters, stepped at a constant
//! rate.
//!
//! The simulation process must not care what it simulates. It knows one trait, [`Plant`]: inputs go
//! in, one step is made, outputs come out. A water tank, a longitudinal car and, later, a complete
//! vehicle are the same thing to it. The same holds for what drives the plant ([`Controller`]) and
//! for what is asked of it over time ([`Demands`]). A [`Scenario`] is the text file that names all
//! three.
//!
//! ```text
//!   Scenario ──► Demands ──► Controller ──► Plant
//!                r(t_k)      u_k = C(r, y)   x_{k+1} = F(x_k, u_k),  y_k = G(x_k, u_{k-1})
//! ```
//!
//! | folder | what it holds |
//! | --- | --- |
//! | [`ode`] | systems of ordinary differential equations, and the integrators that make plants of them |
//! | [`systems`] | the water tank and the longitudinal car |
//! | [`control`] | what turns demands and outputs into inputs: directly, or by a PID controller |
//! | [`demand`] | what is asked of the plant over time: constants, profiles, recordings |
//! | [`scenario`] | the text file that puts them together, and its errors |
//! | [`simulation`] | the same exchange as the real-time processes make, but offline, with its trace |
//!
//! The equations and experiments come from de Souza, Natan, Teles and Fernandes, "Platform for
//! Real-Time Simulation of Dynamic Systems and Hardware-in-the-Loop for Control Algorithms",
//! Sensors 14 (2014), called RTSDS below.
//!
//! Architecture invariants: the crate knows nothing of shared memory, clocks or processes. What is
//! called in every step ([`Plant::step`], [`Plant::outputs`], [`Controller::update`],
//! [`Demands::values`]) neither allocates, locks, prints nor panics. The same scenario gives the
//! same bits.
//!
//! ```
//! let scenario = plant::Scenario::builtin("tank-fig13").expect("a shipped scenario");
//! let trace = plant::simulate(&scenario, |_| {});
//! let level_cm = trace.output("level_cm").expect("the tank's output").last().copied().unwrap_or(f64::NAN);
//! assert!((level_cm - 16.0).abs() < 0.1);
//! ```

pub mod control;
pub mod demand;
pub mod description;
pub mod ode;
mod plant;
pub mod scenario;
pub mod simulation;
mod status;
pub mod systems;

pub use control::Controller;
pub use demand::{Demands, Interpolation, Profile};
pub use description::{Description, Port, Range};
pub use ode::{Method, OdePlant, System};
pub use plant::{Plant, RestoreError};
pub use scenario::{Scenario, ScenarioError};
pub use simulation::{Trace, simulate};
pub use status::{ControlStatus, StepStatus};
pub use systems::PlantKind;
