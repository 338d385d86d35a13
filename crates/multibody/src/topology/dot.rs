//! The plan as a graph to draw with Graphviz.

use super::Plan;
use crate::description::{BodyId, Description};
use std::fmt::Write;

/// Graphviz text: tree joints solid, cut joints dashed, clusters framed.
pub fn to_dot(description: &Description, plan: &Plan) -> String {
    let name = |id: BodyId| &description.bodies[id.0].name;
    let mut text = format!("graph \"{}\" {{\n  node [shape=box, style=rounded];\n", description.name);
    for (index, cluster) in plan.clusters.iter().enumerate() {
        let members: Vec<_> = cluster.bodies.iter().map(|id| format!("\"{}\"", name(*id))).collect();
        let (open, close) = if cluster.cut.is_empty() {
            ("  ".to_string(), "".to_string())
        } else {
            (format!("  subgraph cluster_{index} {{ style=dotted; "), " }".to_string())
        };
        let _ = writeln!(text, "{open}{};{close}", members.join("; "));
    }
    for (id, edge) in plan.tree.iter().enumerate() {
        let Some(edge) = edge else { continue };
        let label = edge.joint.map_or("floats", |joint| description.joints[joint].kind.name());
        let driven = edge.joint.is_some_and(|joint| description.joints[joint].driven);
        let colour = if driven { ", color=red" } else { "" };
        let (from, to) = (name(edge.parent), name(BodyId(id)));
        let _ = writeln!(text, "  \"{from}\" -- \"{to}\" [label=\"{label}\"{colour}];");
    }
    for joint in plan.cut.iter().map(|joint| &description.joints[*joint]) {
        let (from, to, label) = (name(joint.bodies[0]), name(joint.bodies[1]), joint.kind.name());
        let _ = writeln!(text, "  \"{from}\" -- \"{to}\" [label=\"{label}\", style=dashed, constraint=false];");
    }
    text + "}\n"
}
