//! What the emulated car's driver does: steering wheel and pedals over time.

mod file;
mod track;

pub(crate) use track::Track;

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
    pub steering_deg: Track,
    /// Throttle pedal, 0 to 1.
    pub throttle_ratio: Track,
    /// Brake pressure (bar).
    pub brake_bar: Track,
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
