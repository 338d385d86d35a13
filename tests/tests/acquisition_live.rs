//! A vehicle driven by a board through the real processes.

use std::fs::OpenOptions;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use acquisition::stream::ByteOrder;
use acquisition::{Counters, Pipeline, Plan, State};
use files::Found;
use shm_layout::blocks;
use system_tests::board::{buggy_with_stream, bytes, fifo};
use system_tests::live::{LiveRun, eventually, until};
use system_tests::played::{FORMAT, channel};
use system_tests::programs::{instance, path_text, rtrd_output, said};

#[test]
fn a_board_drives_and_is_missed_and_drives_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let fifo = fifo(folder.path());
    let path = folder.path().join("acquisition.toml");
    std::fs::write(&path, buggy_with_stream(&fifo)).expect("a file");
    let name = instance("board-drives");
    let arguments = ["--scenario", "drive-default", "--acquisition", path_text(&path)];
    let mut run = LiveRun::start(&name, &arguments);
    let pid = run.health(0).pid;
    let mut driver = run.region().reader(blocks::DRIVER);
    let mut status = run.region().reader(blocks::ACQUISITION);
    for _ in 0..2 {
        let ended = Arc::new(AtomicBool::new(false));
        let (end, path) = (Arc::clone(&ended), fifo.clone());
        let board = std::thread::spawn(move || {
            let mut pipe = OpenOptions::new().write(true).open(path).expect("the acquisition reads");
            // Brake 0, throttle 210 of 420 counts, steering wheel 100 counts of 0.18° to the right.
            let block = bytes([0.0, 210.0, 100.0], ByteOrder::Little);
            while !end.load(Ordering::Acquire) && pipe.write_all(&block).is_ok() {
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        eventually("half throttle arrives", || {
            let driver = driver.latest()?.value;
            let steering_rad = -(100.0 * 0.18_f64).to_radians();
            let arrived =
                (driver.throttle_ratio - 0.5).abs() < 1e-12 && (driver.steering_angle_rad - steering_rad).abs() < 1e-12;
            (arrived && driver.stamp.publish_ns >= driver.stamp.sample_ns).then_some(())
        });
        ended.store(true, Ordering::Release);
        board.join().expect("the board");
        eventually("the board is missed", || {
            let source = status.latest()?.value.sources[0];
            (source.state == 4 || source.reconnects > 0).then_some(())
        });
        // The shipped file asks for a stop: the throttle goes to zero.
        eventually("the throttle is let go", || (driver.latest()?.value.throttle_ratio == 0.0).then_some(()));
    }
    assert_eq!(run.health(0).pid, pid, "the process died");
    assert!(run.health(0).model_warnings > 0, "faults are not in the health block");
    until("it is stale, and a stop is asked for, in the health block", || {
        let health = run.health(0);
        (health.input_faults, health.input_reaction) == (8, 3)
    });
    run.finish();
}

/// The units do not start a process again that ends with 78: only a person can set this right.
fn assert_refused(file: &str, expected: &str) {
    let daq = system_tests::programs::folder().join("daq-service");
    let arguments = ["--instance", &instance("wrong-file"), "--acquisition", file];
    let output = std::process::Command::new(daq).args(arguments).output().expect("daq-service runs");
    assert_eq!(output.status.code(), Some(78), "{}", said(&output));
    assert!(said(&output).contains(expected), "{}", said(&output));
}

#[test]
fn a_wrong_file_is_refused_with_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("wrong.toml");
    for (wrong, right, expected) in [
        ("driver.throttle_ratio", "driver.trottle_ratio", "driver.trottle_ratio"),
        ("raw = \"brake\"", "raw = \"break\"", "has no `break`"),
    ] {
        let fifo = fifo(tempfile::tempdir_in(folder.path()).expect("a folder").keep().as_path());
        std::fs::write(&path, buggy_with_stream(&fifo).replace(wrong, right)).expect("a file");
        assert_refused(path_text(&path), expected);
    }
    assert_refused("nonsense", "`nonsense` is no file and not shipped");
    assert_refused("./missing.toml", "`./missing.toml` is no file and not shipped");
    let calibration = folder.path().join("mine.toml");
    for (text, expected) in [
        (None, "calibration: `mine.toml` is no file and not shipped"),
        (Some("format = \"rtrd-calibration-1\"\nnonsense = 1\n"), "mine.toml:2:1: nonsense"),
    ] {
        text.into_iter().for_each(|text| std::fs::write(&calibration, text).expect("a file"));
        let named = buggy_with_stream(&folder.path().join("board"))
            .replace("calibration = \"buggy\"", "calibration = \"mine.toml\"");
        std::fs::write(&path, named).expect("a file");
        assert_refused(path_text(&path), expected);
    }
    let output = rtrd_output(&["config"]);
    assert!(said(&output).contains("# acquisition ="), "{}", said(&output));
}

/// The buggy's three channels without rules, from a source with these settings.
fn channels(source: &str) -> String {
    let channels = ["brake", "throttle", "steering"].map(|name| channel(name, "board", ""));
    format!("{FORMAT}calibration = \"buggy\"\n[[source]]\nname = \"board\"\n{source}\n{}", channels.concat())
}

/// Time, raw numbers and values of each row.
fn rows(recording: &str) -> Vec<Vec<f64>> {
    let mut lines = recording.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(lines.next(), Some("time_s,brake.raw,throttle.raw,steering.raw,brake,throttle,steering"));
    let row = |line: &str| line.split(',').map(|cell| cell.parse().expect("a number")).collect();
    lines.map(row).collect()
}

/// What `rtrd daq record` wrote is replayed: the same raw numbers, at the same distances, make the
/// same values.
#[test]
fn a_recorded_drive_is_replayed_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("emulated.toml");
    std::fs::write(&file, channels("kind = \"emulator\"\nmanoeuvre = \"steering-sweep\"")).expect("a file");
    let (file, name) = (path_text(&file), instance("record"));
    let run = LiveRun::start(&name, &["--scenario", "drive-default", "--acquisition", file]);
    let mut status = run.region().reader(blocks::ACQUISITION);
    eventually("the board delivers", || (status.latest()?.value.sources[0].blocks > 100).then_some(()));
    let path = folder.path().join("drive.csv");
    let path = path_text(&path);
    let output = rtrd_output(&["daq", "record", path, "--instance", &name, "--seconds", "1.5"]);
    assert!(output.status.success(), "{}", said(&output));
    run.finish();

    let recorded = rows(&std::fs::read_to_string(path).expect("the recording"));
    let moves = recorded.windows(2).filter(|pair| pair[0][3] != pair[1][3]).count();
    assert!(moves > 10, "the test has not tested: the wheel stands still");
    let replay = format!("kind = \"replay\"\npath = {path:?}\nspeed = 0.0");
    let plan = Plan::parse(&Found::new("replay.toml", channels(&replay)), &[]).expect("a good file");
    let mut pipeline = Pipeline::new(&plan);
    let mut source = plan.sources[0].opening.open(Counters::default()).expect("a recording");
    pipeline.bind(0, source.channels()).expect("its numbers");
    let (mut replayed, mut state) = (Vec::new(), State::Waiting);
    while state != State::Ended {
        state = source.take(0, &mut |sample| {
            pipeline.feed(0, sample);
            pipeline.tick(sample.sample_ns);
            let channels = pipeline.channels();
            let mut row = vec![sample.sample_ns as f64];
            row.extend(channels.iter().map(|channel| channel.raw));
            row.extend(channels.iter().map(|channel| channel.value));
            replayed.push(row);
        });
    }
    assert_eq!(replayed.len(), recorded.len());
    for (found, expected) in replayed.iter().zip(&recorded) {
        // A recording has nanoseconds.
        let time_ns = (expected[0] - recorded[0][0]) * 1e9;
        assert!((found[0] - time_ns).abs() < 1.0, "{} {time_ns}", found[0]);
        assert_eq!(found[1..], expected[1..]);
    }
}
