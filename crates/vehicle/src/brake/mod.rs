//! From the pedal to the torque that each brake can hold.
//!
//! A brake is a friction: it holds a wheel up to its capacity and never turns it backwards. The
//! capacity is found here, once in a step; the holding is in [`crate::rotation`].
//!
//! ```text
//!   pedal or measured pressure ─► line ─► share, valve of each axle ─► lag and anti-lock valve ─► friction ─► capacity
//! ```
//!
//! | file | what it holds |
//! | --- | --- |
//! | `line` | pedal to line pressure, proportioning valve, lag, pressure at a brake to torque |
//! | [`antilock`] | who takes pressure away when a wheel is about to lock |
//! | `system` | the chain for all wheels |
//! | `file` | the characteristic file |
//! | `electromechanical` | another brake system: no line, an actuator at each wheel |

use crate::files::{FileError, Source};
use crate::state::Stateful;
use crate::{DriverInput, WHEELS_MAX};
use toml::Spanned;

pub mod antilock;
mod electromechanical;
mod file;
mod line;
mod system;

/// What a brake system is told.
#[derive(Clone, Copy, Debug)]
pub struct BrakeState<'a> {
    /// What the driver does.
    pub input: &'a DriverInput,
    /// Spin of each wheel (rad/s).
    pub spin_rad_s: &'a [f64],
    /// Spin that each wheel would have if it rolled freely (rad/s): speed of its centre over its
    /// rolling radius.
    pub free_spin_rad_s: &'a [f64],
    /// Length of the step (s).
    pub step_s: f64,
}

/// A brake system. Nothing in a step allocates or panics.
pub trait Brake: Stateful + Send {
    /// Torque that each brake can hold during the step (Nm), zero or more.
    fn capacities(&mut self, state: &BrakeState<'_>, capacity_nm: &mut [f64]);

    /// How far an anti-lock system is taking pressure away: 0 to 1.
    fn antilock(&self) -> f64 {
        0.0
    }

    /// Pulls the parking brake (1) or lets it go (0). It works beside the pedal, and it is part of
    /// the state that is saved.
    fn set_parking(&mut self, _applied: f64) {}
}

/// Reads a brake system from TOML for a vehicle with so many wheels.
pub fn read(source: &Source<'_>, wheels: usize) -> Result<Box<dyn Brake>, FileError> {
    match source.toml::<Kind>()?.kind.as_str() {
        "electromechanical" => Ok(Box::new(electromechanical::read(source, wheels)?)),
        _ => Ok(Box::new(file::system(source, wheels)?)),
    }
}

#[derive(serde::Deserialize)]
struct Kind {
    kind: String,
}

/// Refuses axles that have more or fewer wheels together than the vehicle.
fn check_wheels<T>(
    source: &Source<'_>,
    axles: &Spanned<Vec<T>>,
    wheels: usize,
    of: impl Fn(&T) -> usize,
) -> Result<(), FileError> {
    let found = axles.get_ref().iter().fold(0_usize, |sum, axle| sum.saturating_add(of(axle)));
    if found == wheels && found <= WHEELS_MAX {
        return Ok(());
    }
    let problem = format!("expected axles with {wheels} wheels together (at most {WHEELS_MAX}), found {found}");
    Err(source.fault_at(axles.span(), problem))
}
