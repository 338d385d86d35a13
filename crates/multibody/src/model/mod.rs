//! The model: everything that does not change while a mechanism moves, laid out for the step.
//!
//! Bodies are renumbered into **slots** in forward order (slot 0 is the ground), so that each pass
//! walks straight through memory and the bodies of a cluster lie side by side. A joint becomes a
//! short list of primitives, each of which turns or shifts the frame.

mod build;
mod bundle;
mod joints;
mod lump;
mod names;
mod rows;
mod schedule;

pub use build::BuildError;
pub(crate) use bundle::{
    BODIES, Bundle, COLUMNS, FREE, LaneBody, LaneJoint, LaneKind, LaneRow, LaneRowKind, OUTSIDE, ROWS, Rotor,
};
pub use lump::Lumped;
pub(crate) use rows::{Row, RowKind};
pub(crate) use schedule::{Schedule, Task};

use crate::description::{BodyId, Description};
use crate::forces::ForceElements;
use crate::math::{Symmetric3, Vector3, VectorOf};
use crate::topology::Plan;
use std::ops::Range;

/// One elementary motion of a joint: where its coordinate and its velocity stand in the state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Primitive {
    /// What it does.
    pub kind: PrimitiveKind,
    /// Index of the first position coordinate.
    pub position: usize,
    /// Index of the first velocity coordinate.
    pub velocity: usize,
}

/// What a primitive does with the frame; axes are in the frame before it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names of the fields say what they are")]
pub enum PrimitiveKind<T = f64> {
    /// Turns about an axis.
    Revolute { axis: VectorOf<T> },
    /// Shifts along an axis.
    Translation { axis: VectorOf<T> },
    /// Turns about an axis and shifts along it.
    Screw { axis: VectorOf<T>, pitch: T },
    /// Turns freely: a unit quaternion with the angular velocity in the axes after it.
    Ball,
}

/// A body in its slot.
#[derive(Clone, Debug, PartialEq)]
pub struct BodySlot {
    /// Number in the description.
    pub id: BodyId,
    /// Slot that carries it.
    pub parent: usize,
    /// Joint point from the parent's origin, in the parent's axes.
    pub offset: Vector3,
    /// Its primitives.
    pub primitives: Range<usize>,
    /// The body's origin in the drawing: its inboard joint.
    pub origin: Vector3,
    /// `kg`
    pub mass: f64,
    /// `m` Centre of gravity from the origin, body axes.
    pub centre: Vector3,
    /// [kg m²] About the centre of gravity, body axes.
    pub inertia: Symmetric3,
    /// The same with what its wheels leave to it.
    pub lumped: Lumped,
    /// [kg m²] A wheel that is lumped into its carrier: what is left, the moment about its axis.
    pub rotor: Option<f64>,
}

/// Bodies that are solved together.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// Slot of the body that carries it.
    pub parent: usize,
    /// Slots.
    pub bodies: Range<usize>,
    /// Velocity coordinates.
    pub velocities: Range<usize>,
    /// Constraint rows.
    pub rows: Range<usize>,
    /// Whether the coordinates are given from outside.
    pub driven: Option<usize>,
    /// Where its entries of the sign table start: rows by velocities.
    pub signs: usize,
    /// Where its unit motions start in the workspace: bodies by velocities.
    pub motions: usize,
    /// Where its matrices start in the workspace: velocities by velocities.
    pub matrices: usize,
}

/// An immutable mechanism, ready to step.
#[derive(Clone, Debug)]
pub struct Model {
    pub(crate) description: Description,
    pub(crate) plan: Plan,
    pub(crate) bodies: Vec<BodySlot>,
    pub(crate) slot_of: Vec<usize>,
    pub(crate) primitives: Vec<Primitive>,
    pub(crate) clusters: Vec<Cluster>,
    pub(crate) rows: Vec<Row>,
    /// +1, −1 or 0: whether a column moves the row's second body, its first, or neither or both.
    pub(crate) signs: Vec<f64>,
    /// For each row: the bodies outside its cluster that carry its two ends.
    pub(crate) outside: Vec<[usize; 2]>,
    /// For each row: its cut joint.
    pub(crate) row_joint: Vec<usize>,
    /// For each row: whether it is the first of three that hold two points together.
    pub(crate) point_rows: Vec<bool>,
    /// The order of the step.
    pub(crate) schedule: Schedule,
    /// Preference for taking a velocity as dependent.
    pub(crate) preference: Vec<f64>,
    /// Joint of each driven cluster.
    pub(crate) driven: Vec<DrivenJoint>,
    pub(crate) forces: ForceElements,
    pub(crate) position_count: usize,
    pub(crate) initial_positions: Vec<f64>,
    pub(crate) initial_velocities: Vec<f64>,
    pub(crate) pole: Option<Pole>,
}

/// A joint whose motion comes from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct DrivenJoint {
    /// Joint of the description.
    pub joint: usize,
    /// Its coordinates: position index and velocity index of each.
    pub coordinates: Vec<(usize, usize)>,
    /// Where they stand in the inputs.
    pub first: usize,
}

/// The point that velocities are taken at: the reference point of the floating base.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pole {
    pub offset: Vector3,
    pub positions: [usize; 3],
}

impl Model {
    /// The description that it was built from, with what it implies (massless links, spinning
    /// wheels).
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// What the preprocessor decided.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Number of velocity coordinates of the tree.
    pub fn velocity_count(&self) -> usize {
        self.preference.len()
    }

    /// Number of position coordinates of the tree (a ball has four).
    pub fn position_count(&self) -> usize {
        self.position_count
    }

    /// Slot of a body.
    pub fn slot(&self, body: BodyId) -> usize {
        self.slot_of[body.0]
    }

    /// Bodies by slot.
    pub fn bodies(&self) -> &[BodySlot] {
        &self.bodies
    }

    /// Primitives of all joints.
    pub fn primitives(&self) -> &[Primitive] {
        &self.primitives
    }

    /// Clusters in forward order.
    pub fn clusters(&self) -> &[Cluster] {
        &self.clusters
    }

    /// Joints driven from outside, in the order of the inputs.
    pub fn driven(&self) -> &[DrivenJoint] {
        &self.driven
    }

    /// Index of position and velocity of a coordinate of a joint; none if the joint is cut or has
    /// no such coordinate.
    pub fn coordinate(&self, joint: usize, coordinate: usize) -> Option<(usize, usize)> {
        build::coordinate_index(self, joint, coordinate)
    }
}
