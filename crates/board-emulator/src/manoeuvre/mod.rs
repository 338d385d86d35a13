//! What the emulated car's driver does: steering wheel and pedals over time.

mod file;

use files::FileError;

/// Where the driver holds the controls at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Controls {
    /// Steering wheel (deg, positive to the left).
    pub steering_deg: f64,
    /// Throttle pedal, 0 released to 1 pressed.
    pub throttle_ratio: f64,
    /// Brake pressure (bar).
    pub brake_bar: f64,
}

/// Steering and pedals over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Manoeuvre {
    /// Its name.
    pub name: String,
    /// What happens in it, in a few words.
    pub about: String,
    /// Steering wheel (deg, positive to the left).
    pub(crate) steering_deg: Track,
    /// Throttle pedal, 0 to 1.
    pub(crate) throttle_ratio: Track,
    /// Brake pressure (bar).
    pub(crate) brake_bar: Track,
}

/// Smooth moves: values at times (s).
fn moves<const N: usize>(times_s: [f64; N], values: [f64; N]) -> Track {
    Track::Moves(times_s.into_iter().zip(values).collect())
}

impl Manoeuvre {
    /// The shipped ones: tests in the kind of DAS Fig. 4.7, with the engine off.
    pub fn shipped() -> Vec<Self> {
        let still = || Track::Still(0.0);
        let named = |name: &str, about: &str, steering_deg, throttle_ratio, brake_bar| Manoeuvre {
            name: name.to_owned(),
            about: about.to_owned(),
            steering_deg,
            throttle_ratio,
            brake_bar,
        };
        vec![
            named(
                "drive",
                "pulls away, turns left and right, brakes, and again after 20 s",
                moves(
                    [0.0, 3.0, 4.5, 6.0, 8.0, 9.5, 11.0, 12.0, 20.0],
                    [0.0, 0.0, 120.0, 120.0, -150.0, -150.0, 30.0, 0.0, 0.0],
                ),
                moves([0.0, 0.5, 2.0, 5.0, 11.0, 12.0, 20.0], [0.0, 0.0, 0.7, 0.35, 0.5, 0.0, 0.0]),
                moves([0.0, 12.5, 13.2, 16.0, 17.0, 20.0], [0.0, 0.0, 24.0, 10.0, 0.0, 0.0]),
            ),
            named(
                "steering-sweep",
                "the wheel swings by 90° to both sides, from 0.2 Hz to 2 Hz within 30 s",
                Track::Sweep { amplitude: 90.0, from_hz: 0.2, to_hz: 2.0, period_s: 30.0 },
                still(),
                still(),
            ),
            named(
                "lock-to-lock",
                "the wheel from one end to the other, 540° to each side",
                moves([0.0, 2.0, 3.0, 7.0, 8.0, 10.0], [0.0, 540.0, 540.0, -540.0, -540.0, 0.0]),
                still(),
                still(),
            ),
            named(
                "pedals",
                "throttle and brake pressed fully in turn, at rest in between",
                still(),
                moves([0.0, 1.0, 1.6, 2.6, 3.0, 8.0], [0.0, 0.0, 1.0, 1.0, 0.0, 0.0]),
                moves([0.0, 4.0, 4.3, 5.3, 6.0, 8.0], [0.0, 0.0, 40.0, 40.0, 0.0, 0.0]),
            ),
            named(
                "slow-turn",
                "the wheel turns to the right for ever, 45° per second, as for DAS Fig. 4.19",
                Track::Ramp { per_s: -45.0 },
                still(),
                still(),
            ),
            named("still", "nothing moves", still(), still(), still()),
        ]
    }

    /// A shipped one by its name, or a CSV file.
    pub fn load(name: &str) -> Result<Self, FileError> {
        match Self::shipped().into_iter().find(|manoeuvre| manoeuvre.name == name) {
            Some(manoeuvre) => Ok(manoeuvre),
            None => file::load(name),
        }
    }

    /// Where the controls are at a time (s).
    pub fn at(&self, time_s: f64) -> Controls {
        Controls {
            steering_deg: self.steering_deg.at(time_s),
            throttle_ratio: self.throttle_ratio.at(time_s),
            brake_bar: self.brake_bar.at(time_s),
        }
    }
}

/// One control over time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Track {
    Still(f64),
    Ramp {
        per_s: f64,
    },
    /// A sine whose frequency rises evenly within `period_s`, and begins again.
    Sweep {
        /// Half of its whole swing.
        amplitude: f64,
        /// Frequency at the beginning (Hz).
        from_hz: f64,
        /// Frequency at the end (Hz).
        to_hz: f64,
        /// Time after which it begins again (s).
        period_s: f64,
    },
    /// Smooth moves from one point to the next, without jerk at the points; repeated for ever.
    Moves(Vec<(f64, f64)>),
    /// Straight lines from one point to the next; the last value stays.
    Lines(Vec<(f64, f64)>),
}

impl Track {
    /// The value at a time (s).
    pub fn at(&self, time_s: f64) -> f64 {
        match self {
            Self::Still(value) => *value,
            Self::Ramp { per_s } => per_s * time_s,
            Self::Sweep { amplitude, from_hz, to_hz, period_s } => {
                let time_s = time_s.rem_euclid(*period_s);
                // The phase is the integral of the frequency.
                let cycles = from_hz * time_s + (to_hz - from_hz) * time_s * time_s / (2.0 * period_s);
                amplitude * (std::f64::consts::TAU * cycles).sin()
            }
            Self::Moves(points) => {
                let period_s = points.last().map_or(0.0, |(end_s, _)| *end_s);
                let time_s = if period_s > 0.0 { time_s.rem_euclid(period_s) } else { 0.0 };
                between(points, time_s, |part| part * part * part * (part * (part * 6.0 - 15.0) + 10.0))
            }
            Self::Lines(points) => between(points, time_s, |part| part),
        }
    }
}

/// The value between two points; `eased` turns the part of the time into that of the way.
fn between(points: &[(f64, f64)], time_s: f64, eased: impl Fn(f64) -> f64) -> f64 {
    let after = points.partition_point(|(point_s, _)| *point_s <= time_s);
    let before = points[..after].last();
    match (before, points.get(after)) {
        (Some((from_s, from)), Some((to_s, to))) => {
            from + (to - from) * eased((time_s - from_s) / (to_s - from_s)).clamp(0.0, 1.0)
        }
        (Some((_, value)), None) | (None, Some((_, value))) => *value,
        (None, None) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_hold_their_ends_and_moves_repeat() {
        let points = vec![(1.0, 10.0), (2.0, 20.0), (3.0, 0.0)];
        let lines = Track::Lines(points.clone());
        assert_eq!([0.0, 1.0, 1.5, 2.5, 3.0, 9.0].map(|time_s| lines.at(time_s)), [10.0, 10.0, 15.0, 10.0, 0.0, 0.0]);
        let moves = Track::Moves(points);
        assert_eq!([1.0, 1.5, 4.5].map(|time_s| moves.at(time_s)), [10.0, 15.0, 15.0]);
        assert_eq!(Track::Moves(vec![]).at(1.0), 0.0);
    }

    /// The derivative of the sweep's phase is its frequency: near the beginning and the end, the
    /// sine has the slope 2πfA at its zeros.
    #[test]
    fn a_sweep_has_its_frequencies() {
        let sweep = Track::Sweep { amplitude: 1.0, from_hz: 0.5, to_hz: 2.5, period_s: 4.0 };
        let slope = |time_s: f64| (sweep.at(time_s + 1e-6) - sweep.at(time_s - 1e-6)) / 2e-6;
        assert!((slope(1e-5) - std::f64::consts::TAU * 0.5).abs() < 1e-3, "{}", slope(1e-5));
        // Six whole cycles end at 4 s.
        assert!((slope(4.0 - 1e-5) - std::f64::consts::TAU * 2.5).abs() < 1e-2, "{}", slope(4.0 - 1e-5));
    }
}
