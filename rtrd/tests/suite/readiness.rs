//! `rtrd check --report` as a person uses it, with seconds instead of minutes.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::support::{self, said};

fn command(state: &Path, arguments: &[&str]) -> Command {
    let mut command = support::command(&["check", "--report"]);
    command.args(arguments).env("RTRD_STATE_DIR", state);
    command
}

/// A machine may be fit; a second of measuring is never enough to say so.
#[test]
fn a_report_of_a_second_is_whole_and_does_not_pass() {
    let state = tempfile::tempdir().unwrap();
    let output = command(state.path(), &["--seconds", "0.5", "--sign-off", "A. Tester"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("this machine does not pass"), "{}", said(&output));
    let json = std::fs::read_to_string(state.path().join("readiness.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    let content = &report["content"];
    assert_eq!(content["passes"], false);
    assert_eq!(content["signed_off_by"], "A. Tester");
    assert_eq!(content["wake_ups"]["ours"]["samples"], 500);
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    assert_eq!(content["identity"]["kernel_release"], release.trim());
    let gates = content["gates"].as_array().unwrap();
    let time = gates.iter().find(|gate| gate["title"] == "Time measured").unwrap();
    assert_eq!(time["outcome"], "failed");
    let page = std::fs::read_to_string(state.path().join("readiness.md")).unwrap();
    assert!(page.starts_with("# Readiness for real time: does not pass\n"), "{page}");
    assert!(page.contains(report["checksum"].as_str().unwrap()), "{page}");
    let is_virtual = content["kernel"]["virtual_machine"].as_bool().unwrap();
    assert_eq!(page.contains("no evidence of hardware latency"), is_virtual, "{page}");
}

#[test]
fn a_report_goes_where_it_is_told_to() {
    let state = tempfile::tempdir().unwrap();
    let stem = state.path().join("new/6.12-car");
    let output = command(state.path(), &[stem.to_str().unwrap(), "--seconds", "0.2"]).output().unwrap();
    assert!(stem.with_file_name("6.12-car.json").is_file(), "{}", said(&output));
    assert!(stem.with_file_name("6.12-car.md").is_file(), "{}", said(&output));
}

#[test]
fn what_cannot_be_made_is_exit_code_2_before_anything_is_measured() {
    let state = tempfile::tempdir().unwrap();
    let file = state.path().join("file");
    std::fs::write(&file, "").unwrap();
    let stem = file.join("below");
    let output = command(state.path(), &[stem.to_str().unwrap()]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("no report was made: cannot make"), "{}", said(&output));
    std::fs::write(&file, "[dynamics]\ncpu = 4000\n").unwrap();
    let output = command(state.path(), &["--config", file.to_str().unwrap()]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("CPU 4000"), "{}", said(&output));
    for wrong in [&["--seconds", "0"][..], &["--seconds", "0.1", "--limit-us", "0"]] {
        let output = command(state.path(), wrong).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    }
    // The period is that of the default configuration.
    let output = command(state.path(), &["--seconds", "0.1", "--limit-us", "1001"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("expected at most the period of the loop, 1000 µs"), "{}", said(&output));
    let output = Command::new(env!("CARGO_BIN_EXE_rtrd")).args(["check", "--sign-off", "me"]).output().unwrap();
    assert!(said(&output).contains("--report"), "{}", said(&output));
}

/// Ctrl-C in the middle: no report, no process left behind.
#[test]
fn an_interrupted_report_is_none() {
    let state = tempfile::tempdir().unwrap();
    let mut child = command(state.path(), &["--seconds", "300"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap();
    let children = format!("/proc/{0}/task/{0}/children", child.id());
    let measuring = || {
        let list = std::fs::read_to_string(&children).unwrap_or_default();
        let pids: Vec<i32> = list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect();
        (!pids.is_empty()).then_some(pids)
    };
    let mut pids = None;
    while pids.is_none() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
        pids = measuring();
    }
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", said(&output));
    assert!(said(&output).contains("interrupted: no report was made"), "{}", said(&output));
    assert_eq!(std::fs::read_dir(state.path()).unwrap().count(), 0, "nothing is left");
    for pid in pids.unwrap() {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        assert!(!status.contains("State:\tR") && !status.contains("State:\tS"), "{pid} goes on:\n{status}");
    }
}
