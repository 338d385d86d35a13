//! Raw numbers of a channel over a short time.

use std::time::{Duration, Instant};

use anyhow::bail;
use shm_layout::Wait;
use shm_layout::clock::monotonic_ns;

use super::super::channels::Channels;

/// How long to wait for a publication before looking again.
const LOOK_EVERY_NS: u64 = 300_000;
/// How long nothing may come at all.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// What came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    pub mean: f64,
    /// Standard deviation.
    pub noise: f64,
    pub least: f64,
    pub most: f64,
    pub count: usize,
}

impl Measured {
    /// Of at least one number.
    pub fn of(numbers: &[f64]) -> Self {
        let count = numbers.len();
        let mean = numbers.iter().sum::<f64>() / count as f64;
        let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
        Self {
            mean,
            noise: (squares / count.saturating_sub(1).max(1) as f64).sqrt(),
            least: numbers.iter().copied().fold(f64::INFINITY, f64::min),
            most: numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            count,
        }
    }
}

/// Collects the channel's new raw numbers for so long; longer if none has come yet.
pub fn measure(channels: &mut Channels, index: usize, lasting: Duration) -> anyhow::Result<Measured> {
    let begun = Instant::now();
    // Nothing that was measured before counts.
    let mut newest_ns = monotonic_ns();
    let mut numbers = Vec::new();
    while begun.elapsed() < lasting || numbers.is_empty() {
        if channels.region.is_removed() {
            bail!("the run is over; nothing was written");
        }
        if numbers.is_empty() && begun.elapsed() > lasting + TIME_LIMIT {
            bail!("no new number came within {} s; nothing was written", (lasting + TIME_LIMIT).as_secs());
        }
        channels.reader.wait_for_news(monotonic_ns() + LOOK_EVERY_NS, Wait::Sleep);
        let channel = channels.reader.last().map(|news| news.channels[index]);
        if let Some(channel) = channel.filter(|channel| channel.sample_ns > newest_ns && channel.raw.is_finite()) {
            newest_ns = channel.sample_ns;
            numbers.push(channel.raw);
        }
    }
    Ok(Measured::of(&numbers))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: mean 5, squares 9 + 1 + 1 + 9 = 20 over 3.
    #[test]
    fn mean_and_noise() {
        let measured = Measured::of(&[2.0, 4.0, 6.0, 8.0]);
        assert_eq!((measured.mean, measured.least, measured.most, measured.count), (5.0, 2.0, 8.0, 4));
        assert!((measured.noise - (20.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!(Measured::of(&[7.0]).noise, 0.0);
    }
}
