//! The spanning tree: which joints carry coordinates.

use super::TopologyError;
use crate::description::{BodyId, Description, JointKind};

/// How a body hangs in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeJoint {
    /// The joint of the description; none for a floating body that only constraints hold.
    pub joint: Option<usize>,
    /// The body that carries it.
    pub parent: BodyId,
    /// Whether the body is the first of the joint, so that the joint is walked backwards.
    pub reversed: bool,
}

impl TreeJoint {
    /// Velocity coordinates.
    #[must_use]
    pub fn freedoms(&self, description: &Description) -> usize {
        self.joint
            .map_or(6, |joint| description.joints[joint].kind.freedoms())
    }
}

type Tree = Vec<Option<TreeJoint>>;

/// Whether a joint must stay in the tree, because something acts on its coordinate.
pub(super) fn needs_coordinate(description: &Description, joint: usize) -> bool {
    let sprung = |id: &Option<usize>| *id == Some(joint);
    let it = &description.joints[joint];
    it.driven
        || it.kind == JointKind::Screw
        || description
            .rsda
            .iter()
            .any(|spring| spring.joint == joint || sprung(&spring.against))
}

/// Smaller is better in the tree.
fn weight(description: &Description, joint: usize) -> usize {
    let it = &description.joints[joint];
    match it.cut {
        Some(true) => 100,
        Some(false) => 0,
        None if needs_coordinate(description, joint) => 1,
        None => 2 + it.kind.freedoms(),
    }
}

/// Grows the tree from the ground: always the lightest joint, then the nearest body, then the order of the file.
pub(super) fn tree(description: &Description) -> Result<Tree, TopologyError> {
    let count = description.bodies.len();
    let mut tree: Tree = vec![None; count];
    let mut depth = vec![usize::MAX; count];
    depth[0] = 0;
    loop {
        let edges = description
            .joints
            .iter()
            .enumerate()
            .filter(|(_, joint)| !joint.kind.is_constraint_only());
        let candidates = edges.flat_map(|(index, joint)| {
            let [first, second] = joint.bodies;
            [(index, first, second, false), (index, second, first, true)]
        });
        let best = candidates
            .filter(|(_, from, to, _)| depth[from.0] != usize::MAX && depth[to.0] == usize::MAX)
            .min_by_key(|(index, from, ..)| (weight(description, *index), depth[from.0], *index));
        if let Some((index, from, to, reversed)) = best {
            depth[to.0] = depth[from.0] + 1;
            tree[to.0] = Some(TreeJoint {
                joint: Some(index),
                parent: from,
                reversed,
            });
        } else if let Some(float) = floating(description, &depth) {
            depth[float.0] = 1;
            tree[float.0] = Some(TreeJoint {
                joint: None,
                parent: BodyId::GROUND,
                reversed: false,
            });
        } else {
            break;
        }
    }
    if let Some(lost) = depth.iter().position(|depth| *depth == usize::MAX) {
        return Err(TopologyError::Disconnected {
            body: description.bodies[lost].name.clone(),
        });
    }
    shorten(description, &mut tree);
    Ok(tree)
}

/// A body that only rods and the like hold: it floats in the tree.
fn floating(description: &Description, depth: &[usize]) -> Option<BodyId> {
    let links = description
        .joints
        .iter()
        .filter(|joint| joint.kind.is_constraint_only());
    links
        .flat_map(|joint| {
            [
                (joint.bodies[0], joint.bodies[1]),
                (joint.bodies[1], joint.bodies[0]),
            ]
        })
        .find(|(from, to)| depth[from.0] != usize::MAX && depth[to.0] == usize::MAX)
        .map(|(_, to)| to)
}

/// Joints between each body and the ground.
pub(super) fn depths(tree: &Tree) -> Vec<usize> {
    let depth_of = |mut body: usize| {
        let mut depth = 0;
        while let Some(edge) = &tree[body] {
            body = edge.parent.0;
            depth += 1;
        }
        depth
    };
    (0..tree.len()).map(depth_of).collect()
}

/// Longest chain, then the sum of all.
fn cost(tree: &Tree) -> (usize, usize) {
    let depths = depths(tree);
    (depths.iter().copied().max().unwrap_or(0), depths.iter().sum())
}

/// Whether a body hangs, directly or not, from another.
fn hangs_from(tree: &Tree, mut body: usize, ancestor: usize) -> bool {
    while body != ancestor {
        match &tree[body] {
            Some(edge) => body = edge.parent.0,
            None => return false,
        }
    }
    true
}

/// Hangs a body on another joint of the same weight as long as that makes the chains shorter.
fn shorten(description: &Description, tree: &mut Tree) {
    let mut improved = true;
    while improved {
        improved = false;
        for (index, joint) in description.joints.iter().enumerate() {
            for (from, to, reversed) in [
                (joint.bodies[0], joint.bodies[1], false),
                (joint.bodies[1], joint.bodies[0], true),
            ] {
                let Some(old) = tree[to.0].clone() else { continue };
                let same_weight = old
                    .joint
                    .is_some_and(|old| weight(description, old) == weight(description, index));
                if old.joint == Some(index) || !same_weight || hangs_from(tree, from.0, to.0) {
                    continue;
                }
                let before = cost(tree);
                tree[to.0] = Some(TreeJoint {
                    joint: Some(index),
                    parent: from,
                    reversed,
                });
                if cost(tree) < before {
                    improved = true;
                } else {
                    tree[to.0] = Some(old);
                }
            }
        }
    }
}

/// The base: what the file asks for, else the first body on a free joint with the ground, else the ground.
pub(super) fn base(description: &Description, tree: &Tree) -> BodyId {
    let floats = |edge: &TreeJoint| edge.parent == BodyId::GROUND && edge.freedoms(description) == 6;
    description.base.unwrap_or_else(|| {
        let first = tree.iter().position(|edge| edge.as_ref().is_some_and(floats));
        first.map_or(BodyId::GROUND, BodyId)
    })
}
