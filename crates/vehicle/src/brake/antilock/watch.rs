//! What the sensors of a wheel tell: eq. (1) and (2) of the folder.

use crate::numbers::bounded;
use crate::stateful;

/// Fastest spin that is believed (rad/s); keeps every difference finite.
const SPIN_MOST: f64 = 1e5;
/// Below this spin of free rolling (rad/s) a slip has no meaning.
const SPIN_LEAST: f64 = 1e-3;

/// The memory of one wheel's sensor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Watch {
    spin_rad_s: f64,
    acceleration_rad_s2: f64,
    has_spin: bool,
}

/// What is seen of one wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Watched {
    pub(crate) slip: f64,
    pub(crate) acceleration_rad_s2: f64,
    pub(crate) free_spin_rad_s: f64,
}

impl Watch {
    /// One step; `part` is 1 − e^(−h/τ_a).
    pub(crate) fn observe(&mut self, spin_rad_s: f64, free_rad_s: f64, step_s: f64, part: f64) -> Watched {
        let free = bounded(free_rad_s, SPIN_MOST);
        let spin = bounded(spin_rad_s, SPIN_MOST);
        if self.has_spin && step_s > 0.0 {
            let difference = bounded((spin - self.spin_rad_s) / step_s, 1e9);
            self.acceleration_rad_s2 += (difference - self.acceleration_rad_s2) * part;
        }
        (self.spin_rad_s, self.has_spin) = (spin, true);
        let forward = if free < 0.0 { -1.0 } else { 1.0 };
        Watched {
            slip: slip(spin * forward, free.abs()),
            acceleration_rad_s2: self.acceleration_rad_s2 * forward,
            free_spin_rad_s: free.abs(),
        }
    }
}

fn slip(spin: f64, free: f64) -> f64 {
    if free > SPIN_LEAST { 1.0 - spin / free } else { 0.0 }
}

stateful!(Watch, |it| it.spin_rad_s, it.acceleration_rad_s2, it.has_spin);
