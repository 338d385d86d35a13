//! Forces from outside act in every evaluation of a step; a chassis that tips over stays finite.

use crate::support::bench::Bench;
use multibody::math::{Force, Symmetric3, Vector3};
use multibody::{BodyId, Description, Joint, JointKind, Method};

/// A chassis on two corners tips over: partitions change, and pairs of clusters fall apart for a step.
#[test]
fn changes_of_partition_leave_the_state_finite() {
    let mut bench = Bench::new(&multibody::generate::corners(2));
    bench.run(Method::AdamsBashforth3, 1e-3, 1500, |_, _| {});
    assert!(bench.state.position.iter().all(|it| it.is_finite()));
}

/// A free body of 2 kg under a force of 6 N that the caller adds before each step: x = ½ (F/m) t², which each method of
/// order two or more meets exactly, and the first-order one as x = ½ (F/m) t (t + h).
#[test]
fn forces_from_outside_are_held_over_the_step() {
    let mut description = Description::empty("free");
    description.gravity = Vector3::ZERO;
    let body = description.add_body("body", 2.0, Vector3::ZERO, Symmetric3::new([1.0; 3], [0.0; 3]));
    let free = Joint::new("free", JointKind::Free, [BodyId::GROUND, body], Vector3::ZERO, Vector3::AXES[2]);
    description.joints.push(free);
    for (name, method) in Method::NAMES {
        let (mut bench, step) = (Bench::new(&description), 0.01);
        bench.start(method, step);
        for _ in 0..100 {
            let push = Force::at(Vector3::new(6.0, 0.0, 0.0), Vector3::ZERO);
            bench.workspace.add_force(&bench.model, body, push);
            bench.step();
        }
        let extra = if method == Method::SemiImplicitEuler { step } else { 0.0 };
        let expected = 0.5 * 3.0 * 1.0 * (1.0 + extra);
        // Difference quotients of the implicit method leave some 1e-8.
        assert!((bench.state.position[0] - expected).abs() < 1e-7, "{name}: {:?}", bench.state.position);
    }
}
