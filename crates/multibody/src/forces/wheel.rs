//! Wheels, and what a tyre model is told and asked.

use super::{Attachment, SimpleTyre};
use crate::description::BodyId;
use crate::dynamics::Workspace;
use crate::math::{Force, Vector3};
use crate::model::{Model, PrimitiveKind};

/// A wheel, as described.
#[derive(Clone, Debug, PartialEq)]
pub struct Wheel {
    /// Unique name.
    pub name: String,
    /// The spinning body; with a spin inertia, its carrier.
    pub body: BodyId,
    /// `m` Centre in the drawing.
    pub centre: Vector3,
    /// Unit axis; the wheel rolls forward for positive spin.
    pub axis: Vector3,
    /// [kg m²] Adds the spin as a freedom.
    pub spin_inertia: Option<f64>,
    /// [rad/s] Initial spin.
    pub spin: f64,
    /// The simple tyre.
    pub tyre: SimpleTyre,
    /// Suspension compliance: steer per force [rad/N] and moment [rad/Nm], camber per force and
    /// moment.
    pub compliance: [f64; 4],
}

/// What a tyre model is told of its wheel: all in earth axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactState {
    /// `m` Centre of the wheel on the earth.
    pub centre: Vector3,
    /// [m/s] Velocity of the centre.
    pub centre_velocity: Vector3,
    /// Unit axis of the wheel.
    pub axis: Vector3,
    /// [rad/s] Angular velocity of the spinning body.
    pub angular_velocity: Vector3,
}

/// A model of tyre forces: the simple one here, real ones elsewhere.
pub trait Tyre {
    /// Force `N` at the wheel's centre and moment `Nm` about it, earth axes, on wheel number
    /// `wheel`.
    fn wrench(&mut self, wheel: usize, state: &ContactState) -> (Vector3, Vector3);

    /// The same for a wheel and its successor, with the same bits: a model may take both at once.
    #[inline]
    fn wrenches(&mut self, first: usize, states: [&ContactState; 2]) -> [(Vector3, Vector3); 2] {
        [self.wrench(first, states[0]), self.wrench(first + 1, states[1])]
    }
}

/// The tyres of the model file.
impl Tyre for &[Wheel] {
    #[inline]
    fn wrench(&mut self, wheel: usize, state: &ContactState) -> (Vector3, Vector3) {
        self[wheel].tyre.forces(state)
    }

    #[inline]
    fn wrenches(&mut self, first: usize, states: [&ContactState; 2]) -> [(Vector3, Vector3); 2] {
        SimpleTyre::forces_of_two([&self[first].tyre, &self[first + 1].tyre], states)
    }
}

/// Wheels in the air.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTyres;

impl Tyre for NoTyres {
    fn wrench(&mut self, _wheel: usize, _state: &ContactState) -> (Vector3, Vector3) {
        (Vector3::ZERO, Vector3::ZERO)
    }
}

/// A wheel, resolved.
#[derive(Clone, Debug)]
pub(crate) struct Contact {
    at: Attachment,
    /// Slot whose rotation counts: that of the carrier, if the step does not turn the wheel.
    frame: usize,
    axis: Vector3,
    /// The wheel spins about its own axis, and its centre is the hinge: velocity coordinate of the
    /// hinge.
    hinge: Option<usize>,
}

impl Contact {
    pub(super) fn new(model: &Model, it: &Wheel) -> Self {
        let at = Attachment::new(model, it.body, it.centre);
        let body = &model.bodies()[at.slot];
        Self {
            at,
            frame: if body.rotor.is_some() { body.parent } else { at.slot },
            axis: it.axis,
            hinge: hinge(model, it),
        }
    }

    /// Where the centre is from the pole, and the axis.
    #[inline]
    fn place(&self, workspace: &Workspace) -> (Vector3, Vector3) {
        match self.hinge {
            Some(column) => (workspace.frame[self.at.slot].origin, workspace.axis[column].angular),
            None => {
                let rotation = workspace.frame[self.frame].rotation;
                let point = workspace.frame[self.at.slot].origin + rotation * self.at.local;
                (point, rotation * self.axis)
            }
        }
    }

    /// Where the wheel is and how it moves, and where its centre is from the pole.
    #[inline]
    pub(crate) fn state(&self, workspace: &Workspace) -> (ContactState, Vector3) {
        let (point, axis) = self.place(workspace);
        let velocity = workspace.frame[self.at.slot].velocity;
        let state = ContactState {
            centre: point + workspace.pole,
            centre_velocity: velocity.at(point),
            axis,
            angular_velocity: velocity.angular,
        };
        (state, point)
    }

    /// Adds the forces of all tyres, two by two.
    #[inline]
    pub(crate) fn apply_all(wheels: &[Self], tyre: &mut impl Tyre, workspace: &mut Workspace) {
        let (twos, last) = wheels.as_chunks::<2>();
        for (number, [one, other]) in twos.iter().enumerate() {
            let ((first, at), (second, other_at)) = (one.state(workspace), other.state(workspace));
            let [wrench, other_wrench] = tyre.wrenches(2 * number, [&first, &second]);
            one.push(at, wrench, workspace);
            other.push(other_at, other_wrench, workspace);
        }
        for wheel in last {
            let (state, at) = wheel.state(workspace);
            let wrench = tyre.wrench(wheels.len() - 1, &state);
            wheel.push(at, wrench, workspace);
        }
    }

    #[inline(always)]
    fn push(&self, at: Vector3, (force, moment): (Vector3, Vector3), workspace: &mut Workspace) {
        workspace.force[self.at.slot] += Force { moment: at.cross(force) + moment, force };
    }
}

fn hinge(model: &Model, it: &Wheel) -> Option<usize> {
    let body = &model.bodies()[model.slot(it.body)];
    let [primitive] = &model.primitives()[body.primitives.clone()] else {
        return None;
    };
    let PrimitiveKind::Revolute { axis } = primitive.kind else {
        return None;
    };
    let centred = (it.centre - body.origin).norm() == 0.0;
    (centred && axis == it.axis).then_some(primitive.velocity)
}
