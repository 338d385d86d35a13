//! The topology preprocessor: from a graph of bodies and joints to the order in which the step visits them.
//!
//! Bodies are nodes, joints are edges. A spanning tree that is rooted at the ground decides which joints carry coordinates; the
//! others are **cut** and become constraints. The tree is chosen so that
//! 1. the number of generalised coordinates is smallest (a minimum spanning tree, where a joint weighs its freedoms),
//! 2. then the longest chain, then the sum of all chain lengths, is smallest (exchange of equally heavy joints).
//!
//! Each cut joint closes a loop through the tree. Loops that share a joint belong together; a driven joint has no
//! unknown, so sharing one does not count. The classes are the **clusters**: each is solved by itself and shows only a 6×6 matrix
//! to its parent body. A joint that lies in no loop is a cluster of one body.

mod cluster;
mod dot;
mod spanning;

pub use cluster::ClusterPlan;
pub use dot::{to_dot, to_table};
pub use spanning::TreeJoint;

use crate::description::{BodyId, Description};

/// Why a mechanism has no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TopologyError {
    /// A joint that connects a body with itself.
    #[error("joint `{joint}` connects `{body}` with itself; expected two different bodies")]
    SelfJoint {
        /// The joint.
        joint: String,
        /// The body.
        body: String,
    },
    /// A body that no chain of joints connects with the ground.
    #[error("body `{body}` is not connected with the ground; add a joint, `free` if it floats")]
    Disconnected {
        /// The body.
        body: String,
    },
    /// A joint whose coordinates are needed had to be cut.
    #[error(
        "joint `{joint}` must carry a coordinate (it is driven, a screw, or has a rotational spring) but its loop has only such joints or demands the cut; free one of them"
    )]
    NeedsCoordinate {
        /// The joint.
        joint: String,
    },
}

/// The plan: a table that the model is built from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The body that the rest hangs from: the first one on a free joint, else the ground.
    pub base: BodyId,
    /// For each body: the joint that carries it; none for the ground.
    pub tree: Vec<Option<TreeJoint>>,
    /// Cut joints in the order of the file.
    pub cut: Vec<usize>,
    /// Clusters in forward order.
    pub clusters: Vec<ClusterPlan>,
    /// Number of joints between each body and the base or ground.
    pub depth: Vec<usize>,
}

impl Plan {
    /// Bodies in forward order: each comes after the one that carries it.
    pub fn forward(&self) -> impl DoubleEndedIterator<Item = BodyId> + '_ {
        self.clusters
            .iter()
            .flat_map(|cluster| cluster.bodies.iter().copied())
    }

    /// Generalised coordinates of the tree (velocities, so a ball counts three).
    #[must_use]
    pub fn coordinate_count(&self, description: &Description) -> usize {
        self.tree
            .iter()
            .flatten()
            .map(|tree| tree.freedoms(description))
            .sum()
    }

    /// Bodies from which more than one chain goes on.
    #[must_use]
    pub fn junctions(&self) -> Vec<BodyId> {
        let carried = |id: usize| {
            self.tree
                .iter()
                .flatten()
                .filter(|tree| tree.parent.0 == id)
                .count()
        };
        (0..self.tree.len())
            .filter(|id| carried(*id) > 1)
            .map(BodyId)
            .collect()
    }

    /// Chains from the base (or a junction's child) to each tip, as lists of bodies, base first.
    #[must_use]
    pub fn chains(&self) -> Vec<Vec<BodyId>> {
        let is_tip = |id: usize| !self.tree.iter().flatten().any(|tree| tree.parent.0 == id);
        (1..self.tree.len())
            .filter(|id| is_tip(*id))
            .map(|tip| self.path(BodyId(tip)))
            .collect()
    }

    /// Bodies from the base to a body, without the ground and the base.
    #[must_use]
    pub fn path(&self, mut body: BodyId) -> Vec<BodyId> {
        let mut path = Vec::new();
        while body != BodyId::GROUND && body != self.base {
            path.push(body);
            body = self.tree[body.0]
                .as_ref()
                .map_or(BodyId::GROUND, |tree| tree.parent);
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
    let tree = spanning::tree(description)?;
    let in_tree = |joint: usize| tree.iter().flatten().any(|edge| edge.joint == Some(joint));
    let cut: Vec<usize> = (0..description.joints.len())
        .filter(|joint| !in_tree(*joint))
        .collect();
    if let Some(joint) = cut
        .iter()
        .find(|joint| spanning::needs_coordinate(description, **joint))
    {
        return Err(TopologyError::NeedsCoordinate {
            joint: description.joints[*joint].name.clone(),
        });
    }
    let depth = spanning::depths(&tree);
    let clusters = cluster::clusters(description, &tree, &cut, &depth);
    let base = spanning::base(description, &tree);
    Ok(Plan {
        base,
        tree,
        cut,
        clusters,
        depth,
    })
}
