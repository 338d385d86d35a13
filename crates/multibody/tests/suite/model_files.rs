//! Model files: the shipped ones read and assemble; mistakes name file, line, column and field;
//! garbage never panics.

use crate::support::bench::{Bench, read};
use multibody::assembly::assemble;
use multibody::files::read_folder;
use multibody::{BodyId, Method, Model};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

const TOPOLOGY: &str = r#"name = "crank"
bodies = ["crank", "rod"]

[joints]
pivot = { type = "revolute", bodies = ["ground", "crank"] }
pin = { type = "revolute", bodies = ["crank", "rod"] }
guide = { type = "spherical-translational", bodies = ["rod", "ground"] }
"#;

const PARAMETERS: &str = r#"
[bodies.crank]
mass_kg = 1.0
centre_of_gravity_m = [0.05, 0.0, 0.0]
moments_kg_m2 = [0.001, 0.003, 0.003]

[bodies.rod]
mass_kg = 1.0
centre_of_gravity_m = [0.2, 0.0, 0.0]
moments_kg_m2 = [0.001, 0.003, 0.003]

[joints.pivot]
point_m = [0.0, 0.0, 0.0]
axis = [0.0, 2.0, 0.0]
coordinates = [0.3]

[joints.pin]
point_m = [0.1, 0.0, 0.0]
axis = [0.0, 1.0, 0.0]

[joints.guide]
point_m = [0.4, 0.0, 0.0]
second_axis = [1.0, 0.0, 0.0]

[tsda.spring]
bodies = ["ground", "rod"]
points_m = [[0.5, 0.0, 0.0], [0.4, 0.0, 0.0]]
stiffness_n_m = 100.0
"#;

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let entries = std::fs::read_dir(folder).expect("models").map(|entry| entry.expect("an entry").path());
    entries.filter(|path| path.join("topology.toml").exists()).collect()
}

#[test]
fn all_shipped_models_read_and_assemble() {
    let models = models();
    assert!(models.len() >= 3);
    for path in models {
        Bench::new(&read_folder(&path).unwrap_or_else(|error| panic!("{error}")));
    }
}

#[test]
fn a_correct_pair_is_read_in_the_order_of_the_file() {
    let description = read(TOPOLOGY, PARAMETERS).expect("correct");
    let names: Vec<_> = description.joints.iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["pivot", "pin", "guide"]);
    assert_eq!(description.joints[0].axis.y, 1.0, "directions are made unit vectors");
    assert!((description.tsda[0].law.free - 0.1).abs() < 1e-15, "the drawn length");
}

#[test]
fn mistakes_are_named_with_their_place() {
    let topology = [
        (
            "[\"crank\", \"rod\"] }",
            "[\"crank\", \"rood\"] }",
            "topology.toml:6:47: joints.pin.bodies[1]: unknown body `rood`",
        ),
        (
            "[\"ground\", \"crank\"]",
            "[\"crank\", \"crank\"]",
            "topology.toml:5:39: joints.pivot.bodies: a joint to itself",
        ),
        (
            "\"revolute\", bodies = [\"ground\"",
            "\"hinge\", bodies = [\"ground\"",
            "joints.pivot.type: `hinge` is unknown; expected one of free, fixed",
        ),
        (
            "[\"crank\", \"rod\"]\n",
            "[\"crank\", \"rod\", \"crank\"]\n",
            "topology.toml:2:27: bodies[2]: body `crank` is there already",
        ),
    ];
    let parameters = [
        ("mass_kg = 1.0", "mass_kg = -1.0", "parameters.toml:3:11: bodies.crank.mass_kg: -1 is impossible"),
        (
            "mass_kg = 1.0",
            "mass_kg = 0.0",
            "parameters.toml:3:11: bodies.crank.mass_kg: 0 is impossible; expected a number above zero",
        ),
        ("100.0", "1e300", "tsda.spring.stiffness_n_m: 1000000000000000"),
        (
            "0.001, 0.003, 0.003",
            "0.001, 0.003, 0.005",
            "parameters.toml:5:17: bodies.crank.moments_kg_m2: principal moments [0.001, 0.003, 0.005] kg m² violate the triangle inequality",
        ),
        ("mass_kg", "mas_kg", "parameters.toml:3:1: bodies.crank.mas_kg: unknown field"),
        ("axis = [0.0, 2.0, 0.0]", "axis = [0.0, 0.0, 0.0]", "joints.pivot.axis: expected a direction"),
        ("axis = [0.0, 2.0, 0.0]\n", "", "joints.pivot: a revolute joint needs `axis`"),
        ("[0.3]", "[0.3, 1.0]", "joints.pivot.coordinates: 2 numbers; a revolute joint has 1"),
        ("[bodies.rod]", "[bodies.other]", "bodies.other: unknown body `other`"),
        ("100.0", "nan", "tsda.spring.stiffness_n_m: NaN is impossible"),
    ];
    let lost = "[bodies.lost]\nmass_kg = 1\ncentre_of_gravity_m = [0, 0, 0]\nmoments_kg_m2 = [1, 1, 1]\n";
    let mut cases = vec![(
        TOPOLOGY.replace("\"rod\"]\n", "\"rod\", \"lost\"]\n"),
        PARAMETERS.to_string() + lost,
        "topology.toml:2:27: bodies[2]: body `lost` is not connected",
    )];
    let swapped = |text: &str, old: &str, new: &str| text.replacen(old, new, 1);
    cases.extend(topology.map(|(old, new, expected)| (swapped(TOPOLOGY, old, new), PARAMETERS.into(), expected)));
    cases.extend(parameters.map(|(old, new, expected)| (TOPOLOGY.into(), swapped(PARAMETERS, old, new), expected)));
    for (topology, parameters, expected) in cases {
        let error = read(&topology, &parameters).expect_err(expected).to_string();
        assert!(error.contains(expected), "expected {expected}\nfound {error}");
    }
}

#[test]
fn a_loop_that_cannot_close_is_named_with_its_gap() {
    // Crank and rod reach 0.4 m from the pivot; in place of the guide a link of 0.5 m is to hold
    // them to a point 2 m above it.
    let parameters = PARAMETERS.replace(
        "point_m = [0.4, 0.0, 0.0]\nsecond",
        "point_m = [0.4, 0.0, 0.0]\nsecond_point_m = [0.4, 0.0, 0.0]\nsecond",
    );
    let topology = TOPOLOGY.replace("spherical-translational", "spherical-spherical");
    let parameters = parameters
        .replace("second_point_m = [0.4, 0.0, 0.0]", "second_point_m = [0.4, 0.0, 2.0]\nlength_m = 0.5")
        .replace("second_axis = [1.0, 0.0, 0.0]\n", "");
    let mut bench = Bench::open(Model::new(&read(&topology, &parameters).expect("reads")).expect("a model"));
    let Bench { model, state, inputs, workspace, .. } = &mut bench;
    let error = assemble(model, state, inputs, workspace).expect_err("too far");
    assert_eq!(error.joint, "guide");
    // Stretched out, 0.4 m from the pivot, the rod's end stays more than 1.6 m from a point 2 m
    // above: 0.5 m of rod leave over 1 m.
    assert!(error.violation > 1.0, "{error}");
    let header = parameters.lines().position(|line| line == "[joints.guide]");
    let line = header.expect("the joint") + 1;
    let text = error.to_string();
    assert!(
        text.starts_with(&format!(
            "parameters.toml:{line}:9: joints.guide: the loop at joint `guide` cannot be assembled: it stays open by"
        )),
        "{text}"
    );
}

/// The text with a piece replaced by another.
fn mutated(text: &str, at: usize, length: usize, new: &str) -> String {
    let symbols: Vec<char> = text.chars().collect();
    let at = at % symbols.len();
    let end = (at + length).min(symbols.len());
    symbols[..at].iter().copied().chain(new.chars()).chain(symbols[end..].iter().copied()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn mutated_files_never_panic(
        at in 0_usize..2000,
        length in 0_usize..12,
        new in prop_oneof!["[ -~\n]{0,6}", Just("1e308".to_string()), Just("-0.0".to_string()), Just("nan".to_string()), Just("[]".to_string())],
        which in any::<bool>(),
    ) {
        let (topology, parameters) = if which {
            (mutated(TOPOLOGY, at, length, &new), PARAMETERS.to_string())
        } else {
            (TOPOLOGY.to_string(), mutated(PARAMETERS, at, length, &new))
        };
        if let Ok(description) = read(&topology, &parameters) && let Ok(model) = Model::new(&description) {
            let mut bench = Bench::open(model);
            let Bench { model, state, inputs, workspace, .. } = &mut bench;
            let _closes_or_not = assemble(model, state, inputs, workspace);
            prop_assert_eq!(state.position.len(), model.position_count());
        }
    }
}

/// A loop in which every joint has a spring and so needs its angle: one of them gets an end of its
/// own. With springs of no stiffness the mechanism moves as without them.
#[test]
fn a_loop_of_joints_that_all_need_their_coordinate() {
    let texts = multibody::shipped::texts("four-bar").expect("shipped");
    let plain = read(texts.topology, texts.parameters).expect("reads");
    let springs: String = plain
        .joints
        .iter()
        .map(|joint| format!("\n[rsda.{0}]\njoint = \"{0}\"\nstiffness_nm_rad = 0.0\n", joint.name))
        .collect();
    let sprung = read(texts.topology, &(texts.parameters.to_string() + &springs)).expect("reads");
    assert_eq!(sprung.bodies.len(), plain.bodies.len() + 1, "an end without mass");
    let places = [&plain, &sprung].map(|description| {
        let mut bench = Bench::new(description);
        bench.run(Method::RungeKutta4, 1e-3, 300, |_, _| {});
        (1..plain.bodies.len()).map(|body| bench.motion(BodyId(body))[0].1).collect::<Vec<_>>()
    });
    for (ours, theirs) in places[0].iter().zip(&places[1]) {
        // Loops are closed to 1e-10 m, and the two choose other coordinates.
        assert!((*ours - *theirs).norm() < 1e-7, "{ours:?} {theirs:?}");
    }
    let rod = TOPOLOGY.to_string();
    let spring = PARAMETERS.to_string() + "\n[rsda.s]\njoint = \"guide\"\nstiffness_nm_rad = 1.0\n";
    let error = read(&rod, &spring).expect_err("no angle").to_string();
    assert!(error.starts_with("topology.toml:7:1: joints.guide: joint `guide` must carry a coordinate"), "{error}");
}
