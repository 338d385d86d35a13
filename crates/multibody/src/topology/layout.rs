//! Where the bodies of a plan are drawn: levels from the top, tips side by side, each body above
//! the middle of what it carries.
//!
//! The order of the bodies that one body carries is free. Neighbours change places as long as that
//! shortens the cut joints.

use super::Plan;
use crate::description::Description;

/// Exchanges that may be tried before the drawing stays as it is.
const TRIALS_MAX: usize = 20_000;

/// Two bodies and how much their distance counts.
type Link = ([usize; 2], f64);

/// Columns and levels.
pub(super) struct Layout {
    /// By body: in columns.
    pub column: Vec<f64>,
    /// By body: the ground is on level 0.
    pub level: Vec<usize>,
    /// How many tips there are.
    pub columns: usize,
}

/// Places all bodies.
pub(super) fn layout(description: &Description, plan: &Plan) -> Layout {
    let count = plan.tree.len();
    let mut carried: Vec<Vec<usize>> = vec![Vec::new(); count];
    for body in plan.forward() {
        if let Some(edge) = &plan.tree[body.0] {
            carried[edge.parent.0].push(body.0);
        }
    }
    let link = |joint: &usize| {
        let bodies = description.joints[*joint].bodies;
        // A line up to a carrier runs beside the tree and disturbs little.
        let on_carrier = plan.couples(bodies[0], bodies[1]);
        (bodies.map(|body| body.0), if on_carrier { 0.1 } else { 1.0 })
    };
    let links: Vec<Link> = plan.cut.iter().map(link).collect();
    let order: Vec<usize> = plan.forward().map(|body| body.0).collect();
    untangle(&mut carried, &links, &order);
    Layout {
        column: columns(&carried, &order),
        level: plan.depth.clone(),
        columns: (0..count).filter(|body| carried[*body].is_empty()).count(),
    }
}

/// Tips in the order of a walk, the others in the middle of what they carry. `order` has carriers
/// first.
fn columns(carried: &[Vec<usize>], order: &[usize]) -> Vec<f64> {
    let mut column = vec![0.0; carried.len()];
    let (mut stack, mut next) = (vec![0], 0.0);
    while let Some(body) = stack.pop() {
        if carried[body].is_empty() {
            column[body] = next;
            next += 1.0;
        }
        stack.extend(carried[body].iter().rev());
    }
    for body in order.iter().rev().chain([&0]) {
        if let (Some(first), Some(last)) = (carried[*body].first(), carried[*body].last()) {
            column[*body] = 0.5 * (column[*first] + column[*last]);
        }
    }
    column
}

fn tangle(carried: &[Vec<usize>], links: &[Link], order: &[usize]) -> f64 {
    let column = columns(carried, order);
    links.iter().map(|([one, other], weight)| weight * (column[*one] - column[*other]).abs()).sum()
}

/// Moves each body among its siblings to where the cut joints are shortest.
fn untangle(carried: &mut [Vec<usize>], links: &[Link], order: &[usize]) {
    let (mut best, mut trials, mut improved) = (tangle(carried, links, order), 0, true);
    while improved {
        improved = false;
        for body in 0..carried.len() {
            for from in 0..carried[body].len() {
                for to in 0..carried[body].len() {
                    if from == to || trials >= TRIALS_MAX {
                        continue;
                    }
                    trials += 1;
                    let moved = carried[body].remove(from);
                    carried[body].insert(to, moved);
                    let now = tangle(carried, links, order);
                    if now < best - 1e-9 {
                        (best, improved) = (now, true);
                    } else {
                        let moved = carried[body].remove(to);
                        carried[body].insert(from, moved);
                    }
                }
            }
        }
    }
}
