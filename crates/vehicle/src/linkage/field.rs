//! One motion of the mechanism, as the levers see it.

use super::{Lever, ROUNDS, Row, turned_back};
use crate::{Vector3, WHEELS_MAX};
use multibody::math::Matrix3;
use multibody::{BodyId, Model, Workspace};

/// Velocities of the carriers and of the springs in one motion of the mechanism.
pub(super) struct Field {
    levers: [Lever; WHEELS_MAX],
    /// Rate of each spring's length.
    springs: Vec<f64>,
    /// Velocity of each body's centre of gravity, in V.
    centres: Vec<Vector3>,
}

impl Field {
    pub(super) fn taken(model: &Model, workspace: &Workspace, turned: &Matrix3) -> Self {
        let into_vehicle = |vector: Vector3| turned_back(turned, vector);
        let mut levers = [Lever::default(); WHEELS_MAX];
        for (lever, wheel) in levers.iter_mut().zip(&model.description().wheels) {
            *lever = Lever {
                shift: into_vehicle(workspace.point_velocity(model, wheel.body, wheel.centre)),
                turn: into_vehicle(workspace.body_velocity(model, wheel.body).angular),
            };
        }
        let springs = model.description().tsda.iter().map(|spring| {
            let [one, other] = [0, 1].map(|end| (spring.bodies[end], spring.points[end]));
            let along = workspace.position(model, other.0, other.1) - workspace.position(model, one.0, one.1);
            let rate =
                workspace.point_velocity(model, other.0, other.1) - workspace.point_velocity(model, one.0, one.1);
            along.normalised().map_or(0.0, |unit| unit.dot(rate))
        });
        let bodies = model.description().bodies.iter().enumerate().skip(1);
        let centres =
            bodies.map(|(number, body)| into_vehicle(workspace.point_velocity(model, BodyId(number), body.centre)));
        Self { springs: springs.collect(), centres: centres.collect(), levers }
    }

    /// The levers of this motion, with the masses that it moves.
    pub(super) fn row(&self, model: &Model, workspace: &Workspace, turned: &Matrix3, origin: Vector3) -> Row {
        let mut row = Row { wheels: self.levers, mass: Vector3::ZERO, moment: [Vector3::ZERO; 3] };
        let bodies = model.description().bodies.iter().enumerate().skip(1);
        for ((number, body), shift) in bodies.zip(&self.centres) {
            let place = workspace.position(model, BodyId(number), body.centre) - origin;
            let arm = turned_back(turned, place);
            let push = *shift * body.mass;
            row.mass += push;
            for (line, part) in row.moment.iter_mut().zip(push.to_array()) {
                *line += arm * part;
            }
        }
        row
    }

    /// Adds motions of the suspensions until no spring changes its length: then the springs do no
    /// work. Each spring belongs to one suspension or to few, so correcting one motion after the
    /// other converges in a few rounds.
    pub(super) fn keep_springs(&mut self, fields: &[Field]) {
        for _ in 0..ROUNDS {
            for field in fields {
                let size: f64 = field.springs.iter().map(|rate| rate * rate).sum();
                if size < 1e-12 {
                    continue;
                }
                let overlap: f64 = self.springs.iter().zip(&field.springs).map(|(a, b)| a * b).sum();
                let share = -overlap / size;
                for (mine, theirs) in self.springs.iter_mut().zip(&field.springs) {
                    *mine += share * theirs;
                }
                for (mine, theirs) in self.centres.iter_mut().zip(&field.centres) {
                    *mine += *theirs * share;
                }
                for (mine, theirs) in self.levers.iter_mut().zip(&field.levers) {
                    mine.shift += theirs.shift * share;
                    mine.turn += theirs.turn * share;
                }
            }
        }
    }
}
