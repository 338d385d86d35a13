//! The law of a spring with its damper, over a length or an angle x.
//!
//! ```text
//! f = f₀ + k (x − x₀) + c ẋ + S(x − x₀) + D(ẋ) + stops                                        (1)
//! ```

use super::Curve;

/// A stop: a spring and damper that act beyond a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// `m` or `rad`
    pub limit: f64,
    /// [N/m] or [Nm/rad]
    pub stiffness: f64,
    /// [Ns/m] or [Nms/rad]
    pub damping: f64,
}

impl Stop {
    #[inline]
    fn push(&self, at: f64, rate: f64) -> f64 {
        self.stiffness * (at - self.limit) + self.damping * rate
    }

    fn energy(&self, beyond: f64) -> f64 {
        0.5 * self.stiffness * beyond.max(0.0).powi(2)
    }
}

/// Eq. (1). For an angle read radians and newton metres for metres and newtons.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Law {
    /// `m` x₀
    pub free: f64,
    /// [N/m] k
    pub stiffness: f64,
    /// [Ns/m] c
    pub damping: f64,
    /// `N` f₀
    pub preload: f64,
    /// S
    pub spring: Option<Curve>,
    /// D
    pub damper: Option<Curve>,
    /// Acts below its limit, never above zero.
    pub lower: Option<Stop>,
    /// Acts above its limit, never below zero.
    pub upper: Option<Stop>,
}

impl Law {
    /// Whether there is no curve and no stop.
    pub(super) fn is_linear(&self) -> bool {
        self.spring.is_none() && self.damper.is_none() && self.lower.is_none() && self.upper.is_none()
    }

    /// Eq. (1) without curves and stops.
    #[inline]
    pub(super) fn linear(&self, at: f64, rate: f64) -> f64 {
        self.preload + self.stiffness * (at - self.free) + self.damping * rate
    }

    /// Eq. (1).
    #[inline]
    pub(crate) fn force(&self, at: f64, rate: f64) -> f64 {
        let mut force = self.linear(at, rate);
        if let Some(curve) = &self.spring {
            force += curve.value(at - self.free);
        }
        if let Some(curve) = &self.damper {
            force += curve.value(rate);
        }
        if let Some(stop) = self.lower.filter(|stop| at < stop.limit) {
            force += stop.push(at, rate).min(0.0);
        }
        if let Some(stop) = self.upper.filter(|stop| at > stop.limit) {
            force += stop.push(at, rate).max(0.0);
        }
        force
    }

    /// The integral of eq. (1) at rest from x₀.
    pub(super) fn energy(&self, at: f64) -> f64 {
        let stretch = at - self.free;
        self.preload * stretch
            + 0.5 * self.stiffness * stretch * stretch
            + self.spring.as_ref().map_or(0.0, |curve| curve.integral(stretch))
            + self.lower.map_or(0.0, |stop| stop.energy(stop.limit - at))
            + self.upper.map_or(0.0, |stop| stop.energy(at - stop.limit))
    }
}
