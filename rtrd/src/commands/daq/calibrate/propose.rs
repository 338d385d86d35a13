//! From raw numbers over a short time to points, and from points to a calibration.

use std::time::{Duration, Instant};

use acquisition::calibration::{Calibration, Map};
use anyhow::bail;
use files::{Curve, Ends};
use shm_layout::Wait;
use shm_layout::clock::monotonic_ns;

use super::super::channels::Channels;

/// Points must differ by so many raw numbers, and by so many times their noise.
const RAW_MIN: f64 = 8.0;
const NOISE_FACTOR: f64 = 10.0;
/// The deadband covers the noise at the first point so many times.
const DEADBAND_FACTOR: f64 = 4.0;

/// The value that a point usually has: that of the old calibration's points.
pub fn usual_value(old: &Calibration, number: usize, count: usize) -> Option<f64> {
    let (first, last) = match &old.map {
        Map::TwoPoint([first, second]) => (first[1], Some(second[1])),
        Map::Table(curve) => (curve.points()[0][1], Some(curve.last()[1])),
        Map::Scale(_) => (0.0, old.most.is_finite().then_some(old.most)),
    };
    let part = number as f64 / (count - 1).max(1) as f64;
    match (number, last) {
        (0, _) => Some(first),
        (_, Some(last)) => Some(first + (last - first) * part),
        (_, None) => None,
    }
}

/// Whether a calibration can be made of the points.
pub fn check(points: &[(f64, Measured)]) -> Result<(), String> {
    let mut sorted: Vec<&(f64, Measured)> = points.iter().collect();
    sorted.sort_by(|first, second| first.1.mean.total_cmp(&second.1.mean));
    for pair in sorted.windows(2) {
        let [(first_value, first), (second_value, second)] = [pair[0], pair[1]];
        let apart = second.mean - first.mean;
        let needed = RAW_MIN.max(NOISE_FACTOR * first.noise.max(second.noise));
        if apart < needed {
            return Err(format!(
                "two points are only {apart:.1} raw numbers apart; expected at least {needed:.1} (noise {:.2})",
                first.noise.max(second.noise)
            ));
        }
        if first_value == second_value {
            return Err(format!("two points have the same value {first_value}; expected different ones"));
        }
    }
    Ok(())
}

/// A line through two points, a table through more; sign and offset are in the points.
///
/// # Panics
/// When the points are not those that [`check`] accepts.
pub fn calibration(points: &[(f64, Measured)], old: &Calibration) -> Calibration {
    let mut pairs: Vec<[f64; 2]> = points.iter().map(|(value, measured)| [rounded(measured.mean), *value]).collect();
    pairs.sort_by(|first, second| first[0].total_cmp(&second[0]));
    let map = match pairs.as_slice() {
        [first, second] => Map::TwoPoint([*first, *second]),
        _ => Map::Table(Curve::new(pairs, Ends::Straight).expect("points that were checked")),
    };
    Calibration { map, unit: old.unit, ..Calibration::default() }
}

/// A hundredth of a raw number is far below any noise.
fn rounded(raw: f64) -> f64 {
    (raw * 100.0).round() / 100.0
}

/// What covers the noise at the first point, in the unit, with two digits.
pub fn deadband(points: &[(f64, Measured)], new: &Calibration) -> f64 {
    let noise = points.first().map_or(0.0, |(_, measured)| measured.noise);
    let deadband = DEADBAND_FACTOR * noise * new.resolution();
    if deadband > 0.0 {
        let digit = 10.0_f64.powf(deadband.log10().floor() - 1.0);
        (deadband / digit).ceil() * digit
    } else {
        0.0
    }
}

/// Least and greatest value of the points.
pub fn limits(points: &[(f64, Measured)]) -> (f64, f64) {
    let values = points.iter().map(|(value, _)| *value);
    (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max))
}

/// How long to wait for a publication before looking again.
const LOOK_EVERY_NS: u64 = 300_000;
/// How long nothing may come at all.
const TIME_LIMIT: Duration = Duration::from_secs(5);

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

    fn at(value: f64, numbers: &[f64]) -> (f64, Measured) {
        (value, Measured::of(numbers))
    }

    /// DAS Eq. 4.13: a pedal that shows 0 and 420 is 0 and 1.
    #[test]
    fn the_throttle_of_the_thesis() {
        let points = [at(0.0, &[0.0, 0.0]), at(1.0, &[420.0, 420.0])];
        assert_eq!(check(&points), Ok(()));
        let new = calibration(&points, &Calibration::default());
        assert!((new.convert(105.0) - 0.25).abs() < 1e-12);
        assert_eq!((limits(&points), deadband(&points, &new)), ((0.0, 1.0), 0.0));
        assert!(new.to_string().contains("two_point = [[0.0, 0.0], [420.0, 1.0]]"), "{new}");
    }

    #[test]
    fn a_wheel_that_counts_the_other_way_has_a_falling_line() {
        let points = [at(90.0, &[-500.0]), at(-90.0, &[500.0])];
        assert_eq!(check(&points), Ok(()));
        assert_eq!(calibration(&points, &Calibration::default()).convert(250.0), -45.0);
    }

    #[test]
    fn points_that_are_too_close_are_refused() {
        let close = check(&[at(0.0, &[0.0, 1.0]), at(1.0, &[5.0, 6.0])]).unwrap_err();
        assert!(close.contains("only 5.0 raw numbers apart; expected at least 8.0"), "{close}");
        let noisy = check(&[at(0.0, &[0.0, 20.0]), at(1.0, &[100.0, 120.0])]).unwrap_err();
        assert!(noisy.contains("expected at least 141.4"), "{noisy}");
        let same = check(&[at(1.0, &[0.0]), at(1.0, &[100.0])]).unwrap_err();
        assert!(same.contains("the same value 1"), "{same}");
    }

    #[test]
    fn three_points_are_a_table_and_noise_a_deadband() {
        let points = [at(0.0, &[-8.0, -4.0]), at(40.0, &[32_000.0]), at(10.0, &[9_000.0])];
        assert_eq!(check(&points), Ok(()));
        let new = calibration(&points, &Calibration::default());
        let Map::Table(curve) = &new.map else { panic!("{new}") };
        assert_eq!(curve.points(), [[-6.0, 0.0], [9_000.0, 10.0], [32_000.0, 40.0]]);
        // Noise √8 ≈ 2.83, steepest piece 30/23000 per count: 4 · 2.83 · 0.0013 = 0.01476, rounded
        // up to two digits.
        assert!((deadband(&points, &new) - 0.015).abs() < 1e-9);
    }

    #[test]
    fn usual_values_come_from_the_old_points() {
        let old = Calibration { map: Map::TwoPoint([[0.0, 0.0], [32_767.0, 40.0]]), ..Calibration::default() };
        assert_eq!([0, 1, 2].map(|number| usual_value(&old, number, 3)), [Some(0.0), Some(20.0), Some(40.0)]);
        assert_eq!([0, 1].map(|number| usual_value(&Calibration::default(), number, 2)), [Some(0.0), None]);
    }

    /// By hand: mean 5, squares 9 + 1 + 1 + 9 = 20 over 3.
    #[test]
    fn mean_and_noise() {
        let measured = Measured::of(&[2.0, 4.0, 6.0, 8.0]);
        assert_eq!((measured.mean, measured.least, measured.most, measured.count), (5.0, 2.0, 8.0, 4));
        assert!((measured.noise - (20.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!(Measured::of(&[7.0]).noise, 0.0);
    }
}
