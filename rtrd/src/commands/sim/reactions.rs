//! What joints transmit, as columns beside the coordinates.

use multibody::forces::Wheel;
use multibody::reaction::{Reactions, reactions};
use multibody::{Inputs, JointKind, Model, State, Workspace};

/// Force on the second body and moment about the joint's point on it, earth axes.
const PARTS: [&str; 6] = ["force_x_n", "force_y_n", "force_z_n", "moment_x_nm", "moment_y_nm", "moment_z_nm"];

/// The joints that transmit something.
fn joints(model: &Model) -> impl Iterator<Item = (usize, &multibody::Joint)> {
    let joints = model.description().joints.iter().enumerate();
    joints.filter(|(_, joint)| joint.kind != JointKind::Free)
}

/// Names of the columns: six for each joint, then one for each driven coordinate.
pub fn names(model: &Model) -> Vec<String> {
    let parts = joints(model).flat_map(|(_, joint)| PARTS.map(|part| format!("{}_{part}", joint.name)));
    let drives = model.driven().iter().flat_map(|driven| {
        let name = &model.description().joints[driven.joint].name;
        (0..driven.coordinates.len()).map(move |which| format!("{name}_{which}_drive"))
    });
    parts.chain(drives).collect()
}

/// Values of the columns. The run goes on from its own state and workspace: these are copies.
pub fn values(model: &Model, state: &State, inputs: &Inputs, wheels: &[Wheel], workspace: &Workspace) -> Vec<f64> {
    let (mut state, mut workspace, mut tyres) = (state.clone(), workspace.clone(), wheels);
    let found = reactions(model, &mut state, inputs, &mut tyres, &mut workspace);
    let mut values: Vec<f64> =
        joints(model).flat_map(|(number, joint)| of_joint(model, &workspace, &found, number, joint)).collect();
    values.extend(&found.driven);
    values
}

fn of_joint(
    model: &Model,
    workspace: &Workspace,
    found: &Reactions,
    number: usize,
    joint: &multibody::Joint,
) -> [f64; 6] {
    let Some(wrench) = found.of_joint(model, number) else {
        return [f64::NAN; 6];
    };
    let point = workspace.position(model, joint.bodies[1], joint.second_point);
    let (force, moment) = found.about(&wrench, point);
    let ([a, b, c], [d, e, f]) = (force.to_array(), moment.to_array());
    [a, b, c, d, e, f]
}
