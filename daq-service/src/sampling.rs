//! What the loop knows of a source: it is sampled.

/// A source of the driver's data with its block.
pub trait Sampling {
    /// Samples the source and publishes. Real-time safe.
    fn sample(&mut self, sample_ns: u64);

    /// How many samples were taken.
    fn samples(&self) -> u64;
}
