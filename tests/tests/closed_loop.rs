//! The closed loop across three processes does what the offline simulation of the same scenario
//! does.

use system_tests::programs::{instance, rtrd_output, said};

/// A column of a CSV file by the beginning of its name.
fn column(csv: &str, name: &str) -> Vec<f64> {
    let mut lines = csv.lines();
    let index = lines.next().expect("a heading").split(',').position(|heading| heading.starts_with(name));
    let index = index.unwrap_or_else(|| panic!("no column {name} in {:?}", csv.lines().next()));
    lines.map(|line| line.split(',').nth(index).expect("a cell").parse().expect("a number")).collect()
}

fn interpolate(times_s: &[f64], values: &[f64], time_s: f64) -> f64 {
    let next = times_s.partition_point(|time| *time < time_s).clamp(1, times_s.len() - 1);
    let part = (time_s - times_s[next - 1]) / (times_s[next] - times_s[next - 1]);
    values[next - 1] + part * (values[next] - values[next - 1])
}

/// The live run may hold an input for the length of a missed answer, and its demands are sampled up
/// to one acquisition period late. A level changes by at most 69 / 15.5 cm/s, so that ten misses of
/// 1 ms in the row shift it by 0.05 cm.
const TOLERANCE_CM: f64 = 0.1;

#[test]
fn live_and_offline_agree_and_the_plot_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    let (csv, plot, offline_csv) = (path("live.csv"), path("live.svg"), path("offline.csv"));
    let instance = instance("loop");
    let arguments = ["run", "--scenario", "tank-level", "--seconds", "4", "--instance", &instance];
    let live = rtrd_output(&[&arguments[..], &["--out", &csv, "--plot", &plot]].concat());
    assert!(live.status.success(), "{}", said(&live));
    let offline = rtrd_output(&["sim", "tank-level", "--duration", "10", "--out", &offline_csv]);
    assert!(offline.status.success(), "{}", said(&offline));

    let live = std::fs::read_to_string(&csv).expect("the live table");
    let offline = std::fs::read_to_string(&offline_csv).expect("the offline table");
    let (times_s, levels_cm) = (column(&live, "time_s"), column(&live, "level_cm"));
    let (true_times_s, true_levels_cm) = (column(&offline, "time_s"), column(&offline, "level_cm"));
    assert!(times_s.len() > 20, "only {} rows", times_s.len());
    assert!(levels_cm.last().expect("a row") > &1.0, "the tank fills");
    for (time_s, level_cm) in times_s.iter().zip(&levels_cm) {
        let expected_cm = interpolate(&true_times_s, &true_levels_cm, *time_s);
        assert!((level_cm - expected_cm).abs() < TOLERANCE_CM, "{level_cm} cm at {time_s} s, expected {expected_cm}");
    }
    let svg = std::fs::read_to_string(&plot).expect("the plot");
    assert!(svg.starts_with("<svg") && svg.contains("level"), "no plot");
}
