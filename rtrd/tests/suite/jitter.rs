//! `rtrd jitter` with a `cyclictest` that is not there, one that is a script, and whatever rights
//! the tests have.
//!
//! The real one is not used: it refuses to run without real-time rights, and what it measures is
//! not ours to test.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::support;

/// Prints what the real one prints: 300 wake-ups, 2 of them beyond the histogram.
const SCRIPT: &str = r#"#!/bin/sh
echo "$@" >> "${0%/*}/arguments"
echo '# /dev/cpu_dma_latency set to 0us'
echo '# Histogram'
echo '000029 000000'
echo '000030 000290'
echo '000040 000008'
echo '# Total: 000000298'
echo '# Min Latencies: 00030'
echo '# Avg Latencies: 00031'
echo '# Max Latencies: 25000'
echo '# Histogram Overflows: 00002'
echo '# Histogram Overflow at cycle number:'
echo '# Thread 0: 00017 00100'
"#;

/// A folder that is the whole search path, with a `cyclictest` of this text in it if there is one.
fn search_path(script: Option<&str>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    if let Some(script) = script {
        let path = folder.path().join("cyclictest");
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    }
    folder
}

fn command(path: &Path, line: &str) -> Command {
    let mut command = support::command(&["jitter"]);
    command.env("PATH", path).args(line.split_whitespace());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn jitter(path: &Path, line: &str) -> (Output, String) {
    let output = command(path, line).output().unwrap();
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    (output, text)
}

fn short(path: &Path, more: &str) -> (Output, String) {
    jitter(path, &format!("--seconds 0.3 --rounds 2 --period-us 1000 {more}"))
}

/// The words of the row with this label, in the first table.
fn row<'a>(text: &'a str, label: &str) -> Vec<&'a str> {
    let line = text.lines().find(|line| line.trim().starts_with(label));
    line.map_or(vec![], |line| line.split_whitespace().collect())
}

#[test]
fn without_cyclictest_it_says_how_to_install_it_and_shows_ours() {
    let path = search_path(None);
    let (output, text) = short(path.path(), "");
    assert!(output.status.success(), "{output:?}");
    assert!(text.contains("sudo apt-get install rt-tests"), "{text}");
    assert_eq!(row(&text, "samples"), ["samples", "300"]);
    assert!(!text.contains("within 15 %"), "{text}");
}

#[test]
fn both_stand_side_by_side_in_both_sequences() {
    let path = search_path(Some(SCRIPT));
    let (output, text) = short(path.path(), "");
    assert!(output.status.success(), "{output:?}");
    assert!(text.contains("alternating: 2 rounds of 0.15 s each"), "{text}");
    assert!(text.contains("one after the other: 0.3 s each"), "{text}");
    assert_eq!(row(&text, "samples"), ["samples", "300", "600"]);
    assert_eq!(row(&text, "max")[2], "25000");
    assert_eq!(row(&text, "overruns")[2], "4");
    assert_eq!(text.matches("within 15 % of cyclictest at p50 and p99:").count(), 2, "{text}");
    // One look whether it runs, two rounds, one block.
    let arguments = std::fs::read_to_string(path.path().join("arguments")).unwrap();
    assert_eq!(arguments.lines().count(), 4, "{arguments}");
    assert!(arguments.lines().nth(1).unwrap().contains("-i 1000 -l 150 -h 20000"), "{arguments}");
}

#[test]
fn what_our_loop_is_not_granted_cyclictest_is_not_given() {
    let path = search_path(Some(SCRIPT));
    let (_, text) = short(path.path(), "--sequence blocks --priority 7");
    let arguments = std::fs::read_to_string(path.path().join("arguments")).unwrap();
    let fifo = text.contains("SCHED_FIFO 7");
    assert_eq!(arguments.contains("-p 7"), fifo, "{text}\n{arguments}");
    assert_eq!(arguments.contains("--policy=other"), !fifo, "{text}\n{arguments}");
    assert_eq!(text.contains("both run without FIFO priority 7"), !fifo, "{text}");
    assert_eq!(arguments.contains("-m"), text.contains("memory locked"), "{text}\n{arguments}");
}

#[test]
fn the_ordinary_scheduler_can_be_asked_for() {
    let path = search_path(Some(SCRIPT));
    let (_, text) = short(path.path(), "--sequence blocks --priority 0");
    assert!(text.contains("ordinary scheduler") && text.contains("says little"), "{text}");
}

#[test]
fn a_cyclictest_that_does_not_run_is_left_out() {
    let path = search_path(Some("#!/bin/sh\necho 'Unable to change scheduling policy!' >&2\nexit 1\n"));
    let (output, text) = short(path.path(), "--sequence blocks");
    assert!(output.status.success(), "{output:?}");
    assert!(text.contains("does not run here, so only our loop is measured: Unable to change"), "{text}");
    assert_eq!(row(&text, "samples"), ["samples", "300"]);
}

#[test]
fn a_cyclictest_that_prints_something_else_is_an_error() {
    let path = search_path(Some("#!/bin/sh\necho hello\n"));
    let (output, _) = short(path.path(), "--sequence blocks");
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("hello"), "{message}");
}

#[test]
fn the_files_hold_what_was_measured() {
    let path = search_path(Some(SCRIPT));
    let file = |name: &str| path.path().join(name).to_str().unwrap().to_owned();
    let (json, csv, svg) = (file("a.json"), file("a.csv"), file("a.svg"));
    let (output, text) = short(path.path(), &format!("--json {json} --histogram {csv} --plot {svg}"));
    assert!(output.status.success(), "{output:?}");
    assert_eq!(text.matches("wrote ").count(), 3, "{text}");
    let found: serde_json::Value = serde_json::from_slice(&std::fs::read(&json).unwrap()).unwrap();
    assert_eq!(found["sequences"][0]["ours"]["samples"], 300);
    assert_eq!(found["sequences"][1]["cyclictest"]["max_us"], 25_000.0);
    assert!(found["sequences"][0]["verdict"]["within"].is_boolean());
    let csv = std::fs::read_to_string(&csv).unwrap();
    assert!(csv.starts_with("latency_us,ours_alternating,cyclictest_alternating,ours_blocks,"), "{csv}");
    assert!(csv.lines().any(|line| line.starts_with("30,")), "{csv}");
    assert!(std::fs::read_to_string(&svg).unwrap().contains("cyclictest"));
}

#[test]
fn impossible_wishes_are_refused_before_anything_runs() {
    let path = search_path(None);
    let cases = [
        ("--cpu 4000", "CPU 4000"),
        ("--priority 100", "100"),
        ("--seconds 0", "above 0"),
        ("--seconds 0.3 --rounds 100", "raise --seconds"),
        ("--json /no/such/folder/a.json", "cannot write /no/such/folder/a.json"),
    ];
    for (arguments, expected) in cases {
        let (output, text) = jitter(path.path(), arguments);
        assert!(!output.status.success() && text.is_empty(), "{arguments:?}: {text}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

#[test]
fn the_hidden_command_is_not_for_people() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtrd"));
    let output = command.args(["jitter-measurement", "1", "ours", "1000", "0", "0", "0", "100", "1"]).output().unwrap();
    assert!(!output.status.success());
    let help = Command::new(env!("CARGO_BIN_EXE_rtrd")).arg("--help").output().unwrap();
    assert!(!String::from_utf8(help.stdout).unwrap().contains("jitter-measurement"));
}

/// A script that answers the first look and then does not end by itself; it says where it is.
const ENDLESS: &str = r#"#!/bin/sh
case " $* " in *" -l 10 "*) echo '# Max Latencies: 1'; exit;; esac
echo $$ > "${0%/*}/pid"
exec /bin/sleep 600
"#;

/// Starts a measurement that waits for ever for its `cyclictest`, whose process number is returned
/// as well.
fn endless(path: &Path) -> (Child, i32) {
    let mut child = command(path, "--sequence blocks --seconds 0.1").spawn().unwrap();
    let file = path.join("pid");
    for _ in 0..2_000 {
        let number = std::fs::read_to_string(&file).unwrap_or_default();
        if let Ok(pid) = number.trim().parse() {
            return (child, pid);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    panic!("the script never ran: {:?}", child.wait_with_output());
}

/// Whether the process ends within a generous time. One that is dead and that has not been waited
/// for yet is gone too.
fn is_gone(pid: i32) -> bool {
    let timeout = Instant::now() + Duration::from_secs(20);
    while Instant::now() < timeout {
        match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
            Ok(status) if !status.contains(") Z ") => std::thread::sleep(Duration::from_millis(10)),
            _ => return true,
        }
    }
    false
}

#[test]
fn ctrl_c_leaves_no_process_behind() {
    let path = search_path(Some(ENDLESS));
    let (child, pid) = endless(path.path());
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(is_gone(pid));
}

#[test]
fn a_killed_command_line_leaves_no_process_behind() {
    let path = search_path(Some(ENDLESS));
    let (mut child, pid) = endless(path.path());
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(is_gone(pid));
}
