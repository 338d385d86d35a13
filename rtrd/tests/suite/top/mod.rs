//! `rtrd top` on regions that the tests make themselves, with and without a terminal.

mod live;
mod terminal;

use std::process::{Command, Output};

use crate::support;
use live::Live;

/// `rtrd top` with the words of a line.
fn command(line: &str) -> Command {
    let mut command = support::command(&["top"]);
    command.args(line.split_whitespace());
    command
}

fn top(line: &str) -> (Output, String) {
    let output = command(line).output().unwrap();
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    (output, text)
}

#[test]
fn without_a_terminal_one_look_is_printed() {
    let live = Live::new("plain");
    let (output, text) = top(&format!("--instance {} --interval-ms 20", live.instance()));
    assert!(output.status.success(), "{output:?}");
    for part in ["processes", "latencies in µs", "blocks", "signals", "absent", "19 more have never been written"] {
        assert!(text.contains(part), "{part} is missing:\n{text}");
    }
    let dynamics = text.lines().find(|line| line.trim().starts_with("dynamics")).unwrap();
    assert!(dynamics.contains("running") && dynamics.contains(&std::process::id().to_string()), "{dynamics}");
    let demands = text.lines().find(|line| line.contains("/demands/")).unwrap();
    assert!(demands.contains(&std::process::id().to_string()), "{demands}");
    assert!(!text.contains('\x1b'), "{text}");
}

#[test]
fn it_calls_nothing_real_time_that_is_not() {
    let mut live = Live::new("rights");
    let state = tempfile::tempdir().unwrap();
    let first_line_but_one = |live: &Live| {
        let mut command = command(&format!("--once -i {}", live.instance()));
        let output = command.env("RTRD_STATE_DIR", state.path()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().nth(1).unwrap().to_owned()
    };
    let line = first_line_but_one(&live);
    assert!(line.starts_with("not real-time: no SCHED_FIFO, no locked memory"), "{line}");
    let both = rt::startup::Item::FifoPriority.bit() | rt::startup::Item::MemoryLocked.bit();
    live.publish(both, 0);
    let line = first_line_but_one(&live);
    assert_eq!(line, "not real-time: no readiness report: `rtrd check --report` makes one");

    // A report of this machine, and one that is of it no more. One that passes is in the tests of
    // the parts.
    let mut check = support::command(&["check", "--report", "--seconds", "0.2"]);
    let made = check.env("RTRD_STATE_DIR", state.path()).output().unwrap();
    assert_eq!(made.status.code(), Some(1), "{made:?}");
    let line = first_line_but_one(&live);
    assert!(line.starts_with("not real-time: the readiness report does not pass: "), "{line}");
    let path = state.path().join("readiness.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("\"passes\": false", "\"passes\": true")).unwrap();
    let line = first_line_but_one(&live);
    assert_eq!(line, "not real-time: the readiness report was changed after it was made");
}

#[test]
fn signals_have_the_names_that_the_region_gives_them() {
    let mut live = Live::new("names");
    let (_, text) = top(&format!("--once -i {}", live.instance()));
    assert!(text.contains("plant_outputs.outputs[0]") && text.contains("14.2500"), "{text}");
    let tank = service::Job::Plant(Box::new(plant::Scenario::builtin("tank-level").unwrap()));
    live.name_signals(&service::names_of(&tank));
    let (_, text) = top(&format!("--once -i {}", live.instance()));
    let level = text.lines().find(|line| line.contains("level_cm") && line.contains("output")).unwrap();
    assert!(level.contains("14.2500") && level.trim_end().ends_with("cm"), "{text}");
    assert!(text.contains("tank-level · tank"), "{text}");
}

#[test]
fn looking_writes_nothing() {
    let live = Live::new("reads");
    let before = std::fs::read(live.name.path()).unwrap();
    assert!(top(&format!("--once -i {}", live.instance())).0.status.success());
    assert!(before == std::fs::read(live.name.path()).unwrap(), "the region has changed");
}

#[test]
fn an_instance_that_does_not_run_is_answered_with_those_that_do() {
    let live = Live::new("other");
    let (output, text) = top("--instance test-top-no-such-instance");
    assert_eq!((output.status.code(), text.as_str()), (Some(1), ""));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("no instance \"test-top-no-such-instance\" is running"), "{message}");
    assert!(message.contains(&format!("{} (1 process)", live.instance())), "{message}");
}

#[test]
fn bad_arguments_are_errors() {
    for arguments in ["--instance a/b", "--interval-ms 0", "--config no-such-file"] {
        let (output, _) = top(arguments);
        assert!(!output.status.success() && !output.stderr.is_empty(), "{arguments:?}");
    }
}
