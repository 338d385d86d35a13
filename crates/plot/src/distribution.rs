//! A distribution of latencies as counts in bins, and how several are brought to the same bins.

use crate::axis::{Axis, Scale};

/// How many samples fell into an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// The lower end (µs).
    pub from_us: f64,
    /// The upper end (µs).
    pub to_us: f64,
    /// How many samples.
    pub count: u64,
}

/// A named set of bins, in rising order, that do not overlap; empty bins may be left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// The name in the legend.
    pub name: String,
    /// The counts.
    pub bins: Vec<Bin>,
}

impl Distribution {
    /// A distribution. Bins that are empty, reversed or not finite are left out.
    pub fn new(name: impl Into<String>, bins: Vec<Bin>) -> Self {
        let usable =
            |bin: &Bin| bin.count > 0 && bin.from_us.is_finite() && bin.to_us.is_finite() && bin.from_us < bin.to_us;
        let mut bins: Vec<Bin> = bins.into_iter().filter(usable).collect();
        bins.sort_by(|left, right| left.from_us.total_cmp(&right.from_us));
        Distribution { name: name.into(), bins }
    }

    /// Counts samples (µs) in bins of equal width.
    pub fn from_samples(name: impl Into<String>, samples_us: &[f64], width_us: f64) -> Self {
        let mut counts = std::collections::BTreeMap::<i64, u64>::new();
        for sample in samples_us.iter().filter(|sample| sample.is_finite()) {
            *counts.entry((sample / width_us).floor() as i64).or_default() += 1;
        }
        let bin = |(index, count)| {
            let from_us = index as f64 * width_us;
            Bin { from_us, to_us: from_us + width_us, count }
        };
        Distribution::new(name, counts.into_iter().map(bin).collect())
    }

    /// The number of samples.
    pub fn count(&self) -> u64 {
        self.bins.iter().map(|bin| bin.count).sum()
    }

    /// The value below which a part of the samples lies (µs), to the width of a bin (its upper
    /// end); none without samples.
    pub fn quantile_us(&self, part: f64) -> Option<f64> {
        let rank = (part.clamp(0.0, 1.0) * self.count() as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        self.bins.iter().find_map(|bin| {
            seen += bin.count;
            (seen >= rank).then_some(bin.to_us)
        })
    }

    /// The widest bin that touches an interval (µs).
    fn width_between_us(&self, from_us: f64, to_us: f64) -> f64 {
        let touching = self.bins.iter().filter(|bin| bin.from_us < to_us && bin.to_us > from_us);
        touching.map(|bin| bin.to_us - bin.from_us).fold(0.0, f64::max)
    }

    /// The counts in other bins, given by their edges. A bin that spans an edge is divided in
    /// proportion, to whole samples: no sample is lost, and a single one stays a single one.
    pub(crate) fn rebinned(&self, edges: &[f64]) -> Vec<u64> {
        let mut counts = vec![0; edges.len().saturating_sub(1)];
        let Some(last) = counts.len().checked_sub(1) else {
            return counts;
        };
        for bin in &self.bins {
            let mut left = bin.count;
            let first = edges.partition_point(|edge| *edge <= bin.from_us).saturating_sub(1).min(last);
            for index in first..=last {
                let part = (edges[index + 1] - bin.from_us) / (bin.to_us - bin.from_us);
                let is_end = index == last || edges[index + 1] >= bin.to_us;
                let below = if is_end { bin.count } else { (part * bin.count as f64).round() as u64 };
                let taken = left.min(below.saturating_sub(bin.count - left));
                counts[index] += taken;
                left -= taken;
                if is_end {
                    break;
                }
            }
        }
        counts
    }
}

/// Edges of common bins along an axis: about `count`, but nowhere narrower than the widest bin of
/// the distributions there, so that coarse ones do not turn into a comb.
pub(crate) fn common_edges(distributions: &[Distribution], axis: &Axis, count: usize) -> Vec<f64> {
    let mut edges = vec![axis.min];
    for index in 1..=count {
        let candidate = axis.value(index as f64 / count as f64);
        let last = edges[edges.len() - 1];
        let widths = distributions.iter().map(|distribution| distribution.width_between_us(last, candidate));
        if candidate - last >= widths.fold(0.0, f64::max) * 0.999 {
            edges.push(candidate);
        }
    }
    match edges.last_mut() {
        Some(last) if edges_end(*last, axis) => edges.push(axis.max),
        Some(last) => *last = axis.max,
        None => {}
    }
    edges
}

/// Whether there is room for another bin before the end of the axis.
fn edges_end(last: f64, axis: &Axis) -> bool {
    axis.scale == Scale::Linear && last < axis.max || last * 1.0001 < axis.max
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coarse() -> Distribution {
        let bin = |from: u32, count| Bin { from_us: f64::from(from), to_us: f64::from(from + 10), count };
        Distribution::new("coarse", vec![bin(10, 100), bin(20, 1000), bin(500, 1)])
    }

    #[test]
    fn quantiles_are_upper_ends() {
        assert_eq!(coarse().quantile_us(0.0), Some(20.0));
        assert_eq!(coarse().quantile_us(0.5), Some(30.0));
        assert_eq!(coarse().quantile_us(1.0), Some(510.0));
        assert_eq!(Distribution::new("none", vec![]).quantile_us(0.5), None);
    }

    #[test]
    fn no_sample_is_lost_in_other_bins() {
        for edges in [vec![0.0, 25.0, 505.0, 600.0], vec![0.0, 600.0], vec![15.0, 17.0, 19.0, 40.0]] {
            assert_eq!(coarse().rebinned(&edges).iter().sum::<u64>(), 1101, "{edges:?}");
        }
        assert_eq!(coarse().rebinned(&[0.0, 25.0, 506.0, 600.0]), [600, 501, 0]);
    }

    #[test]
    fn common_bins_are_not_narrower_than_the_widest() {
        let fine = Distribution::from_samples("fine", &[1.0, 1.5, 15.0], 0.5);
        let axis = Axis { scale: Scale::Logarithmic, min: 1.0, max: 600.0 };
        let edges = common_edges(&[fine, coarse()], &axis, 80);
        assert_eq!((edges[0], edges[edges.len() - 1]), (1.0, 600.0));
        let near_20 = edges.windows(2).find(|pair| pair[1] > 20.0).expect("a bin above 20");
        assert!(near_20[1] - near_20[0] >= 9.9, "{near_20:?}");
    }

    #[test]
    fn samples_are_counted() {
        let distribution = Distribution::from_samples("some", &[0.2, 0.4, 1.2, f64::NAN], 1.0);
        assert_eq!(distribution.count(), 3);
        assert_eq!(distribution.bins[0], Bin { from_us: 0.0, to_us: 1.0, count: 2 });
    }
}
