//! `rtrd daq scope`.

use super::live::Live;
use super::{command, complaint, printed};
use crate::support::program::Program;

#[test]
fn one_look_has_names_values_states_and_faults() {
    let live = Live::new("once");
    let text = printed(&live.line("scope --once --interval-ms 50"));
    let line = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{text}"));
    assert!(line("board").contains("flowing") && line("board").contains("17"), "{text}");
    // 210 of 420 counts; 8191.75 of 32767 are 10 bar; 500 counts to the right.
    assert!(line("throttle").contains("0.5000") && line("throttle").contains("good"), "{text}");
    assert!(line("brake").contains("10") && line("brake").contains("bar"), "{text}");
    assert!(line("brake").contains("out of range: held"), "{text}");
    assert!(line("steering").contains("-90") && line("steering").contains("deg"), "{text}");
    assert!(!text.contains('\x1b'), "{text}");
}

#[test]
fn without_a_terminal_there_is_a_line_per_look() {
    let live = Live::new("lines");
    let text = printed(&live.line("scope --interval-ms 10 --seconds 1"));
    assert!(text.contains("brake [bar]  throttle  steering [deg]"), "{text}");
    let looks: Vec<&str> = text.lines().filter(|line| line.contains("throttle 0.5000")).collect();
    assert!(!looks.is_empty() && looks[0].contains("board flowing"), "{text}");
    assert!(!text.contains('\x1b'), "{text}");
}

#[test]
fn names_of_another_file_are_not_shown() {
    let live = Live::new("names");
    let text = printed(&format!("scope --once --instance {}", live.instance()));
    assert!(text.contains("names not known") && text.contains("channel[2]"), "{text}");
}

/// No file is needed: the region has the names, even of a file that lies elsewhere.
#[test]
fn names_are_those_of_the_region() {
    let live = Live::new("region");
    live.name_channels(&[("pedal", "bar"), ("lever", "-"), ("wheel", "deg")]);
    let text = printed(&format!("scope --once --instance {}", live.instance()));
    assert!(text.contains("acquisition /nowhere/mine.toml"), "{text}");
    let line = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{text}"));
    assert!(
        line("pedal").contains("bar") && line("lever").contains("0.5000") && line("wheel").contains("deg"),
        "{text}"
    );
    assert!(text.contains("source[0]"), "{text}");
    let message = complaint(&format!("calibrate --instance {}", live.instance()));
    assert!(message.contains("--acquisition"), "{message}");
    live.name_channels(&[("pedal", "bar")]);
    let text = printed(&format!("scope --once --instance {}", live.instance()));
    assert!(text.contains("channel[2]") && !text.contains("pedal"), "{text}");
}

#[test]
fn before_the_first_publication_it_says_so() {
    let live = Live::silent("silent");
    let text = printed(&format!("scope --once --instance {}", live.instance()));
    assert!(text.contains("nothing published on /acquisition/ yet"), "{text}");
}

#[test]
fn what_does_not_exist_is_named() {
    let live = Live::new("errors");
    let message = complaint("scope --instance test-daq-none");
    assert!(message.contains("no instance \"test-daq-none\" is running"), "{message}");
    let message = complaint(&format!("scope --instance {} --acquisition none", live.instance()));
    assert!(message.contains("`none`") && message.contains("buggy"), "{message}");
}

#[test]
fn on_a_terminal_keys_select_and_end() {
    let live = Live::new("keys");
    let mut program = Program::on_terminal(command(&live.line("scope --interval-ms 20")));
    program.await_text("select a channel");
    program.await_text("the picture spans");
    program.answer("\x1b[B");
    program.await_text("0.5000");
    program.answer("q");
    let (status, text, _) = program.end();
    assert!(status.success(), "{text}");
    // Another screen, and back.
    assert!(text.contains("\x1b[?1049h") && text.contains("\x1b[?1049l"), "{text:?}");
}
