//! Compliance steer and camber: how far a wheel turns and leans on its bushings under the tyre's
//! lateral force and aligning torque.
//!
//! ```text
//! steer   δ = c_F F + t(F) + c_M M,      camber   γ = g_F F + u(F) + g_M M                     (1)
//! a' = Rot(f', γ) Rot(up, δ) a,   f' = Rot(up, δ) (a × up)                                     (2)
//! ```
//! F is positive to the left, M and δ positive about the carrier's up (to the left), γ positive
//! about the wheel's forward (the top leans to the right). t and u are tables over |F|, odd in F,
//! for bushings that stiffen. All are odd, so left and right wheels have the same numbers. a is the
//! axle, pointing left; a × up points forward.

use crate::Vector3;
use crate::files::{Curve, FileError, Source};
use crate::numbers::{Number, NumberList, bounded, finite, or_default};
use serde::Deserialize;

/// Angles are small; a file with absurd numbers must not turn a wheel around (rad).
const ANGLE_MOST: f64 = 0.5;

/// Compliance of the wheels of one axle.
#[derive(Clone, Debug, PartialEq)]
pub struct Compliance {
    steer: Law,
    camber: Law,
}

/// One line of eq. (1).
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Law {
    pub(super) rad_n: f64,
    pub(super) rad_nm: f64,
    pub(super) table: Option<Curve>,
}

impl Law {
    fn angle_rad(&self, force_n: f64, moment_nm: f64) -> f64 {
        let side = if force_n < 0.0 { -1.0 } else { 1.0 };
        let table = self.table.as_ref().map_or(0.0, |it| side * it.value(force_n.abs()));
        bounded(self.rad_n * force_n + table + self.rad_nm * moment_nm, ANGLE_MOST)
    }
}

impl Compliance {
    /// Linear coefficients, in the order of the model file's wheel: steer per force (rad/N) and per
    /// moment (rad/Nm), camber per force and per moment.
    #[must_use]
    pub fn linear([steer_n, steer_nm, camber_n, camber_nm]: [f64; 4]) -> Self {
        let law = |rad_n, rad_nm| Law { rad_n, rad_nm, table: None };
        Self { steer: law(steer_n, steer_nm), camber: law(camber_n, camber_nm) }
    }

    pub(super) fn new(steer: Law, camber: Law) -> Self {
        Self { steer, camber }
    }

    /// δ of eq. (1), positive to the left (rad).
    #[must_use]
    pub fn steer_rad(&self, force_n: f64, moment_nm: f64) -> f64 {
        self.steer.angle_rad(force_n, moment_nm)
    }

    /// γ of eq. (1), positive about the wheel's forward (rad).
    #[must_use]
    pub fn camber_rad(&self, force_n: f64, moment_nm: f64) -> f64 {
        self.camber.angle_rad(force_n, moment_nm)
    }

    /// Eq. (2): the axle (unit vector to the left) turned by the tyre's force and torque; `up` is
    /// the carrier's up. An axle that points along `up` comes back as it is.
    #[must_use]
    pub fn turned_axle(&self, axle: Vector3, up: Vector3, force_n: f64, moment_nm: f64) -> Vector3 {
        let (Some(forward), Some(up)) = (axle.cross(up).normalised(), up.normalised()) else {
            return axle;
        };
        let (steer_sine, steer_cosine) = self.steer_rad(force_n, moment_nm).sin_cos();
        let (camber_sine, camber_cosine) = self.camber_rad(force_n, moment_nm).sin_cos();
        let turned = rotated(axle, up, steer_sine, steer_cosine);
        let forward = rotated(forward, up, steer_sine, steer_cosine);
        rotated(turned, forward, camber_sine, camber_cosine)
    }
}

/// Rodrigues' rotation of a vector about a unit axis.
fn rotated(vector: Vector3, axis: Vector3, sine: f64, cosine: f64) -> Vector3 {
    vector * cosine + axis.cross(vector) * sine + axis * (axis.dot(vector) * (1.0 - cosine))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ComplianceText {
    steer_rad_n: Option<Number>,
    steer_rad_nm: Option<Number>,
    camber_rad_n: Option<Number>,
    camber_rad_nm: Option<Number>,
    force_n: Option<NumberList>,
    steer_rad: Option<NumberList>,
    camber_rad: Option<NumberList>,
}

/// The compliance of one axle: a section `compliance` of the steering file.
pub(super) fn axle(source: &Source<'_>, text: &ComplianceText) -> Result<Compliance, FileError> {
    let law = |rad_n: &Option<Number>, rad_nm: &Option<Number>, table: &Option<NumberList>| {
        Ok(Law {
            rad_n: or_default(source, rad_n.as_ref(), 0.0, finite)?,
            rad_nm: or_default(source, rad_nm.as_ref(), 0.0, finite)?,
            table: bushing(source, text, table.as_ref())?,
        })
    };
    Ok(Compliance::new(
        law(&text.steer_rad_n, &text.steer_rad_nm, &text.steer_rad)?,
        law(&text.camber_rad_n, &text.camber_rad_nm, &text.camber_rad)?,
    ))
}

fn bushing(
    source: &Source<'_>,
    text: &ComplianceText,
    angles: Option<&NumberList>,
) -> Result<Option<Curve>, FileError> {
    let Some(angles) = angles else {
        return Ok(None);
    };
    let Some(force) = &text.force_n else {
        return Err(source.fault_at(angles.span(), "expected force_n with the forces of this table: add it"));
    };
    let curve = Curve::read(source, force, angles)?;
    if curve.points()[0] != [0.0, 0.0] {
        let problem = "expected the table to begin with force 0 and angle 0, so that it is odd";
        return Err(source.fault_at(angles.span(), problem));
    }
    Ok(Some(curve))
}
