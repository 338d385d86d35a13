//! The spanning tree: which joints carry coordinates.

use super::base::{Anchors, treeable};
use super::exchange;
use crate::description::{BodyId, Description, JointKind};

/// How the tree carries a body.
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
    pub fn freedoms(&self, description: &Description) -> usize {
        self.joint.map_or(6, |joint| description.joints[joint].kind.freedoms())
    }
}

/// By body: how it is carried; none for the ground.
pub(super) type Tree = Vec<Option<TreeJoint>>;

/// Whether a joint must stay in the tree, because something acts on its coordinate.
pub(super) fn needs_coordinate(description: &Description, joint: usize) -> bool {
    let sprung = |id: &Option<usize>| *id == Some(joint);
    let it = &description.joints[joint];
    it.driven
        || it.kind == JointKind::Screw
        || description.rsda.iter().any(|spring| spring.joint == joint || sprung(&spring.against))
}

/// Smaller is better in the tree.
pub(super) fn weight(description: &Description, joint: usize) -> usize {
    let it = &description.joints[joint];
    match it.cut {
        Some(false) => 0,
        _ if needs_coordinate(description, joint) => 1,
        _ => 2 + it.kind.freedoms(),
    }
}

/// Grows the tree from the ground: always the lightest joint, then the nearest body, then the order
/// of the file.
pub(super) fn tree(description: &Description, anchors: &Anchors) -> Tree {
    let count = description.bodies.len();
    let mut tree: Tree = vec![None; count];
    let mut depth = vec![usize::MAX; count];
    depth[0] = 0;
    let usable = |joint: &usize| treeable(&description.joints[*joint]) && !anchors.idle[*joint];
    let usable: Vec<usize> = (0..description.joints.len()).filter(usable).collect();
    let weights: Vec<usize> = usable.iter().map(|joint| weight(description, *joint)).collect();
    loop {
        let edges = usable.iter().zip(&weights);
        let candidates = edges.flat_map(|(joint, weight)| {
            let [first, second] = description.joints[*joint].bodies;
            [(*weight, *joint, first, second, false), (*weight, *joint, second, first, true)]
        });
        let best = candidates
            .filter(|(_, _, from, to, _)| depth[from.0] != usize::MAX && depth[to.0] == usize::MAX)
            .min_by_key(|(weight, joint, from, ..)| (*weight, depth[from.0], *joint));
        let float = || (1..count).find(|body| anchors.floats[*body] && depth[*body] == usize::MAX);
        if let Some((_, joint, from, to, reversed)) = best {
            depth[to.0] = depth[from.0] + 1;
            tree[to.0] = Some(TreeJoint { joint: Some(joint), parent: from, reversed });
        } else if let Some(body) = float() {
            depth[body] = 1;
            tree[body] = Some(TreeJoint { joint: None, parent: BodyId::GROUND, reversed: false });
        } else {
            break;
        }
    }
    exchange::shorten(description, &usable, &mut tree);
    tree
}
