//! Masses and inertias; geometry and initial coordinates of joints.

use super::check::{Checked, Checker, in_order, is_sensible};
use super::schema::{BodyText, JointParameters, Named};
use crate::description::{BodyId, Description, Joint, JointKind};
use crate::math::{Quaternion, Symmetric3};
use toml::Spanned;

/// Moments may violate the triangle inequality by this much, relative to the largest: rounding in a
/// file.
const TRIANGLE_TOLERANCE: f64 = 1e-6;

impl Checker<'_> {
    pub(super) fn bodies(&self, texts: &Named<BodyText>, description: &mut Description) -> Checked<()> {
        for (name, text) in in_order(texts) {
            let id = self.body(name, description)?;
            if id == BodyId::GROUND {
                return self.source.fail(name.span(), "the ground has no parameters");
            }
            let (mass, centre) = (self.positive(&text.mass_kg)?, self.triple(&text.centre_of_gravity_m)?);
            let inertia = self.inertia(text)?;
            let body = &mut description.bodies[id.0];
            (body.mass, body.centre, body.inertia) = (mass, centre, inertia);
        }
        match description.bodies[1..].iter().find(|body| body.mass == 0.0) {
            Some(body) => self.source.fail(0..0, format!("`[bodies.{}]` is missing", body.name)),
            None => Ok(()),
        }
    }

    fn inertia(&self, text: &BodyText) -> Checked<Symmetric3> {
        let moments = self.triple(&text.moments_kg_m2)?;
        let products = text.products_kg_m2.as_ref().map_or(Ok(Default::default()), |it| self.triple(it))?;
        let tensor = Symmetric3::new(moments.to_array(), products.to_array());
        let principal = principal_moments(&tensor);
        let (largest, sum) = (principal[2], principal.iter().sum::<f64>());
        let place = text.moments_kg_m2.span();
        if principal[0] < 0.0 || largest <= 0.0 {
            return self.source.fail(place, format!("principal moments {principal:?} kg m²; expected positive ones"));
        }
        if 2.0 * largest > sum * (1.0 + TRIANGLE_TOLERANCE) {
            let problem = "violate the triangle inequality: none may exceed the sum of the two others";
            return self.source.fail(place, format!("principal moments {principal:?} kg m² {problem}"));
        }
        self.turned(tensor, text.orientation_wxyz.as_ref())
    }

    fn turned(&self, tensor: Symmetric3, orientation: Option<&Spanned<[f64; 4]>>) -> Checked<Symmetric3> {
        let Some(text) = orientation else {
            return Ok(tensor);
        };
        let quaternion = Quaternion::from_wxyz(*text.get_ref());
        let norm = (quaternion.w.powi(2) + quaternion.v.dot(quaternion.v)).sqrt();
        if norm.is_nan() || (norm - 1.0).abs() > 1e-3 {
            return self.source.fail(text.span(), format!("length {norm}; expected a unit quaternion, scalar first"));
        }
        Ok(tensor.rotated(&quaternion.normalised().to_matrix()))
    }
}

/// Eigenvalues in rising order.
fn principal_moments(tensor: &Symmetric3) -> [f64; 3] {
    let (d, o) = (tensor.diagonal, tensor.off);
    let matrix = nalgebra::Matrix3::new(d.x, o.z, o.y, o.z, d.y, o.x, o.y, o.x, d.z);
    let values = matrix.symmetric_eigenvalues();
    let mut sorted = [values[0], values[1], values[2]];
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// What a kind of joint must be given.
struct Needs {
    point: bool,
    second_point: bool,
    axis: bool,
    second_axis: bool,
}

fn needs(kind: JointKind) -> Needs {
    use JointKind::{
        Cylindrical, Fixed, Free, Planar, Revolute, RevoluteRevolute, Screw, Spherical, SphericalRevolute,
        SphericalSpherical, SphericalTranslational, Translational, Universal,
    };
    Needs {
        point: !matches!(kind, Free | Fixed | Translational),
        second_point: matches!(kind, SphericalSpherical | SphericalRevolute | RevoluteRevolute),
        axis: match kind {
            Revolute | Translational | Cylindrical | Screw | Universal | Planar | RevoluteRevolute => true,
            Free | Fixed | Spherical | SphericalSpherical | SphericalRevolute | SphericalTranslational => false,
        },
        second_axis: matches!(kind, Universal | SphericalRevolute | SphericalTranslational | RevoluteRevolute),
    }
}

impl Checker<'_> {
    pub(super) fn joints(&self, texts: &Named<JointParameters>, description: &mut Description) -> Checked<()> {
        let mut given = vec![false; description.joints.len()];
        for (name, text) in in_order(texts) {
            let index = self.joint(name, description)?;
            given[index] = true;
            let second = description.joints[index].bodies[1];
            let default_point = description.bodies[second.0].centre;
            let joint = &mut description.joints[index];
            (joint.point, joint.second_point) = (default_point, default_point);
            joint.place = Some(self.source.place(&name.span()));
            self.geometry(name, text, joint)?;
            self.initial(text, joint)?;
        }
        for (index, given) in given.into_iter().enumerate() {
            let needs = needs(description.joints[index].kind);
            let name = &description.joints[index].name;
            if !given && (needs.point || needs.axis) {
                return self.source.fail(0..0, format!("`[joints.{name}]` is missing"));
            }
            if !given {
                let centre = description.bodies[description.joints[index].bodies[1].0].centre;
                let joint = &mut description.joints[index];
                (joint.point, joint.second_point) = (centre, centre);
            }
        }
        Ok(())
    }

    fn geometry(&self, name: &Spanned<String>, text: &JointParameters, joint: &mut Joint) -> Checked<()> {
        let needs = needs(joint.kind);
        let wanted = [
            (needs.point && text.point_m.is_none(), "point_m"),
            (needs.second_point && text.second_point_m.is_none(), "second_point_m"),
            (needs.axis && text.axis.is_none(), "axis"),
            (needs.second_axis && text.second_axis.is_none(), "second_axis"),
            (joint.kind == JointKind::Screw && text.lead_m.is_none(), "lead_m"),
        ];
        if let Some((_, field)) = wanted.iter().find(|(missing, _)| *missing) {
            return self.source.fail(name.span(), format!("a {} joint needs `{field}`", joint.kind.name()));
        }
        if let Some(point) = &text.point_m {
            joint.point = self.triple(point)?;
            joint.second_point = joint.point;
        }
        if let Some(point) = &text.second_point_m {
            joint.second_point = self.triple(point)?;
        }
        if let Some(axis) = &text.axis {
            joint.axis = self.direction(axis)?;
            joint.second_axis = joint.axis.perpendiculars().0;
        }
        if let Some(axis) = &text.second_axis {
            joint.second_axis = self.direction(axis)?;
            self.second_axis(joint, axis.span())?;
        }
        joint.lead = self.optional(&text.lead_m)?;
        joint.length = match &text.length_m {
            Some(length) => self.positive(length)?,
            None => (joint.point - joint.second_point).norm(),
        };
        let hinge_arm = (joint.point - joint.second_point).cross(joint.second_axis).norm();
        let flat = match joint.kind {
            JointKind::SphericalSpherical => joint.length < 1e-9,
            JointKind::SphericalRevolute => hinge_arm < 1e-9,
            _ => false,
        };
        if flat {
            return self.source.fail(name.span(), "the two points coincide; expected a link with a length");
        }
        Ok(())
    }

    fn second_axis(&self, joint: &mut Joint, place: std::ops::Range<usize>) -> Checked<()> {
        let across = joint.axis.cross(joint.second_axis).norm();
        match joint.kind {
            JointKind::Universal if across < 1e-6 => {
                self.source.fail(place, "parallel to `axis`; expected another direction")
            }
            JointKind::Planar => {
                let inside = joint.second_axis - joint.axis * joint.axis.dot(joint.second_axis);
                let Some(unit) = inside.normalised().filter(|_| across > 1e-6) else {
                    return self.source.fail(place, "parallel to the normal; expected a direction in the plane");
                };
                joint.second_axis = unit;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn initial(&self, text: &JointParameters, joint: &mut Joint) -> Checked<()> {
        let expected = joint.kind.coordinate_count();
        let list = |given: &Option<Spanned<Vec<f64>>>| match given {
            None => Ok(vec![0.0; expected]),
            Some(list) if list.get_ref().len() != expected => {
                let problem = format!("{} numbers; a {} joint has {expected}", list.get_ref().len(), joint.kind.name());
                self.source.fail(list.span(), problem)
            }
            Some(list) if !list.get_ref().iter().copied().all(is_sensible) => {
                self.source.fail(list.span(), "expected finite numbers, at most 1e30")
            }
            Some(list) => Ok(list.get_ref().clone()),
        };
        let (coordinates, velocities) = (list(&text.coordinates)?, list(&text.velocities)?);
        (joint.coordinates, joint.velocities) = (coordinates, velocities);
        Ok(())
    }
}
