//! Model files of any shape: random mechanisms from a small pool of names and numbers, with
//! mistakes of every kind. Whatever the text, there is a description or an error with a place, a
//! model or an error, and nothing panics or runs forever.

mod forces;

use crate::support::Random;
use crate::support::bench::{Bench, read};
use multibody::assembly::{assemble, equilibrium};
use multibody::inverse::inverse;
use multibody::{JointKind, Method, Model, State};
use proptest::prelude::*;
use std::fmt::Write;

/// Everything that a user may do with a text: read, plan, assemble, step, ask for forces, find the
/// equilibrium.
fn use_it(topology: &str, parameters: &str) -> Result<(), String> {
    let description = read(topology, parameters).map_err(|error| error.to_string())?;
    let model = Model::new(&description).map_err(|error| error.to_string())?;
    let table = multibody::topology::to_table(model.description(), model.plan());
    let drawing = multibody::topology::to_svg(model.description(), model.plan());
    assert!(table.contains("base") && drawing.ends_with("</svg>\n"));
    let mut bench = Bench::open(model);
    bench.inputs.actuators.fill(0.5);
    let Bench { model, state, inputs, workspace, .. } = &mut bench;
    assemble(model, state, inputs, workspace).map_err(|error| error.to_string())?;
    bench.run(Method::AdamsBashforth3, 1e-3, 5, |_, _| {});
    assert_eq!(bench.state.position.len(), bench.model.position_count());
    assert_eq!(bench.reactions().tree.len(), bench.model.bodies().len());
    let Bench { model, state, inputs, workspace, wheels, .. } = &mut bench;
    let (tyre, wanted) = (&mut wheels.as_slice(), vec![1.0; model.velocity_count()]);
    let motors = inverse(model, state, inputs, &wanted, tyre, workspace);
    assert_eq!(motors.force.len(), model.velocity_count());
    // A search that fails takes a hundred rounds of differences: on the smaller mechanisms only.
    if model.velocity_count() > 8 {
        return Ok(());
    }
    let found = equilibrium(model, &mut State::new(model), inputs, tyre, workspace);
    found.map(|_| ()).map_err(|error| error.to_string())
}

struct Writer(Random);

impl Writer {
    fn below(&mut self, count: usize) -> usize {
        self.0.below(count)
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    /// Mostly a number, now and then something else.
    fn number(&mut self) -> String {
        match self.below(400) {
            0 => self
                .pick(&["nan", "inf", "-inf", "1e308", "-1e30", "1e-300", "0", "-0.0", "1e31", "true", "\"x\"", "[]"])
                .to_string(),
            _ => format!("{:.3}", self.0.next()),
        }
    }

    fn list(&mut self, count: usize) -> String {
        let count = if self.below(300) == 0 { count + 1 } else { count };
        let numbers: Vec<String> = (0..count).map(|_| self.number()).collect();
        format!("[{}]", numbers.join(", "))
    }

    /// A body of the mechanism or, rarely, one that is not there.
    fn body(&mut self, count: usize) -> String {
        match self.below(200) {
            0 => "unknown".into(),
            1..=40 => "ground".into(),
            _ => format!("b{}", self.below(count)),
        }
    }

    fn topology(&mut self, count: usize, joints: usize) -> (String, Vec<JointKind>) {
        let names: Vec<String> =
            (0..count).map(|k| format!("\"b{}\"", if self.below(200) == 0 { 0 } else { k })).collect();
        let mut text = format!("name = \"random\"\nbodies = [{}]\n", names.join(", "));
        if self.below(6) == 0 {
            let base = self.body(count);
            let _ = writeln!(text, "base = \"{base}\"");
        }
        text += "[joints]\n";
        let mut kinds = Vec::new();
        for joint in 0..joints {
            // A chain first, so that most mechanisms are connected; cycles of fixed joints are
            // welcome.
            let kind = match self.below(5) {
                0 => JointKind::Fixed,
                1 => JointKind::Free,
                _ => JointKind::NAMES[self.below(13)].1,
            };
            let (first, second) = match joint {
                0 => ("ground".to_string(), "b0".to_string()),
                k if k < count => (format!("b{}", k - 1), format!("b{k}")),
                _ => {
                    let (first, mut second) = (self.body(count), self.body(count));
                    if first == second && self.below(10) > 0 {
                        second = if first == "ground" { "b0".into() } else { "ground".into() };
                    }
                    (first, second)
                }
            };
            let driven = if self.below(12) == 0 && kind.coordinate_count() > 0 { ", driven = true" } else { "" };
            let cut = ["", "", "", "", "", ", cut = true", ", cut = false"][self.below(7)];
            let name = kind.name();
            let _ =
                writeln!(text, "j{joint} = {{ type = \"{name}\", bodies = [\"{first}\", \"{second}\"]{driven}{cut} }}");
            kinds.push(kind);
        }
        (text, kinds)
    }

    fn parameters(&mut self, count: usize, kinds: &[JointKind]) -> String {
        let mut text = format!("gravity_m_s2 = {}\n", self.list(3));
        for body in 0..count {
            let (mass, centre) = (1.5 + self.0.next(), self.list(3));
            let inertia = 0.5 + 0.1 * self.0.next();
            let _ = writeln!(
                text,
                "[bodies.b{body}]\nmass_kg = {mass}\ncentre_of_gravity_m = {centre}\nmoments_kg_m2 = [{inertia}, 0.5, 0.5]"
            );
        }
        for (joint, kind) in kinds.iter().enumerate() {
            let (point, second) = (self.list(3), self.list(3));
            let (axis, second_axis) = (self.list(3), self.list(3));
            let _ = writeln!(
                text,
                "[joints.j{joint}]\npoint_m = {point}\naxis = {axis}\nsecond_axis = {second_axis}\nlead_m = 0.1"
            );
            if kind.is_constraint_only() || *kind == JointKind::RevoluteRevolute || self.below(6) == 0 {
                let _ = writeln!(text, "second_point_m = {second}");
            }
            if self.below(3) == 0 {
                let start = self.list(kind.coordinate_count());
                let _ = writeln!(text, "coordinates = {start}");
            }
        }
        self.forces(count, kinds, &mut text);
        text
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_mechanisms_are_used_or_refused(seed in any::<u64>()) {
        let mut writer = Writer(Random::seeded(seed));
        let count = 1 + writer.below(7);
        let joints = count + writer.below(4);
        let (topology, kinds) = writer.topology(count, joints);
        let parameters = writer.parameters(count, &kinds);
        if let Err(error) = use_it(&topology, &parameters) {
            prop_assert!(error.len() > 10, "{}", error);
        }
    }
}

/// Some of what the generator writes has to work, or the test above would test the reader alone.
#[test]
fn many_random_mechanisms_get_as_far_as_stepping() {
    let mut good = 0;
    for seed in 0..200_u64 {
        let mut writer = Writer(Random::seeded(seed * 7919 + 1));
        let (topology, kinds) = writer.topology(3, 4);
        let parameters = writer.parameters(3, &kinds);
        let stepped = use_it(&topology, &parameters);
        good += usize::from(stepped.is_ok() || stepped.is_err_and(|error| error.contains("equilibrium")));
    }
    assert!(good > 60, "{good} of 200");
}

#[test]
fn deep_nesting_and_long_texts_are_errors() {
    for (topology, parameters) in [
        (format!("name = {}1{}", "[".repeat(20_000), "]".repeat(20_000)), String::new()),
        (format!("{} = 1", "a.".repeat(20_000) + "a"), String::new()),
        ("name = \"x\"\nbodies = []\n".into(), format!("gravity_m_s2 = {}1{}", "[".repeat(20_000), "]".repeat(20_000))),
        (format!("name = \"{}\"\nbodies = []", "x".repeat(1_000_000)), String::new()),
    ] {
        assert!(read(&topology, &parameters).is_err());
    }
}

/// The largest mechanisms that are allowed are planned in reasonable time, whatever their shape;
/// larger ones are refused.
#[test]
fn the_largest_mechanisms_are_planned() {
    for (shape, count) in [("ring", 2000), ("ladder", 800)] {
        let mut topology = format!(
            "name = \"{shape}\"\nbodies = [{}]\n[joints]\n",
            (0..count).map(|k| format!("\"b{k}\"")).collect::<Vec<_>>().join(", ")
        );
        let name = |k: usize| {
            if k == 0 { "ground".to_string() } else { format!("b{}", k - 1) }
        };
        let mut join = |k: usize, from: usize, to: usize| {
            let _ = writeln!(
                topology,
                "j{k} = {{ type = \"spherical\", bodies = [\"{}\", \"{}\"] }}",
                name(from),
                name(to)
            );
        };
        for k in 1..=count {
            join(k, k - 1, k);
        }
        if shape == "ring" {
            join(count + 1, count, 0);
        }
        if shape == "ladder" {
            (0..count / 2).for_each(|k| join(count + 1 + k, k, count - k));
        }
        let mut parameters = String::new();
        for k in 0..count {
            let _ = writeln!(
                parameters,
                "[bodies.b{k}]\nmass_kg = 1.0\ncentre_of_gravity_m = [{k}, 0.0, 0.0]\nmoments_kg_m2 = [1.0, 1.0, 1.0]"
            );
        }
        let joints = topology.matches("spherical").count();
        for k in 1..=joints {
            let _ = writeln!(parameters, "[joints.j{k}]\npoint_m = [{k}, 0.0, 0.0]");
        }
        let description = read(&topology, &parameters).unwrap_or_else(|error| panic!("{shape}: {error}"));
        let plan = multibody::topology::analyse(&description).expect("a plan");
        assert_eq!(plan.cut.len(), joints - count, "{shape}");
        if shape == "ring" {
            assert_eq!(plan.chains().iter().map(Vec::len).max(), Some(1000), "cut in the middle");
            let error = read(&topology.replacen("\"b0\"", "\"b0\", \"more\"", 1), &parameters);
            assert!(error.is_err_and(|error| error.to_string().contains("expected at most 2000 bodies")));
        }
    }
}
