//! Shorter chains at the same number of coordinates.
//!
//! A joint outside the tree closes a loop with it. Taking it in, and another joint of the loop with
//! the same weight out, leaves a tree of the same weight. Exchanges are made as long as the longest
//! chain, then the sum of all, becomes shorter.

use super::spanning::{Tree, TreeJoint, weight};
use crate::description::Description;

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
    let mut edge = TreeJoint { joint: Some(joint), parent: crate::BodyId(other), reversed: low_is_first };
    let mut body = low;
    loop {
        let old = new[body].replace(edge)?;
        if body == top {
            return Some(new);
        }
        let next = old.parent.0;
        edge = TreeJoint { joint: old.joint, parent: crate::BodyId(body), reversed: !old.reversed };
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
