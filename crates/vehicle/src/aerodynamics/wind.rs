//! The wind: a mean, gusts on top of it, and turbulence.
//!
//! ```text
//! w(t, p) = w̄ + Σ gusts(t, p) + turbulence(e·p − |w̄| t)                                        (1)
//! ```
//! e is the direction to which the mean wind blows (E's x in a calm). The turbulence is frozen in
//! the air that drifts with the mean wind: what a vehicle meets depends on where it is in that air.

use super::gust::Gust;
use super::turbulence::Turbulence;
use crate::Vector3;
use crate::files::{FileError, Source};
use crate::numbers::bounded;

/// Wind over time and place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wind {
    pub(super) mean: Vector3,
    pub(super) gusts: Vec<Gust>,
    pub(super) turbulence: Option<Turbulence>,
}

impl Wind {
    /// The same wind everywhere and always (m/s, in E).
    #[must_use]
    pub fn steady(mean: Vector3) -> Self {
        Self { mean, ..Self::default() }
    }

    /// Reads a wind from TOML.
    pub fn read(source: &Source<'_>) -> Result<Self, FileError> {
        super::wind_file::wind(source)
    }

    /// The wind in E (m/s) at a time and a place. Neither allocates nor panics; the same arguments
    /// give the same bits.
    #[must_use]
    pub fn at(&self, time_s: f64, position: Vector3) -> Vector3 {
        let gusts = self.gusts.iter().fold(self.mean, |sum, gust| sum + gust.at(time_s, position));
        match &self.turbulence {
            None => gusts,
            Some(turbulence) => gusts + self.turbulent(turbulence, time_s, position),
        }
    }

    fn turbulent(&self, turbulence: &Turbulence, time_s: f64, position: Vector3) -> Vector3 {
        let level = Vector3::new(self.mean.x, self.mean.y, 0.0);
        let direction = level.normalised().unwrap_or(Vector3::AXES[0]);
        let time_s = bounded(time_s, 1e12);
        let (x, y) = (bounded(position.x, 1e12), bounded(position.y, 1e12));
        let distance = direction.x * x + direction.y * y - level.norm() * time_s;
        turbulence.wind(direction, distance)
    }
}
