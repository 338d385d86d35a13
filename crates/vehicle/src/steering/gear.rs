//! From an angle to the rack, with its derivatives.
//!
//! With q the steering-wheel angle, i(q) the travel per angle (constant or a curve) and S the soft
//! ends:
//! ```text
//! u = ∫₀^q i dq,   u̇ = i q̇,   ü = i q̈ + i' q̇²                                                   (1)
//! x = S(u),        ẋ = S' u̇,   ẍ = S' ü + S'' u̇²                                               (2)
//! S = u                              |u| ≤ L
//! S = L + w − w²/(4e),  w = |u| − L  up to w = 2e,  then L + e   (odd in u)                     (3)
//! ```
//! L is the travel to full lock and e the give of the ends. S is smooth to its first derivative: so
//! velocity never jumps at the ends, and the three numbers are derivatives of each other there too.
//! Beyond, the rack rests. What the driver turns further presses the end's rubber:
//! ```text
//! E(q) = −k_e (u − S(u)) i                                                                     (4)
//! ```

use crate::Coordinate;
use crate::files::Curve;

/// The soft ends of eq. (3) and (4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ends {
    /// L (m or rad).
    pub(super) travel: f64,
    /// e (m or rad).
    pub(super) give: f64,
    /// k_e (N/m or Nm/rad).
    pub(super) stiffness: f64,
}

/// The gear.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Gear {
    /// i over |q| (m/rad or rad/rad).
    pub(super) ratio: Curve,
    /// −1 where the rack moves to the right to steer to the left (it lies behind the axle), else 1.
    pub(super) sense: f64,
    /// The ends, if any.
    pub(super) ends: Option<Ends>,
}

/// The gear at an angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Meshing {
    /// x.
    pub(super) displacement: f64,
    /// dx/dq: also the arm of the rack's force at the steering wheel (virtual work).
    pub(super) arm: f64,
    /// d²x/dq².
    pub(super) bend: f64,
    /// E (Nm).
    pub(super) end_torque: f64,
    /// −dE/dq without the change of i: zero or more (Nm/rad).
    pub(super) end_stiffness: f64,
}

impl Gear {
    /// Eq. (1)–(4) at an angle.
    pub(super) fn at(&self, angle: f64) -> Meshing {
        let side = if angle < 0.0 { -1.0 } else { 1.0 };
        let along = self.ratio.sample(angle.abs());
        // In the quadrant q ≥ 0; the rest is odd.
        let (u, i, di) = (along.integral, along.value, along.slope);
        let soft = self.ends.map_or(Soft::free(u), |ends| ends.soft(u));
        let stiffness = self.ends.map_or(0.0, |ends| ends.stiffness);
        Meshing {
            displacement: self.sense * side * soft.value,
            arm: self.sense * soft.slope * i,
            bend: self.sense * side * (soft.slope * di + soft.bend * i * i),
            end_torque: -side * stiffness * (u - soft.value) * i,
            end_stiffness: stiffness * (1.0 - soft.slope) * i * i,
        }
    }

    /// The angle at which the ends begin.
    pub(super) fn lock_rad(&self) -> f64 {
        let Some(ends) = self.ends else {
            return f64::INFINITY;
        };
        // ∫i rises (i > 0): first out, then halve.
        let (mut low, mut high) = (0.0, 1.0);
        while self.ratio.sample(high).integral < ends.travel && high < 1e6 {
            high *= 2.0;
        }
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if self.ratio.sample(middle).integral < ends.travel {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }
}

impl Meshing {
    /// Eq. (2): the rack from rate and acceleration of the angle.
    pub(super) fn rack(&self, rate: f64, acceleration: f64) -> Coordinate {
        Coordinate {
            value: self.displacement,
            rate: self.arm * rate,
            acceleration: self.arm * acceleration + self.bend * rate * rate,
        }
    }
}

/// S and its derivatives for u ≥ 0.
#[derive(Clone, Copy)]
struct Soft {
    value: f64,
    slope: f64,
    bend: f64,
}

impl Soft {
    fn free(u: f64) -> Self {
        Self { value: u, slope: 1.0, bend: 0.0 }
    }
}

impl Ends {
    /// Eq. (3).
    fn soft(&self, u: f64) -> Soft {
        let beyond = u - self.travel;
        if beyond <= 0.0 {
            Soft::free(u)
        } else if beyond < 2.0 * self.give {
            Soft {
                value: self.travel + beyond - beyond * beyond / (4.0 * self.give),
                slope: 1.0 - beyond / (2.0 * self.give),
                bend: -0.5 / self.give,
            }
        } else {
            Soft { value: self.travel + self.give, slope: 0.0, bend: 0.0 }
        }
    }
}
