use super::*;
use proptest::prelude::*;

/// Values of every magnitude: a uniform `u64` would almost always land in the overflow bucket.
fn any_duration_ns() -> impl Strategy<Value = u64> {
    (any::<u64>(), 0_u32..64).prop_map(|(value, shift)| value >> shift)
}

fn histogram_of(values_ns: &[u64]) -> Histogram {
    let mut histogram = Histogram::new();
    values_ns.iter().for_each(|value_ns| histogram.record(*value_ns));
    histogram
}

#[test]
fn buckets_tile_the_axis_without_gap_or_overlap() {
    assert_eq!(bucket_lower_ns(0), 0);
    for index in 0..BUCKETS {
        assert_eq!(bucket_of(bucket_lower_ns(index)), index);
        assert_eq!(bucket_of(bucket_upper_ns(index)), index);
    }
    assert_eq!(bucket_upper_ns(BUCKETS - 1), u64::MAX);
}

#[test]
fn buckets_are_no_wider_than_a_sixteenth_of_their_lower_edge() {
    for index in 0..BUCKETS - 1 {
        let width_ns = bucket_upper_ns(index) - bucket_lower_ns(index) + 1;
        assert!(width_ns == 1 || width_ns * 16 <= bucket_lower_ns(index), "bucket {index}");
    }
}

#[test]
fn the_range_reaches_past_eight_seconds() {
    const { assert!(OVERFLOW_FROM_NS > 8_000_000_000) };
    const { assert!(BUCKETS.is_multiple_of(8)) };
    assert_eq!(bucket_of(OVERFLOW_FROM_NS - 1), BUCKETS - 2);
    assert_eq!(bucket_of(OVERFLOW_FROM_NS), BUCKETS - 1);
}

#[test]
fn an_empty_histogram_reads_as_zero() {
    let empty = Histogram::new();
    assert_eq!((empty.count(), empty.min_ns(), empty.max_ns(), empty.sum_ns()), (0, 0, 0, 0));
    assert_eq!(empty.mean_ns(), 0.0);
    assert_eq!(empty.percentile_ns(99.9), 0);
}

#[test]
fn a_percentage_outside_the_scale_gives_an_extreme() {
    let histogram = histogram_of(&[3, 5, 7]);
    for (percent, expected_ns) in [(-1.0, 3), (0.0, 3), (100.0, 7), (1e9, 7), (f64::NAN, 3)] {
        assert_eq!(histogram.percentile_ns(percent), expected_ns, "{percent} %");
    }
}

#[test]
fn overflowed_values_keep_the_exact_maximum() {
    let histogram = histogram_of(&[20_000_000_000, 90_000_000_000]);
    assert_eq!(histogram.percentile_ns(50.0), 90_000_000_000);
    assert_eq!(histogram.max_ns(), 90_000_000_000);
}

proptest! {
    #[test]
    fn every_value_lies_in_its_bucket(value_ns in any_duration_ns()) {
        let index = bucket_of(value_ns);
        prop_assert!(bucket_lower_ns(index) <= value_ns && value_ns <= bucket_upper_ns(index));
    }

    #[test]
    fn agrees_with_a_sorted_list(
        mut values_ns in prop::collection::vec(any_duration_ns(), 1..300),
        per_mille in 0_usize..=1000,
    ) {
        let histogram = histogram_of(&values_ns);
        values_ns.sort_unstable();
        let sum_ns = values_ns.iter().fold(0_u64, |sum, value| sum.saturating_add(*value));
        prop_assert_eq!(histogram.count(), values_ns.len() as u64);
        prop_assert_eq!(histogram.sum_ns(), sum_ns);
        prop_assert_eq!(histogram.min_ns(), values_ns[0]);
        prop_assert_eq!(histogram.max_ns(), values_ns[values_ns.len() - 1]);

        let rank = (per_mille * values_ns.len()).div_ceil(1000).max(1);
        let exact_ns = values_ns[rank - 1];
        let read_ns = histogram.percentile_ns(per_mille as f64 / 10.0);
        prop_assert!(read_ns >= exact_ns, "{read_ns} is below {exact_ns}");
        if exact_ns < OVERFLOW_FROM_NS {
            prop_assert!(read_ns - exact_ns <= exact_ns / 16, "{read_ns} is far above {exact_ns}");
        } else {
            prop_assert_eq!(read_ns, histogram.max_ns());
        }
    }

    #[test]
    fn merging_is_recording_everything_in_one(
        first in prop::collection::vec(any_duration_ns(), 0..100),
        second in prop::collection::vec(any_duration_ns(), 0..100),
    ) {
        let mut merged = histogram_of(&first);
        merged.merge(&histogram_of(&second));
        prop_assert_eq!(merged, histogram_of(&[first, second].concat()));
    }

    #[test]
    fn survives_the_way_through_its_parts(values_ns in prop::collection::vec(any_duration_ns(), 0..100)) {
        let original = histogram_of(&values_ns);
        let rebuilt = Histogram::from_parts(
            original.buckets(), original.sum_ns(), original.min_ns(), original.max_ns(),
        );
        prop_assert_eq!(rebuilt, original);
    }
}

#[test]
fn a_difference_holds_what_came_between() {
    let before = histogram_of(&[9_000_000, 5_000_000, 100]);
    let between = histogram_of(&[9_000_000, 5_000_000, 100, 20_000, 30_000, 40_000]).since(&before);
    assert_eq!((between.count(), between.sum_ns(), between.mean_ns()), (3, 90_000, 30_000.0));
    let max_ns = between.max_ns();
    assert!((40_000..=42_500).contains(&max_ns), "{max_ns}");
    assert_eq!(histogram_of(&[100, 12_345]).since(&histogram_of(&[100])).max_ns(), 12_345);
    assert_eq!(before.since(&before).count(), 0);
}
