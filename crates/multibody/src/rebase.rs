//! The same mechanism with its six free coordinates on another body.
//!
//! A `free` joint constrains nothing, so a floating mechanism may have it on any of its bodies. The
//! motion is the same; the chains, and the meaning of the first six coordinates, are others. The
//! pose and velocity that the new base has at the start follow from the old coordinates.

use crate::assembly::assemble;
use crate::description::{BodyId, Description, JointKind};
use crate::math::{Matrix3, Quaternion, Vector3};
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
    let turn = quaternion(&rotation).log();
    Ok(([displacement.to_array(), turn.to_array()].concat(), [velocity.to_array(), angular.to_array()].concat()))
}

/// The quaternion of a rotation, from its largest component.
fn quaternion(rotation: &Matrix3) -> Quaternion {
    let entry = |row: usize, column: usize| rotation.columns[column].to_array()[row];
    let trace = entry(0, 0) + entry(1, 1) + entry(2, 2);
    let squares = [trace, entry(0, 0), entry(1, 1), entry(2, 2)];
    let largest = (1..4).fold(0, |best, it| if squares[it] > squares[best] { it } else { best });
    if largest == 0 {
        let w = 0.5 * (1.0 + trace).sqrt();
        let skew = Vector3::new(entry(2, 1) - entry(1, 2), entry(0, 2) - entry(2, 0), entry(1, 0) - entry(0, 1));
        return Quaternion { w, v: skew * (0.25 / w) };
    }
    let i = largest - 1;
    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
    let size = 0.5 * (1.0 + entry(i, i) - entry(j, j) - entry(k, k)).sqrt();
    let mut v = [0.0; 3];
    v[i] = size;
    v[j] = (entry(i, j) + entry(j, i)) * (0.25 / size);
    v[k] = (entry(i, k) + entry(k, i)) * (0.25 / size);
    Quaternion { w: (entry(k, j) - entry(j, k)) * (0.25 / size), v: v.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quaternions_come_back_from_their_matrices() {
        for wxyz in [
            [1.0, 0.0, 0.0, 0.0],
            [0.5, 0.5, 0.5, -0.5],
            [0.1, 0.9, 0.2, -0.3],
            [0.1, 0.2, -0.9, 0.3],
            [-0.05, 0.2, 0.3, 0.9],
        ] {
            let given = Quaternion::from_wxyz(wxyz).normalised();
            let found = quaternion(&given.to_matrix());
            let dot: f64 = given.to_wxyz().iter().zip(found.to_wxyz()).map(|(a, b)| a * b).sum();
            assert!((dot.abs() - 1.0).abs() < 1e-14, "{given:?} {found:?}");
        }
    }
}
