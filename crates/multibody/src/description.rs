//! A mechanism as plain data: what the model files say, after they have been checked.
//!
//! All points and directions are in the axes of the drawing (the design position), see
//! `docs/model-files.md`. Body 0 is the ground. Programs may fill these structures directly;
//! [`crate::files`] fills them from TOML.

use crate::forces::{Antiroll, PointForce, Rsda, Tsda, Wheel};
use crate::math::{Symmetric3, Vector3};

/// Number of a body in [`Description::bodies`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub usize);

impl BodyId {
    /// The earth.
    pub const GROUND: Self = Self(0);
}

/// What a joint allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JointKind {
    /// Everything: six freedoms.
    Free,
    /// Nothing.
    Fixed,
    /// Rotation about an axis.
    Revolute,
    /// Displacement along an axis.
    Translational,
    /// Both of them, independent.
    Cylindrical,
    /// Both of them, coupled by the lead.
    Screw,
    /// Rotation about an axis of the first body, then about one of the second.
    Universal,
    /// All rotations about a point.
    Spherical,
    /// Displacement in a plane and rotation about its normal.
    Planar,
    /// A rod: two points keep their distance.
    SphericalSpherical,
    /// A ball on the first body runs on a circle of the second.
    SphericalRevolute,
    /// A ball on the first body runs on a straight line of the second.
    SphericalTranslational,
    /// A massless link with a hinge at each end.
    RevoluteRevolute,
}

impl JointKind {
    /// All kinds with the names that files use.
    pub const NAMES: [(&'static str, Self); 13] = [
        ("free", Self::Free),
        ("fixed", Self::Fixed),
        ("revolute", Self::Revolute),
        ("translational", Self::Translational),
        ("cylindrical", Self::Cylindrical),
        ("screw", Self::Screw),
        ("universal", Self::Universal),
        ("spherical", Self::Spherical),
        ("planar", Self::Planar),
        ("spherical-spherical", Self::SphericalSpherical),
        ("spherical-revolute", Self::SphericalRevolute),
        ("spherical-translational", Self::SphericalTranslational),
        ("revolute-revolute", Self::RevoluteRevolute),
    ];

    /// The name that files use.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// Freedoms that the joint leaves.
    pub const fn freedoms(self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute | Self::Translational | Self::Screw => 1,
            Self::Cylindrical | Self::Universal | Self::RevoluteRevolute => 2,
            Self::Spherical | Self::Planar => 3,
            Self::SphericalRevolute | Self::SphericalTranslational => 4,
            Self::SphericalSpherical => 5,
            Self::Free => 6,
        }
    }

    /// Whether the joint is only ever a constraint and never carries coordinates.
    pub const fn is_constraint_only(self) -> bool {
        matches!(self, Self::SphericalSpherical | Self::SphericalRevolute | Self::SphericalTranslational)
    }

    /// How many initial coordinates a file may give.
    pub const fn coordinate_count(self) -> usize {
        if self.is_constraint_only() { 0 } else { self.freedoms() }
    }
}

/// A rigid body.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Unique name.
    pub name: String,
    /// `kg`
    pub mass: f64,
    /// `m` Centre of gravity in the drawing.
    pub centre: Vector3,
    /// [kg m²] Tensor about the centre of gravity, in the axes of the drawing.
    pub inertia: Symmetric3,
}

/// A joint between two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Unique name.
    pub name: String,
    /// What it allows.
    pub kind: JointKind,
    /// First and second body.
    pub bodies: [BodyId; 2],
    /// Whether its coordinates are given from outside.
    pub driven: bool,
    /// Cut (true), in the tree (false), or as the preprocessor likes.
    pub cut: Option<bool>,
    /// `m` Point on the first body.
    pub point: Vector3,
    /// `m` Point on the second body.
    pub second_point: Vector3,
    /// Unit axis on the first body.
    pub axis: Vector3,
    /// Unit axis on the second body, where the kind has one.
    pub second_axis: Vector3,
    /// `m` Advance of a screw in one revolution.
    pub lead: f64,
    /// `m` Length of a rod.
    pub length: f64,
    /// Initial coordinates, one for each freedom.
    pub coordinates: Vec<f64>,
    /// Initial velocities, one for each freedom.
    pub velocities: Vec<f64>,
    /// Where a file describes it: `parameters.toml:12:9`.
    pub place: Option<String>,
}

impl Joint {
    /// A joint at a point with an axis, at rest in the design position; the point serves both
    /// bodies.
    pub fn new(name: &str, kind: JointKind, bodies: [BodyId; 2], point: Vector3, axis: Vector3) -> Self {
        let zeros = vec![0.0; kind.coordinate_count()];
        Self {
            name: name.into(),
            kind,
            bodies,
            driven: false,
            cut: None,
            point,
            second_point: point,
            axis,
            second_axis: axis.perpendiculars().0,
            lead: 0.0,
            length: 0.0,
            coordinates: zeros.clone(),
            velocities: zeros,
            place: None,
        }
    }
}

/// A whole mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// Name of the model.
    pub name: String,
    /// One line.
    pub summary: String,
    /// [m/s²]
    pub gravity: Vector3,
    /// All bodies; the first is the ground.
    pub bodies: Vec<Body>,
    /// All joints.
    pub joints: Vec<Joint>,
    /// The base that the file asks for.
    pub base: Option<BodyId>,
    /// Springs along a line.
    pub tsda: Vec<Tsda>,
    /// Springs on joint coordinates.
    pub rsda: Vec<Rsda>,
    /// Antiroll bars as force elements.
    pub antiroll: Vec<Antiroll>,
    /// Forces at points.
    pub point_forces: Vec<PointForce>,
    /// Wheels with their simple tyres.
    pub wheels: Vec<Wheel>,
}

impl Description {
    /// Nothing but the ground.
    pub fn empty(name: &str) -> Self {
        Self {
            name: name.into(),
            summary: String::new(),
            gravity: Vector3::new(0.0, 0.0, -9.81),
            bodies: vec![Body {
                name: "ground".into(),
                mass: 0.0,
                centre: Vector3::ZERO,
                inertia: Symmetric3::default(),
            }],
            joints: Vec::new(),
            base: None,
            tsda: Vec::new(),
            rsda: Vec::new(),
            antiroll: Vec::new(),
            point_forces: Vec::new(),
            wheels: Vec::new(),
        }
    }

    /// Adds a body and returns its number.
    pub fn add_body(&mut self, name: &str, mass: f64, centre: Vector3, inertia: Symmetric3) -> BodyId {
        self.bodies.push(Body { name: name.into(), mass, centre, inertia });
        BodyId(self.bodies.len() - 1)
    }

    /// The joint of a name.
    pub fn joint(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }

    /// The body of a name.
    pub fn body(&self, name: &str) -> Option<BodyId> {
        self.bodies.iter().position(|body| body.name == name).map(BodyId)
    }
}
