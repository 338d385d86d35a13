//! The spanning tree: which joints carry coordinates; then shorter chains at the same number of
//! coordinates.
//!
//! A joint outside the tree closes a loop with it. Taking it in, and another joint of the loop with
//! the same weight out, leaves a tree of the same weight. Exchanges are made as long as the longest
//! chain, then the sum of all, becomes shorter.

use super::base::{Anchors, treeable};
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
    shorten(description, &usable, &mut tree);
    tree
}

/// Bodies that may be visited before the search rests with what it has: a tenth of a second.
const VISITS_MAX: usize = 6_000_000;

/// Joints between each body and the ground.
pub(super) fn depths(tree: &Tree) -> Vec<usize> {
    let mut depths = vec![usize::MAX; tree.len()];
    let mut stack = Vec::new();
    for start in 0..tree.len() {
        let mut body = start;
        while depths[body] == usize::MAX {
            match &tree[body] {
                Some(edge) => {
                    stack.push(body);
                    body = edge.parent.0;
                }
                None => depths[body] = 0,
            }
        }
        let mut depth = depths[body];
        while let Some(next) = stack.pop() {
            depth += 1;
            depths[next] = depth;
        }
    }
    depths
}

/// Longest chain, then the sum of all.
fn cost(depths: &[usize]) -> (usize, usize) {
    (depths.iter().copied().max().unwrap_or(0), depths.iter().sum())
}

/// Bodies from one up to the ground.
fn ascent(tree: &Tree, mut body: usize) -> Vec<usize> {
    let mut path = vec![body];
    while let Some(edge) = &tree[body] {
        body = edge.parent.0;
        path.push(body);
    }
    path
}

/// The tree with a joint taken in between `low` and `other`, and the joint above `top`, an ancestor
/// of `low`, taken out.
fn exchanged(tree: &Tree, joint: usize, [low, other]: [usize; 2], top: usize, low_is_first: bool) -> Option<Tree> {
    let mut new = tree.clone();
    let mut edge = TreeJoint { joint: Some(joint), parent: BodyId(other), reversed: low_is_first };
    let mut body = low;
    loop {
        let old = new[body].replace(edge)?;
        if body == top {
            return Some(new);
        }
        let next = old.parent.0;
        edge = TreeJoint { joint: old.joint, parent: BodyId(body), reversed: !old.reversed };
        body = next;
    }
}

/// Exchanges joints of the same weight as long as that makes the chains shorter.
pub(super) fn shorten(description: &Description, candidates: &[usize], tree: &mut Tree) {
    let mut visits = 0;
    let mut improved = true;
    while improved {
        improved = false;
        for joint in candidates {
            while visits < VISITS_MAX
                && let Some(better) = best_exchange(description, *joint, tree, &mut visits)
            {
                *tree = better;
                improved = true;
            }
        }
    }
}

fn best_exchange(description: &Description, joint: usize, tree: &Tree, visits: &mut usize) -> Option<Tree> {
    if tree.iter().flatten().any(|edge| edge.joint == Some(joint)) {
        return None;
    }
    let ends = description.joints[joint].bodies.map(|body| body.0);
    let ways = ends.map(|body| ascent(tree, body));
    let now = cost(&depths(tree));
    let mut best = None;
    for (which, low) in ends.into_iter().enumerate() {
        let other = ends[1 - which];
        for top in &ways[which] {
            let Some(edge) = &tree[*top] else { break };
            if ways[1 - which].contains(top) {
                break;
            }
            let alike = |old: usize| weight(description, old) == weight(description, joint);
            if !edge.joint.is_some_and(alike) {
                continue;
            }
            *visits += tree.len();
            let Some(new) = exchanged(tree, joint, [low, other], *top, which == 0) else {
                break;
            };
            let found = cost(&depths(&new));
            if found < best.as_ref().map_or(now, |(cost, _)| *cost) {
                best = Some((found, new));
            }
        }
    }
    best.map(|(_, new)| new)
}
