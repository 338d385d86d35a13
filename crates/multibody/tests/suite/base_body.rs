//! The choice of the base body: the graphs of document RTRD (Fig. 7, 9, 12) with, without and with
//! another base; the same motion from any base.

use crate::support::Random;
use crate::support::bench::{Bench, read};
use multibody::files::FileError;
use multibody::math::Vector3;
use multibody::rebase::rebased;
use multibody::topology::{Plan, analyse, better_base};
use multibody::{BodyId, Description, Joint, JointKind, Model, shipped};

const VEHICLES: [(&str, &str, &str); 3] = [
    ("hmmwv", "chassis", "upright_rl"),
    ("passenger-car", "chassis", "trailing_arm_rl"),
    ("tractor-semitrailer", "tractor", "trailer"),
];

/// A shipped model with the `base` line of its topology replaced.
fn with_base(name: &str, base: Option<&str>) -> Result<Description, FileError> {
    let texts = shipped::texts(name).expect("shipped");
    let line = base.map_or(String::new(), |base| format!("base = \"{base}\""));
    let lines = texts.topology.lines().map(|it| if it.starts_with("base") { line.as_str() } else { it });
    let topology = lines.collect::<Vec<_>>().join("\n");
    read(&topology, texts.parameters)
}

fn longest(plan: &Plan) -> usize {
    plan.chains().iter().map(Vec::len).max().unwrap_or(0)
}

#[test]
fn vehicles_have_the_same_plan_with_and_without_their_base() {
    for (name, base, _) in VEHICLES {
        let given = with_base(name, Some(base)).expect("reads");
        let found = with_base(name, None).expect("reads");
        let (given, plan) = (analyse(&given).expect("a plan"), analyse(&found).expect("a plan"));
        assert_eq!(found.bodies[plan.base.0].name, base);
        assert_eq!(given, plan, "{name}");
        assert_eq!(better_base(&found, &plan), None, "{name}: nothing has shorter chains");
    }
}

/// The number of coordinates does not depend on the base; the chains do.
#[test]
fn another_base_has_as_many_coordinates_and_longer_chains() {
    for (name, base, other) in VEHICLES {
        let here = with_base(name, Some(base)).expect("reads");
        let there = with_base(name, Some(other)).expect("reads");
        let (plan, moved) = (analyse(&here).expect("a plan"), analyse(&there).expect("a plan"));
        assert_eq!(there.bodies[moved.base.0].name, other);
        assert_eq!(plan.coordinate_count(&here), moved.coordinate_count(&there), "{name}");
        assert_eq!(plan.cut.len(), moved.cut.len(), "{name}");
        assert!(longest(&plan) < longest(&moved), "{name}");
        let (best, _) = better_base(&there, &moved).expect("advice");
        assert!(longest(&plan) <= longest(&analyse(&rebased(&there, best).expect("moved")).expect("a plan")));
    }
}

/// Accelerations of all bodies are those of the same mechanism with another base.
#[test]
fn the_motion_does_not_depend_on_the_base() {
    for (name, base, other) in VEHICLES {
        let mut here = with_base(name, Some(base)).expect("reads");
        // Away from the design position and moving, through the initial coordinates.
        let mut random = Random(3 + name.len() as u64);
        let free = here.joints.iter().position(|it| it.kind == JointKind::Free).expect("floats");
        for k in 0..6 {
            here.joints[free].coordinates[k] = if k == 2 { 0.5 } else { 0.3 * random.next() };
            here.joints[free].velocities[k] = random.next();
        }
        let other = here.body(other).expect("a body");
        let there = rebased(&here, other).expect("moved");
        let here = accelerations(&here);
        let there = accelerations(&there);
        let scale = here.iter().flatten().fold(1.0_f64, |max, it| it.norm().max(max));
        for (body, (ours, theirs)) in here.iter().zip(&there).enumerate() {
            for (ours, theirs) in ours.iter().zip(theirs) {
                // Loops are closed to 1e-10 m; tyres and stops of 1e6 N/m on 50 kg make 1e-6 m/s²
                // of that.
                assert!((*ours - *theirs).norm() < 1e-6 * scale, "{name} body {body}: {ours:?} {theirs:?}");
            }
        }
    }
}

/// Acceleration of the centre of gravity and angular acceleration of each body, and its place.
fn accelerations(description: &Description) -> Vec<[Vector3; 3]> {
    let mut bench = Bench::new(description);
    bench.evaluate();
    let of = |body: usize| {
        let [(_, linear), (_, angular)] = bench.body_accelerations(BodyId(body));
        [linear, angular, bench.motion(BodyId(body))[0].1]
    };
    (1..description.bodies.len()).map(of).collect()
}

/// A chain of bodies b0 … bn with free joints on some of them.
fn chain(count: usize, free: &[usize]) -> Description {
    let mut d = Description::empty("chain");
    let bodies: Vec<BodyId> =
        (0..count).map(|k| d.add_body(&format!("b{k}"), 1.0, Vector3::ZERO, Default::default())).collect();
    let mut join = |kind, ends: [BodyId; 2]| {
        let name = format!("j{}", d.joints.len());
        d.joints.push(Joint::new(&name, kind, ends, Vector3::ZERO, Vector3::AXES[1]));
    };
    bodies.windows(2).for_each(|pair| join(JointKind::Revolute, [pair[0], pair[1]]));
    free.iter().for_each(|body| join(JointKind::Free, [BodyId::GROUND, bodies[*body]]));
    d
}

#[test]
fn of_several_free_joints_the_one_in_the_middle_is_taken() {
    let d = chain(7, &[0, 4, 6]);
    let plan = analyse(&d).expect("a plan");
    assert_eq!(d.bodies[plan.base.0].name, "b4");
    assert_eq!((plan.idle.len(), plan.cut.len()), (2, 0), "the others say nothing");
    assert_eq!(plan.coordinate_count(&d), 6 + 6);
    let (better, length) = better_base(&d, &plan).expect("advice");
    assert_eq!((d.bodies[better.0].name.as_str(), length), ("b3", 3));
}

#[test]
fn what_hangs_on_the_ground_has_the_ground_as_base() {
    let mut d = chain(4, &[2]);
    let ends = [BodyId::GROUND, BodyId(1)];
    d.joints.push(Joint::new("hinge", JointKind::Revolute, ends, Vector3::ZERO, Vector3::AXES[1]));
    let plan = analyse(&d).expect("a plan");
    assert_eq!(plan.base, BodyId::GROUND);
    assert_eq!(plan.coordinate_count(&d), 4, "the free joint would add six coordinates");
}

/// Two rods hold a chain of five: its six coordinates sit on the middle body.
#[test]
fn what_only_rods_hold_floats_on_its_middle() {
    let mut d = chain(5, &[]);
    let error = analyse(&d).expect_err("floats").to_string();
    assert!(error.contains("between `ground` and `b2`"), "{error}");
    for body in [1, 5] {
        let mut rod = Joint::new(
            &format!("rod{body}"),
            JointKind::SphericalSpherical,
            [BodyId::GROUND, BodyId(body)],
            Vector3::ZERO,
            Vector3::AXES[2],
        );
        rod.length = 1.0;
        d.joints.push(rod);
    }
    let plan = analyse(&d).expect("a plan");
    let floating = plan.tree.iter().position(|edge| edge.as_ref().is_some_and(|it| it.joint.is_none()));
    assert_eq!(floating, Some(3));
    assert_eq!(plan.cut.len(), 2);
}

#[test]
fn a_base_that_cannot_be_one_is_an_error_at_its_place() {
    let texts = shipped::texts("four-bar").expect("shipped");
    let topology = texts.topology.replacen("bodies =", "base = \"crank\"\nbodies =", 1);
    let line = topology.lines().position(|it| it.starts_with("base")).expect("there") + 1;
    let error = read(&topology, texts.parameters).expect_err("fixed to the ground").to_string();
    let expected =
        format!("topology.toml:{line}:8: base: `crank` cannot be the base: its mechanism is fixed to the ground");
    assert!(error.starts_with(&expected), "{error}");
}

/// From a front upright the chassis moves in a loop that the driven rack closes: there is no order
/// for that, and it is said.
#[test]
fn a_driven_joint_inside_a_loop_is_an_error_at_its_place() {
    let error = with_base("hmmwv", Some("upright_fl")).expect_err("no order").to_string();
    assert!(error.contains("joint `rack` is driven, but the body that carries it moves in the same loop"), "{error}");
    let undriven = {
        let mut d = with_base("hmmwv", None).expect("reads");
        let rack = d.joint("rack").expect("a rack");
        d.joints[rack].driven = false;
        rebased(&d, d.body("upright_fl").expect("a body"))
    };
    assert!(undriven.is_ok_and(|d| Model::new(&d).is_ok()));
}

/// RTRD Fig. 7: the chains on the chassis are the rack and the four corners.
#[test]
fn independent_chains_and_entries_of_the_hmmwv() {
    let d = with_base("hmmwv", None).expect("reads");
    let plan = analyse(&d).expect("a plan");
    let mut sizes: Vec<usize> = plan.independent_chains().iter().map(Vec::len).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [1, 4, 4, 4, 4]);
    let levels: Vec<usize> = plan.levels().iter().map(Vec::len).collect();
    assert_eq!(levels, [1, 1, 9, 4, 4]);
    // Chassis 6² + 2·6·25; rack 1; each corner: lower arm, ball (3) and hub on one path 5², upper
    // arm 1.
    assert_eq!(plan.mass_entries(&d), 36 + 300 + 1 + 4 * (25 + 1));
    let body = |name: &str| d.body(name).expect("a body");
    assert!(plan.couples(body("wheel_fl"), body("lower_arm_fl")));
    assert!(!plan.couples(body("wheel_fl"), body("upper_arm_fl")));
    let tie_rod = d.joint("tie_rod_fl").expect("a rod");
    assert!(plan.closes_over(&d, tie_rod, body("rack")) && plan.closes_over(&d, tie_rod, body("upright_fl")));
    assert!(!plan.closes_over(&d, tie_rod, body("chassis")) && !plan.closes_over(&d, tie_rod, body("upper_arm_fl")));
}
