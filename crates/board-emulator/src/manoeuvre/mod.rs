//! What the emulated car's driver does: steering wheel and pedals over time.

mod file;
mod shipped;
mod track;

pub use track::Track;

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

impl Manoeuvre {
    /// The shipped ones.
    pub fn shipped() -> Vec<Self> {
        shipped::all()
    }

    /// A shipped one by its name, or a CSV file.
    pub fn load(name: &str) -> Result<Self, FileError> {
        match shipped::all().into_iter().find(|manoeuvre| manoeuvre.name == name) {
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
