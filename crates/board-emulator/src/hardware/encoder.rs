//! An incremental encoder: two tracks, a quarter of a cycle apart, so that four phases follow each
//! other on every cycle.
//!
//! ```text
//! forward:   00 → 10 → 11 → 01 → 00      A leads B
//! back:      00 → 01 → 11 → 10 → 00      B leads A
//! ```
//!
//! 500 cycles per turn, four phases each: 0.18° per phase (DAS 3.1.2).

/// The angle of one phase (deg).
pub const COUNT_DEG: f64 = 0.18;

/// The two tracks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Track A.
    pub a: bool,
    /// Track B.
    pub b: bool,
}

impl Phase {
    /// The phase at a position counted in phases.
    pub(super) const fn of(position: i64) -> Self {
        let quarter = position.rem_euclid(4);
        Self { a: quarter == 1 || quarter == 2, b: quarter == 2 || quarter == 3 }
    }
}

/// An encoder on its shaft.
#[derive(Clone, Copy, Debug)]
pub struct Encoder {
    /// Phases from the angle 0.
    position: i64,
}

impl Encoder {
    /// At an angle (deg).
    pub fn at(angle_deg: f64) -> Self {
        Self { position: position(angle_deg) }
    }

    /// What its tracks show.
    pub const fn phase(&self) -> Phase {
        Phase::of(self.position)
    }

    /// Turns; `see` is shown every phase on the way.
    pub fn turn_to(&mut self, angle_deg: f64, mut see: impl FnMut(Phase)) {
        let target = position(angle_deg);
        while self.position != target {
            self.position += (target - self.position).signum();
            see(self.phase());
        }
    }
}

/// A hair above the edge counts as on it: 420 × 0.18° must not become 419 by rounding.
fn position(angle_deg: f64) -> i64 {
    (angle_deg / COUNT_DEG + 1e-6).floor() as i64
}
