//! The vertical spring of a tyre: load from deflection, and back.
//!
//! ```text
//! (1)  F_z = k z + p z² + k_b max(z − z_b, 0) + d ż min(z / z_d, 1)      never below zero
//! ```
//! k stiffness, p progression, k_b and z_b bottoming on the rim, d damping. Instead of the
//! polynomial there may be a measured curve. The damping grows over the first z_d = 2 mm, so that a
//! tyre that lands does not meet a jump of load.

use super::limits::{LOAD_MAX_N, bounded_load_n};

const DAMPING_ONSET_M: f64 = 2.0e-3;
/// Deflections and rates beyond these are held, so that every finite input gives a finite load.
const DEFLECTION_MAX_M: f64 = 10.0;
const RATE_MAX_M_S: f64 = 1.0e4;

/// The elastic part.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// Stiffness (N/m) and progression (N/m²).
    Polynomial { stiffness_n_m: f64, progression_n_m2: f64 },
    /// Deflection (m) and load (N), both rising, from (0, 0).
    Curve(Vec<(f64, f64)>),
}

impl Shape {
    pub fn linear(stiffness_n_m: f64) -> Self {
        Self::Polynomial { stiffness_n_m, progression_n_m2: 0.0 }
    }
}

/// Spring, damper and bottoming.
#[derive(Clone, Debug)]
pub(super) struct Spring {
    pub shape: Shape,
    pub damping_n_s_m: f64,
    /// Deflection (m) at which the rim bottoms and the stiffness (N/m) that it then adds.
    pub bottoming: (f64, f64),
}

impl Spring {
    /// One that does not bottom.
    pub fn new(shape: Shape, damping_n_s_m: f64) -> Self {
        Self { shape, damping_n_s_m, bottoming: (f64::INFINITY, 0.0) }
    }

    /// Load (N), Eq. (1).
    #[inline]
    pub fn load_n(&self, deflection_m: f64, rate_m_s: f64) -> f64 {
        self.load_scaled_n(deflection_m, rate_m_s, 1.0)
    }

    /// Load (N), Eq. (1), with the elastic part times a factor.
    #[inline]
    pub fn load_scaled_n(&self, deflection_m: f64, rate_m_s: f64, factor: f64) -> f64 {
        if deflection_m <= 0.0 {
            return 0.0;
        }
        let z = deflection_m.min(DEFLECTION_MAX_M);
        let rate = rate_m_s.clamp(-RATE_MAX_M_S, RATE_MAX_M_S);
        let damping = self.damping_n_s_m * rate * (z / DAMPING_ONSET_M).min(1.0);
        (factor * self.elastic_n(z) + damping).clamp(0.0, LOAD_MAX_N)
    }

    /// Elastic part of the load (N) at a deflection that is not negative.
    #[inline]
    pub fn elastic_n(&self, z: f64) -> f64 {
        let (onset, stiffness) = self.bottoming;
        let rim = stiffness * (z - onset).max(0.0);
        rim + match &self.shape {
            Shape::Polynomial { stiffness_n_m, progression_n_m2 } => z * (stiffness_n_m + progression_n_m2 * z),
            Shape::Curve(points) => along(points.iter().copied(), z),
        }
    }

    /// Deflection (m) at which the tyre carries a load at rest, without bottoming.
    #[inline]
    pub fn deflection_m(&self, load_n: f64) -> f64 {
        let load = bounded_load_n(load_n);
        match &self.shape {
            Shape::Polynomial { stiffness_n_m: k, progression_n_m2: p } => {
                2.0 * load / (k + (k * k + 4.0 * p * load).sqrt())
            }
            Shape::Curve(points) => along(points.iter().map(|(z, force)| (*force, *z)), load),
        }
    }

    /// Slope dF/dz (N/m) at a deflection, without bottoming.
    pub fn stiffness_n_m(&self, z: f64) -> f64 {
        match &self.shape {
            Shape::Polynomial { stiffness_n_m, progression_n_m2 } => stiffness_n_m + 2.0 * progression_n_m2 * z,
            Shape::Curve(points) => {
                let step = 1.0e-4;
                let pairs = || points.iter().copied();
                (along(pairs(), z + step) - along(pairs(), z)) / step
            }
        }
    }
}

/// A curve of straight lines at `x`; its last line goes on.
#[inline]
fn along(mut points: impl Iterator<Item = (f64, f64)>, x: f64) -> f64 {
    let Some((mut left, mut right)) = points.next().zip(points.next()) else {
        return 0.0;
    };
    for next in points {
        if x <= right.0 {
            break;
        }
        (left, right) = (right, next);
    }
    left.1 + (x - left.0) * (right.1 - left.1) / (right.0 - left.0)
}

/// The methods of a tyre that are those of its spring.
macro_rules! spring_methods {
    () => {
        fn radius_m(&self) -> f64 {
            self.radius_m
        }

        fn load_n(&self, deflection_m: f64, deflection_rate_m_s: f64, _spin_rad_s: f64) -> f64 {
            self.spring.load_n(deflection_m, deflection_rate_m_s)
        }
    };
}
pub(super) use spring_methods;

#[cfg(test)]
mod tests {
    use super::*;

    fn spring(shape: Shape) -> Spring {
        Spring { shape, damping_n_s_m: 300.0, bottoming: (0.1, 1.0e6) }
    }

    #[test]
    fn deflection_is_the_inverse_of_load() {
        let polynomial = Shape::Polynomial { stiffness_n_m: 2.0e5, progression_n_m2: 5.0e5 };
        let curve = Shape::Curve(vec![(0.0, 0.0), (0.01, 1500.0), (0.03, 6000.0)]);
        for shape in [polynomial, curve] {
            let spring = spring(shape);
            for z in [0.0, 1e-4, 0.007, 0.02, 0.05] {
                assert!((spring.deflection_m(spring.elastic_n(z)) - z).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn damping_never_pulls_and_never_jumps() {
        let spring = spring(Shape::linear(2.0e5));
        assert_eq!(spring.load_n(0.0, 5.0), 0.0);
        assert_eq!(spring.load_n(0.001, -50.0), 0.0);
        assert!(spring.load_n(1e-9, 5.0) < 1e-2);
        assert!((spring.load_n(0.02, 0.5) - 4150.0).abs() < 1e-9);
    }

    #[test]
    fn the_rim_bottoms() {
        let spring = spring(Shape::linear(2.0e5));
        assert!((spring.load_n(0.11, 0.0) - 32000.0).abs() < 1e-9);
    }
}
