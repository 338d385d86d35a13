//! Loops in which every joint must carry its coordinate.
//!
//! A driven joint, a screw and a joint with a rotational spring need their coordinate and cannot be
//! cut. In a loop of nothing else one of them is given an end of its own: a massless body that it
//! carries and that a `fixed` joint, cut, welds to the second body.

use crate::description::{Description, Joint, JointKind};
use crate::math::Symmetric3;
use crate::topology::{self, TopologyError};

/// Splits joints until the mechanism can be planned; what else is wrong with its graph.
pub(super) fn split_loops(description: &mut Description) -> Result<(), TopologyError> {
    loop {
        match topology::analyse(description) {
            Err(TopologyError::NeedsCoordinate { joint }) => {
                let Some(index) = splittable(description, &joint) else {
                    return Err(TopologyError::NeedsCoordinate { joint });
                };
                split(description, index);
            }
            other => return other.map(|_| ()),
        }
    }
}

/// A joint that may be in the tree and was not split before.
fn splittable(description: &Description, name: &str) -> Option<usize> {
    let index = description.joint(name)?;
    let joint = &description.joints[index];
    let split_before = description.joint(&format!("{name}.weld")).is_some();
    (joint.cut != Some(true) && !joint.kind.is_constraint_only() && !split_before).then_some(index)
}

fn split(description: &mut Description, index: usize) {
    let joint = description.joints[index].clone();
    let end = description.add_body(&format!("{}.end", joint.name), 0.0, joint.second_point, Symmetric3::default());
    let mut weld = Joint::new(
        &format!("{}.weld", joint.name),
        JointKind::Fixed,
        [end, joint.bodies[1]],
        joint.second_point,
        joint.axis,
    );
    weld.cut = Some(true);
    description.joints.push(weld);
    description.joints[index].bodies[1] = end;
}
