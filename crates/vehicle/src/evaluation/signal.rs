//! What evaluations do with sampled signals.

/// The first place at or after `from` where the signal reaches a level, interpolated between
/// samples.
#[must_use]
pub fn reaches(time: &[f64], signal: &[f64], level: f64, from: usize) -> Option<f64> {
    let first = *signal.get(from)?;
    let upwards = first < level;
    let beyond = |value: f64| if upwards { value >= level } else { value <= level };
    if beyond(first) {
        return time.get(from).copied();
    }
    let place = (from + 1..signal.len()).find(|place| beyond(signal[*place]))?;
    let (before, after) = (signal[place - 1], signal[place]);
    let share = (level - before) / (after - before);
    Some(time[place - 1] + share * (time[place] - time[place - 1]))
}

/// The first sample at or after a time.
#[must_use]
pub fn index_at(time: &[f64], when: f64) -> usize {
    time.partition_point(|value| *value < when - 1e-9)
}

/// Mean; not a number for nothing.
#[must_use]
pub fn mean(signal: &[f64]) -> f64 {
    signal.iter().sum::<f64>() / signal.len() as f64
}

/// The value with the largest magnitude, with its sign.
#[must_use]
pub fn peak(signal: &[f64]) -> f64 {
    signal.iter().copied().fold(0.0, |most: f64, value| if value.abs() > most.abs() { value } else { most })
}

/// Largest value; minus infinity for nothing.
#[must_use]
pub fn most(signal: &[f64]) -> f64 {
    signal.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// Least value; infinity for nothing.
#[must_use]
pub fn least(signal: &[f64]) -> f64 {
    signal.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Slope and offset of the straight line through points that is best in the mean of squares.
#[must_use]
pub fn line(points: impl Iterator<Item = (f64, f64)> + Clone) -> Option<(f64, f64)> {
    let count = points.clone().count() as f64;
    if count < 2.0 {
        return None;
    }
    let (sum_x, sum_y) = points.clone().fold((0.0, 0.0), |(x, y), point| (x + point.0, y + point.1));
    let (mean_x, mean_y) = (sum_x / count, sum_y / count);
    let (covariance, variance) = points.fold((0.0, 0.0), |(covariance, variance), (x, y)| {
        (covariance + (x - mean_x) * (y - mean_y), variance + (x - mean_x).powi(2))
    });
    let slope = covariance / variance;
    slope.is_finite().then_some((slope, mean_y - slope * mean_x))
}

/// Mean over a window around each sample: takes out what is faster than the window.
#[must_use]
pub fn smoothed(signal: &[f64], spacing: f64, window: f64) -> Vec<f64> {
    let half = (0.5 * window / spacing.max(1e-12)).round() as usize;
    let mut sums = Vec::with_capacity(signal.len() + 1);
    sums.push(0.0);
    let mut sum = 0.0;
    for value in signal {
        sum += value;
        sums.push(sum);
    }
    (0..signal.len())
        .map(|place| {
            // The window stays symmetric at the ends, so that it shifts nothing.
            let half = half.min(place).min(signal.len() - 1 - place);
            (sums[place + half + 1] - sums[place - half]) / (2 * half + 1) as f64
        })
        .collect()
}
