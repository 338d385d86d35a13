//! The names of the numbers of a state: the joint, which of its motions, the unit.

use super::{Model, PrimitiveKind};
use crate::math::Vector3;

impl Model {
    /// One for each position of the tree: `chassis_z_m`, `arm_rad`; a ball has a quaternion.
    pub fn position_names(&self) -> Vec<String> {
        self.coordinate_names(|kind| match kind {
            PrimitiveKind::Translation { .. } => &["m"],
            PrimitiveKind::Ball => &["quaternion_w", "quaternion_x", "quaternion_y", "quaternion_z"],
            _ => &["rad"],
        })
    }

    /// One for each velocity of the tree: `chassis_z_m_s`, `arm_rad_s`; a ball has the angular
    /// velocity in the axes of the body that it carries.
    pub fn velocity_names(&self) -> Vec<String> {
        self.coordinate_names(|kind| match kind {
            PrimitiveKind::Translation { .. } => &["m_s"],
            PrimitiveKind::Ball => &["roll_rad_s", "pitch_rad_s", "yaw_rad_s"],
            _ => &["rad_s"],
        })
    }

    fn coordinate_names(&self, endings: fn(&PrimitiveKind) -> &'static [&'static str]) -> Vec<String> {
        let slots = self.bodies.iter().filter(|slot| !slot.primitives.is_empty());
        let names = slots.flat_map(|slot| {
            let joint = self.joint_name(slot.id.0);
            let kinds: Vec<&PrimitiveKind> =
                self.primitives[slot.primitives.clone()].iter().map(|it| &it.kind).collect();
            let motions = (0..kinds.len()).map(|place| (kinds[place], which(&kinds, place)));
            let names = motions.flat_map(|(kind, which)| {
                endings(kind).iter().map(|ending| format!("{joint}{which}_{ending}")).collect::<Vec<_>>()
            });
            names.collect::<Vec<_>>()
        });
        names.collect()
    }

    /// The joint that carries a body; the body itself where a joint is implied.
    pub(crate) fn joint_name(&self, body: usize) -> &str {
        let joint = self.plan.tree[body].as_ref().and_then(|edge| edge.joint);
        joint.map_or(&self.description.bodies[body].name, |joint| &self.description.joints[joint].name)
    }
}

/// What tells a motion from others of its kind in the same joint.
fn which(kinds: &[&PrimitiveKind], place: usize) -> &'static str {
    let is_shift = |kind: &PrimitiveKind| matches!(kind, PrimitiveKind::Translation { .. });
    let alike = |kind: &&&PrimitiveKind| is_shift(kind) == is_shift(kinds[place]);
    if kinds.iter().filter(alike).count() == 1 {
        return "";
    }
    match kinds[place] {
        PrimitiveKind::Translation { axis } => {
            let letters = Vector3::AXES.iter().zip(["_x", "_y", "_z"]);
            let along =
                letters.max_by(|(one, _), (other, _)| axis.dot(**one).abs().total_cmp(&axis.dot(**other).abs()));
            along.map_or("", |(_, letter)| letter)
        }
        _ => ["_first", "_second", "_third"][kinds[..place].iter().filter(alike).count().min(2)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name for each number of every shipped mechanism, and none twice.
    #[test]
    fn every_coordinate_has_a_name_of_its_own() {
        for name in crate::shipped::names() {
            let model = Model::new(&crate::shipped::description(name).expect("shipped")).expect("a model");
            let counts = (model.position_count(), model.velocity_count());
            for (mut names, count) in [(model.position_names(), counts.0), (model.velocity_names(), counts.1)] {
                assert_eq!(names.len(), count, "{name}: {names:?}");
                names.sort_unstable();
                names.dedup();
                assert_eq!(names.len(), count, "{name}: {names:?}");
            }
        }
        let model = Model::new(&crate::shipped::description("pendulum").expect("shipped")).expect("a model");
        assert_eq!(
            (model.position_names(), model.velocity_names()),
            (vec!["pivot_rad".into()], vec!["pivot_rad_s".into()])
        );
    }
}
