//! `rtrd daq record`.

use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::live::Live;
use super::{command, complaint, run};

fn rows(text: &str) -> Vec<Vec<f64>> {
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect()
}

#[test]
fn raw_numbers_and_values_go_to_a_table() {
    let live = Live::new("record");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("drive.csv");
    let path = path.to_str().unwrap();
    let mut arguments = vec!["record", path, "--seconds", "1"];
    arguments.extend(live.arguments());
    let (output, text) = run(&arguments);
    assert!(output.status.success(), "{output:?}");
    let table = std::fs::read_to_string(path).unwrap();
    assert!(table.contains("# units: brake (bar), throttle (1), steering (deg)\n"), "{table}");
    assert!(
        table.contains("\ntime_s,brake.raw,throttle.raw,steering.raw,brake,throttle,steering\n"),
        "{table}"
    );
    let rows = rows(&table);
    assert!(text.contains(&format!("({} rows, ", rows.len())) && rows.len() >= 2, "{text}");
    assert_eq!(rows[0][0], 0.0);
    assert!(rows.windows(2).all(|pair| pair[0][0] < pair[1][0]), "{table}");
    assert!(rows.iter().all(|row| row[1..4] == [8191.75, 210.0, 500.0] && row[5] == 0.5), "{table}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");

    let message = complaint(&run(&arguments).0);
    assert!(message.contains("is there already") && message.contains("--force"), "{message}");
    arguments.push("--force");
    assert!(run(&arguments).0.status.success());
}

#[test]
fn a_signal_ends_it_with_a_whole_file() {
    let live = Live::new("signal");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("drive.csv");
    let mut arguments = vec!["record", path.to_str().unwrap()];
    arguments.extend(live.arguments());
    let mut child = command(&arguments).stdout(std::process::Stdio::null()).spawn().unwrap();
    let part = folder.path().join("drive.csv.part");
    for _ in 0..6000 {
        if std::fs::metadata(&part).is_ok_and(|found| found.len() > 0) {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    assert!(child.wait().unwrap().success());
    let table = std::fs::read_to_string(&path).unwrap();
    assert!(table.ends_with('\n') && rows(&table).iter().all(|row| row.len() == 7), "{table}");
    assert!(!part.exists());
}

#[test]
fn where_nothing_is_published_there_is_no_file() {
    let live = Live::silent("norecord");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("drive.csv");
    let path = path.to_str().unwrap();
    let message = complaint(&run(&["record", path, "--seconds", "0.1", "--instance", live.instance()]).0);
    assert!(message.contains("nothing was published on /acquisition/"), "{message}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
