//! The force of a TMeasy tyre over the slip, at one load.
//!
//! Rill (2012), as in Project Chrono: adhesion up to the maximum, a transition of two parabolas,
//! sliding.
//! ```text
//! (1)  s ≤ s_m:   F = dF₀ s / (1 + (x + dF₀ s_m / F_m − 2) x)           x = s / s_m
//! (2)  a = (F_m / s_m)² / (dF₀ s_m)                                     half the curvature of (1) at s_m
//!      s* = s_m + (F_m − F_s) / (a (s_s − s_m))                         where the parabolas meet
//! (3)  s ≤ s*:    F = F_m − a (s − s_m)²
//! (4)  s ≤ s_s:   F = F_s + a (s* − s_m) / (s_s − s*) (s_s − s)²
//! (5)  s > s_s:   F = F_s
//! ```
//! Where s* would lie beyond s_s, the transition is a cubic with zero slope at both ends.

/// The five numbers at one load and in one direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Curve {
    pub slope_n: f64,
    pub maximum_n: f64,
    pub slip_at_maximum: f64,
    pub sliding_n: f64,
    pub slip_at_sliding: f64,
}

impl Curve {
    /// Force (N) in a direction between the two axes, at a slip that is not negative: eq. (5) of
    /// [`super`].
    #[inline]
    pub fn force_between_n([along, across]: &[Curve; 2], cosine: f64, sine: f64, s: f64) -> f64 {
        let (c2, s2) = (cosine * cosine, sine * sine);
        force_n(s, |number| {
            let (x, y) = (number(along), number(across));
            (x * x * c2 + y * y * s2).sqrt()
        })
    }

    /// Eq. (2) to (4), between the maximum and sliding.
    #[inline]
    fn transition_n(&self, s: f64) -> f64 {
        let (sm, ss) = (self.slip_at_maximum, self.slip_at_sliding);
        let (fm, fs) = (self.maximum_n, self.sliding_n);
        let width = (ss - sm).max(1.0e-9 * sm);
        let secant = fm / sm;
        let a = secant * secant / (self.slope_n * sm);
        let meeting = sm + (fm - fs) / (a * width);
        if meeting > ss {
            let x = ((s - sm) / width).min(1.0);
            return fm - (fm - fs) * x * x * (3.0 - 2.0 * x);
        }
        if s <= meeting {
            return fm - a * (s - sm) * (s - sm); // Eq. (3)
        }
        let b = a * (meeting - sm) / (ss - meeting);
        fs + b * (ss - s) * (ss - s) // Eq. (4)
    }
}

/// Force (N) at a slip that is not negative. `of` finds each of the curve's numbers when it is
/// needed: below the maximum, three of the five.
#[inline(always)]
fn force_n(s: f64, of: impl Fn(fn(&Curve) -> f64) -> f64) -> f64 {
    let (maximum_n, slip_at_maximum) = (of(|it| it.maximum_n), of(|it| it.slip_at_maximum));
    if slip_at_maximum <= 0.0 || maximum_n <= 0.0 {
        return 0.0;
    }
    // A slope below twice the secant would put the maximum elsewhere.
    let slope_n = of(|it| it.slope_n).max(2.0 * maximum_n / slip_at_maximum);
    if s < slip_at_maximum {
        let x = s / slip_at_maximum;
        let rise = slope_n * slip_at_maximum / maximum_n - 2.0;
        return slope_n * s / (1.0 + (x + rise) * x); // Eq. (1)
    }
    let (sliding_n, slip_at_sliding) = (of(|it| it.sliding_n), of(|it| it.slip_at_sliding));
    if s > slip_at_sliding {
        return sliding_n; // Eq. (5)
    }
    let curve = Curve { slope_n, maximum_n, slip_at_maximum, sliding_n, slip_at_sliding };
    curve.transition_n(s)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    impl Curve {
        fn force_n(&self, s: f64) -> f64 {
            force_n(s, |number| number(self))
        }
    }

    fn curve() -> Curve {
        Curve { slope_n: 80_000.0, maximum_n: 4000.0, slip_at_maximum: 0.12, sliding_n: 3200.0, slip_at_sliding: 0.6 }
    }

    /// The numbers that make the curve are found on it.
    #[test]
    fn slope_maximum_and_sliding_are_those_that_were_given() {
        let curve = curve();
        assert!((curve.force_n(1e-9) / 1e-9 / 80_000.0 - 1.0).abs() < 1e-6);
        assert!((curve.force_n(0.12) - 4000.0).abs() < 1e-9);
        assert!(curve.force_n(0.119) < 4000.0 && curve.force_n(0.121) < 4000.0);
        assert!((curve.force_n(0.6) - 3200.0).abs() < 1e-9);
        assert_eq!(curve.force_n(7.0), 3200.0);
    }

    #[test]
    fn force_and_slope_are_continuous() {
        let cubic = Curve { slip_at_sliding: 0.14, ..curve() };
        for curve in [curve(), cubic] {
            let mut before = (0.0, curve.force_n(1e-4) / 1e-4);
            for index in 1..10_000 {
                let s = index as f64 * 1e-4;
                let force = curve.force_n(s);
                let slope = (force - before.0) / 1e-4;
                assert!((slope - before.1).abs() < 1500.0, "slope jumps at {s}");
                before = (force, slope);
            }
        }
    }
}
