//! Whether a peer's mechanism is ours: the same accelerations of all bodies in the same state, or
//! no ratio is printed.
//!
//! The state goes to the peer as poses and velocities of bodies, which mean the same to everybody;
//! what comes back is, for each body, the angular acceleration and the acceleration of the centre
//! of gravity in earth axes. The rack is free on both sides, or driven with us and standing still,
//! and welded to the chassis with the peer. There are no tyres.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use multibody::dynamics::evaluate;
use multibody::forces::NoTyres;
use multibody::math::{Matrix3, Vector3};
use multibody::{BodyId, Description, Model, Workspace};
use serde_json::{Value, json};

use super::ours::Vehicle;

/// Steps between the push and the moment when the state is taken: enough for every joint to have
/// left its place.
const MOVING_STEPS: u64 = 100;
const PUSH: f64 = 0.3;

/// A state of the mechanism with our accelerations in it.
#[derive(Debug)]
pub struct Question {
    state: Value,
    answer: Vec<f64>,
}

/// What becomes of the joints that are driven with us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rack {
    /// They are freedoms.
    Free,
    /// They do not move: the peer has one body where we have two.
    Welded,
}

impl Rack {
    fn description(self, description: &Description) -> Description {
        match self {
            Self::Free => free_rack(description),
            Self::Welded => description.clone(),
        }
    }
}

impl Question {
    /// At rest, with springs: the vehicle stands, and its tyres vanish.
    pub fn at_rest(description: &Description, rack: Rack) -> Result<Self> {
        let mut vehicle = Vehicle::new(&rack.description(description))?;
        Ok(Self::of(&mut vehicle))
    }

    /// In motion, with gravity as the only force.
    pub fn in_motion(description: &Description, rack: Rack) -> Result<Self> {
        let mut description = rack.description(description);
        let mut vehicle = Vehicle::new(&description)?;
        vehicle.hold();
        vehicle.push(PUSH);
        (0..MOVING_STEPS).for_each(|_| vehicle.step());
        vehicle.check_whole()?;
        description.tsda.clear();
        vehicle.model = Model::new(&description)?;
        Ok(Self::of(&mut vehicle))
    }

    fn of(vehicle: &mut Vehicle) -> Self {
        let (model, workspace) = (&vehicle.model, &mut vehicle.workspace);
        evaluate(model, &mut vehicle.state, &vehicle.inputs, &mut NoTyres, workspace);
        let bodies = bodies_with_centres(model.description());
        let poses: Vec<Value> = bodies.iter().map(|(body, _)| pose(model, workspace, *body)).collect();
        Self {
            answer: bodies.iter().flat_map(|(body, centre)| accelerations(model, workspace, *body, *centre)).collect(),
            state: json!({ "bodies": poses }),
        }
    }

    /// Writes the state for a peer to read.
    pub fn write(&self, path: &Path) -> Result<()> {
        Ok(fs::write(path, self.state.to_string())?)
    }

    /// Largest difference to our accelerations, relative to the largest of ours of the same kind
    /// (rad/s² or m/s²).
    pub fn difference(&self, found: &[f64]) -> Result<f64> {
        let (expected, count) = (self.answer.len(), found.len());
        ensure!(expected == count, "{expected} accelerations were expected, {count} came");
        let kind = |index: usize| (index / 3) % 2;
        let mut largest = [0.0_f64; 2];
        let mut difference = [0.0_f64; 2];
        for (index, (ours, theirs)) in self.answer.iter().zip(found).enumerate() {
            ensure!(theirs.is_finite(), "acceleration {index} is not a number");
            largest[kind(index)] = largest[kind(index)].max(ours.abs());
            difference[kind(index)] = difference[kind(index)].max((ours - theirs).abs());
        }
        Ok((difference[0] / largest[0]).max(difference[1] / largest[1]))
    }
}

/// The same vehicle with a rack that moves as it likes: the peers know no driven joint.
pub fn free_rack(description: &Description) -> Description {
    let mut free = description.clone();
    free.joints.iter_mut().for_each(|joint| joint.driven = false);
    free
}

/// The peer's bodies and their centres of gravity: what hangs on a driven joint is one with the
/// body before it.
fn bodies_with_centres(description: &Description) -> Vec<(BodyId, Vector3)> {
    let mut masses: Vec<(f64, Vector3)> = description.bodies.iter().map(|body| (body.mass, body.centre)).collect();
    let driven = description.joints.iter().filter(|joint| joint.driven);
    for [first, second] in driven.map(|joint| joint.bodies) {
        let ((kept, at), (lost, its)) = (masses[first.0], masses[second.0]);
        let mass = kept + lost;
        masses[first.0] = (mass, (at * kept + its * lost) * (1.0 / mass));
        masses[second.0].0 = f64::NAN;
    }
    let bodies = masses.into_iter().enumerate().skip(1);
    bodies.filter(|(_, (mass, _))| !mass.is_nan()).map(|(number, (_, centre))| (BodyId(number), centre)).collect()
}

/// Rotation by rows, the place and velocity of the drawing's origin that the body carries, angular
/// velocity.
fn pose(model: &Model, workspace: &Workspace, body: BodyId) -> Value {
    let origin = Vector3::ZERO;
    json!({
        "name": model.description().bodies[body.0].name,
        "rotation": rows(&workspace.orientation(model, body)),
        "origin": workspace.position(model, body, origin).to_array(),
        "velocity": workspace.point_velocity(model, body, origin).to_array(),
        "angular_velocity": workspace.body_velocity(model, body).angular.to_array(),
    })
}

fn rows(matrix: &Matrix3) -> [[f64; 3]; 3] {
    let columns = matrix.columns.map(Vector3::to_array);
    std::array::from_fn(|row| columns.map(|column| column[row]))
}

/// Angular acceleration, then that of the centre of gravity.
fn accelerations(model: &Model, workspace: &Workspace, body: BodyId, centre: Vector3) -> [f64; 6] {
    let angular = workspace.body_acceleration(model, model.slot(body)).angular;
    let linear = workspace.point_acceleration(model, body, centre);
    let ([a, b, c], [d, e, f]) = (angular.to_array(), linear.to_array());
    [a, b, c, d, e, f]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groups::multibody::ours::describe;

    #[test]
    fn another_mechanism_is_noticed() {
        let description = describe("hmmwv").unwrap();
        let ours = Question::in_motion(&description, Rack::Free).unwrap();
        assert_eq!(ours.difference(&ours.answer).unwrap(), 0.0);
        let mut other = description.clone();
        let wheel = other.body("wheel_fl").unwrap();
        other.bodies[wheel.0].mass *= 1.01;
        let theirs = Question::in_motion(&other, Rack::Free).unwrap();
        assert!(ours.difference(&theirs.answer).unwrap() > 1e-4);
    }

    #[test]
    fn a_peer_that_says_less_is_refused() {
        let question = Question::at_rest(&describe("hmmwv").unwrap(), Rack::Free).unwrap();
        assert!(question.difference(&[1.0, 2.0]).is_err());
        let nonsense = vec![f64::NAN; question.answer.len()];
        assert!(question.difference(&nonsense).is_err());
    }

    #[test]
    fn a_welded_rack_is_no_body() {
        let description = describe("hmmwv").unwrap();
        let free = Question::in_motion(&description, Rack::Free).unwrap();
        let welded = Question::in_motion(&description, Rack::Welded).unwrap();
        assert_eq!(free.answer.len(), welded.answer.len() + 6);
    }
}
