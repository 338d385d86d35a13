//! A soak run of half a minute, whole: with load and cyclictest where they are installed, with a
//! full disk where root may.
//!
//! Nothing here depends on how fast the machine is: the verdicts about time are there, but may say
//! either.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rt::processes::on_search_path;
use serde_json::Value;
use shm_layout::blocks::DYNAMICS_HEALTH;
use shm_layout::{Region, RegionName};
use system_tests::live::eventually;
use system_tests::programs::rtrd;
use system_tests::{is_root, skip};

/// One fault of each kind that needs no rights, one that needs root, and one that no machine
/// allows.
const PLAN: &str = r#"{"seed": 5, "seconds": 30.0, "events": [
    {"at_s": 2.0, "fault": "kill", "victim": "dynamics"},
    {"at_s": 4.0, "fault": "stop", "victim": "subsystem", "seconds": 0.5},
    {"at_s": 6.0, "fault": "slow-down", "victim": "daq", "seconds": 0.5},
    {"at_s": 8.0, "fault": "corrupt-stream", "seconds": 0.5},
    {"at_s": 9.0, "fault": "unplug-cpu", "cpu": 99999, "seconds": 0.5},
    {"at_s": 10.0, "fault": "fill-disk", "seconds": 2.0}]}"#;

fn soak(folder: &Path) -> Child {
    let plan = folder.join("given.json");
    std::fs::write(&plan, PLAN).unwrap();
    rtrd()
        .arg("soak")
        .arg("--out")
        .arg(folder.join("out"))
        .arg("--plan")
        .arg(plan)
        .stdout(Stdio::null())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap()
}

fn summary(folder: &Path) -> Value {
    let text = std::fs::read_to_string(folder.join("out/soak.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Whether the verdict that begins with these words holds, and what it found.
fn verdict(summary: &Value, what: &str) -> (bool, String) {
    let verdicts = summary["verdicts"].as_array().unwrap();
    let found = verdicts
        .iter()
        .find(|verdict| verdict["what"].as_str().unwrap().starts_with(what))
        .unwrap_or_else(|| panic!("no verdict {what:?} in {summary}"));
    (found["holds"].as_bool().unwrap(), found["found"].as_str().unwrap().to_owned())
}

/// Nothing of a run in this folder is left: no process that names it, nothing mounted.
fn assert_nothing_left(folder: &Path) {
    let name = folder.to_str().unwrap();
    let mounts = std::fs::read_to_string("/proc/mounts").unwrap();
    assert!(!mounts.contains(name), "still mounted: {mounts}");
    for entry in std::fs::read_dir("/proc").unwrap().filter_map(Result::ok) {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        assert!(!line.contains(name), "still running: {line}");
    }
}

#[test]
fn half_a_minute_of_faults_is_judged_whole() {
    let folder = tempfile::tempdir().unwrap();
    soak(folder.path()).wait().unwrap();
    let summary = summary(folder.path());
    for what in ["the run comes to its end", "every fault is recovered from", "nothing is left behind"] {
        let (holds, found) = verdict(&summary, what);
        assert!(holds, "{what}: {found}");
    }
    let (loaded, found) = verdict(&summary, "the load lasts");
    if on_search_path("stress-ng").is_some() {
        assert!(loaded, "{found}");
    } else {
        skip("stress-ng is not installed: a run without load was seen not to pass");
        assert!(!loaded && !summary["passed"].as_bool().unwrap(), "{found}");
    }
    let left_out = |fault: &str| {
        let outcomes = summary["outcomes"].as_array().unwrap();
        let outcome = outcomes.iter().find(|outcome| outcome["fault"].as_str().unwrap().starts_with(fault));
        !outcome.unwrap()["left_out"].is_null()
    };
    assert!(left_out("unplug CPU 99999") && !left_out("kill dynamics"));
    if is_root() && !left_out("fill the disk") {
        // Copied from the small disk before it went.
        let copied = std::fs::read_dir(folder.path().join("out/reports")).unwrap();
        assert!(copied.count() > 0);
    } else {
        skip("a disk can only be filled by root");
    }
    assert!(summary["steps"].as_u64().unwrap() > 1_000);
    assert!(folder.path().join("out/course.svg").is_file());
    assert_nothing_left(folder.path());
}

#[test]
fn a_run_that_is_interrupted_twice_does_not_pass_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = soak(folder.path());
    let name = RegionName::new(&format!("soak-{}", run.id())).unwrap();
    eventually("the vehicle drives", || {
        let region = Region::observe(&name).ok()?;
        region.reader(DYNAMICS_HEALTH).latest().filter(|health| health.value.stamp.step > 1_500).map(drop)
    });
    // The plan lies there before anything goes wrong.
    assert!(folder.path().join("out/plan.json").is_file());
    let pid = Pid::from_raw(i32::try_from(run.id()).unwrap());
    for _ in 0..2 {
        kill(pid, Signal::SIGINT).unwrap();
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(!run.wait().unwrap().success());
    let summary = summary(folder.path());
    let (holds, found) = verdict(&summary, "the run comes to its end");
    assert!(!holds && found.contains("interrupted"), "{found}");
    assert!(folder.path().join("out/soak.md").is_file());
    assert!(!summary["passed"].as_bool().unwrap());
    assert_nothing_left(folder.path());
}
