use super::*;

const MS: u64 = 1_000_000;
const WINDOW_S: f64 = 0.05;

/// The manoeuvre as it is, without encoder.
fn unquantised(period_ns: u64) -> Recording {
    let times_ns = test_manoeuvre(period_ns).times_ns().to_vec();
    let values = times_ns.iter().map(|ns| test_manoeuvre_deg(*ns as f64 * 1e-9));
    let values = values.collect();
    Recording::from_parts(times_ns, values)
}

fn row<'a>(comparison: &'a Comparison, name: &str) -> &'a Row {
    let rows = comparison.rows.iter();
    rows.into_iter().find(|row| row.name == name).expect("a row of this name")
}

fn compared(recording: &Recording) -> Comparison {
    compare(recording, usual_methods(ENCODER_STEP_DEG), WINDOW_S).expect("long enough")
}

fn rms(numbers: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.fold((0.0, 0.0), |(sum, count), number| (sum + number * number, count + 1.0));
    (sum / count).sqrt()
}

/// The true derivatives by central differences of the manoeuvre's own formula, whose error at 0.1
/// ms is far below what is asked. The reference has to be better than any of the methods: 2 % of
/// the rate's root mean square, 8 % of the acceleration's (the same fit in NumPy, by its own least
/// squares: 0.9 % and 5.9 % at 5 ms, 0.6 % and 3.7 % at 1 ms).
#[test]
fn the_reference_is_near_the_truth() {
    for period_ns in [MS, 5 * MS] {
        let recording = test_manoeuvre(period_ns);
        let times_s = recording.times_s();
        let reference = two_sided(&times_s, recording.values(), WINDOW_S);
        let inner = figures::inner(&times_s, WINDOW_S).expect("long enough");
        let at = |time_s: f64| [-1e-4, 0.0, 1e-4].map(|offset_s| test_manoeuvre_deg(time_s + offset_s));
        let rate = |index: usize| {
            let [before, _, after] = at(times_s[index]);
            (after - before) / 2e-4
        };
        let acceleration = |index: usize| {
            let [before, now, after] = at(times_s[index]);
            (after - 2.0 * now + before) / 1e-8
        };
        let rate_error = rms(inner.clone().map(|index| reference[index].rate - rate(index)));
        assert!(rate_error < 0.02 * rms(inner.clone().map(rate)), "{rate_error}");
        let acceleration_error = rms(inner.clone().map(|index| reference[index].acceleration - acceleration(index)));
        assert!(acceleration_error < 0.08 * rms(inner.map(acceleration)), "{acceleration_error}");
    }
}

/// A delay of N·h/2 for the rate and twice that for the acceleration, from the closed form of the
/// response; found to a twentieth of a period.
#[test]
fn smooth_differentiators_are_found_to_be_late_by_half_their_length() {
    let comparison = compared(&unquantised(5 * MS));
    for length in 2..=10 {
        let row = row(&comparison, &format!("smooth {length}"));
        let expected_s = 0.0025 * f64::from(length);
        assert!((row.rate.delay_s - expected_s).abs() < 2.5e-4, "{length}: {:?}", row.rate);
        assert!((row.acceleration.delay_s - 2.0 * expected_s).abs() < 1e-3, "{length}: {:?}", row.acceleration);
    }
    let first = row(&comparison, "backward 1").rate.delay_s;
    assert!((first - 0.0025).abs() < 2.5e-4, "a first difference is late by half a period, found {first}");
}

/// The noise of a rate whose samples are off by independent uniform steps is σ·√Σw²: the encoder's
/// steps come near that while the wheel turns. The thesis's choice, N = 4, against four points
/// backward: √10/8 = 0.40 to √(Σw²) = 5.4, hence its Fig. 4.11 beside Fig. 4.12.
#[test]
fn the_smooth_differentiator_is_quieter_than_backward_differences_of_as_many_samples() {
    let comparison = compared(&test_manoeuvre(5 * MS));
    let (smooth, backward) = (row(&comparison, "smooth 4"), row(&comparison, "backward 4"));
    assert!(smooth.rate.noise * 5.0 < backward.rate.noise, "{:?} {:?}", smooth.rate, backward.rate);
    assert!(smooth.acceleration.noise * 10.0 < backward.acceleration.noise);
    let noises: Vec<f64> = (2..=10).map(|length| row(&comparison, &format!("smooth {length}")).rate.noise).collect();
    assert!(noises[..5].windows(2).all(|pair| pair[1] < pair[0]), "longer is quieter: {noises:?}");
}

/// Delay, noise and error of the rate, noise of the acceleration, from a second implementation in
/// NumPy (convolutions with Table 4.3 and the textbook's differences, the reference by its least
/// squares, delays on a grid of 0.5 ms); the digits are those that it printed.
#[test]
fn the_figures_are_those_of_a_second_implementation() {
    let comparison = compared(&test_manoeuvre(5 * MS));
    for (name, delay_ms, noise, error, acceleration_noise) in [
        ("smooth 2", 5.0, 6.826, 8.045, 1222.597),
        ("smooth 4", 10.0, 3.704, 9.291, 443.135),
        ("smooth 7", 17.5, 2.095, 15.026, 188.093),
        ("smooth 10", 25.0, 1.357, 21.199, 101.062),
        ("backward 1", 2.5, 13.384, 13.553, 4605.630),
        ("backward 4", 0.0, 51.980, 51.980, 93222.969),
    ] {
        let row = row(&comparison, name);
        assert!((1e3 * row.rate.delay_s - delay_ms).abs() < 0.5, "{name}: {:?}", row.rate);
        assert!((row.rate.noise / noise - 1.0).abs() < 0.005, "{name}: {:?}", row.rate);
        assert!((row.rate.error / error - 1.0).abs() < 0.005, "{name}: {:?}", row.rate);
        assert!((row.acceleration.noise / acceleration_noise - 1.0).abs() < 0.005, "{name}: {:?}", row.acceleration);
    }
}

#[test]
fn a_recording_is_read_by_column_and_its_mistakes_have_lines() {
    let read = |text: &str, column| Recording::read(&files::Source::new("r.csv", text.as_bytes()), column);
    let text = "# made by hand\ntime_s, a, b\n10.0, 1, 2\n10.005, 3, 4\n\n10.015,5,6\n";
    let recording = read(text, Some("b")).expect("a recording");
    assert_eq!(recording.times_ns(), [0, 5 * MS, 15 * MS]);
    assert_eq!((recording.values(), recording.step()), ([2.0, 4.0, 6.0].as_slice(), Some(2.0)));
    for (text, column, expected) in [
        ("", None, "expected a line with the names of the columns"),
        ("angle\n1", None, "r.csv:1:1: angle: the first column is `angle`; expected time_s"),
        (text, None, "2 columns beside time_s and none was asked for; expected one of a, b"),
        (text, Some("c"), "there is no column `c`; expected one of a, b"),
        (text, Some("time_s"), "there is no column `time_s`"),
        ("time_s,a\n0,1\n1", None, "r.csv:3:1: time_s: 1 cells; expected 2"),
        ("time_s,a\n0,1\n1,x", None, "r.csv:3:3: a: expected a finite number, found `x`"),
        ("time_s,a\n0,1\n1,inf", None, "r.csv:3:3: a: expected a finite number"),
        ("time_s,a\n5,1\n5,2", None, "r.csv:3:1: time_s: expected times that rise, found 5 after 5"),
        ("time_s,a\n5,1\n4,2", None, "r.csv:3:1: time_s: expected times that rise, found 4 after 5"),
    ] {
        let error = read(text, column).expect_err("a mistake").to_string();
        assert!(error.contains(expected), "{error}");
    }
    let short = compare(&recording, usual_methods(1.0), WINDOW_S).expect_err("three samples");
    assert!(short.to_string().contains("too short"));
}

#[test]
fn looking_every_so_often_takes_the_newest_at_its_own_time() {
    let times_ns = vec![0, 4, 9, 11, 12, 40];
    let recording = Recording::from_parts(times_ns, vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    let looked = recording.looked_at_every(10);
    assert_eq!(looked.times_ns(), [0, 9, 12, 40]);
    assert_eq!(looked.values(), [0.0, 2.0, 4.0, 5.0]);
}

/// Counted over w = 20 ms, the rate is the mean of the true one over that time: exact on a ramp,
/// and late by w/2 = 10 ms otherwise; the smooth differentiator of length 4 adds two samples to the
/// acceleration. Noise and error (°/s, °/s²) are those of the same computation written for itself
/// in plain Python; 1 % is for the search of the delay, which differs.
#[test]
fn the_measured_rate_is_late_by_half_its_time() {
    let expected = [(5 * MS, 20e-3, [3.06, 9.05, 280.3, 341.9]), (MS, 12e-3, [3.31, 9.10, 1366.0, 1370.0])];
    for (period_ns, acceleration_s, numbers) in expected {
        let comparison = compared(&test_manoeuvre(period_ns));
        let Row { rate, acceleration, .. } = row(&comparison, "measured (CTRATE)");
        assert!((rate.delay_s - 10e-3).abs() < 1e-4, "{rate:?}");
        assert!((acceleration.delay_s - acceleration_s).abs() < 2e-4, "{acceleration:?}");
        let found = [rate.noise, rate.error, acceleration.noise, acceleration.error];
        for (found, number) in found.iter().zip(numbers) {
            assert!((found / number - 1.0).abs() < 0.01, "{found} instead of {number}");
        }
    }
}

#[test]
fn the_measured_rate_of_a_ramp_is_exact() {
    let times_ns: Vec<u64> = (0..1000).map(|sample| sample * MS).collect();
    // A count each millisecond is 180 °/s.
    let values = (0..1000).map(|sample| f64::from(sample) * ENCODER_STEP_DEG);
    let ramp = Recording::from_parts(times_ns, values.collect());
    let found = measured(&ramp, ENCODER_STEP_DEG);
    assert!(found[30..].iter().all(|found| (found.rate - 180.0).abs() < 1e-9));
    assert!(found[60..].iter().all(|found| found.acceleration.abs() < 1e-6));
}
