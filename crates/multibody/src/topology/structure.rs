//! What the plan says about the structure of the equations: levels, independent chains, entries
//! that are not zero.

use super::Plan;
use crate::description::{BodyId, Description};

impl Plan {
    /// Bodies by level: the ground, what it carries, what that carries.
    pub fn levels(&self) -> Vec<Vec<BodyId>> {
        let deepest = self.depth.iter().copied().max().unwrap_or(0);
        let mut levels = vec![Vec::new(); deepest + 1];
        for body in std::iter::once(BodyId::GROUND).chain(self.forward()) {
            levels[self.depth[body.0]].push(body);
        }
        levels
    }

    /// Independent chains: sets of bodies that meet only in the base (or the ground), in forward
    /// order. Each may be evaluated without the others once the base and what is driven are known.
    pub fn independent_chains(&self) -> Vec<Vec<BodyId>> {
        let mut chain_of = vec![usize::MAX; self.tree.len()];
        let mut chains: Vec<Vec<BodyId>> = Vec::new();
        for cluster in &self.clusters {
            if cluster.bodies == [self.base] {
                continue;
            }
            let known = chain_of[cluster.parent.0];
            let chain = if known == usize::MAX {
                chains.push(Vec::new());
                chains.len() - 1
            } else {
                known
            };
            for body in &cluster.bodies {
                chain_of[body.0] = chain;
                chains[chain].push(*body);
            }
        }
        chains
    }

    /// Whether the entry of the generalised mass matrix for the joints that carry two bodies can
    /// differ from zero: one of the bodies carries the other.
    pub fn couples(&self, one: BodyId, other: BodyId) -> bool {
        let (low, high) = if self.depth[one.0] >= self.depth[other.0] { (one, other) } else { (other, one) };
        let mut body = low;
        while self.depth[body.0] > self.depth[high.0] {
            match &self.tree[body.0] {
                Some(edge) => body = edge.parent,
                None => return false,
            }
        }
        body == high && high != BodyId::GROUND
    }

    /// Entries of the generalised mass matrix that can differ from zero.
    pub fn mass_entries(&self, description: &Description) -> usize {
        let freedoms = |id: BodyId| self.tree[id.0].as_ref().map_or(0, |edge| edge.freedoms(description));
        let mut entries = 0;
        for tip in self.forward() {
            let mut body = tip;
            entries += freedoms(tip).pow(2);
            while let Some(edge) = &self.tree[body.0] {
                body = edge.parent;
                entries += 2 * freedoms(tip) * freedoms(body);
            }
        }
        entries
    }

    /// Whether the row of a cut joint can have entries for the joint that carries a body: the body
    /// lies on the loop.
    pub fn closes_over(&self, description: &Description, cut: usize, body: BodyId) -> bool {
        let above = |end: BodyId| self.depth[end.0] >= self.depth[body.0] && self.couples(end, body);
        let [one, other] = description.joints[cut].bodies;
        above(one) != above(other)
    }
}
