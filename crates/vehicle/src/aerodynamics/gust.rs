//! Gusts: how strong, from when or where, and for how long.
//!
//! With s the time since the beginning (or the distance along E's x since it), d the duration (or
//! length):
//! ```text
//! one-minus-cosine   w = W (1 − cos(2π s/d))/2      0 ≤ s ≤ d                                  (1)
//! step               w = W min(1, s/r)              0 ≤ s, until d if given                    (2)
//! sine               w = W sin(2π s/d)              0 ≤ s, for n periods if given              (3)
//! ```
//! r is the rise. A gust over the distance is a strip of crosswind, as behind ISO 12021's fans.

use crate::Vector3;
use std::f64::consts::TAU;

/// The profile of a gust.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Profile {
    OneMinusCosine,
    /// With the rise r.
    Step(f64),
    /// With the count of periods n; may be infinite.
    Sine(f64),
}

/// A gust.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gust {
    pub(super) profile: Profile,
    /// W in E (m/s).
    pub(super) amplitude: Vector3,
    /// When (s) or where (m).
    pub(super) begins: f64,
    /// d (s or m); infinite for a step without end.
    pub(super) length: f64,
    /// Over E's x instead of time.
    pub(super) is_along_x: bool,
}

impl Gust {
    pub(super) fn at(&self, time_s: f64, position: Vector3) -> Vector3 {
        let place = if self.is_along_x { position.x } else { time_s };
        let part = self.part(place - self.begins);
        self.amplitude * part
    }

    fn part(&self, since: f64) -> f64 {
        // False also for what is not a number.
        let has_begun = since >= 0.0;
        if !has_begun {
            return 0.0;
        }
        let phase = since / self.length;
        match self.profile {
            Profile::OneMinusCosine if phase <= 1.0 => 0.5 * (1.0 - (TAU * phase).cos()),
            Profile::Step(rise) if phase <= 1.0 && since < rise => since / rise,
            Profile::Step(_) if phase <= 1.0 => 1.0,
            Profile::Sine(periods) if phase <= periods && phase.is_finite() => (TAU * phase).sin(),
            _ => 0.0,
        }
    }
}
