//! Wheels, and the simplest tyre that lets a vehicle stand and roll.
//!
//! The ground is the plane z = 0 of the earth. The tyre is a spring normal to it, with the deflection measured at the
//! wheel's centre, and slip forces that are linear at small slip and limited by friction:
//! ```text
//! δ = R − h,   N = max(0, k δ − c ḣ)                                                          (1)
//! s = −(v_sx, v_sy) / (|v_x| + v₀),   F = (C_x s_x, C_y s_y)                                   (2)
//! F ← F / √(1 + |F|²/(μN)²)                                                                   (3)
//! ```
//! h is the height of the centre, v_sx the sliding velocity of the contact point along the wheel, v_sy across it.

use super::Attachment;
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
    /// Suspension compliance: steer per force [rad/N] and moment [rad/Nm], camber per force and moment.
    pub compliance: [f64; 4],
}

/// Parameters of eq. (1)–(3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimpleTyre {
    /// `m` R
    pub radius: f64,
    /// [N/m] k
    pub stiffness: f64,
    /// [Ns/m] c
    pub damping: f64,
    /// μ
    pub friction: f64,
    /// [N/rad] C_y
    pub cornering: f64,
    /// `N` C_x
    pub slip_stiffness: f64,
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
    /// Force `N` at the wheel's centre and moment `Nm` about it, earth axes, on wheel number `wheel`.
    fn wrench(&mut self, wheel: usize, state: &ContactState) -> (Vector3, Vector3);
}

/// The tyres of the model file.
impl Tyre for &[Wheel] {
    fn wrench(&mut self, wheel: usize, state: &ContactState) -> (Vector3, Vector3) {
        self[wheel].tyre.forces(state)
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

/// [m/s] v₀: below this speed slip turns into a damper.
const SPEED_FLOOR: f64 = 1.0;

impl SimpleTyre {
    /// Eq. (1)–(3).
    #[must_use]
    pub fn forces(&self, state: &ContactState) -> (Vector3, Vector3) {
        let height = state.centre.z;
        let load =
            (self.stiffness * (self.radius - height) - self.damping * state.centre_velocity.z).max(0.0);
        if height >= self.radius || load == 0.0 {
            return (Vector3::ZERO, Vector3::ZERO);
        }
        let up = Vector3::AXES[2];
        let mut force = up * load;
        let arm = up * -height;
        if let (Some(along), true) = (state.axis.cross(up).normalised(), self.friction > 0.0) {
            let across = up.cross(along);
            let sliding = state.centre_velocity + state.angular_velocity.cross(arm);
            let reference = state.centre_velocity.dot(along).abs() + SPEED_FLOOR;
            let x = -self.slip_stiffness * sliding.dot(along) / reference;
            let y = -self.cornering * state.centre_velocity.dot(across) / reference;
            let limit = self.friction * load;
            let scale = 1.0 / (1.0 + (x * x + y * y) / (limit * limit)).sqrt();
            force += along * (x * scale) + across * (y * scale);
        }
        (force, arm.cross(force))
    }
}

/// A wheel, resolved.
#[derive(Clone, Debug)]
pub(crate) struct Contact {
    at: Attachment,
    axis: Vector3,
    /// The wheel spins about its own axis, and its centre is the hinge: velocity coordinate of the hinge.
    hinge: Option<usize>,
}

impl Contact {
    pub(super) fn new(model: &Model, it: &Wheel) -> Self {
        Self {
            at: Attachment::new(model, it.body, it.centre),
            axis: it.axis,
            hinge: hinge(model, it),
        }
    }

    /// Where the centre is from the pole, and the axis.
    #[inline]
    fn place(&self, workspace: &Workspace) -> (Vector3, Vector3) {
        match self.hinge {
            Some(column) => (workspace.origin[self.at.slot], workspace.axis[column].angular),
            None => (
                workspace.point(self.at),
                workspace.rotation[self.at.slot] * self.axis,
            ),
        }
    }

    #[inline]
    pub(crate) fn apply(&self, number: usize, tyre: &mut impl Tyre, workspace: &mut Workspace) {
        let (point, axis) = self.place(workspace);
        let velocity = workspace.velocity[self.at.slot];
        let state = ContactState {
            centre: point + workspace.pole,
            centre_velocity: velocity.at(point),
            axis,
            angular_velocity: velocity.angular,
        };
        let (force, moment) = tyre.wrench(number, &state);
        workspace.force[self.at.slot] += Force::at(force, point) + Force::torque(moment);
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
