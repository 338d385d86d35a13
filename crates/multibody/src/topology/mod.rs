//! The topology preprocessor: from a graph of bodies and joints to the order in which the step
//! visits them.
//!
//! Bodies are nodes, joints are edges. A spanning tree that is rooted at the ground decides which
//! joints carry coordinates; the others are **cut** and become constraints. The tree is chosen so
//! that
//! 1. the number of generalised coordinates is smallest (a minimum spanning tree, where a joint
//!    weighs its freedoms),
//! 2. then the longest chain, then the sum of all chain lengths, is small (choice of the base body,
//!    exchange of equally heavy joints).
//!
//! Each cut joint closes a loop through the tree. Loops that share a joint belong together; a
//! driven joint has no unknown, so sharing one does not count. The classes are the **clusters**:
//! each is solved by itself and shows only a 6×6 matrix to its parent body. A joint that lies in no
//! loop is a cluster of one body.

mod base;
mod cluster;
mod layout;
mod spanning;
mod structure;
mod svg;
mod table;

pub use cluster::ClusterPlan;
pub use spanning::TreeJoint;
pub use svg::to_svg;
pub use table::{to_dot, to_table};

use crate::description::{BodyId, Description, JointKind};

/// Why a mechanism has no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the names of the fields say what they are")]
pub enum TopologyError {
    /// A joint that connects a body with itself.
    #[error("joint `{joint}` connects `{body}` with itself; expected two different bodies")]
    SelfJoint { joint: String, body: String },
    /// A body that no chain of joints connects with the ground.
    #[error(
        "body `{body}` is not connected with the ground; add a joint, or, if it floats, a joint of type `free` between `ground` and `{best}`"
    )]
    Disconnected { body: String, best: String },
    /// A driven joint in the middle of a loop.
    #[error(
        "joint `{joint}` is driven, but the body that carries it moves in the same loop; expected a driven joint on the ground, on the base or on a body outside the loop; or leave it undriven and push it with an actuator"
    )]
    DrivenInLoop { joint: String },
    /// A base that is no base.
    #[error(
        "`{body}` cannot be the base: {problem}; expected a body with a `free` joint to the ground, `ground`, or no base at all"
    )]
    NoBase { body: String, problem: String },
    /// A joint whose coordinates are needed had to be cut.
    #[error(
        "joint `{joint}` must carry a coordinate (it is driven, a screw, or has a rotational spring) but its loop has only such joints or demands the cut; free one of them"
    )]
    NeedsCoordinate { joint: String },
}

/// The plan: a table that the model is built from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The body that carries the rest: that of the largest floating mechanism, else the ground.
    pub base: BodyId,
    /// For each body: the joint that carries it; none for the ground.
    pub tree: Vec<Option<TreeJoint>>,
    /// Cut joints in the order of the file.
    pub cut: Vec<usize>,
    /// Free joints that are not needed, since another joint carries their body; they constrain
    /// nothing.
    pub idle: Vec<usize>,
    /// Clusters in forward order.
    pub clusters: Vec<ClusterPlan>,
    /// Number of joints between each body and the base or ground.
    pub depth: Vec<usize>,
}

impl Plan {
    /// Bodies in forward order: each comes after the one that carries it.
    pub fn forward(&self) -> impl DoubleEndedIterator<Item = BodyId> + '_ {
        self.clusters.iter().flat_map(|cluster| cluster.bodies.iter().copied())
    }

    /// Generalised coordinates of the tree (velocities, so a ball counts three).
    pub fn coordinate_count(&self, description: &Description) -> usize {
        self.tree.iter().flatten().map(|tree| tree.freedoms(description)).sum()
    }

    /// Bodies from which more than one chain goes on.
    pub fn junctions(&self) -> Vec<BodyId> {
        let carried = |id: usize| self.tree.iter().flatten().filter(|tree| tree.parent.0 == id).count();
        (0..self.tree.len()).filter(|id| carried(*id) > 1).map(BodyId).collect()
    }

    /// Chains from the base (or a junction's child) to each tip, as lists of bodies, base first.
    pub fn chains(&self) -> Vec<Vec<BodyId>> {
        let is_tip = |id: usize| !self.tree.iter().flatten().any(|tree| tree.parent.0 == id);
        (1..self.tree.len()).filter(|id| is_tip(*id)).map(|tip| self.path(BodyId(tip))).collect()
    }

    /// Bodies from the base to a body, without the ground and the base.
    pub fn path(&self, mut body: BodyId) -> Vec<BodyId> {
        let mut path = Vec::new();
        while body != BodyId::GROUND && body != self.base {
            path.push(body);
            body = self.tree[body.0].as_ref().map_or(BodyId::GROUND, |tree| tree.parent);
        }
        path.reverse();
        path
    }
}

/// Analyses the graph of a mechanism.
pub fn analyse(description: &Description) -> Result<Plan, TopologyError> {
    for joint in &description.joints {
        if joint.bodies[0] == joint.bodies[1] {
            return Err(TopologyError::SelfJoint {
                joint: joint.name.clone(),
                body: description.bodies[joint.bodies[0].0].name.clone(),
            });
        }
    }
    let anchors = base::anchors(description)?;
    let tree = spanning::tree(description, &anchors);
    check_base(description, &tree, anchors.base)?;
    let in_tree = |joint: usize| tree.iter().flatten().any(|edge| edge.joint == Some(joint));
    let (idle, cut): (Vec<usize>, Vec<usize>) = (0..description.joints.len())
        .filter(|joint| !in_tree(*joint))
        .partition(|joint| description.joints[*joint].kind == JointKind::Free);
    if let Some(joint) = cut.iter().chain(&idle).find(|joint| spanning::needs_coordinate(description, **joint)) {
        return Err(TopologyError::NeedsCoordinate { joint: description.joints[*joint].name.clone() });
    }
    let depth = spanning::depths(&tree);
    let clusters = cluster::clusters(description, &tree, &cut, &depth)
        .map_err(|joint| TopologyError::DrivenInLoop { joint: description.joints[joint].name.clone() })?;
    Ok(Plan { base: anchors.base, tree, cut, idle, clusters, depth })
}

/// A base that the file asks for has to float.
fn check_base(description: &Description, tree: &[Option<TreeJoint>], base: BodyId) -> Result<(), TopologyError> {
    let Some(edge) = tree.get(base.0).and_then(Option::as_ref) else {
        return Ok(());
    };
    let floats = edge.parent == BodyId::GROUND && edge.freedoms(description) == 6;
    if floats {
        return Ok(());
    }
    let carrier = &description.bodies[edge.parent.0].name;
    Err(TopologyError::NoBase {
        body: description.bodies[base.0].name.clone(),
        problem: format!("it is carried by `{carrier}` and does not float"),
    })
}

/// A body from which the longest chain of a floating mechanism would be shorter than from its base,
/// and how long it would be.
pub fn better_base(description: &Description, plan: &Plan) -> Option<(BodyId, usize)> {
    base::better(description, plan.base)
}
