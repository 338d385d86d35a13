//! Thins a series to what a plot can show: for each column of the canvas the first, lowest, highest
//! and last point. Peaks of a single sample stay visible, and a million points become a few
//! thousand.

/// Splits a series at points that are not finite and thins each part to about four points per
/// column. `column` gives the column of the canvas for an x.
pub(crate) fn decimate(points: &[(f64, f64)], column: impl Fn(f64) -> i64) -> Vec<Vec<(f64, f64)>> {
    points
        .split(|(x, y)| !x.is_finite() || !y.is_finite())
        .filter(|part| !part.is_empty())
        .map(|part| thin(part, &column))
        .collect()
}

fn thin(points: &[(f64, f64)], column: &impl Fn(f64) -> i64) -> Vec<(f64, f64)> {
    points.chunk_by(|left, right| column(left.0) == column(right.0)).flat_map(extremes).collect()
}

/// First, lowest, highest and last point of a column, in their order, each once.
fn extremes(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let height = |index: &usize| points[*index].1;
    let indexes = || 0..points.len();
    let lowest = indexes().min_by(|left, right| height(left).total_cmp(&height(right))).unwrap_or(0);
    let highest = indexes().max_by(|left, right| height(left).total_cmp(&height(right))).unwrap_or(0);
    let mut kept = [0, lowest, highest, points.len() - 1];
    kept.sort_unstable();
    let mut previous = None;
    kept.into_iter().filter(|index| previous.replace(*index) != Some(*index)).map(|index| points[index]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_peak_survives() {
        let mut points: Vec<(f64, f64)> = (0..1_000_000).map(|step| (f64::from(step), 0.0)).collect();
        points[123_456].1 = 7.0;
        let parts = decimate(&points, |x| (x / 1000.0) as i64);
        assert_eq!(parts.len(), 1);
        assert!(parts[0].len() <= 4000, "{}", parts[0].len());
        assert!(parts[0].contains(&(123_456.0, 7.0)));
        assert!(parts[0].is_sorted_by(|left, right| left.0 <= right.0));
    }

    #[test]
    fn gaps_stay_gaps() {
        let points = [(0.0, 1.0), (1.0, f64::NAN), (2.0, 3.0), (3.0, 4.0)];
        let parts = decimate(&points, |x| x as i64);
        assert_eq!(parts, [vec![(0.0, 1.0)], vec![(2.0, 3.0), (3.0, 4.0)]]);
    }
}
