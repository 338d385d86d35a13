//! The same mechanism with its six free coordinates on another body.
//!
//! A `free` joint constrains nothing, so a floating mechanism may have it on any of its bodies. The
//! motion is the same; the chains, and the meaning of the first six coordinates, are others. The
//! pose and velocity that the new base has at the start follow from the old coordinates.

use crate::assembly::assemble;
use crate::description::{BodyId, Description, JointKind};
use crate::math::Quaternion;
use crate::model::{BuildError, Model};
use crate::state::{Inputs, State};
use crate::topology::TopologyError;
use crate::{Workspace, topology};

/// The description with the free joint of the floating mechanism that `base` belongs to moved to
/// `base`.
pub fn rebased(description: &Description, base: BodyId) -> Result<Description, BuildError> {
    let mut moved = description.clone();
    moved.base = None;
    let plan = topology::analyse(&moved)?;
    let joint = match carrier(&moved, &plan, base) {
        Ok(joint) => joint,
        Err(problem) => {
            return Err(TopologyError::NoBase {
                body: description.bodies[base.0].name.clone(),
                problem: problem.into(),
            }
            .into());
        }
    };
    moved.base = Some(base);
    if moved.joints[joint].bodies.contains(&base) {
        return Ok(moved);
    }
    let (coordinates, velocities) = start(description, base)?;
    let centre = description.bodies[base.0].centre;
    let joint = &mut moved.joints[joint];
    joint.bodies = [BodyId::GROUND, base];
    (joint.point, joint.second_point) = (centre, centre);
    (joint.coordinates, joint.velocities) = (coordinates, velocities);
    topology::analyse(&moved)?;
    Ok(moved)
}

/// The free joint at the root of a body's mechanism.
fn carrier(description: &Description, plan: &topology::Plan, mut body: BodyId) -> Result<usize, &'static str> {
    loop {
        let Some(edge) = &plan.tree[body.0] else {
            return Err("it is the ground");
        };
        if edge.parent == BodyId::GROUND {
            let joint = edge.joint.ok_or("only rods and other constraints hold its mechanism")?;
            return match &description.joints[joint] {
                it if it.kind != JointKind::Free => Err("its mechanism is fixed to the ground"),
                it if it.driven => Err("the free joint of its mechanism is driven"),
                _ => Ok(joint),
            };
        }
        body = edge.parent;
    }
}

/// Coordinates and velocities of a free joint at the centre of gravity of a body, where the
/// description starts.
fn start(description: &Description, body: BodyId) -> Result<(Vec<f64>, Vec<f64>), BuildError> {
    let mut plain = description.clone();
    plain.base = None;
    let model = Model::new(&plain)?;
    let (mut state, mut workspace, inputs) = (State::new(&model), Workspace::new(&model), Inputs::new(&model));
    // A loop that does not close is reported when the moved mechanism is assembled.
    let _closed = assemble(&model, &mut state, &inputs, &mut workspace);
    let centre = description.bodies[body.0].centre;
    let displacement = workspace.position(&model, body, centre) - centre;
    let rotation = workspace.orientation(&model, body);
    let velocity = workspace.point_velocity(&model, body, centre);
    let angular = rotation.transposed_mul(workspace.body_velocity(&model, body).angular);
    let turn = Quaternion::from_matrix(&rotation).log();
    Ok(([displacement.to_array(), turn.to_array()].concat(), [velocity.to_array(), angular.to_array()].concat()))
}
