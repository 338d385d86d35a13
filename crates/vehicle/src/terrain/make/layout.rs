//! Courses in the plane: straight, winding, or a closed circuit.
//!
//! A course is given by its curvature κ(u); its heading is the integral.
//!
//! ```text
//!   (1)  winding: κ = sin(2πku/L) / R, with as many waves k as keep the heading within 1 rad of its mean
//!   (2)  circuit: two equal halves, each a straight and a bend that turns by π; κ rises to 1/R and falls over a transition T as
//!        (1 − cos πs/T)/2
//! ```
//!
//! The second half of the circuit is the first one turned by π, so the ends meet whatever the bend
//! looks like.

use super::MakeError;
use std::f64::consts::{PI, TAU};

/// A course in the plane. It begins at the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Layout {
    /// Along x.
    Straight,
    /// Left and right bends, one after the other.
    Winding {
        /// Smallest radius (m).
        radius_m: f64,
    },
    /// A closed circuit: two straights and two bends to the left.
    Circuit {
        /// Smallest radius (m).
        radius_m: f64,
    },
}

/// Headings and bends at the records of a course.
pub struct Profile {
    /// The heading that leads to each record (rad); none on a straight.
    pub headings_rad: Option<Vec<f64>>,
    /// The curvature as a share of the largest: from −1 (right) to 1 (left).
    pub bends: Vec<f64>,
}

impl Layout {
    /// The smallest radius (m), where there is a bend.
    #[must_use]
    pub fn radius_m(&self) -> Option<f64> {
        match *self {
            Self::Straight => None,
            Self::Winding { radius_m } | Self::Circuit { radius_m } => Some(radius_m),
        }
    }

    /// Whether its end meets its start.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        matches!(self, Self::Circuit { .. })
    }

    /// Headings and bends over `steps` (even) equal intervals.
    pub(super) fn profile(&self, length_m: f64, steps: usize) -> Result<Profile, MakeError> {
        let at = |index: usize| length_m * index as f64 / steps as f64;
        Ok(match *self {
            Self::Straight => Profile { headings_rad: None, bends: vec![0.0; steps + 1] },
            Self::Winding { radius_m } => {
                let waves = (length_m / (TAU * radius_m)).ceil().max(1.0);
                let rate = TAU * waves / length_m;
                // Eq. (1), and its integral at the middle of the interval that leads to a record.
                let heading = |u: f64| (1.0 - (rate * u).cos()) / (rate * radius_m);
                let middle = 0.5 * length_m / steps as f64;
                Profile {
                    headings_rad: Some((0..=steps).map(|index| heading((at(index) - middle).max(0.0))).collect()),
                    bends: (0..=steps).map(|index| (rate * at(index)).sin()).collect(),
                }
            }
            Self::Circuit { radius_m } => circuit(length_m, steps, radius_m)?,
        })
    }
}

/// Eq. (2).
fn circuit(length_m: f64, steps: usize, radius_m: f64) -> Result<Profile, MakeError> {
    let transition_m = 0.5 * radius_m;
    let bend_m = PI * radius_m - transition_m;
    let least_m = 2.0 * (bend_m + 2.0 * transition_m);
    if length_m < least_m {
        return Err(MakeError::TooShort { radius_m, least_m, length_m });
    }
    let half_m = 0.5 * length_m;
    let straight_m = half_m - bend_m - 2.0 * transition_m;
    let share = |u: f64| {
        // The straight is split: half of it before the bend, half behind, so that the start is in
        // the middle of a straight.
        let s = (u % half_m) - 0.5 * straight_m;
        let inwards = s.min(bend_m + 2.0 * transition_m - s);
        if inwards <= 0.0 {
            0.0
        } else if inwards >= transition_m {
            1.0
        } else {
            0.5 * (1.0 - (PI * inwards / transition_m).cos())
        }
    };
    let half = steps / 2;
    let at = |index: f64| length_m * index / steps as f64;
    // The heading of an interval is the integral up to its middle; both are scaled so that half a
    // round turns by π exactly.
    let turns: Vec<f64> = (0..half).map(|index| share(at(index as f64))).collect();
    let scale = PI / turns.iter().sum::<f64>();
    let mut headings_rad = vec![0.0];
    let mut heading = 0.0;
    for index in 0..steps {
        heading += scale * turns[index % half];
        headings_rad.push(heading);
    }
    Ok(Profile { headings_rad: Some(headings_rad), bends: (0..=steps).map(|index| share(at(index as f64))).collect() })
}
