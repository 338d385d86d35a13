//! Scratch memory of an evaluation: allocated once, grouped by the pass that fills it.

use super::frame::Frame;
use super::lanes::Lanes;
use crate::description::BodyId;
use crate::forces::{Attachment, ContactState};
use crate::math::{Force, Inertia, Matrix3, Motion, RigidOf, Vector3, sin_cos};
use crate::model::{Model, Primitive, PrimitiveKind, Row};

/// Everything that an evaluation computes.
#[derive(Clone, Debug)]
pub struct Workspace {
    // Forward pass, by slot.
    pub(crate) pole: Vector3,
    pub(crate) frame: Vec<Frame<f64>>,
    /// Angles of the rotors, whose rotations are those of their carriers.
    pub(crate) spin: Vec<f64>,
    // Forward pass, by velocity coordinate.
    pub(crate) axis: Vec<Motion>,
    /// c of eq. (3).
    pub(crate) offset: Vec<f64>,
    // Loops.
    pub(crate) wrench: Vec<Force>,
    pub(crate) violation: Vec<f64>,
    /// Φ_d factored, for each cluster.
    pub(crate) factor: Vec<f64>,
    pub(crate) pivots: Vec<usize>,
    pub(crate) factored: Vec<bool>,
    /// Between the stages of a step the independent coordinates stay what they are.
    pub(crate) hold_partition: bool,
    /// −Φ_d⁻¹ Φ_i: column by column, for each cluster.
    pub(crate) embedding: Vec<f64>,
    pub(crate) scratch: Vec<f64>,
    pub(crate) scratch_columns: Vec<usize>,
    /// U of eq. (4): body by body, for each cluster.
    pub(crate) unit_motion: Vec<Motion>,
    /// What the kernels for small clusters remember.
    pub(crate) lanes: Lanes,
    // Forces.
    pub(crate) force: Vec<Force>,
    pub(crate) joint_force: Vec<f64>,
    // Backward pass.
    pub(crate) inertia: Vec<Inertia>,
    /// m of eq. (6) factored, for each cluster.
    pub(crate) mass: Vec<f64>,
    /// L of eq. (6).
    pub(crate) coupling: Vec<Force>,
    pub(crate) unit_force: Vec<Force>,
    /// m⁻¹ g.
    pub(crate) response: Vec<f64>,
    // Outward pass.
    /// A of eq. (1), by slot.
    pub(crate) free_acceleration: Vec<Motion>,
    /// z̈ of all coordinates.
    pub(crate) acceleration: Vec<f64>,
}

impl Workspace {
    /// Memory for a model.
    pub fn new(model: &Model) -> Self {
        let (bodies, velocities, rows) = (model.bodies.len(), model.velocity_count(), model.rows.len());
        let last = model.clusters.last();
        let width = |it: &crate::model::Cluster| it.velocities.len();
        let motions = last.map_or(0, |it| it.motions + it.bodies.len() * width(it));
        let matrices = last.map_or(0, |it| it.matrices + width(it) * width(it));
        let largest = model.clusters.iter().map(|it| width(it).max(it.rows.len())).max().unwrap_or(0);
        Self {
            pole: Vector3::ZERO,
            frame: vec![Frame::default(); bodies],
            spin: vec![0.0; bodies],
            axis: vec![Motion::ZERO; velocities],
            offset: vec![0.0; velocities],
            wrench: vec![Force::ZERO; rows],
            violation: vec![0.0; rows],
            factor: vec![0.0; matrices],
            pivots: vec![0; velocities],
            factored: vec![false; model.clusters.len()],
            hold_partition: false,
            embedding: vec![0.0; matrices],
            scratch: vec![0.0; largest * (largest + 2) + 8],
            scratch_columns: vec![0; largest],
            unit_motion: vec![Motion::ZERO; motions],
            lanes: Lanes::new(&model.schedule),
            force: vec![Force::ZERO; bodies],
            joint_force: vec![0.0; velocities],
            inertia: vec![Inertia::ZERO; bodies],
            mass: vec![0.0; matrices],
            coupling: vec![Force::ZERO; velocities],
            unit_force: vec![Force::ZERO; largest],
            response: vec![0.0; velocities],
            free_acceleration: vec![Motion::ZERO; bodies],
            acceleration: vec![0.0; velocities],
        }
    }

    /// Accelerations of all joint coordinates: the result of an evaluation.
    pub fn acceleration(&self) -> &[f64] {
        &self.acceleration
    }

    /// `m` The point of the earth that velocities and forces are taken at.
    pub fn pole(&self) -> Vector3 {
        self.pole
    }

    /// `m` Where a point of the drawing that a body carries is on the earth.
    pub fn position(&self, model: &Model, body: BodyId, drawn: Vector3) -> Vector3 {
        self.turned_point(model, Attachment::new(model, body, drawn)) + self.pole
    }

    /// [m/s] How fast it moves.
    pub fn point_velocity(&self, model: &Model, body: BodyId, drawn: Vector3) -> Vector3 {
        let at = Attachment::new(model, body, drawn);
        self.frame[at.slot].velocity.at(self.turned_point(model, at))
    }

    /// [m/s²] Its acceleration: after an evaluation.
    pub fn point_acceleration(&self, model: &Model, body: BodyId, drawn: Vector3) -> Vector3 {
        let at = Attachment::new(model, body, drawn);
        let (point, velocity) = (self.turned_point(model, at), self.frame[at.slot].velocity);
        self.body_acceleration(model, at.slot).at(point) + velocity.angular.cross(velocity.at(point))
    }

    /// V̇ of a slot: after an evaluation.
    pub fn body_acceleration(&self, model: &Model, slot: usize) -> Motion {
        let gravity = Motion::translation(model.description.gravity);
        self.proper_acceleration(model, slot) + gravity
    }

    /// V̇ of a slot less gravity; that of a rotor by way of its carrier, because the step does not
    /// keep it.
    pub(crate) fn proper_acceleration(&self, model: &Model, slot: usize) -> Motion {
        let body = &model.bodies[slot];
        if body.rotor.is_none() {
            return self.free_acceleration[slot] + self.frame[slot].bias;
        }
        let column = model.primitives[body.primitives.start].velocity;
        let (carrier, relative) =
            (self.frame[body.parent].velocity, self.frame[slot].velocity - self.frame[body.parent].velocity);
        self.proper_acceleration(model, body.parent)
            + carrier.cross(&relative)
            + self.axis[column] * self.acceleration[column]
    }

    /// Rotation of a slot as the step has it: that of a rotor is its carrier's.
    fn unspun(&self, model: &Model, slot: usize) -> &Matrix3 {
        let body = &model.bodies[slot];
        &self.frame[if body.rotor.is_some() { body.parent } else { slot }].rotation
    }

    /// Rotation of a body from the design position.
    pub fn orientation(&self, model: &Model, body: BodyId) -> Matrix3 {
        self.turned(model, model.slot(body))
    }

    /// Rotation of a slot; the step leaves out the spin of rotors, which nothing in it needs.
    fn turned(&self, model: &Model, slot: usize) -> Matrix3 {
        let (body, rotation) = (&model.bodies[slot], *self.unspun(model, slot));
        match model.primitives[body.primitives.clone()] {
            [Primitive { kind: PrimitiveKind::Revolute { axis }, .. }] if body.rotor.is_some() => {
                let (sine, cosine) = sin_cos(self.spin[slot]);
                rotation * Matrix3::about(axis, sine, cosine)
            }
            _ => rotation,
        }
    }

    fn turned_point(&self, model: &Model, at: Attachment) -> Vector3 {
        self.frame[at.slot].origin + self.turned(model, at.slot) * at.local
    }

    /// Velocity of a body at the pole.
    pub fn body_velocity(&self, model: &Model, body: BodyId) -> Motion {
        self.frame[model.slot(body)].velocity
    }

    /// Where the wheels are and how they move, in the order of the description.
    pub fn wheels<'a>(&'a self, model: &'a Model) -> impl ExactSizeIterator<Item = ContactState> + 'a {
        model.forces.wheels.iter().map(|wheel| wheel.state(self).0)
    }

    /// A wrench at the pole that acts on a body besides those of the force elements: between
    /// forward and backward pass.
    pub fn add_force(&mut self, model: &Model, body: BodyId, force: Force) {
        self.force[model.slot(body)] += force;
    }

    /// A generalised force on a velocity coordinate: between forward and backward pass.
    pub fn add_joint_force(&mut self, velocity: usize, force: f64) {
        self.joint_force[velocity] += force;
    }

    /// Largest violation of a loop.
    pub fn violation_max(&self) -> f64 {
        self.violation.iter().fold(0.0, |max, it| it.abs().max(max))
    }

    #[inline]
    pub(crate) fn point(&self, at: Attachment) -> Vector3 {
        self.frame[at.slot].point(at.local)
    }

    /// Direction of the constraint force of a row.
    pub(crate) fn row_wrench(&self, row: &Row) -> Force {
        row.evaluate(&self.frame[row.bodies[0]], &self.frame[row.bodies[1]]).1
    }

    #[inline]
    pub(crate) fn row_bias(&self, row: &Row) -> f64 {
        row.bias(&self.frame[row.bodies[0]], &self.frame[row.bodies[1]])
    }

    /// `J` Kinetic energy: after a forward pass.
    pub fn kinetic_energy(&self, model: &Model) -> f64 {
        let energy = |slot: usize| 0.5 * self.momentum_of(model, slot).dot(&self.frame[slot].velocity);
        (1..model.bodies.len()).map(energy).sum()
    }

    /// `J` Energy in gravity and springs: after a forward pass.
    pub fn potential_energy(&self, model: &Model, state: &crate::State) -> f64 {
        let height = |slot: usize| {
            let body = &model.bodies[slot];
            let centre = self.frame[slot].origin + *self.unspun(model, slot) * body.centre + self.pole;
            -body.mass * model.description.gravity.dot(centre)
        };
        (1..model.bodies.len()).map(height).sum::<f64>() + model.forces.energy(state, self)
    }

    /// Momentum of all bodies at the pole.
    pub fn momentum(&self, model: &Model) -> Force {
        (1..model.bodies.len()).fold(Force::ZERO, |sum, slot| sum + self.momentum_of(model, slot))
    }

    fn momentum_of(&self, model: &Model, slot: usize) -> Force {
        self.rigid_inertia(model, slot).mul(&self.frame[slot].velocity)
    }

    #[inline]
    pub(crate) fn rigid_inertia(&self, model: &Model, slot: usize) -> Inertia {
        let (body, rotation) = (&model.bodies[slot], self.unspun(model, slot));
        let centre = self.frame[slot].origin + *rotation * body.centre;
        Inertia::rigid(&RigidOf::new(body.mass, centre, body.inertia.rotated(rotation)))
    }
}
