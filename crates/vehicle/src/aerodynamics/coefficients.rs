//! Three forces and three moments over the sideslip of the relative wind.
//!
//! With v the velocity of the vehicle against the air in its own plane, β = atan2(v_y, v_x) its
//! sideslip and q = ½ ρ A |v|²:
//! ```text
//! F = q (−C_X(β), −C_Y(β), C_Z(β))                 drag, side, lift                            (1)
//! M = q l (C_l(β), C_m(β), C_n(β)) + r × F         roll, pitch, yaw about V's axes             (2)
//! ```
//! l is the wheelbase and r the reference point (mostly on the ground in the middle of the
//! wheelbase). At β > 0 the air comes from the left: a positive C_Y pushes to the right. A car is
//! the same on both sides: drag, lift and pitch are even in β, side, roll and yaw are odd, so a
//! file gives β ≥ 0 only.
//!
//! Files give polynomials or tables up to some β₁ ≤ 90°, since wind tunnels do. Beyond, the vehicle
//! is taken to be the same in front and behind: with c = C(β₁), and m = −1 for drag, pitch and yaw
//! (which turn round with the wind), +1 for side, lift and roll,
//! ```text
//! C(β) = m C(π − β)  for β ≥ π − β₁,     a straight line from c to m c between β₁ and π − β₁    (3)
//! ```
//! which is continuous. A table that goes to 180° is taken as it is.

use super::{Aerodynamics, believed};
use crate::{Vector3, files};
use std::f64::consts::PI;

/// One coefficient for β ≥ 0.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Curve {
    /// c₀ + c₁ β + c₂ β² + …
    Polynomial(Vec<f64>),
    /// Points.
    Table(files::Curve),
}

impl Curve {
    fn value(&self, beta: f64) -> f64 {
        match self {
            Self::Polynomial(terms) => terms.iter().rev().fold(0.0, |sum, term| sum * beta + term),
            Self::Table(table) => table.value(beta),
        }
    }
}

/// The symmetry of a coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Symmetry {
    /// Changes its sign with β.
    pub(super) is_odd: bool,
    /// Changes its sign when the wind comes from behind.
    pub(super) turns_round: bool,
}

/// A coefficient over all β.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Coefficient {
    pub(super) curve: Curve,
    /// β₁.
    pub(super) known_to: f64,
    pub(super) symmetry: Symmetry,
}

impl Coefficient {
    /// Eq. (3).
    pub(super) fn value(&self, beta: f64) -> f64 {
        let size = beta.abs().min(PI);
        let mirror = if self.symmetry.turns_round { -1.0 } else { 1.0 };
        let value = if size <= self.known_to {
            self.curve.value(size)
        } else if size >= PI - self.known_to {
            mirror * self.curve.value(PI - size)
        } else {
            let edge = self.curve.value(self.known_to);
            let part = (size - self.known_to) / (PI - 2.0 * self.known_to);
            edge * (1.0 + (mirror - 1.0) * part)
        };
        if self.symmetry.is_odd && beta < 0.0 { -value } else { value }
    }
}

/// Parameters of eq. (1) and (2).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Coefficients {
    /// ½ ρ A (kg/m).
    pub(super) half_density_area: f64,
    /// l (m).
    pub(super) length: f64,
    /// r (m).
    pub(super) point: Vector3,
    /// C_X, C_Y, C_Z.
    pub(super) force: [Coefficient; 3],
    /// C_l, C_m, C_n.
    pub(super) moment: [Coefficient; 3],
}

impl Aerodynamics for Coefficients {
    fn wrench(&self, air_speed: Vector3) -> (Vector3, Vector3) {
        let v = believed(air_speed);
        let beta = v.y.atan2(v.x);
        let q = self.half_density_area * (v.x * v.x + v.y * v.y);
        let [drag, side, lift] = self.force.each_ref().map(|it| it.value(beta));
        let [roll, pitch, yaw] = self.moment.each_ref().map(|it| it.value(beta));
        let force = Vector3::new(-drag, -side, lift) * q;
        let moment = Vector3::new(roll, pitch, yaw) * (q * self.length);
        (force, moment + self.point.cross(force))
    }
}

/// Plain drag: against the relative wind, whatever its direction, and a lift.
///
/// ```text
/// F = −½ ρ A C_D |v| v + ½ ρ A C_L |v|² z                                                      (1)
/// M = r × F                                                                                    (2)
/// ```
/// v is the velocity of the vehicle against the air in its own plane (x, y), r the place where the
/// force acts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Drag {
    /// ½ ρ A C_D (kg/m).
    pub(super) drag: f64,
    /// ½ ρ A C_L (kg/m).
    pub(super) lift: f64,
    /// r (m).
    pub(super) point: Vector3,
}

impl Aerodynamics for Drag {
    fn wrench(&self, air_speed: Vector3) -> (Vector3, Vector3) {
        let v = believed(air_speed);
        let speed = v.x.hypot(v.y);
        let force = Vector3::new(-self.drag * speed * v.x, -self.drag * speed * v.y, self.lift * speed * speed);
        (force, self.point.cross(force))
    }
}
