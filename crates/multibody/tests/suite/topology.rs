//! The preprocessor on the graphs of document RTRD: Fig. 7 (HMMWV), Fig. 9 (passenger car), Fig. 12
//! (tractor-semitrailer).

use multibody::math::Vector3;
use multibody::topology::{Plan, TopologyError, analyse, to_dot, to_table};
use multibody::{BodyId, Description, Joint, JointKind, Model, shipped};

fn read(name: &str) -> Description {
    shipped::description(name).unwrap_or_else(|error| panic!("{error}"))
}

fn cut_names<'a>(description: &'a Description, plan: &Plan) -> Vec<&'a str> {
    plan.cut.iter().map(|joint| description.joints[*joint].name.as_str()).collect()
}

#[test]
fn hmmwv_is_four_corners_on_the_chassis() {
    let description = read("hmmwv");
    let plan = analyse(&description).expect("a plan");
    assert_eq!(description.bodies[plan.base.0].name, "chassis");
    let corners = ["fl", "fr", "rl", "rr"];
    let expected: Vec<String> =
        corners.iter().flat_map(|it| [format!("upper_ball_{it}"), format!("tie_rod_{it}")]).collect();
    assert_eq!(cut_names(&description, &plan), expected);
    // 6 of the chassis, 1 of the rack, 5 for each corner, 4 wheels.
    assert_eq!(plan.coordinate_count(&description), 31);
    let closed: Vec<_> = plan.clusters.iter().filter(|cluster| !cluster.cut.is_empty()).collect();
    assert_eq!(closed.len(), 4, "the driven rack does not couple the front corners");
    for cluster in closed {
        assert_eq!((cluster.parent, cluster.bodies.len(), cluster.cut.len()), (plan.base, 3, 2));
    }
    assert_eq!(plan.chains().iter().map(Vec::len).max(), Some(3), "lower arm, upright, wheel");
    assert_eq!(plan.junctions(), [plan.base], "the chassis carries everything");
}

#[test]
fn a_free_rack_couples_the_front_corners() {
    let mut description = read("hmmwv");
    let rack = description.joint("rack").expect("a rack");
    description.joints[rack].driven = false;
    let plan = analyse(&description).expect("a plan");
    let mut sizes: Vec<_> =
        plan.clusters.iter().filter(|cluster| !cluster.cut.is_empty()).map(|cluster| cluster.bodies.len()).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [3, 3, 7]);
}

#[test]
fn passenger_car_closes_its_struts_and_its_beam_on_the_chassis() {
    let description = read("passenger-car");
    let plan = analyse(&description).expect("a plan");
    assert_eq!(description.bodies[plan.base.0].name, "chassis");
    // Of each strut's loop the lower ball (with the strut as carrier the chains are shorter than
    // with the arm), the rods, and the balls in the bushes.
    let mut cut = cut_names(&description, &plan);
    cut.sort_unstable();
    assert_eq!(cut, ["bush_rl", "bush_rr", "lower_ball_fl", "lower_ball_fr", "tie_rod_fl", "tie_rod_fr"]);
    // 6 of the chassis, 1 of the rack, 5 for each strut, 2 of the track bar, 3 and 1 of the beam, 4
    // wheels.
    assert_eq!(plan.coordinate_count(&description), 27);
    let sizes: Vec<_> = plan
        .clusters
        .iter()
        .filter(|cluster| !cluster.cut.is_empty())
        .map(|cluster| (cluster.parent, cluster.bodies.len(), cluster.cut.len()))
        .collect();
    assert_eq!(sizes, [(plan.base, 3, 2); 3], "two struts and the beam, which the driven rack does not couple");
    assert_eq!(plan.junctions().first(), Some(&plan.base));
    assert!(plan.chains().iter().all(|chain| chain.len() <= 4), "{}", to_table(&description, &plan));
    assert!(Model::new(&description).is_ok());
}

#[test]
fn tractor_semitrailer_is_an_open_tree() {
    let description = read("tractor-semitrailer");
    let plan = analyse(&description).expect("a plan");
    assert_eq!(description.bodies[plan.base.0].name, "tractor");
    assert!(plan.cut.is_empty());
    assert!(plan.clusters.iter().all(|cluster| cluster.bodies.len() == 1));
    let trailer = description.body("trailer").expect("a trailer");
    assert!(plan.junctions().contains(&trailer) && plan.junctions().contains(&plan.base));
}

#[test]
fn forward_order_visits_carriers_first_and_everything_once() {
    for name in ["hmmwv", "passenger-car", "tractor-semitrailer", "iftomm-andrews-squeezer", "iftomm-bricard"] {
        let description = read(name);
        let plan = analyse(&description).expect("a plan");
        let mut seen = vec![false; description.bodies.len()];
        seen[0] = true;
        for body in plan.forward() {
            let parent = plan.tree[body.0].as_ref().expect("carried").parent;
            assert!(seen[parent.0] && !seen[body.0], "{name}");
            seen[body.0] = true;
        }
        assert!(seen.iter().all(|it| *it), "{name}");
    }
}

/// Of a ring of equal joints, the one far from the ground is cut, so that both chains are short.
#[test]
fn rings_are_cut_in_the_middle() {
    let mut d = Description::empty("ring");
    let bodies: Vec<BodyId> =
        (0..6).map(|k| d.add_body(&format!("b{k}"), 1.0, Vector3::ZERO, Default::default())).collect();
    let axis = Vector3::AXES[1];
    for k in 0..=6 {
        let from = if k == 0 { BodyId::GROUND } else { bodies[k - 1] };
        let to = if k == 6 { BodyId::GROUND } else { bodies[k] };
        d.joints.push(Joint::new(&format!("j{k}"), JointKind::Revolute, [from, to], Vector3::ZERO, axis));
    }
    let plan = analyse(&d).expect("a plan");
    assert_eq!(cut_names(&d, &plan), ["j3"]);
    // A ball is the heavier joint: cutting it saves coordinates, wherever it is.
    d.joints[1].kind = JointKind::Spherical;
    let plan = analyse(&d).expect("a plan");
    assert_eq!(cut_names(&d, &plan), ["j1"]);
}

#[test]
fn what_cannot_be_planned_is_named() {
    let mut d = Description::empty("bad");
    let body = d.add_body("lost", 1.0, Vector3::ZERO, Default::default());
    assert_eq!(analyse(&d), Err(TopologyError::Disconnected { body: "lost".into(), best: "lost".into() }));
    d.joints.push(Joint::new("loop", JointKind::Revolute, [body, body], Vector3::ZERO, Vector3::AXES[0]));
    assert!(matches!(analyse(&d), Err(TopologyError::SelfJoint { .. })));
}

#[test]
fn drawing_shows_cut_joints_dashed() {
    let description = read("hmmwv");
    let plan = analyse(&description).expect("a plan");
    let dot = to_dot(&description, &plan);
    assert_eq!(dot.matches("style=dashed").count(), 8);
    assert_eq!(dot.matches("subgraph").count(), 4);
    assert!(dot.contains("\"chassis\" -- \"rack\" [label=\"translational\", color=red]"));
    assert!(to_table(&description, &plan).contains("base          chassis"));
}
