//! Bundles: clusters that the step evaluates with the lane kernels, alone or two alike side by
//! side.
//!
//! Corners of a vehicle are built alike: the same joints in the same order, other numbers. Two such
//! clusters are evaluated together in the two halves of registers. A cluster fits the kernels if it
//! is small, does not stand on the ground, and is driven only if it is a single body without loops.
//! What does not fit is left to the general passes.

use super::schedule::carries;
use super::{Cluster, Lumped, Model, PrimitiveKind, RowKind};
use crate::math::{Number, Vector3, VectorOf};
use std::ops::Range;

/// Most bodies of a bundle's cluster.
pub(crate) const BODIES: usize = 4;
/// Most bodies outside that it may read.
pub(crate) const OUTSIDE: usize = 3;
/// Most velocity coordinates.
pub(crate) const COLUMNS: usize = 8;
/// Most constraint rows.
pub(crate) const ROWS: usize = 6;
/// Most independent coordinates.
pub(crate) const FREE: usize = 3;

/// Clusters of one structure: numbers are in lanes, indices are by lane.
#[derive(Clone, Debug)]
pub(crate) struct Bundle<T> {
    pub clusters: [usize; 2],
    /// Slots that take the articulated inertia.
    pub parents: [usize; 2],
    pub bodies: Vec<LaneBody<T>>,
    /// Slots of the bodies outside that it reads.
    pub outside: Vec<[usize; 2]>,
    pub joints: Vec<LaneJoint<T>>,
    pub rows: Vec<LaneRow<T>>,
    /// Velocity coordinates, and where they start.
    pub columns: usize,
    pub velocities: [usize; 2],
    /// Constraint rows, and where they start.
    pub height: usize,
    pub row_starts: [usize; 2],
    /// Where the motion of a driven joint stands in the inputs.
    pub driven: Option<[usize; 2]>,
}

/// A body of a bundle.
#[derive(Clone, Debug)]
pub(crate) struct LaneBody<T> {
    pub slots: [usize; 2],
    /// Frame that carries it: of the bundle, or from [`BODIES`] on one outside.
    pub parent: usize,
    pub offset: VectorOf<T>,
    pub joints: Range<usize>,
    pub lumped: Lumped<T>,
    /// Whether it carries clusters other than rotors.
    pub carries: bool,
}

/// A primitive of a bundle.
#[derive(Clone, Debug)]
pub(crate) struct LaneJoint<T> {
    pub kind: LaneKind<T>,
    pub column: usize,
    pub positions: [usize; 2],
}

/// What it does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LaneKind<T> {
    /// Revolute about a column of the frame, which is what most axes of vehicles are.
    Along(usize),
    Any(PrimitiveKind<T>),
}

impl<T: Number> LaneKind<T> {
    /// How many velocity coordinates it has.
    pub(crate) fn width(&self) -> usize {
        if let Self::Any(PrimitiveKind::Ball) = self { 3 } else { 1 }
    }
}

/// One row, or three that hold two points together.
#[derive(Clone, Debug)]
pub(crate) struct LaneRow<T> {
    pub row: usize,
    /// Frames of body i and body j.
    pub ends: [usize; 2],
    pub kind: LaneRowKind<T>,
    /// By column: −1, 0 or 1.
    pub signs: [i8; COLUMNS],
    /// The bodies outside the cluster that carry its ends, if they differ.
    pub outside: Option<[usize; 2]>,
}

/// Points and directions in body axes, as [`RowKind`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum LaneRowKind<T> {
    Point { first: VectorOf<T>, second: VectorOf<T> },
    Plane { normal: VectorOf<T>, first: VectorOf<T>, second: VectorOf<T>, offset: T },
    Angle { first: VectorOf<T>, second: VectorOf<T>, offset: T },
    Distance { first: VectorOf<T>, second: VectorOf<T>, length: T },
}

/// Wheels lumped into their carriers.
#[derive(Clone, Debug)]
pub(crate) struct Rotor<T> {
    pub slots: [usize; 2],
    pub parents: [usize; 2],
    pub offset: VectorOf<T>,
    pub axis: VectorOf<T>,
    pub inertia: T,
    pub positions: [usize; 2],
    pub velocities: [usize; 2],
}

impl<T: Number> Rotor<T> {
    pub(super) fn new(model: &Model, clusters: [usize; 2]) -> Self {
        let slots = clusters.map(|it| model.clusters[it].bodies.start);
        let body = |lane: usize| &model.bodies[slots[lane]];
        let primitive = |lane: usize| &model.primitives[body(lane).primitives.start];
        Self {
            slots,
            parents: slots.map(|slot| model.bodies[slot].parent),
            offset: VectorOf::gather(|lane| body(lane).offset),
            axis: VectorOf::gather(|lane| match primitive(lane).kind {
                PrimitiveKind::Revolute { axis } => axis,
                _ => Default::default(),
            }),
            inertia: T::gather(|lane| body(lane).rotor.unwrap_or(1.0)),
            positions: [0, 1].map(|lane| primitive(lane).position),
            velocities: [0, 1].map(|lane| primitive(lane).velocity),
        }
    }
}

impl<T: Number> Bundle<T> {
    pub(super) fn new(model: &Model, clusters: [usize; 2]) -> Self {
        let both = clusters.map(|it| &model.clusters[it]);
        let mut bundle = Self {
            clusters,
            parents: both.map(|it| it.parent),
            bodies: Vec::new(),
            outside: Vec::new(),
            joints: Vec::new(),
            rows: Vec::new(),
            columns: both[0].velocities.len(),
            velocities: both.map(|it| it.velocities.start),
            height: both[0].rows.len(),
            row_starts: both.map(|it| it.rows.start),
            driven: both[0].driven.map(|_| both.map(|it| it.driven.map_or(0, |driven| model.driven[driven].first))),
        };
        for k in 0..both[0].bodies.len() {
            bundle.add_body(model, both, both.map(|it| it.bodies.start + k));
        }
        let mut row = 0;
        while row < bundle.height {
            row += bundle.add_row(model, both, row);
        }
        bundle
    }

    fn add_body(&mut self, model: &Model, both: [&Cluster; 2], slots: [usize; 2]) {
        let body = |lane: usize| &model.bodies[slots[lane]];
        let parent = self.frame(both, slots.map(|slot| model.bodies[slot].parent));
        let first = self.joints.len();
        for k in 0..body(0).primitives.len() {
            let primitive = |lane: usize| &model.primitives[body(lane).primitives.start + k];
            self.joints.push(LaneJoint {
                kind: lane_kind(|lane| primitive(lane).kind),
                column: primitive(0).velocity - self.velocities[0],
                positions: [0, 1].map(|lane| primitive(lane).position),
            });
        }
        self.bodies.push(LaneBody {
            slots,
            parent,
            offset: VectorOf::gather(|lane| body(lane).offset),
            joints: first..self.joints.len(),
            lumped: Lumped::gather(|lane| &body(lane).lumped),
            carries: slots.iter().any(|slot| carries(model, *slot)),
        });
    }

    /// Whether it carries clusters other than rotors.
    pub(super) fn carries(&self) -> bool {
        self.bodies.iter().any(|body| body.carries)
    }

    /// Freedoms of a bundle without loops.
    pub(crate) fn free(&self) -> usize {
        if self.driven.is_some() { 0 } else { self.columns }
    }

    /// Adds what begins at a row and returns how many rows it takes.
    fn add_row(&mut self, model: &Model, both: [&Cluster; 2], row: usize) -> usize {
        let at = |lane: usize| self.row_starts[lane] + row;
        let whole = model.point_rows[at(0)];
        let kind = lane_row_kind(|lane| model.rows[at(lane)].kind, whole);
        let mut signs = [0; COLUMNS];
        let table = both[0].signs + row * self.columns;
        for (sign, given) in signs.iter_mut().zip(&model.signs[table..table + self.columns]) {
            *sign = *given as i8;
        }
        let slots = |which: usize| [0, 1].map(|lane| model.rows[at(lane)].bodies[which]);
        let carriers = |which: usize| [0, 1].map(|lane| model.outside[at(lane)][which]);
        let (slots, carriers) = ([slots(0), slots(1)], [carriers(0), carriers(1)]);
        let ends = slots.map(|it| self.frame(both, it));
        let outside = (carriers[0] != carriers[1]).then(|| carriers.map(|it| self.frame(both, it)));
        self.rows.push(LaneRow { row, ends, kind, signs, outside });
        if whole { 3 } else { 1 }
    }

    /// Frame of a body, which is added to those outside if it is new.
    fn frame(&mut self, both: [&Cluster; 2], slots: [usize; 2]) -> usize {
        if both[0].bodies.contains(&slots[0]) {
            return slots[0] - both[0].bodies.start;
        }
        let known = self.outside.iter().position(|it| *it == slots);
        BODIES
            + known.unwrap_or_else(|| {
                self.outside.push(slots);
                self.outside.len() - 1
            })
    }
}

fn lane_kind<T: Number>(kind: impl Fn(usize) -> PrimitiveKind) -> LaneKind<T> {
    let axis: VectorOf<T> = VectorOf::gather(|lane| match kind(lane) {
        PrimitiveKind::Revolute { axis } | PrimitiveKind::Translation { axis } | PrimitiveKind::Screw { axis, .. } => {
            axis
        }
        PrimitiveKind::Ball => Default::default(),
    });
    LaneKind::Any(match kind(0) {
        PrimitiveKind::Revolute { .. } => {
            let along = |unit: &Vector3| (0..T::LANES).all(|lane| axis.lane(lane) == *unit);
            match Vector3::AXES.iter().position(along) {
                Some(column) => return LaneKind::Along(column),
                None => PrimitiveKind::Revolute { axis },
            }
        }
        PrimitiveKind::Translation { .. } => PrimitiveKind::Translation { axis },
        PrimitiveKind::Screw { .. } => PrimitiveKind::Screw {
            axis,
            pitch: T::gather(|lane| match kind(lane) {
                PrimitiveKind::Screw { pitch, .. } => pitch,
                _ => 0.0,
            }),
        },
        PrimitiveKind::Ball => PrimitiveKind::Ball,
    })
}

fn lane_row_kind<T: Number>(kind: impl Fn(usize) -> RowKind, whole: bool) -> LaneRowKind<T> {
    let first = VectorOf::gather(|lane| kind(lane).points()[0]);
    let second = VectorOf::gather(|lane| kind(lane).points()[1]);
    let number = T::gather(|lane| match kind(lane) {
        RowKind::Plane { offset, .. } | RowKind::Angle { offset, .. } => offset,
        RowKind::Distance { length, .. } => length,
    });
    match kind(0) {
        RowKind::Plane { .. } if whole => LaneRowKind::Point { first, second },
        RowKind::Plane { .. } => LaneRowKind::Plane {
            normal: VectorOf::gather(|lane| match kind(lane) {
                RowKind::Plane { normal, .. } => normal,
                _ => Default::default(),
            }),
            first,
            second,
            offset: number,
        },
        RowKind::Angle { .. } => LaneRowKind::Angle { first, second, offset: number },
        RowKind::Distance { .. } => LaneRowKind::Distance { first, second, length: number },
    }
}
