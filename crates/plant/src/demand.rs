//! What is asked of the plant over time.
//!
//! Demands are what a driver or an operator wants: a level, a speed, the opening of a valve. The
//! controller says which exist ([`crate::control::ControllerDescription::demands`]); a scenario
//! gives each of them a [`Profile`], written out or taken from a recording.

use crate::description::Port;
use files::{Curve, Ends};

/// One profile per demand of the controller, in the controller's order.
#[derive(Clone, Debug, PartialEq)]
pub struct Demands {
    ports: Vec<Port>,
    profiles: Vec<Profile>,
}

impl Demands {
    /// Every demand at its default.
    pub fn defaults(ports: &[Port]) -> Self {
        let profiles = ports.iter().map(|port| Profile::constant(port.default)).collect();
        Demands { ports: ports.to_vec(), profiles }
    }

    /// Gives the demand of this index its profile.
    pub(crate) fn set(&mut self, index: usize, profile: Profile) {
        self.profiles[index] = profile;
    }

    /// The demands that exist.
    pub fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ports.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ports.is_empty()
    }

    /// Writes the demands at a time, as many as fit; O(log n) each, without allocation.
    pub fn values(&self, time_s: f64, demands: &mut [f64]) {
        for (demand, profile) in demands.iter_mut().zip(&self.profiles) {
            *demand = profile.value(time_s);
        }
    }
}

/// What holds between two points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// The value of the point before: steps.
    #[default]
    Hold,
    /// The straight line from point to point.
    Linear,
}

/// A value for every time. Before the first point the first value holds, after the last the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    curve: Curve,
    interpolation: Interpolation,
    repeat_s: Option<f64>,
}

/// Why points make no profile. Each names the point, counted from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the names of the fields say what they are")]
pub enum ProfileError {
    /// There is none.
    #[error("there are no points; expected at least one [time_s, value]")]
    Empty,
    /// A time or value is not a number.
    #[error("point {index} is [{time_s}, {value}]; expected finite numbers and a time that is not negative")]
    NotFinite { index: usize, time_s: f64, value: f64 },
    /// A point is not later than the one before.
    #[error("point {index} is at {time_s} s, after one at {before_s} s; expected times that rise")]
    Unsorted { index: usize, time_s: f64, before_s: f64 },
    /// The period is impossible.
    #[error("`repeat_s` is {repeat_s}; expected a number above 0 and not before the last point, at {last_s} s")]
    Repeat { repeat_s: f64, last_s: f64 },
}

impl Profile {
    /// A profile of points (time (s), value) whose times rise. With `repeat_s` it starts again
    /// after that time, for runs without an end; between the last point and the end of the period
    /// the last value holds.
    pub fn new(
        points: &[(f64, f64)],
        interpolation: Interpolation,
        repeat_s: Option<f64>,
    ) -> Result<Self, ProfileError> {
        check_points(points)?;
        let last_s = points.last().ok_or(ProfileError::Empty)?.0;
        if let Some(repeat_s) = repeat_s
            && !(repeat_s.is_finite() && repeat_s > 0.0 && repeat_s >= last_s)
        {
            return Err(ProfileError::Repeat { repeat_s, last_s });
        }
        let points = points.iter().map(|(time_s, value)| [*time_s, *value]).collect();
        let curve = Curve::over_time(points, Ends::Level).map_err(|_| ProfileError::Empty)?;
        Ok(Profile { curve, interpolation, repeat_s })
    }

    /// The same value at all times.
    pub fn constant(value: f64) -> Self {
        Profile { curve: Curve::level(value), interpolation: Interpolation::Hold, repeat_s: None }
    }

    /// The value at a time; O(log n), without allocation.
    pub fn value(&self, time_s: f64) -> f64 {
        let time_s = match self.repeat_s {
            Some(repeat_s) => time_s.rem_euclid(repeat_s),
            None => time_s,
        };
        match self.interpolation {
            Interpolation::Hold => self.curve.around(time_s).0[1],
            Interpolation::Linear => self.curve.value(time_s),
        }
    }

    /// The points: times (s) and values.
    pub fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.curve.points().iter().map(|[time_s, value]| (*time_s, *value))
    }

    /// The period, when the profile repeats (s).
    pub fn repeat_s(&self) -> Option<f64> {
        self.repeat_s
    }
}

fn check_points(points: &[(f64, f64)]) -> Result<(), ProfileError> {
    let mut before_s = f64::NEG_INFINITY;
    for (index, (time_s, value)) in points.iter().copied().enumerate() {
        if !time_s.is_finite() || !value.is_finite() || time_s < 0.0 {
            return Err(ProfileError::NotFinite { index, time_s, value });
        }
        if time_s <= before_s {
            return Err(ProfileError::Unsorted { index, time_s, before_s });
        }
        before_s = time_s;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(interpolation: Interpolation, repeat_s: Option<f64>) -> Profile {
        Profile::new(&[(1.0, 10.0), (3.0, 20.0), (4.0, 0.0)], interpolation, repeat_s).expect("valid points")
    }

    #[test]
    fn holding_gives_steps() {
        let profile = profile(Interpolation::Hold, None);
        let at = |times: &[f64]| times.iter().map(|time| profile.value(*time)).collect::<Vec<_>>();
        assert_eq!(
            at(&[-1.0, 0.0, 1.0, 2.999, 3.0, 4.0, 99.0, f64::INFINITY]),
            [10.0, 10.0, 10.0, 10.0, 20.0, 0.0, 0.0, 0.0]
        );
    }

    #[test]
    fn lines_join_the_points() {
        let profile = profile(Interpolation::Linear, None);
        assert_eq!([0.0, 1.5, 2.0, 3.5, 9.0].map(|time| profile.value(time)), [10.0, 12.5, 15.0, 10.0, 0.0]);
    }

    #[test]
    fn a_period_starts_again() {
        let profile = profile(Interpolation::Linear, Some(5.0));
        assert_eq!(profile.value(2.0), profile.value(2.0 + 5.0 * 1000.0));
        assert_eq!(profile.value(4.9), 0.0);
        assert_eq!(profile.value(5.0), 10.0);
    }

    #[test]
    fn a_time_that_is_no_number_gives_the_first_value() {
        assert_eq!(profile(Interpolation::Linear, None).value(f64::NAN), 10.0);
        assert_eq!(profile(Interpolation::Hold, Some(5.0)).value(f64::NAN), 10.0);
    }

    #[test]
    fn impossible_points_are_refused() {
        let refuse = |points: &[(f64, f64)], repeat_s| {
            Profile::new(points, Interpolation::Hold, repeat_s).expect_err("impossible")
        };
        assert_eq!(refuse(&[], None), ProfileError::Empty);
        assert!(matches!(refuse(&[(0.0, f64::NAN)], None), ProfileError::NotFinite { index: 0, .. }));
        assert!(matches!(refuse(&[(-1.0, 0.0)], None), ProfileError::NotFinite { index: 0, .. }));
        assert!(matches!(refuse(&[(0.0, 0.0), (0.0, 1.0)], None), ProfileError::Unsorted { index: 1, .. }));
        assert!(matches!(refuse(&[(2.0, 0.0)], Some(1.0)), ProfileError::Repeat { .. }));
        assert!(matches!(refuse(&[(0.0, 0.0)], Some(0.0)), ProfileError::Repeat { .. }));
    }
}
