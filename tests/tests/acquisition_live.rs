//! A vehicle driven by a board through the real processes.

use std::fs::OpenOptions;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use acquisition::stream::ByteOrder;
use shm_layout::blocks;
use system_tests::board::{bytes, fifo};
use system_tests::live::{LiveRun, eventually};
use system_tests::programs::{instance, root, rtrd_output, said};

/// The buggy's channels with a stream from a FIFO.
fn file(fifo: &std::path::Path) -> String {
    let shipped = root().join("models/acquisition/buggy.toml");
    let shipped = std::fs::read_to_string(shipped).expect("the shipped file");
    let stream = format!(
        "kind = \"stream\"\npath = {:?}\nperiod_us = 1000.0",
        fifo.display().to_string()
    );
    let text = shipped.replace("kind = \"emulator\"", &stream);
    assert_ne!(shipped, text, "the shipped file has changed");
    text
}

#[test]
fn a_board_drives_and_is_missed_and_drives_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let fifo = fifo(folder.path());
    let path = folder.path().join("acquisition.toml");
    std::fs::write(&path, file(&fifo)).expect("a file");
    let name = instance("board-drives");
    let arguments = [
        "--scenario",
        "drive-default",
        "--acquisition",
        path.to_str().expect("a path"),
    ];
    let mut run = LiveRun::start(&name, &arguments);
    let pid = run.health(0).pid;
    let mut driver = run.region().reader(blocks::DRIVER);
    let mut status = run.region().reader(blocks::ACQUISITION);
    for _ in 0..2 {
        let ended = Arc::new(AtomicBool::new(false));
        let (end, path) = (Arc::clone(&ended), fifo.clone());
        let board = std::thread::spawn(move || {
            let mut pipe = OpenOptions::new()
                .write(true)
                .open(path)
                .expect("the acquisition reads");
            // Brake 0, throttle 210 of 420 counts, steering wheel 100 counts of 0.18° to the right.
            let block = bytes([0.0, 210.0, 100.0], ByteOrder::Little);
            while !end.load(Ordering::Acquire) && pipe.write_all(&block).is_ok() {
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        eventually("half throttle arrives", || {
            let driver = driver.latest()?.value;
            let steering_rad = -(100.0 * 0.18_f64).to_radians();
            let arrived = (driver.throttle_ratio - 0.5).abs() < 1e-12
                && (driver.steering_angle_rad - steering_rad).abs() < 1e-12;
            (arrived && driver.stamp.publish_ns >= driver.stamp.sample_ns).then_some(())
        });
        ended.store(true, Ordering::Release);
        board.join().expect("the board");
        eventually("the board is missed", || {
            let source = status.latest()?.value.sources[0];
            (source.state == 4 || source.reconnects > 0).then_some(())
        });
        // The shipped file asks for a stop: the throttle goes to zero.
        eventually("the throttle is let go", || {
            (driver.latest()?.value.throttle_ratio == 0.0).then_some(())
        });
    }
    assert_eq!(run.health(0).pid, pid, "the process died");
    assert!(
        run.health(0).model_warnings > 0,
        "faults are not in the health block"
    );
    run.finish();
}

#[test]
fn a_wrong_file_is_refused_with_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("wrong.toml");
    for (wrong, right, expected) in [
        (
            "driver.throttle_ratio",
            "driver.trottle_ratio",
            "driver.trottle_ratio",
        ),
        ("raw = \"brake\"", "raw = \"break\"", "has no `break`"),
    ] {
        let fifo = folder.path().join(expected.replace(['`', ' '], ""));
        nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::S_IRWXU).expect("a FIFO");
        std::fs::write(&path, file(&fifo).replace(wrong, right)).expect("a file");
        let daq = system_tests::programs::folder().join("daq-service");
        let output = std::process::Command::new(daq)
            .args(["--instance", &instance("wrong-file"), "--acquisition"])
            .arg(&path)
            .output()
            .expect("daq-service runs");
        assert!(!output.status.success());
        assert!(said(&output).contains(expected), "{}", said(&output));
    }
    let output = rtrd_output(&["config"]);
    assert!(said(&output).contains("# acquisition ="), "{}", said(&output));
}
