//! The plan as a drawing: bodies by level, tree joints solid, cut joints dashed, one colour for
//! each cluster with loops.

use super::Plan;
use super::layout::{Layout, layout};
use crate::description::{BodyId, Description, Joint, JointKind};
use std::fmt::Write;

/// Stroke and fill of the clusters with loops.
const COLOURS: [(&str, &str); 8] = [
    ("#1f6fb2", "#e3f0fa"),
    ("#c2571a", "#fbeadf"),
    ("#2a8a4a", "#e2f4e8"),
    ("#8a4fb0", "#f1e7f7"),
    ("#a8861a", "#f8f1da"),
    ("#c0397f", "#fae3ef"),
    ("#1f8f92", "#def3f3"),
    ("#6b6b2a", "#f0f0de"),
];
/// A body by itself.
const SINGLE: (&str, &str) = ("#555f6b", "#f4f6f8");
/// The base and the ground.
const BASE: (&str, &str) = ("#1b232c", "#dfe5ec");
const DRIVEN: &str = "#d02525";
const LEVEL_HEIGHT: f64 = 104.0;
const BOX_HEIGHT: f64 = 30.0;
const MARGIN: f64 = 24.0;
const HEAD: f64 = 62.0;
const LETTER_WIDTH: f64 = 7.3;

/// The letters of RTRD's graphs, in the order of [`JointKind::NAMES`].
const LETTERS: [&str; 13] = ["6", "F", "R", "T", "C", "H", "U", "S", "P", "SS", "SR", "ST", "RR"];

fn letters(kind: JointKind) -> &'static str {
    let place = JointKind::NAMES.iter().position(|(_, known)| *known == kind);
    place.map_or("", |place| LETTERS[place])
}

/// An SVG that needs nothing else to be looked at.
pub fn to_svg(description: &Description, plan: &Plan) -> String {
    let layout = layout(description, plan);
    let longest = description.bodies.iter().map(|it| it.name.chars().count()).max();
    let box_width = (LETTER_WIDTH * longest.unwrap_or(0) as f64 + 16.0).max(56.0);
    let drawing = Drawing { description, plan, box_width, pitch: box_width + 22.0, layout };
    drawing.svg()
}

struct Drawing<'a> {
    description: &'a Description,
    plan: &'a Plan,
    layout: Layout,
    box_width: f64,
    pitch: f64,
}

/// A joint as drawn.
struct Line<'a> {
    points: Vec<[f64; 2]>,
    joint: Option<&'a Joint>,
    colour: &'a str,
    dashed: bool,
}

impl Drawing<'_> {
    fn svg(&self) -> String {
        let tree_width = self.layout.columns as f64 * self.pitch - 22.0 + 2.0 * MARGIN;
        let legend = self.legend();
        let letters = [legend.chars().count() as f64 * 6.2, self.summary().len() as f64 * 6.9];
        let legend_width = letters[0].max(letters[1]) + 2.0 * MARGIN;
        let (width, left) = (tree_width.max(legend_width), (legend_width - tree_width).max(0.0) / 2.0);
        let levels = self.layout.level.iter().max().copied().unwrap_or(0) as f64;
        let height = HEAD + levels * LEVEL_HEIGHT + BOX_HEIGHT + 90.0;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
        );
        let _ = writeln!(
            text,
            "<text x=\"{MARGIN}\" y=\"26\" font-size=\"16\" font-weight=\"bold\" fill=\"#1b232c\">{}</text>\n<text x=\"{MARGIN}\" y=\"45\" font-size=\"12\" fill=\"#555f6b\">{}</text>",
            escaped(&self.description.name),
            escaped(&self.summary())
        );
        let _ = writeln!(text, "<g transform=\"translate({left:.1},0)\">");
        let lines: Vec<Line<'_>> = self.tree_lines().into_iter().chain(self.cut_lines()).collect();
        lines.iter().for_each(|line| stroke(&mut text, line));
        (0..self.plan.tree.len()).for_each(|body| self.body(&mut text, body));
        lines.iter().for_each(|line| badge(&mut text, line));
        let _ = writeln!(
            text,
            "</g>\n<text x=\"{MARGIN}\" y=\"{:.0}\" font-size=\"11\" fill=\"#555f6b\">{}</text>\n</svg>",
            height - 16.0,
            escaped(&legend)
        );
        text
    }

    fn summary(&self) -> String {
        format!(
            "base {}; bodies {}, coordinates {}, cut joints {}, clusters with loops {}, independent chains {}",
            self.description.bodies[self.plan.base.0].name,
            self.plan.tree.len() - 1,
            self.plan.coordinate_count(self.description),
            self.plan.cut.len(),
            self.plan.clusters.iter().filter(|it| !it.cut.is_empty()).count(),
            self.plan.independent_chains().len()
        )
    }

    fn legend(&self) -> String {
        let used = |kind: JointKind| self.description.joints.iter().any(|joint| joint.kind == kind);
        let kinds = JointKind::NAMES.iter().filter(|(_, kind)| used(*kind));
        let kinds: Vec<String> = kinds.map(|(name, kind)| format!("{} {name}", letters(*kind))).collect();
        let driven = if self.description.joints.iter().any(|joint| joint.driven) { "; red: driven" } else { "" };
        format!("{}; solid: in the tree, dashed: cut{driven}; one colour for each cluster with loops", kinds.join(", "))
    }

    /// Middle of the box of a body.
    fn place(&self, body: usize) -> [f64; 2] {
        [
            MARGIN + 0.5 * self.box_width + self.layout.column[body] * self.pitch,
            HEAD + 0.5 * BOX_HEIGHT + self.layout.level[body] as f64 * LEVEL_HEIGHT,
        ]
    }

    fn colours(&self, body: usize) -> (&'static str, &'static str) {
        if body == 0 || body == self.plan.base.0 {
            return BASE;
        }
        let closed = self.plan.clusters.iter().filter(|it| !it.cut.is_empty());
        let mut numbered = closed.enumerate();
        let found = numbered.find(|(_, it)| it.bodies.contains(&BodyId(body)));
        found.map_or(SINGLE, |(index, _)| COLOURS[index % COLOURS.len()])
    }

    fn body(&self, text: &mut String, body: usize) {
        let ([x, y], (stroke, fill)) = (self.place(body), self.colours(body));
        let name = escaped(&self.description.bodies[body].name);
        let thick = if body == self.plan.base.0 { 2.6 } else { 1.4 };
        let round = if body == 0 { 0.0 } else { 7.0 };
        let _ = writeln!(
            text,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{BOX_HEIGHT}\" rx=\"{round}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{thick}\"/>\n<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"12\" text-anchor=\"middle\" fill=\"#1b232c\">{name}</text>",
            x - 0.5 * self.box_width,
            y - 0.5 * BOX_HEIGHT,
            self.box_width,
            y + 4.2
        );
    }

    fn tree_lines(&self) -> Vec<Line<'_>> {
        let line = |body: usize| {
            let edge = self.plan.tree[body].as_ref()?;
            let ([x0, y0], [x1, y1]) = (self.place(edge.parent.0), self.place(body));
            let joint = edge.joint.map(|joint| &self.description.joints[joint]);
            let driven = joint.is_some_and(|joint| joint.driven);
            Some(Line {
                points: vec![[x0, y0 + 0.5 * BOX_HEIGHT], [x1, y1 - 0.5 * BOX_HEIGHT]],
                joint,
                colour: if driven { DRIVEN } else { self.colours(body).0 },
                dashed: false,
            })
        };
        (1..self.plan.tree.len()).filter_map(line).collect()
    }

    fn cut_lines(&self) -> Vec<Line<'_>> {
        let line = |joint: &usize| {
            let it = &self.description.joints[*joint];
            let [one, other] = it.bodies.map(|body| body.0);
            let (high, low) =
                if self.layout.level[one] <= self.layout.level[other] { (one, other) } else { (other, one) };
            let inside = |body: &usize| {
                let clusters = self.plan.clusters.iter();
                clusters.filter(|it| it.cut.contains(joint)).any(|it| it.bodies.contains(&BodyId(*body)))
            };
            let coloured = [low, high].into_iter().find(inside).unwrap_or(low);
            Line { points: self.route(high, low), joint: Some(it), colour: self.colours(coloured).0, dashed: true }
        };
        self.plan.cut.iter().map(line).collect()
    }

    /// From a higher body to a lower one, around the boxes between them.
    fn route(&self, high: usize, low: usize) -> Vec<[f64; 2]> {
        let ([x0, y0], [x1, y1]) = (self.place(high), self.place(low));
        let side = (x1 - x0).signum();
        let aside = 0.3 * self.box_width;
        if self.layout.level[high] == self.layout.level[low] {
            // A wider arc runs lower.
            let below = y0 + 0.5 * BOX_HEIGHT;
            let depth = 20.0 + 12.0 * ((x1 - x0).abs() / self.pitch).min(2.0);
            return vec![
                [x0 + side * aside, below],
                [x0 + side * (aside + 10.0), below + depth],
                [x1 - side * (aside + 10.0), below + depth],
                [x1 - side * aside, below],
            ];
        }
        let mut points = vec![[x0 + side * aside.min(0.5 * (x1 - x0).abs()), y0 + 0.5 * BOX_HEIGHT]];
        for level in self.layout.level[high] + 1..self.layout.level[low] {
            let gap = self.gap(level, x1 - side * 0.5 * self.pitch);
            let y = HEAD + 0.5 * BOX_HEIGHT + level as f64 * LEVEL_HEIGHT;
            points.extend([[gap, y - 0.5 * BOX_HEIGHT], [gap, y + 0.5 * BOX_HEIGHT]]);
        }
        let from = points.last().map_or(x0, |last| last[0]);
        points.push([x1 + (from - x1).signum() * aside, y1 - 0.5 * BOX_HEIGHT]);
        points
    }

    /// The free place on a level that is nearest to a wish.
    fn gap(&self, level: usize, wish: f64) -> f64 {
        let free = |x: &f64| {
            (0..self.plan.tree.len())
                .filter(|body| self.layout.level[*body] == level)
                .all(|body| (self.place(body)[0] - x).abs() > 0.5 * self.box_width + 6.0)
        };
        let near = (0..=4 * self.layout.columns).flat_map(|step| {
            let by = 0.25 * self.pitch * step as f64;
            [wish - by, wish + by]
        });
        near.into_iter().find(free).unwrap_or(wish)
    }
}

fn stroke(text: &mut String, line: &Line<'_>) {
    let points: Vec<String> = line.points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
    let dash = if line.dashed { " stroke-dasharray=\"6 4\"" } else { "" };
    let _ = writeln!(
        text,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" stroke-linejoin=\"round\"{dash}/>",
        points.join(" "),
        line.colour
    );
}

/// The letters of the joint on its line, with its name to hover over.
fn badge(text: &mut String, line: &Line<'_>) {
    let count = line.points.len();
    let ([x0, y0], [x1, y1]) = if count == 4 && line.points[1][1] == line.points[2][1] {
        (line.points[1], line.points[2])
    } else {
        (line.points[count - 2], line.points[count - 1])
    };
    let share = if line.dashed { 0.5 } else { 0.62 };
    let (x, y) = (x0 + share * (x1 - x0), y0 + share * (y1 - y0));
    let label = line.joint.map_or("6", |joint| letters(joint.kind));
    let name = line.joint.map_or("floats".into(), |joint| format!("{}: {}", joint.name, joint.kind.name()));
    let _ = writeln!(
        text,
        "<g><title>{}</title><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"9\" fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"1.2\"/><text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"9\" text-anchor=\"middle\" fill=\"#1b232c\">{label}</text></g>",
        escaped(&name),
        line.colour,
        y + 3.2
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
