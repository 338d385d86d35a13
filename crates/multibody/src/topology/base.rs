//! The base body: where the chains begin.
//!
//! A spanning tree weighs the same from whatever body it is walked, so **the number of coordinates
//! does not depend on the base**; the length of the chains does. The rules are
//! 1. what a joint other than `free` holds to the ground starts there: taking another base
//!    would add six coordinates;
//! 2. what floats has its six coordinates where its `free` joint is: there the file gives the
//!    initial pose and there a user looks for the motion. Of several free joints of one floating
//!    mechanism that one is taken from which the farthest body is nearest, then all together; the
//!    others say nothing and stay idle;
//! 3. what only rods and other constraints hold has none given, and floats with its six coordinates
//!    on the body that rule 2 would prefer;
//! 4. the base of the whole is the one of the largest floating mechanism, else the ground.
//!
//! Distances are those in the graph, a lower bound of the chain in the tree. [`crate::rebase`]
//! moves the free joint to another body.

use super::TopologyError;
use crate::description::{BodyId, Description, Joint, JointKind};

/// What the search decided.
pub(super) struct Anchors {
    /// By joint: a free joint that is not needed.
    pub idle: Vec<bool>,
    /// By body: floats without a joint of its own.
    pub floats: Vec<bool>,
    /// Rule 4.
    pub base: BodyId,
}

/// Bodies that joints with coordinates hold together, the ground left out.
struct Component {
    bodies: Vec<usize>,
    /// Free joints with the ground.
    free: Vec<usize>,
    /// Held to the ground by something else.
    held: bool,
}

/// Whether a joint may carry coordinates in the tree.
pub(super) fn treeable(joint: &Joint) -> bool {
    !joint.kind.is_constraint_only() && joint.cut != Some(true)
}

/// Whether a joint lets a body float on the ground and nothing asks for its coordinates.
fn floats(joint: &Joint) -> bool {
    joint.kind == JointKind::Free && !joint.driven && joint.bodies.contains(&BodyId::GROUND)
}

fn other_than_ground(joint: &Joint) -> usize {
    joint.bodies[0].0.max(joint.bodies[1].0)
}

/// Neighbours of each body by joints with coordinates, the ground left out.
fn neighbours(description: &Description) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new(); description.bodies.len()];
    for joint in description.joints.iter().filter(|joint| treeable(joint)) {
        let [one, other] = joint.bodies.map(|body| body.0);
        if one != 0 && other != 0 {
            lists[one].push(other);
            lists[other].push(one);
        }
    }
    lists
}

/// Distances from a body; `usize::MAX` where no way leads.
fn distances(lists: &[Vec<usize>], from: usize) -> Vec<usize> {
    let mut distance = vec![usize::MAX; lists.len()];
    distance[from] = 0;
    let mut queue = std::collections::VecDeque::from([from]);
    while let Some(body) = queue.pop_front() {
        for next in &lists[body] {
            if distance[*next] == usize::MAX {
                distance[*next] = distance[body] + 1;
                queue.push_back(*next);
            }
        }
    }
    distance
}

/// The farthest body, then all together.
fn reach(lists: &[Vec<usize>], from: usize) -> (usize, usize) {
    let found = distances(lists, from);
    let reached = found.iter().filter(|it| **it != usize::MAX);
    (reached.clone().copied().max().unwrap_or(0), reached.sum())
}

fn components(description: &Description, lists: &[Vec<usize>]) -> Vec<Component> {
    let mut found: Vec<Component> = Vec::new();
    let mut which = vec![usize::MAX; lists.len()];
    for body in 1..lists.len() {
        if which[body] != usize::MAX {
            continue;
        }
        let reached = distances(lists, body);
        let bodies: Vec<usize> = (1..lists.len()).filter(|it| reached[*it] != usize::MAX).collect();
        bodies.iter().for_each(|it| which[*it] = found.len());
        found.push(Component { bodies, free: Vec::new(), held: false });
    }
    for (index, joint) in description.joints.iter().enumerate() {
        if !treeable(joint) || !joint.bodies.contains(&BodyId::GROUND) {
            continue;
        }
        let component = &mut found[which[other_than_ground(joint)]];
        if floats(joint) {
            component.free.push(index);
        } else {
            component.held = true;
        }
    }
    found
}

/// Rules 1 to 4.
pub(super) fn anchors(description: &Description) -> Result<Anchors, TopologyError> {
    let lists = neighbours(description);
    let components = components(description, &lists);
    let mut anchors = Anchors {
        idle: vec![false; description.joints.len()],
        floats: vec![false; description.bodies.len()],
        base: BodyId::GROUND,
    };
    let mut known = vec![false; description.bodies.len()];
    known[0] = true;
    let (mut waiting, mut largest) = (Vec::new(), 0);
    for component in &components {
        if !component.held && component.free.is_empty() {
            waiting.push(component);
            continue;
        }
        component.bodies.iter().for_each(|body| known[*body] = true);
        component.free.iter().for_each(|joint| anchors.idle[*joint] = true);
        if component.held {
            continue;
        }
        let kept = best_free(description, &lists, &component.free);
        anchors.idle[kept] = false;
        if component.bodies.len() > largest {
            largest = component.bodies.len();
            anchors.base = BodyId(other_than_ground(&description.joints[kept]));
        }
    }
    tether(description, &lists, waiting, &mut known, &mut anchors)?;
    anchors.base = description.base.unwrap_or(anchors.base);
    Ok(anchors)
}

/// Rule 2: the one that the file asks for, else the nearest to all.
fn best_free(description: &Description, lists: &[Vec<usize>], free: &[usize]) -> usize {
    let body = |joint: usize| other_than_ground(&description.joints[joint]);
    let asked = |joint: &&usize| description.base == Some(BodyId(body(**joint)));
    let nearest = || free.iter().min_by_key(|joint| (reach(lists, body(**joint)), **joint));
    *free.iter().find(asked).or_else(nearest).unwrap_or(&0)
}

/// Rule 3, from what is known outwards; what is never reached is an error.
fn tether(
    description: &Description,
    lists: &[Vec<usize>],
    mut waiting: Vec<&Component>,
    known: &mut [bool],
    anchors: &mut Anchors,
) -> Result<(), TopologyError> {
    while !waiting.is_empty() {
        let mut tied = vec![false; lists.len()];
        for joint in description.joints.iter().filter(|joint| !treeable(joint)) {
            let [one, other] = joint.bodies.map(|body| body.0);
            tied[one] |= known[other];
            tied[other] |= known[one];
        }
        let (now, later): (Vec<_>, Vec<_>) =
            waiting.iter().partition(|component| component.bodies.iter().any(|body| tied[*body]));
        if now.is_empty() {
            let lost = waiting[0];
            return Err(TopologyError::Disconnected {
                body: description.bodies[lost.bodies[0]].name.clone(),
                best: description.bodies[centre(lists, lost)].name.clone(),
            });
        }
        for component in now {
            anchors.floats[centre(lists, component)] = true;
            component.bodies.iter().for_each(|body| known[*body] = true);
        }
        waiting = later;
    }
    Ok(())
}

/// The body from which the farthest is nearest, then all together, then the first of the file.
fn centre(lists: &[Vec<usize>], component: &Component) -> usize {
    let bodies = component.bodies.iter();
    *bodies.min_by_key(|body| (reach(lists, **body), **body)).unwrap_or(&0)
}

/// A body from which the longest chain of the floating mechanism of a base would be shorter, with
/// that length.
pub(super) fn better(description: &Description, base: BodyId) -> Option<(BodyId, usize)> {
    let lists = neighbours(description);
    let components = components(description, &lists);
    let of_base = components.iter().find(|it| it.bodies.contains(&base.0))?;
    let best = centre(&lists, of_base);
    let (now, then) = (reach(&lists, base.0).0, reach(&lists, best).0);
    (!of_base.held && then < now).then_some((BodyId(best), then))
}
