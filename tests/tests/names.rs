//! A stranger's first five minutes: every name that a run shows can be asked for.

use system_tests::live::LiveRun;
use system_tests::programs::{instance, rtrd_output, said};

/// The names in the lines of demands, inputs and outputs of a run's summary: words before numbers.
fn names_in_summary(text: &str) -> Vec<String> {
    let kinds = ["demands", "inputs", "outputs"];
    let mut names = Vec::new();
    let mut in_signals = false;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        in_signals = match words.first() {
            Some(first) if kinds.contains(first) => true,
            Some(_) => in_signals && line.starts_with("         "),
            None => false,
        };
        if in_signals {
            let pairs = words.windows(2).filter(|pair| pair[1].parse::<f64>().is_ok());
            names.extend(pairs.map(|pair| pair[0].to_owned()));
        }
    }
    names
}

#[test]
fn every_name_that_a_run_shows_can_be_asked_for() {
    for (scenario, shown) in [("tank-level", "level_cm"), ("drive-default", "speed_km_h")] {
        let own = instance(&format!("summary-{scenario}"));
        let run = rtrd_output(&["run", "--scenario", scenario, "--seconds", "1", "--instance", &own]);
        assert!(run.status.success(), "{}", said(&run));
        let names = names_in_summary(&said(&run));
        assert!(names.iter().any(|name| name == shown) && names.len() > 4, "{names:?}:\n{}", said(&run));

        let other = instance(&format!("names-{scenario}"));
        let live = LiveRun::start(&other, &["--scenario", scenario]);
        for name in &names {
            let asked = rtrd_output(&["signals", name, "--instance", &other]);
            let line = said(&asked);
            assert!(asked.status.success(), "{name}: {line}");
            let value = line.split_whitespace().nth(2).and_then(|word| word.parse::<f64>().ok());
            assert!(line.contains(name.as_str()) && value.is_some(), "{name}: {line}");
        }
        let top = said(&rtrd_output(&["top", "--once", "--instance", &other]));
        for name in &names {
            assert!(top.contains(name.as_str()), "`rtrd top` does not know {name}:\n{top}");
        }
        let list = said(&rtrd_output(&["signals", "levle_cm", "--instance", &other]));
        assert!(list.contains("no signal has the name"), "{list}");
        drop(live);
    }
}

/// A live recording has the names of an offline table, one row is one step, and a report reads it.
#[test]
fn a_live_recording_can_be_a_reference() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    let (csv, page) = (path("live.csv"), path("live.html"));
    let (own, scenario) = (instance("recording"), "iso-7401-step");
    let run = rtrd_output(&["run", "--scenario", scenario, "--seconds", "2", "--instance", &own, "--out", &csv]);
    assert!(run.status.success(), "{}", said(&run));
    let report = rtrd_output(&["report", scenario, "--reference", &csv, "--out", &page]);
    assert!(report.status.success(), "{}", said(&report));
    let text = std::fs::read_to_string(&csv).expect("the recording");
    for name in ["speed_km_h", "steering_wheel_deg", "rack_mm", "least_wheel_load_n"] {
        assert!(text.lines().next().expect("names").split(',').any(|it| it == name), "{name}");
    }
    let times: Vec<f64> =
        text.lines().skip(1).map(|line| line.split(',').next().expect("a cell").parse().expect("a time")).collect();
    assert!(times.len() > 20 && times.is_sorted_by(|one, other| one < other), "{} rows", times.len());
}
