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
    #[inline]
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
    /// Eq. (1)–(3). The ground is level, so that with a the axis: along = (a_y, −a_x, 0)/√(a_x² + a_y²), across = (−along_y, along_x, 0),
    /// and the contact point is at (0, 0, −h) from the centre.
    #[inline]
    #[must_use]
    pub fn forces(&self, state: &ContactState) -> (Vector3, Vector3) {
        let (height, v, w, a) = (
            state.centre.z,
            state.centre_velocity,
            state.angular_velocity,
            state.axis,
        );
        let load = (self.stiffness * (self.radius - height) - self.damping * v.z).max(0.0);
        if height >= self.radius || load == 0.0 {
            return (Vector3::ZERO, Vector3::ZERO);
        }
        let level = (a.x * a.x + a.y * a.y).sqrt();
        if !(self.friction > 0.0 && level > 0.0 && level.is_finite()) {
            return (Vector3::new(0.0, 0.0, load), Vector3::ZERO);
        }
        let inverse = 1.0 / level;
        let (along_x, along_y) = (a.y * inverse, -a.x * inverse);
        let speed = v.x * along_x + v.y * along_y;
        let sliding = speed + height * (w.x * along_y - w.y * along_x);
        let inverse = 1.0 / (speed.abs() + SPEED_FLOOR);
        let x = -self.slip_stiffness * sliding * inverse;
        let y = -self.cornering * (v.y * along_x - v.x * along_y) * inverse;
        let limit = self.friction * load;
        let scale = limit / (limit * limit + (x * x + y * y)).sqrt();
        let (x, y) = (x * scale, y * scale);
        let force = Vector3::new(along_x * x - along_y * y, along_y * x + along_x * y, load);
        (force, Vector3::new(height * force.y, -height * force.x, 0.0))
    }
}

/// A wheel, resolved.
#[derive(Clone, Debug)]
pub(crate) struct Contact {
    at: Attachment,
    /// Slot whose rotation counts: that of the carrier, if the step does not turn the wheel.
    frame: usize,
    axis: Vector3,
    /// The wheel spins about its own axis, and its centre is the hinge: velocity coordinate of the hinge.
    hinge: Option<usize>,
}

impl Contact {
    pub(super) fn new(model: &Model, it: &Wheel) -> Self {
        let at = Attachment::new(model, it.body, it.centre);
        let body = &model.bodies()[at.slot];
        Self {
            at,
            frame: if body.rotor.is_some() {
                body.parent
            } else {
                at.slot
            },
            axis: it.axis,
            hinge: hinge(model, it),
        }
    }

    /// Where the centre is from the pole, and the axis.
    #[inline]
    fn place(&self, workspace: &Workspace) -> (Vector3, Vector3) {
        match self.hinge {
            Some(column) => (workspace.origin[self.at.slot], workspace.axis[column].angular),
            None => {
                let rotation = workspace.rotation[self.frame];
                let point = workspace.origin[self.at.slot] + rotation * self.at.local;
                (point, rotation * self.axis)
            }
        }
    }

    /// Where the wheel is and how it moves, and where its centre is from the pole.
    #[inline]
    pub(crate) fn state(&self, workspace: &Workspace) -> (ContactState, Vector3) {
        let (point, axis) = self.place(workspace);
        let velocity = workspace.velocity[self.at.slot];
        let state = ContactState {
            centre: point + workspace.pole,
            centre_velocity: velocity.at(point),
            axis,
            angular_velocity: velocity.angular,
        };
        (state, point)
    }

    #[inline]
    pub(crate) fn apply(&self, number: usize, tyre: &mut impl Tyre, workspace: &mut Workspace) {
        let (state, point) = self.state(workspace);
        let (force, moment) = tyre.wrench(number, &state);
        workspace.force[self.at.slot] += Force {
            moment: point.cross(force) + moment,
            force,
        };
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
