//! How the numbers of a TMeasy tyre go with the load: eq. (1) and (2) of [`super`].

use super::curve::Curve;

/// A number that goes with the load, from its values at the nominal load and at twice that load.
/// Forces are q times the line, slips the line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtLoads {
    constant: f64,
    linear: f64,
}

impl AtLoads {
    /// A force or a slope, for [`AtLoads::force`].
    pub fn of_forces([single, double]: [f64; 2]) -> Self {
        Self { constant: 2.0 * single - 0.5 * double, linear: 0.5 * double - single }
    }

    /// A slip, for [`AtLoads::slip`].
    pub fn of_slips([single, double]: [f64; 2]) -> Self {
        Self { constant: 2.0 * single - double, linear: double - single }
    }

    /// Eq. (1).
    #[inline]
    pub fn force(&self, q: f64) -> f64 {
        q * self.slip(q)
    }

    /// Eq. (2).
    #[inline]
    pub fn slip(&self, q: f64) -> f64 {
        self.constant + self.linear * q
    }
}

/// The five numbers of one direction, at two loads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Direction {
    pub slope_n: AtLoads,
    pub maximum_n: AtLoads,
    pub slip_at_maximum: AtLoads,
    pub sliding_n: AtLoads,
    pub slip_at_sliding: AtLoads,
}

impl Direction {
    #[inline]
    pub fn at(&self, q: f64, friction: f64) -> Curve {
        Curve {
            slope_n: self.slope_n.force(q),
            maximum_n: friction * self.maximum_n.force(q),
            slip_at_maximum: friction * self.slip_at_maximum.slip(q),
            sliding_n: friction * self.sliding_n.force(q),
            slip_at_sliding: friction * self.slip_at_sliding.slip(q),
        }
    }
}
