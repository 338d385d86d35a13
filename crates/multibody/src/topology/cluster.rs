//! Clusters: sets of bodies whose loops have to be solved together.

use super::TreeJoint;
use crate::description::{BodyId, Description};

/// Bodies that move together as one mechanism on their parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterPlan {
    /// The body outside the cluster that carries it (the head of its group, where driven joints
    /// glue bodies together).
    pub parent: BodyId,
    /// Bodies in forward order.
    pub bodies: Vec<BodyId>,
    /// Cut joints that close inside.
    pub cut: Vec<usize>,
}

/// A forest of disjoint classes.
struct Classes(Vec<usize>);

impl Classes {
    fn find(&mut self, item: usize) -> usize {
        let mut root = item;
        while self.0[root] != root {
            root = self.0[root];
        }
        self.0[item] = root;
        root
    }

    fn merge(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        self.0[one.max(other)] = one.min(other);
    }
}

struct Finder<'a> {
    description: &'a Description,
    tree: &'a [Option<TreeJoint>],
    depth: &'a [usize],
}

/// Clusters in forward order; or the driven joint that cannot be known before the loop that it is
/// needed for.
pub(super) fn clusters(
    description: &Description,
    tree: &[Option<TreeJoint>],
    cut: &[usize],
    depth: &[usize],
) -> Result<Vec<ClusterPlan>, usize> {
    Finder { description, tree, depth }.clusters(cut)
}

impl Finder<'_> {
    fn parent(&self, body: usize) -> usize {
        self.tree[body].as_ref().map_or(0, |edge| edge.parent.0)
    }

    /// Whether a body has no unknown relative to the one that carries it.
    fn is_glued(&self, body: usize) -> bool {
        let joint = self.tree[body].as_ref().and_then(|edge| edge.joint);
        joint.is_some_and(|joint| self.description.joints[joint].driven)
    }

    /// The body that a body is glued to through driven joints.
    fn head(&self, mut body: usize) -> usize {
        while self.is_glued(body) {
            body = self.parent(body);
        }
        body
    }

    /// Bodies on the tree path between two, those with an unknown only.
    fn loop_of(&self, [mut one, mut other]: [usize; 2]) -> Vec<usize> {
        let mut path = Vec::new();
        while one != other {
            let deeper = if self.depth[one] >= self.depth[other] { &mut one } else { &mut other };
            if !self.is_glued(*deeper) {
                path.push(*deeper);
            }
            *deeper = self.parent(*deeper);
        }
        path
    }

    fn clusters(&self, cut: &[usize]) -> Result<Vec<ClusterPlan>, usize> {
        let mut classes = Classes((0..self.tree.len()).collect());
        let ends = |joint: usize| self.description.joints[joint].bodies.map(|body| body.0);
        for joint in cut {
            let path = self.loop_of(ends(*joint));
            for body in &path {
                classes.merge(*body, path[0]);
            }
        }
        let mut order: Vec<usize> = (1..self.tree.len()).collect();
        order.sort_by_key(|body| (self.depth[*body], *body));
        let mut found: Vec<ClusterPlan> = Vec::new();
        let mut roots: Vec<usize> = Vec::new();
        for body in order {
            let root = classes.find(body);
            match roots.iter().position(|known| *known == root) {
                Some(index) => found[index].bodies.push(BodyId(body)),
                None => {
                    roots.push(root);
                    found.push(ClusterPlan {
                        parent: BodyId(self.head(self.parent(body))),
                        bodies: vec![BodyId(body)],
                        cut: Vec::new(),
                    });
                }
            }
        }
        for joint in cut {
            if let Some(body) = self.loop_of(ends(*joint)).first() {
                let root = classes.find(*body);
                let index = roots.iter().position(|known| *known == root);
                found[index.unwrap_or(0)].cut.push(*joint);
            }
        }
        self.ordered(found)
    }

    /// Sorts so that each cluster comes after everything that it reads. A body that is driven on a
    /// body of a loop, and closes that same loop, would have to be known before the loop and after
    /// it.
    fn ordered(&self, mut waiting: Vec<ClusterPlan>) -> Result<Vec<ClusterPlan>, usize> {
        let mut placed = vec![false; self.tree.len()];
        placed[0] = true;
        let mut ordered = Vec::with_capacity(waiting.len());
        while !waiting.is_empty() {
            let ready = waiting.iter().position(|cluster| {
                let inside = |body: usize| cluster.bodies.contains(&BodyId(body));
                let known = |body: usize| placed[body] || inside(body);
                let ends = cluster.cut.iter().flat_map(|joint| self.description.joints[*joint].bodies);
                cluster.bodies.iter().all(|body| known(self.parent(body.0))) && ends.clone().all(|body| known(body.0))
            });
            let Some(ready) = ready else {
                let glued = waiting
                    .iter()
                    .flat_map(|cluster| &cluster.cut)
                    .flat_map(|joint| self.description.joints[*joint].bodies)
                    .find(|body| !placed[body.0] && self.is_glued(body.0));
                let edge = glued.and_then(|body| self.tree[body.0].as_ref());
                return Err(edge.and_then(|edge| edge.joint).unwrap_or(0));
            };
            let cluster = waiting.remove(ready);
            for body in &cluster.bodies {
                placed[body.0] = true;
            }
            ordered.push(cluster);
        }
        Ok(ordered)
    }
}
