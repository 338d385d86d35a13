//! Lane kernels: small clusters at a fixed cost, one alone or two alike side by side.
//!
//! They do what the general passes do (see [`super`]) with four differences that make them fast:
//! memory of fixed size; the three rows of a ball joint as one vector along earth axes; elimination
//! in an order of pivots that is chosen once and kept while its multipliers stay small; rigid
//! inertias by mass, first moment and tensor. A kernel that meets something out of the ordinary (a
//! loop far open, a partition or an order of pivots that has to be chosen) leaves its clusters to
//! the general passes for that evaluation and prepares itself anew.

mod backward;
mod close;
mod forward;
mod open;
mod place;
mod prepare;
mod rotor;
mod rows;

pub(super) use backward::{backward, outward};
pub(super) use forward::{forward, forward_open};
pub(super) use prepare::prepare;
pub(super) use rotor::RotorKernel;

/// Calls a kernel that is compiled for a size: loops unroll and bounds vanish.
macro_rules! sized {
    ($size:expr, $name:ident in [$($value:literal)*] or $last:literal: $call:expr) => {
        match $size {
            $($value => {
                const $name: usize = $value;
                $call
            })*
            _ => {
                const $name: usize = $last;
                $call
            }
        }
    };
}
use sized;

use super::frame::Frame;
use crate::math::{ForceOf, MotionOf, Number, Pair};
use crate::model::{BODIES, COLUMNS, FREE, LaneJoint, OUTSIDE, ROWS, Schedule};
use rows::Placed;

/// The kernels of all bundles.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lanes {
    pub(super) ones: Vec<Kernel<f64>>,
    pub(super) twos: Vec<Kernel<Pair>>,
    pub(super) rotor_ones: Vec<RotorKernel<f64>>,
    pub(super) rotor_twos: Vec<RotorKernel<Pair>>,
}

impl Lanes {
    pub(super) fn new(schedule: &Schedule) -> Self {
        Self {
            ones: schedule.ones.iter().map(|_| Kernel::default()).collect(),
            twos: schedule.twos.iter().map(|_| Kernel::default()).collect(),
            rotor_ones: schedule.rotor_ones.iter().map(|_| RotorKernel::default()).collect(),
            rotor_twos: schedule.rotor_twos.iter().map(|_| RotorKernel::default()).collect(),
        }
    }
}

/// A square matrix of the rows' size.
pub(super) type Square<T> = [[T; ROWS]; ROWS];

/// What the kernel of a bundle keeps from one pass to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kernel<T: Number> {
    /// Whether order and factors may be used.
    pub(super) ready: bool,
    /// Whether this evaluation went through the kernels.
    pub(super) active: bool,
    /// Whether the loops of the last evaluation were closed without a correction.
    pub(super) stays_closed: bool,
    /// Evaluations to let pass before the next attempt to prepare.
    pub(super) wait: u32,
    pub(super) rank: usize,
    pub(super) free: usize,
    /// The partition that it was prepared for.
    pub(super) partition: [usize; COLUMNS],
    /// Rows in the order of pivots.
    pub(super) rows: [usize; ROWS],
    /// Columns: dependent ones in the order of pivots, then the independent ones.
    pub(super) columns: [usize; COLUMNS],
    // Forward.
    /// Bodies of the bundle, then those outside.
    pub(super) frame: [Frame<T>; BODIES + OUTSIDE],
    placed: [Placed<T>; ROWS],
    pub(super) axis: [MotionOf<T>; COLUMNS],
    pub(super) factor: Square<T>,
    /// −Φ_d⁻¹ Φ_i, for each independent column.
    pub(super) embedding: [[T; ROWS]; FREE],
    /// c of eq. (3), in the order of pivots.
    pub(super) offset: [T; ROWS],
    pub(super) unit: [[MotionOf<T>; FREE]; BODIES],
    // Backward.
    /// m of eq. (6), factored.
    pub(super) mass: [[T; FREE]; FREE],
    pub(super) coupling: [ForceOf<T>; FREE],
    pub(super) response: [T; FREE],
}

/// Velocity coordinates of a joint within its bundle.
#[inline(always)]
fn columns_of<T: Number>(joint: &LaneJoint<T>) -> std::ops::Range<usize> {
    joint.column..joint.column + joint.kind.width()
}
