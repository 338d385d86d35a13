//! `rtrd daq calibrate`: a person, or a script, answers.

use std::process::Command;

use acquisition::calibration::CalibrationFile;

use super::live::Live;
use super::{command, complaint};
use crate::support::program::Program;

fn calibrate(live: &Live, more: &str) -> Command {
    command(&live.line(&format!("calibrate --seconds 0.05 {more}")))
}

/// A pedal that shows 30 released and 450 pressed: 0 and 1, as the shipped calibration has them.
fn calibrate_throttle(live: &Live, mut program: Program) -> Program {
    program.await_text("1/2: release it");
    live.set(1, 30.0);
    program.answer("\n");
    program.await_text("2/2: press it fully");
    live.set(1, 450.0);
    program.answer("\n");
    program.await_text("deadband");
    program.answer("0.02\n");
    program.await_text("limit the value to 0 … 1");
    program.answer("y\n");
    program
}

#[test]
fn a_pedal_through_pipes() {
    let live = Live::new("pedal");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let out = path.to_str().unwrap();
    for round in 0..2 {
        let program = Program::with_pipes(calibrate(&live, &format!("throttle --out {out}")));
        let (status, text, complaint) = calibrate_throttle(&live, program).end();
        assert!(status.success(), "{text}{complaint}");
        assert!(text.contains(&format!("wrote {out}")), "{text}");
        assert_eq!(text.contains("the old one is"), round == 1, "{text}");
    }
    let written = CalibrationFile::load(out, None).unwrap();
    let throttle = &written.channels["throttle"];
    let value = |raw: f64| throttle.clamp(throttle.convert(raw));
    // One less the deadband; the line may be off by a rounding error.
    assert!(value(30.0) == 0.0 && (value(450.0) - 0.98).abs() < 1e-12, "{throttle:?}");
    assert_eq!((throttle.deadband, throttle.least, throttle.most), (0.02, 0.0, 1.0));
    // The others are as they were.
    assert_eq!(written.channels["steering"].convert(100.0), -18.0);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "the file and its old version");
}

#[test]
fn a_pedal_on_a_terminal_without_writing() {
    let live = Live::new("terminal");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let line = format!("throttle --dry-run --out {}", path.display());
    let program = Program::on_terminal(calibrate(&live, &line));
    let (status, text, _) = calibrate_throttle(&live, program).end();
    assert!(status.success(), "{text}");
    assert!(text.contains("would write") && text.contains("two_point = [[30.0, 0.0], [450.0, 1.0]]"), "{text}");
    assert!(!path.exists());
}

#[test]
fn points_that_are_too_close_are_asked_for_again_and_then_refused() {
    let live = Live::new("close");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let mut program = Program::with_pipes(calibrate(&live, &format!("throttle --out {}", path.display())));
    program.answer("\n\n\n\n\n\n");
    program.await_times("1/2", 3);
    let (status, text, complaint) = program.end();
    assert!(!status.success() && text.contains("Once more"), "{text}");
    assert!(complaint.contains("0.0 raw numbers apart; expected at least 8.0"), "{complaint}");
    assert!(!path.exists());
}

#[test]
fn a_table_and_numbers_that_are_none() {
    let live = Live::new("table");
    let mut program = Program::with_pipes(calibrate(&live, "brake --points 3 --dry-run"));
    for (number, raw, answer) in [(1, -6.0, "0\n"), (2, 9000.0, "ten\n10,5\n"), (3, 32_000.0, "\n")] {
        program.await_text(&format!("{number}/3"));
        live.set(0, raw);
        program.answer(answer);
    }
    program.await_text("deadband");
    program.answer("n\nn\n");
    let (status, text, complaint) = program.end();
    assert!(status.success(), "{text}{complaint}");
    assert!(text.contains("expected a number, found \"ten\""), "{text}");
    assert!(text.contains("[9000.0, 10.5]") && text.contains("[32000.0, 40.0]"), "{text}");
}

#[test]
fn answers_that_end_write_nothing() {
    let live = Live::new("end");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let mut program = Program::with_pipes(calibrate(&live, &format!("brake --out {}", path.display())));
    program.await_text("1/2");
    program.close_input();
    let (status, _, complaint) = program.end();
    assert!(!status.success() && complaint.contains("nothing was written"), "{complaint}");
    assert!(!path.exists());
}

#[test]
fn unknown_channels_are_answered_with_the_known() {
    let live = Live::new("unknown");
    let message = complaint(&live.line("calibrate clutch"));
    assert!(message.contains("no channel \"clutch\"") && message.contains("brake, throttle, steering"), "{message}");
    let message = complaint(&format!("calibrate --instance {}", live.instance()));
    assert!(message.contains("--acquisition"), "{message}");
}
