//! Combined slip from pure slip, for models that were measured in pure slip only: the friction
//! ellipse.
//!
//! The slip points in the direction (c, s) = (|κ|, |sin α|) / n. Along that direction the forces
//! end on two ellipses, each with the force of pure slip on one axis and the largest force on the
//! other (Adams/Tire, PAC2002, "friction ellipse"):
//! ```text
//! (1)  F_x = F_x0 · c F_y,max / √(c² F_y,max² + s² F_x0²)
//! (2)  F_y = F_y0 · s F_x,max / √(s² F_x,max² + c² F_y0²)
//! ```
//! In pure slip they are the pure forces. Both ends are inside of the ellipse with half axes
//! F_x,max and F_y,max.

/// A pure force with the largest that it can become at the same load.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pure {
    pub force_n: f64,
    pub maximum_n: f64,
}

/// Forces (F_x, F_y) in combined slip, from κ and sin α.
#[inline]
pub(super) fn friction_ellipse(kappa: f64, sin_alpha: f64, x: Pure, y: Pure) -> (f64, f64) {
    let (c, s) = (kappa.abs(), sin_alpha.abs());
    let norm = (c * c + s * s).sqrt();
    if norm == 0.0 {
        return (x.force_n, y.force_n);
    }
    let (c, s) = (c / norm, s / norm);
    (
        x.force_n * share(c * y.maximum_n, s * x.force_n), // Eq. (1)
        y.force_n * share(s * x.maximum_n, c * y.force_n), // Eq. (2)
    )
}

/// a / √(a² + b²); 1 where both are zero.
#[inline]
fn share(a: f64, b: f64) -> f64 {
    let length = (a * a + b * b).sqrt();
    if length > 0.0 { a / length } else { 1.0 }
}

/// Shrinks both forces by the same factor until their resultant is at most `limit_n`.
#[inline]
pub(super) fn friction_circle(force_n: (f64, f64), limit_n: f64) -> (f64, f64) {
    let resultant = (force_n.0 * force_n.0 + force_n.1 * force_n.1).sqrt();
    if resultant <= limit_n {
        return force_n;
    }
    let factor = limit_n / resultant;
    (force_n.0 * factor, force_n.1 * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pure_slip_is_kept() {
        let x = Pure { force_n: 1200.0, maximum_n: 4000.0 };
        let y = Pure { force_n: -900.0, maximum_n: 3800.0 };
        assert_eq!(friction_ellipse(0.02, 0.0, x, Pure { force_n: 0.0, ..y }).0, 1200.0);
        assert_eq!(friction_ellipse(0.0, -0.03, Pure { force_n: 0.0, ..x }, y).1, -900.0);
    }

    #[test]
    fn combined_forces_stay_inside_of_the_ellipse() {
        for (kappa, sine) in [(0.01, 0.3), (0.5, 0.5), (1.0, 0.01), (0.1, 0.1)] {
            let x = Pure { force_n: 3900.0, maximum_n: 4000.0 };
            let y = Pure { force_n: -3700.0, maximum_n: 3800.0 };
            let (fx, fy) = friction_ellipse(kappa, sine, x, y);
            assert!((fx / 4000.0).powi(2) + (fy / 3800.0).powi(2) <= 1.0 + 1e-12);
        }
    }

    #[test]
    fn the_circle_keeps_the_direction() {
        let (fx, fy) = friction_circle((3.0, 4.0), 2.5);
        assert!((fx - 1.5).abs() < 1e-15 && (fy - 2.0).abs() < 1e-15);
    }
}
