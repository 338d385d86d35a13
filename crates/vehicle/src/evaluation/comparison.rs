//! How far a run is from recorded data: with tolerance bands, as ISO 19364 asks for.
//!
//! The standard draws a band around the reference and asks that the simulation stays within it. The
//! band here is a share of the largest magnitude of the reference, the same at every time.

use super::signal::peak;
use crate::files::curve;

/// The difference between a signal and its reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Largest magnitude of the reference.
    pub peak: f64,
    /// Root of the mean of the squares of the difference.
    pub rms: f64,
    /// Largest magnitude of the difference.
    pub largest: f64,
    /// Difference at the last time.
    pub at_end: f64,
    /// Share of the samples within the band.
    pub within: f64,
}

impl Difference {
    /// Compares a signal with a reference at the times of the reference; `tolerance` is the half
    /// width of the band in the unit of the signal.
    #[must_use]
    pub fn new(
        time: &[f64],
        signal: &[f64],
        reference_time: &[f64],
        reference: &[f64],
        tolerance: f64,
    ) -> Option<Self> {
        let end = *time.last()?;
        let begin = *time.first()?;
        let differences: Vec<f64> = reference_time
            .iter()
            .zip(reference)
            .filter(|(when, value)| (begin - 1e-6..=end + 1e-6).contains(*when) && value.is_finite())
            .map(|(when, value)| curve::between(time, signal, *when) - value)
            .collect();
        let count = differences.len() as f64;
        let inside = differences.iter().filter(|value| value.abs() <= tolerance).count();
        Some(Self {
            peak: peak(reference).abs(),
            rms: (differences.iter().map(|value| value * value).sum::<f64>() / count).sqrt(),
            largest: peak(&differences).abs(),
            at_end: *differences.last()?,
            within: inside as f64 / count,
        })
    }
}
