//! The plan as text: a table to read, and a graph to draw with Graphviz.

use super::Plan;
use crate::description::{BodyId, Description};
use std::fmt::Write;

/// Mechanisms with more bodies get no picture of their matrix: it would be wider than a screen.
const PICTURE_BODIES_MAX: usize = 60;

/// All that the preprocessor decided: tree, cut joints, clusters, chains, junctions, order, entries
/// that are not zero.
pub fn to_table(description: &Description, plan: &Plan) -> String {
    let table = Table { description, plan };
    let mut text = table.head();
    text += &table.bodies();
    text += &table.cut_joints();
    text += &table.clusters();
    text += &table.chains();
    text += &table.structure();
    text
}

/// Constraint rows of a cut joint.
fn row_count(description: &Description, joint: usize) -> usize {
    6 - description.joints[joint].kind.freedoms()
}

struct Table<'a> {
    description: &'a Description,
    plan: &'a Plan,
}

impl Table<'_> {
    fn name(&self, id: BodyId) -> &str {
        &self.description.bodies[id.0].name
    }

    fn names(&self, ids: &[BodyId]) -> String {
        let names: Vec<_> = ids.iter().map(|id| self.name(*id)).collect();
        names.join(" ")
    }

    fn joint_names(&self, joints: &[usize]) -> String {
        let name = |joint: &usize| self.description.joints[*joint].name.as_str();
        joints.iter().map(name).collect::<Vec<_>>().join(" ")
    }

    fn cluster_of(&self, body: BodyId) -> usize {
        let clusters = &self.plan.clusters;
        clusters.iter().position(|it| it.bodies.contains(&body)).unwrap_or(0)
    }

    fn head(&self) -> String {
        let (description, plan) = (self.description, self.plan);
        let rows: usize = plan.cut.iter().map(|joint| row_count(description, *joint)).sum();
        let longest = plan.chains().iter().map(Vec::len).max().unwrap_or(0);
        let mut text = String::new();
        let _ = writeln!(text, "{}: {}", description.name, description.summary);
        let _ = writeln!(text, "bodies        {}", description.bodies.len() - 1);
        let _ = writeln!(text, "joints        {}", description.joints.len());
        let _ = writeln!(text, "base          {}", self.name(plan.base));
        let _ = writeln!(text, "coordinates   {}", plan.coordinate_count(description));
        let _ = writeln!(text, "cut joints    {} with {rows} constraint rows", plan.cut.len());
        let _ = writeln!(text, "longest chain {longest} from the base");
        if let Some((better, length)) = super::better_base(description, plan) {
            let _ =
                writeln!(text, "advice        base = \"{}\" would have chains of at most {length}", self.name(better));
        }
        if !plan.idle.is_empty() {
            let _ = writeln!(text, "not needed    {}", self.joint_names(&plan.idle));
        }
        text
    }

    fn bodies(&self) -> String {
        let mut rows = vec![["level", "body", "on", "joint", "type", "coordinates", "cluster"].map(String::from)];
        for body in self.plan.forward() {
            let Some(edge) = &self.plan.tree[body.0] else {
                continue;
            };
            let joint = edge.joint.map(|joint| &self.description.joints[joint]);
            let driven = if joint.is_some_and(|it| it.driven) { " driven" } else { "" };
            rows.push([
                self.plan.depth[body.0].to_string(),
                self.name(body).into(),
                self.name(edge.parent).into(),
                joint.map_or("-", |it| &it.name).into(),
                joint.map_or("floats", |it| it.kind.name()).to_string() + driven,
                edge.freedoms(self.description).to_string(),
                self.cluster_of(body).to_string(),
            ]);
        }
        format!("\ntree, in forward order (backward is the reverse)\n{}", aligned(&rows))
    }

    fn cut_joints(&self) -> String {
        if self.plan.cut.is_empty() {
            return "\ncut joints: none, an open tree\n".into();
        }
        let mut rows = vec![["joint", "type", "between", "and", "rows", "cluster"].map(String::from)];
        for joint in &self.plan.cut {
            let it = &self.description.joints[*joint];
            let holder = self.plan.clusters.iter().position(|cluster| cluster.cut.contains(joint));
            rows.push([
                it.name.clone(),
                it.kind.name().into(),
                self.name(it.bodies[0]).into(),
                self.name(it.bodies[1]).into(),
                row_count(self.description, *joint).to_string(),
                holder.map_or("-".into(), |index| index.to_string()),
            ]);
        }
        format!("\ncut joints\n{}", aligned(&rows))
    }

    fn clusters(&self) -> String {
        let closed = self.plan.clusters.iter().enumerate().filter(|(_, it)| !it.cut.is_empty());
        let mut text = format!(
            "\nclusters (decoupled loops): {}, and {} single bodies\n",
            closed.clone().count(),
            self.plan.clusters.len() - closed.clone().count()
        );
        for (index, cluster) in closed {
            let (on, bodies) = (self.name(cluster.parent), self.names(&cluster.bodies));
            let closed_by = self.joint_names(&cluster.cut);
            let _ = writeln!(text, "  {index:>3} on {on}: {bodies}; closed by {closed_by}");
        }
        text
    }

    fn chains(&self) -> String {
        let chains = self.plan.independent_chains();
        let mut text = format!("\nindependent chains: {}\n", chains.len());
        for (index, chain) in chains.iter().enumerate() {
            let _ = writeln!(text, "  {index:>3} {}", self.names(chain));
        }
        let _ = writeln!(text, "\njunctions: {}", self.names(&self.plan.junctions()));
        text
    }

    fn structure(&self) -> String {
        let coordinates = self.plan.coordinate_count(self.description);
        let mut text = format!(
            "\nmass matrix: {} of {} entries can differ from zero\n",
            self.plan.mass_entries(self.description),
            coordinates * coordinates
        );
        let bodies: Vec<BodyId> = self.plan.forward().collect();
        if bodies.len() > PICTURE_BODIES_MAX {
            return text;
        }
        let widest = bodies.iter().map(|id| self.name(*id).len());
        let cut_widest = self.plan.cut.iter().map(|it| self.description.joints[*it].name.len());
        let width = widest.chain(cut_widest).max().unwrap_or(0);
        let line = |name: &str, filled: &dyn Fn(BodyId) -> bool, sign: char| {
            let signs: String = bodies.iter().map(|it| if filled(*it) { sign } else { '·' }).collect();
            format!("  {name:width$} {signs}\n")
        };
        for body in &bodies {
            text += &line(self.name(*body), &|other| self.plan.couples(*body, other), '■');
        }
        if !self.plan.cut.is_empty() {
            text += "constraint Jacobian\n";
        }
        for joint in &self.plan.cut {
            let filled = |body: BodyId| self.plan.closes_over(self.description, *joint, body);
            text += &line(&self.description.joints[*joint].name, &filled, '□');
        }
        text
    }
}

/// Columns as wide as their widest entry.
fn aligned<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        let _ = writeln!(text, "  {}", cells.join("  ").trim_end());
    }
    text
}

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
