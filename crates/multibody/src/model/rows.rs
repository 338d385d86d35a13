//! Constraint rows of cut joints.
//!
//! Body i is the first, j the second; d = p_j − p_i. Three kinds of row make up all joints:
//! ```text
//! plane      Φ = n_i · d − o            point of j stays in a plane that i carries            (1)
//! angle      Φ = a_i · b_j − o          directions keep their angle                           (2)
//! distance   Φ = (d · d − l²) / 2l      points keep their distance                            (3)
//! ```
//! The rate of each is w · (V_j − V_i) with a wrench w at the pole, the direction of the constraint
//! force:
//! ```text
//! plane      w = ( p_j × n, n )                                                              (4)
//! angle      w = ( b × a, 0 )                                                                (5)
//! distance   w = ( p_i × d, d ) / l                                                          (6)
//! ```
//! and the second derivative is w · (V̇_j − V̇_i) + κ with, for u = v_j(p_j) − v_i(p_j),
//! ```text
//! plane      κ = (ω_i × n) · u + n · ( (ω_j − ω_i) × v_j(p_j) )                              (7)
//! angle      κ = d/dt(b × a) · (ω_j − ω_i)                                                   (8)
//! distance   κ = ( |v_j(p_j) − v_i(p_i)|² + d · (ω_j × v_j(p_j) − ω_i × v_i(p_i)) ) / l      (9)
//! ```

use crate::description::{Joint, JointKind};
use crate::dynamics::Frame;
use crate::math::{Force, Vector3};

/// One scalar constraint between the bodies in two slots; points and directions are in body axes
/// from the body's origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Row {
    /// Slots of body i and body j.
    pub bodies: [usize; 2],
    /// Eq. (1)–(3).
    pub kind: RowKind,
}

/// Which constraint: n and a in the axes of i, b in those of j.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RowKind {
    /// Eq. (1): n, p_i, p_j, o.
    Plane { normal: Vector3, first: Vector3, second: Vector3, offset: f64 },
    /// Eq. (2): a, b, o.
    Angle { first: Vector3, second: Vector3, offset: f64 },
    /// Eq. (3): p_i, p_j, l.
    Distance { first: Vector3, second: Vector3, length: f64 },
}

impl RowKind {
    /// Points or directions on the first and the second body.
    pub(super) fn points(&self) -> [Vector3; 2] {
        match *self {
            Self::Plane { first, second, .. }
            | Self::Angle { first, second, .. }
            | Self::Distance { first, second, .. } => [first, second],
        }
    }
}

/// For each row of a joint: whether it is the first of three that hold two points together.
pub(super) fn begins_point(joint: &Joint, rows: usize) -> Vec<bool> {
    let whole =
        matches!(joint.kind, JointKind::Fixed | JointKind::Revolute | JointKind::Universal | JointKind::Spherical);
    (0..rows).map(|row| whole && row == 0).collect()
}

impl Row {
    /// Violation and wrench: eq. (1)–(6).
    #[inline(always)]
    pub(crate) fn evaluate(&self, i: &Frame<f64>, j: &Frame<f64>) -> (f64, Force) {
        match self.kind {
            RowKind::Plane { normal, first, second, offset } => {
                let (n, p) = (i.rotation * normal, j.point(second));
                (n.dot(p - i.point(first)) - offset, Force::at(n, p))
            }
            RowKind::Angle { first, second, offset } => {
                let (a, b) = (i.rotation * first, j.rotation * second);
                (a.dot(b) - offset, Force::torque(b.cross(a)))
            }
            RowKind::Distance { first, second, length } => {
                let p = i.point(first);
                let d = j.point(second) - p;
                let violation = (d.dot(d) - length * length) / (2.0 * length);
                (violation, Force::at(d * (1.0 / length), p))
            }
        }
    }

    /// Violation alone: eq. (1)–(3).
    #[inline]
    pub(crate) fn violation(&self, i: &Frame<f64>, j: &Frame<f64>) -> f64 {
        self.evaluate(i, j).0
    }

    /// κ of eq. (7)–(9).
    #[inline]
    pub(crate) fn bias(&self, i: &Frame<f64>, j: &Frame<f64>) -> f64 {
        let (vi, vj) = (&i.velocity, &j.velocity);
        let relative = vj.angular - vi.angular;
        match self.kind {
            RowKind::Plane { normal, second, .. } => {
                let (n, p) = (i.rotation * normal, j.point(second));
                let v = vj.at(p);
                vi.angular.cross(n).dot(v - vi.at(p)) + n.dot(relative.cross(v))
            }
            RowKind::Angle { first, second, .. } => {
                let (a, b) = (i.rotation * first, j.rotation * second);
                let turning = vj.angular.cross(b).cross(a) + b.cross(vi.angular.cross(a));
                turning.dot(relative)
            }
            RowKind::Distance { first, second, length } => {
                let (pi, pj) = (i.point(first), j.point(second));
                let (ui, uj) = (vi.at(pi), vj.at(pj));
                let centripetal = vj.angular.cross(uj) - vi.angular.cross(ui);
                ((uj - ui).dot(uj - ui) + (pj - pi).dot(centripetal)) / length
            }
        }
    }
}

/// The rows of a cut joint; slots and origins of its two bodies are given.
pub(super) fn rows_of(joint: &Joint, slots: [usize; 2], origins: [Vector3; 2]) -> Vec<Row> {
    let points = [joint.point - origins[0], joint.second_point - origins[1]];
    let plane = |normal| RowKind::Plane { normal, first: points[0], second: points[1], offset: 0.0 };
    let angle = |first: Vector3, second: Vector3, offset| RowKind::Angle { first, second, offset };
    let (e1, e2) = joint.axis.perpendiculars();
    let parallel = [angle(e1, joint.axis, 0.0), angle(e2, joint.axis, 0.0)];
    let unturned = angle(e1, e2, 0.0);
    let point = [plane(e1), plane(e2), plane(joint.axis)];
    let kinds: Vec<RowKind> = match joint.kind {
        JointKind::Free | JointKind::Screw | JointKind::RevoluteRevolute => Vec::new(),
        JointKind::Fixed => [point.as_slice(), &parallel, &[unturned]].concat(),
        JointKind::Revolute => [point.as_slice(), &parallel].concat(),
        JointKind::Translational => [&point[..2], &parallel, &[unturned]].concat(),
        JointKind::Cylindrical => [&point[..2], parallel.as_slice()].concat(),
        JointKind::Universal => {
            let kept = angle(joint.axis, joint.second_axis, joint.axis.dot(joint.second_axis));
            [point.as_slice(), &[kept]].concat()
        }
        JointKind::Spherical => point.to_vec(),
        JointKind::Planar => [&point[2..], parallel.as_slice()].concat(),
        JointKind::SphericalSpherical => {
            vec![RowKind::Distance { first: points[0], second: points[1], length: joint.length }]
        }
        JointKind::SphericalRevolute | JointKind::SphericalTranslational => {
            return ball_on_curve(joint, [slots[1], slots[0]], [origins[1], origins[0]]);
        }
    };
    let row = |kind| Row { bodies: slots, kind };
    kinds.into_iter().map(row).collect()
}

/// A ball of the joint's first body on a circle or line of its second body, which is body i of the
/// rows.
fn ball_on_curve(joint: &Joint, slots: [usize; 2], origins: [Vector3; 2]) -> Vec<Row> {
    let row = |kind| Row { bodies: slots, kind };
    let (ball, axis) = (joint.point - origins[1], joint.second_axis);
    if joint.kind == JointKind::SphericalTranslational {
        let (e1, e2) = axis.perpendiculars();
        let plane = |normal| RowKind::Plane { normal, first: joint.point - origins[0], second: ball, offset: 0.0 };
        return vec![row(plane(e1)), row(plane(e2))];
    }
    let arm = joint.point - joint.second_point;
    let hinge = joint.second_point - origins[0];
    vec![
        row(RowKind::Plane { normal: axis, first: hinge, second: ball, offset: axis.dot(arm) }),
        row(RowKind::Distance { first: hinge, second: ball, length: arm.norm() }),
    ]
}
