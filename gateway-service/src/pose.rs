//! Where the bodies of a vehicle are: the mechanism's own kinematics, from its published state.

use multibody::{BodyId, Description};
use shm_layout::signals::{Quaternion, Vector3};
use vehicle::assembly::{Setup, SetupError};
use vehicle::mechanism::Mechanism;
use vehicle::state::Stateful;

/// A body in E: a drawn point d is at p + q d q⁻¹.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// p (m).
    pub position_m: Vector3,
    /// q.
    pub orientation: Quaternion,
}

/// A vehicle's mechanism that is put where the published state says.
pub struct Poses {
    mechanism: Mechanism,
}

impl Poses {
    /// The mechanism of a vehicle.
    pub fn new(setup: &Setup) -> Result<Self, SetupError> {
        Ok(Self { mechanism: setup.mechanism()? })
    }

    /// What it is made of, without the spinning of its wheels.
    pub fn description(&self) -> &Description {
        self.mechanism.model().description()
    }

    /// Puts it where a state of `/plant_state/` says; false where that is none of this mechanism.
    pub fn take(&mut self, states: &[f64]) -> bool {
        let count = self.mechanism.save(&mut []);
        let is_usable = states.len() >= count && states[..count].iter().all(|value| value.is_finite());
        if is_usable {
            self.mechanism.load(states);
        }
        is_usable
    }

    /// All bodies but the ground, in the order of the description.
    pub fn all(&self) -> impl Iterator<Item = Pose> + '_ {
        (1..self.description().bodies.len()).map(|index| self.of(BodyId(index)))
    }

    /// One body.
    pub fn of(&self, body: BodyId) -> Pose {
        let (model, workspace) = (self.mechanism.model(), self.mechanism.workspace());
        let matrix = workspace.orientation(model, body);
        let columns = Vector3::AXES.map(|axis| nalgebra::Vector3::from((matrix * axis).to_array()));
        let rotation = nalgebra::Rotation3::from_matrix_unchecked(nalgebra::Matrix3::from_columns(&columns));
        let quaternion = nalgebra::UnitQuaternion::from_rotation_matrix(&rotation);
        let orientation = Quaternion::from_wxyz([quaternion.w, quaternion.i, quaternion.j, quaternion.k]);
        Pose { position_m: workspace.position(model, body, Vector3::ZERO), orientation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vehicle::assembly::Choice;

    /// Joints of a running mechanism stay closed: seen from both of its bodies, the point of a
    /// spherical joint is the same place to 1e-6 m, the tolerance of the loops themselves.
    #[test]
    fn joints_are_closed_in_the_poses_of_a_vehicle_that_was_driven() {
        for vehicle in ["hmmwv", "passenger-car", "tractor-semitrailer"] {
            let choice =
                Choice { manoeuvre: "drive-default".into(), vehicle: Some(vehicle.into()), ..Choice::default() };
            let setup = Setup::read(&choice, 1e-3).expect("shipped");
            let mut poses = Poses::new(&setup).expect("a mechanism");
            let mut numbers = vec![0.0; 256];
            let count = poses.mechanism.save(&mut numbers);
            // Somewhere else, with everything else as it stands.
            let base = poses.of(BodyId(1)).position_m;
            assert!(poses.take(&numbers[..count]), "{vehicle}");
            assert!((poses.of(BodyId(1)).position_m - base).norm() < 1e-12);
            assert!(!poses.take(&numbers[..count - 1]) && !poses.take(&[f64::NAN; 256]), "{vehicle}");
            let description = poses.description().clone();
            let balls = description.joints.iter().filter(|joint| joint.kind == multibody::JointKind::Spherical);
            let mut checked = 0;
            for joint in balls {
                let places = joint.bodies.map(|body| poses.of(body));
                let [one, other] = [(places[0], joint.point), (places[1], joint.second_point)]
                    .map(|(pose, drawn)| pose.position_m + pose.orientation.rotate(drawn));
                assert!((one - other).norm() < 1e-6, "{vehicle}: {}", joint.name);
                checked += 1;
            }
            assert!(checked > 0 || vehicle == "tractor-semitrailer", "{vehicle}");
        }
    }
}
