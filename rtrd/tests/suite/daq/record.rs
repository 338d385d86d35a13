//! `rtrd daq record`.

use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::live::Live;
use super::{command, complaint, printed};

fn rows(text: &str) -> Vec<Vec<f64>> {
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect()
}

#[test]
fn raw_numbers_and_values_go_to_a_table() {
    let live = Live::new("record");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("drive.csv");
    let line = live.line(&format!("record {} --seconds 1", path.display()));
    let said = printed(&line);
    let table = std::fs::read_to_string(&path).unwrap();
    assert!(table.contains("# units: brake (bar), throttle (1), steering (deg)\n"), "{table}");
    assert!(table.contains("\ntime_s,brake.raw,throttle.raw,steering.raw,brake,throttle,steering\n"), "{table}");
    let rows = rows(&table);
    assert!(said.contains(&format!("({} rows, ", rows.len())) && rows.len() >= 2, "{said}");
    assert_eq!(rows[0][0], 0.0);
    assert!(rows.windows(2).all(|pair| pair[0][0] < pair[1][0]), "{table}");
    assert!(rows.iter().all(|row| row[1..4] == [8191.75, 210.0, 500.0] && row[5] == 0.5), "{table}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");

    let message = complaint(&line);
    assert!(message.contains("is there already") && message.contains("--force"), "{message}");
    printed(&format!("{line} --force"));
}

/// Every sample is published twice, as it is when a period ends between two samples, and carries
/// its number. However busy the machine is, each sample from the first row to the last has a row or
/// is counted as lost.
#[test]
fn samples_are_counted_and_not_publications() {
    let live = Live::publishing("twice", 2, |[brake, throttle, _], sample| [brake, throttle, sample as f64]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("drive.csv");
    let said = printed(&live.line(&format!("record {} --seconds 1", path.display())));
    let rows = rows(&std::fs::read_to_string(&path).unwrap());
    assert!(rows.windows(2).all(|pair| pair[0][3] < pair[1][3]), "a sample has two rows");
    let samples = (rows[rows.len() - 1][3] - rows[0][3]) as usize + 1;
    let lost = match samples - rows.len() {
        0 => "no sample lost)".to_owned(),
        lost => format!(" {lost} samples lost in "),
    };
    assert!(said.contains(&lost), "{samples} samples, {} rows: {said}", rows.len());
}

#[test]
fn a_signal_ends_it_with_a_whole_file() {
    let live = Live::new("signal");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("drive.csv");
    let line = live.line(&format!("record {}", path.display()));
    let mut child = command(&line).stdout(std::process::Stdio::null()).spawn().unwrap();
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
    let message = complaint(&format!("record {} --seconds 0.1 --instance {}", path.display(), live.instance()));
    assert!(message.contains("nothing was published on /acquisition/"), "{message}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
