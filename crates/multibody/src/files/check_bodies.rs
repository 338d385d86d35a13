//! Masses and inertias.

use super::check::{Checked, Checker, in_order};
use super::schema::{BodyText, Named};
use crate::description::{BodyId, Description};
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
