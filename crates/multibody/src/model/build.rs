//! From a description to a model.

use super::joints::{self, initial, opposite, primitives_of};
use super::{BodySlot, Cluster, DrivenJoint, Lumped, Model, Pole, Primitive, PrimitiveKind, Schedule, lump, rows};
use crate::description::{BodyId, Description, Joint, JointKind};
use crate::forces::ForceElements;
use crate::math::Vector3;
use crate::topology::{self, TopologyError, TreeJoint};

/// Why there is no model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the names of the fields say what they are")]
pub enum BuildError {
    /// The graph.
    #[error(transparent)]
    Topology(#[from] TopologyError),
    /// A spring on a coordinate that its joint does not have.
    #[error(
        "spring `{spring}`: joint `{joint}` has no such coordinate; expected a joint with an angle or displacement"
    )]
    NoCoordinate { spring: String, joint: String },
    /// Coordinates of the wrong number.
    #[error("joint `{joint}`: expected {expected} initial coordinates and velocities")]
    Coordinates { joint: String, expected: usize },
    /// A rod without length or a ball on its hinge.
    #[error("joint `{joint}`: its two points must lie apart")]
    NoLength { joint: String },
}

impl Model {
    /// Plans and lays out a mechanism.
    pub fn new(description: &Description) -> Result<Self, BuildError> {
        check(description)?;
        let description = joints::expanded(description);
        let plan = topology::analyse(&description)?;
        let mut model = Self {
            slot_of: vec![0; description.bodies.len()],
            bodies: vec![ground()],
            plan,
            description,
            primitives: Vec::new(),
            clusters: Vec::new(),
            rows: Vec::new(),
            signs: Vec::new(),
            outside: Vec::new(),
            row_joint: Vec::new(),
            point_rows: Vec::new(),
            schedule: Schedule::default(),
            preference: Vec::new(),
            driven: Vec::new(),
            forces: ForceElements::default(),
            position_count: 0,
            initial_positions: Vec::new(),
            initial_velocities: Vec::new(),
            pole: None,
        };
        for index in 0..model.plan.clusters.len() {
            model.add_cluster(index);
        }
        lump::lump(&mut model);
        model.pole = model.find_pole();
        model.schedule = Schedule::new(&model);
        model.forces = ForceElements::resolve(&model)?;
        Ok(model)
    }

    fn add_cluster(&mut self, index: usize) {
        let cluster = self.plan.clusters[index].clone();
        let (bodies, velocities, rows) = (self.bodies.len(), self.preference.len(), self.rows.len());
        for body in &cluster.bodies {
            self.add_body(*body);
        }
        for joint in &cluster.cut {
            self.add_rows(*joint);
        }
        let driven = self.driven_joint(cluster.bodies[0]);
        let (motions, matrices) = self.clusters.last().map_or((0, 0), |last| {
            let width = last.velocities.len();
            (last.motions + last.bodies.len() * width, last.matrices + width * width)
        });
        let cluster = Cluster {
            parent: self.slot_of[cluster.parent.0],
            bodies: bodies..self.bodies.len(),
            velocities: velocities..self.preference.len(),
            rows: rows..self.rows.len(),
            driven,
            signs: self.signs.len(),
            motions,
            matrices,
        };
        self.add_signs(&cluster);
        self.clusters.push(cluster);
    }

    fn driven_joint(&mut self, body: BodyId) -> Option<usize> {
        let joint = self.plan.tree[body.0].as_ref()?.joint?;
        if !self.description.joints[joint].driven {
            return None;
        }
        let count = self.description.joints[joint].kind.freedoms();
        let coordinates = (0..count).filter_map(|which| coordinate_index(self, joint, which)).collect();
        let first = self.driven.iter().map(|it| it.coordinates.len()).sum();
        self.driven.push(DrivenJoint { joint, coordinates, first });
        Some(self.driven.len() - 1)
    }

    fn add_body(&mut self, id: BodyId) {
        let edge =
            self.plan.tree[id.0].clone().unwrap_or(TreeJoint { joint: None, parent: BodyId::GROUND, reversed: false });
        let body = self.description.bodies[id.0].clone();
        let joint = edge.joint.map_or_else(
            || Joint::new("", JointKind::Free, [BodyId::GROUND, id], body.centre, Vector3::AXES[2]),
            |joint| self.description.joints[joint].clone(),
        );
        let parent = self.slot_of[edge.parent.0];
        let (inboard, origin) =
            if edge.reversed { (joint.second_point, joint.point) } else { (joint.point, joint.second_point) };
        let primitives = self.primitives.len();
        self.add_primitives(&joint, edge.reversed);
        self.slot_of[id.0] = self.bodies.len();
        self.bodies.push(BodySlot {
            id,
            parent,
            offset: inboard - self.bodies[parent].origin,
            primitives: primitives..self.primitives.len(),
            origin,
            mass: body.mass,
            centre: body.centre - origin,
            inertia: body.inertia,
            lumped: Lumped { mass: body.mass, centre: body.centre - origin, inertia: body.inertia },
            rotor: None,
        });
    }

    /// A joint walked backwards has its primitives in opposite order with opposite axes.
    fn add_primitives(&mut self, joint: &Joint, reversed: bool) {
        let mut list = primitives_of(joint);
        if reversed {
            list.reverse();
        }
        let (position, velocity) = (self.position_count, self.preference.len());
        for (kind, which) in list {
            let kind = if reversed { opposite(kind) } else { kind };
            // Coordinates stand in the order of the joint; a ball takes four positions and three
            // velocities.
            self.primitives.push(Primitive { kind, position: position + which, velocity: velocity + which });
        }
        let (positions, velocities) = initial(joint, reversed);
        let ball = |kind: JointKind| matches!(kind, JointKind::Free | JointKind::Spherical);
        let preference = if ball(joint.kind) { 8.0 } else { 1.0 };
        self.preference.extend(vec![preference; velocities.len()]);
        self.position_count += positions.len();
        self.initial_positions.extend(positions);
        self.initial_velocities.extend(velocities);
    }

    fn add_rows(&mut self, index: usize) {
        let joint = &self.description.joints[index];
        let slots = joint.bodies.map(|body| self.slot_of[body.0]);
        let origins = slots.map(|slot| self.bodies[slot].origin);
        let rows = rows::rows_of(joint, slots, origins);
        self.row_joint.extend(vec![index; rows.len()]);
        self.point_rows.extend(rows::begins_point(joint, rows.len()));
        self.rows.extend(rows);
    }

    /// Columns between each end of a row and the cluster's edge; those common to both ends cancel.
    fn add_signs(&mut self, cluster: &Cluster) {
        for row in cluster.rows.clone() {
            let mut signs = vec![0.0; cluster.velocities.len()];
            let mut outside = self.rows[row].bodies;
            for (end, sign) in [(0, -1.0), (1, 1.0)] {
                while cluster.bodies.contains(&outside[end]) {
                    let body = &self.bodies[outside[end]];
                    for primitive in &self.primitives[body.primitives.clone()] {
                        for velocity in primitive.velocities() {
                            signs[velocity - cluster.velocities.start] += sign;
                        }
                    }
                    outside[end] = body.parent;
                }
            }
            self.signs.extend(signs);
            self.outside.push(outside);
        }
    }

    fn find_pole(&self) -> Option<Pole> {
        let base = &self.bodies[self.slot_of[self.plan.base.0]];
        let list = &self.primitives[base.primitives.clone()];
        let floats = base.parent == 0 && list.len() == 4 && list[3].kind == PrimitiveKind::Ball;
        floats.then(|| Pole { offset: base.offset, positions: [list[0].position, list[1].position, list[2].position] })
    }
}

impl Primitive {
    /// Its velocity indices.
    #[inline]
    pub fn velocities(&self) -> std::ops::Range<usize> {
        let width = if self.kind == PrimitiveKind::Ball { 3 } else { 1 };
        self.velocity..self.velocity + width
    }
}

fn ground() -> BodySlot {
    BodySlot {
        id: BodyId::GROUND,
        parent: 0,
        offset: Vector3::ZERO,
        primitives: 0..0,
        origin: Vector3::ZERO,
        mass: 0.0,
        centre: Vector3::ZERO,
        inertia: Default::default(),
        lumped: Lumped { mass: 0.0, centre: Vector3::ZERO, inertia: Default::default() },
        rotor: None,
    }
}

fn check(description: &Description) -> Result<(), BuildError> {
    for joint in &description.joints {
        let (name, expected) = (joint.name.clone(), joint.kind.coordinate_count());
        if joint.coordinates.len() != expected || joint.velocities.len() != expected {
            return Err(BuildError::Coordinates { joint: name, expected });
        }
        let apart = match joint.kind {
            JointKind::SphericalSpherical => joint.length,
            JointKind::SphericalRevolute => (joint.point - joint.second_point).cross(joint.second_axis).norm(),
            _ => 1.0,
        };
        if apart.is_nan() || apart <= 1e-9 {
            return Err(BuildError::NoLength { joint: name });
        }
    }
    Ok(())
}

/// Position and velocity index of a coordinate of a joint in the tree.
pub(super) fn coordinate_index(model: &Model, joint: usize, coordinate: usize) -> Option<(usize, usize)> {
    let carried = |edge: &Option<TreeJoint>| edge.as_ref().is_some_and(|edge| edge.joint == Some(joint));
    let body = model.plan.tree.iter().position(carried)?;
    let slot = &model.bodies[model.slot_of[body]];
    let list = &model.primitives[slot.primitives.clone()];
    let first = list.iter().map(|it| it.velocity).min()?;
    let found = list.iter().find(|it| it.velocities().contains(&(first + coordinate)))?;
    let within = first + coordinate - found.velocity;
    Some((found.position + within, first + coordinate))
}
