//! What the tyres put on the steering rack.
//!
//! The rack is driven, so its force is an answer and not a cause. By virtual work, the wheels'
//! forces F and torques M push the rack with
//! ```text
//! Q(x) = Σ_wheels ( F·∂r/∂x + M·∂θ/∂x ) + Σ_bodies m (g − a − ω×(ω×c))·∂c/∂x
//! ```
//! where r is the centre and θ the turn of a carrier, and c the centre of gravity of a body, when
//! the rack moves by x and no spring changes its length. The derivatives are velocities at unit
//! rack speed; they are taken once from the mechanism at rest for a row of rack positions. The
//! bodies are taken to move with the chassis (a, ω): what a bump does to a wheel's own mass, its
//! turning, and the change with wheel travel are left out. The full reaction, off the step path, is
//! in [`multibody::reaction`].

use crate::{Forces, Kinematics, Vector3, WHEELS_MAX};
use multibody::dynamics::forward;
use multibody::math::Matrix3;
use multibody::{BodyId, Inputs, Model, State, Workspace};

/// Rack positions on each side of the middle.
const SIDE: usize = 10;
/// Between two of them (m or rad).
const STEP: f64 = 0.01;
/// A linkage that opens by more than this (m) has reached its end.
const OPEN: f64 = 1e-7;
/// Rounds in which the motions of the suspensions are corrected.
const ROUNDS: usize = 30;

/// ∂r/∂x and ∂θ/∂x of one wheel, in V.
#[derive(Clone, Copy, Debug, Default)]
struct Lever {
    shift: Vector3,
    turn: Vector3,
}

/// The levers of all wheels over the rack's position.
pub struct Linkage {
    rows: Vec<Row>,
    first: f64,
    gravity: Vector3,
}

/// Levers at one rack position, in V.
struct Row {
    wheels: [Lever; WHEELS_MAX],
    /// Σ m ∂c/∂x
    mass: Vector3,
    /// Σ m ∂c/∂x cᵀ, row by row.
    moment: [Vector3; 3],
}

impl Linkage {
    /// Takes the levers from a mechanism at rest. `steered` are the driven coordinates that the
    /// rack moves, with their gains.
    #[must_use]
    pub fn new(model: &Model, rest: &State, base: BodyId, steered: &[(usize, f64)]) -> Self {
        let side = |sign: f64| {
            let mut state = rest.clone();
            let mut workspace = Workspace::new(model);
            let places = (0..=SIDE).map(|step| sign * STEP * step as f64);
            let rows = places.map_while(|x| row(model, &mut state, &mut workspace, base, steered, x));
            rows.collect::<Vec<_>>()
        };
        let (right, left) = (side(-1.0), side(1.0));
        let first = -STEP * right.len().saturating_sub(1) as f64;
        let rows = right.into_iter().skip(1).rev().chain(left).collect();
        Self { rows, first, gravity: model.description().gravity }
    }

    /// Q: force of the linkage on the rack, positive in the direction of the rack (N, or Nm for a
    /// rack in rad).
    #[must_use]
    pub fn force(&self, rack: f64, motion: &Kinematics, response: &Forces) -> f64 {
        if self.rows.is_empty() {
            return 0.0;
        }
        let place = ((rack - self.first) / STEP).clamp(0.0, (self.rows.len() - 1) as f64);
        let low = (place as usize).min(self.rows.len().saturating_sub(2));
        let high = (low + 1).min(self.rows.len() - 1);
        let share = place - low as f64;
        let seen = Seen::new(motion, response, self.gravity);
        self.rows[low].force(&seen) * (1.0 - share) + self.rows[high].force(&seen) * share
    }
}

/// What pushes the linkage, in V.
struct Seen {
    /// Forces (N) and torques (Nm) on the carriers.
    wheels: [(Vector3, Vector3); WHEELS_MAX],
    wheel_count: usize,
    /// g − a (m/s²).
    pull: Vector3,
    /// ω (rad/s).
    rate: Vector3,
}

impl Seen {
    #[inline]
    fn new(motion: &Kinematics, response: &Forces, gravity: Vector3) -> Self {
        let turned = motion.orientation.to_matrix();
        let mut seen = Self {
            wheels: [(Vector3::ZERO, Vector3::ZERO); WHEELS_MAX],
            wheel_count: response.wheels().len(),
            pull: turned.transposed_mul(gravity) - motion.acceleration_m_s2,
            rate: motion.rate_rad_s,
        };
        for (seen, wheel) in seen.wheels[..seen.wheel_count].iter_mut().zip(&response.wheels) {
            *seen = (turned.transposed_mul(wheel.force_n), turned.transposed_mul(wheel.torque_nm));
        }
        seen
    }
}

impl Row {
    #[inline]
    fn force(&self, seen: &Seen) -> f64 {
        let wheels = seen.wheels[..seen.wheel_count].iter().zip(&self.wheels);
        let of_wheels: f64 =
            wheels.map(|((force, torque), lever)| force.dot(lever.shift) + torque.dot(lever.turn)).sum();
        // ω×(ω×c) = ω (ω·c) − c ω²
        let (rate, [x, y, z]) = (seen.rate, self.moment);
        let turning =
            Vector3::new(x.dot(rate), y.dot(rate), z.dot(rate)).dot(rate) - rate.dot(rate) * (x.x + y.y + z.z);
        of_wheels + seen.pull.dot(self.mass) - turning
    }
}

/// Levers at one rack position; none where the linkage cannot reach it.
fn row(
    model: &Model,
    state: &mut State,
    workspace: &mut Workspace,
    base: BodyId,
    steered: &[(usize, f64)],
    rack: f64,
) -> Option<Row> {
    let mut inputs = Inputs::new(model);
    for (index, gain) in steered {
        inputs.driven[*index] = [gain * rack, *gain, 0.0];
    }
    state.velocity.fill(0.0);
    let status = forward(model, state, &inputs, workspace);
    if status.violation.is_nan() || status.violation > OPEN {
        return None;
    }
    let turned = workspace.orientation(model, base);
    let origin = workspace.position(model, base, model.bodies()[model.slot(base)].origin);
    let mut whole = Field::taken(model, workspace, &turned);
    // What the suspensions can do by themselves, with the rack at rest.
    inputs.driven.iter_mut().for_each(|drive| drive[1] = 0.0);
    let slot = model.slot(base);
    let carried: Vec<usize> = model.primitives()[model.bodies()[slot].primitives.clone()]
        .iter()
        .flat_map(|primitive| primitive.velocity..primitive.velocity + 3)
        .collect();
    let own: Vec<usize> = state.independent(model).filter(|velocity| !carried.contains(velocity)).collect();
    let fields: Vec<Field> = own
        .into_iter()
        .map(|velocity| {
            state.velocity.fill(0.0);
            state.velocity[velocity] = 1.0;
            forward(model, state, &inputs, workspace);
            Field::taken(model, workspace, &turned)
        })
        .collect();
    state.velocity.fill(0.0);
    whole.keep_springs(&fields);
    Some(whole.row(model, workspace, &turned, origin))
}

/// A vector of E in V.
fn turned_back(turned: &Matrix3, vector: Vector3) -> Vector3 {
    let [x, y, z] = Vector3::AXES.map(|axis| (*turned * axis).dot(vector));
    Vector3::new(x, y, z)
}

/// Velocities of the carriers and of the springs in one motion of the mechanism.
struct Field {
    levers: [Lever; WHEELS_MAX],
    /// Rate of each spring's length.
    springs: Vec<f64>,
    /// Velocity of each body's centre of gravity, in V.
    centres: Vec<Vector3>,
}

impl Field {
    fn taken(model: &Model, workspace: &Workspace, turned: &Matrix3) -> Self {
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
    fn row(&self, model: &Model, workspace: &Workspace, turned: &Matrix3, origin: Vector3) -> Row {
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
    fn keep_springs(&mut self, fields: &[Field]) {
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
