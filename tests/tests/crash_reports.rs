//! The flight recorder at work: a process is killed, and the last seconds of every block are on disk.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use shm_layout::blocks::{DYNAMICS_HEALTH, Health};
use shm_layout::{Region, RegionName};
use system_tests::programs::{instance, rtrd};

/// Patience with a busy machine; nothing here depends on how long it takes.
const PATIENCE: Duration = Duration::from_secs(60);

struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = kill(Pid::from_raw(self.0.id() as i32), Signal::SIGTERM);
        let _ = self.0.wait();
    }
}

fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if let Some(found) = look() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("{what}: not within {} s", PATIENCE.as_secs());
}

fn health(name: &RegionName) -> Option<Health> {
    let region = Region::observe(name).ok()?;
    region
        .reader(DYNAMICS_HEALTH)
        .latest()
        .map(|snapshot| *snapshot.value)
}

fn reports(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.join("report.md").is_file())
        .collect()
}

#[test]
fn a_killed_process_leaves_the_last_seconds_of_every_block() {
    let folder = tempfile::tempdir().unwrap();
    let instance = instance("crash");
    let _run = Ended(
        rtrd()
            .args([
                "run",
                "--quiet",
                "--scenario",
                "tank-level",
                "--instance",
                &instance,
            ])
            .arg("--crash-reports")
            .arg(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap(),
    );
    let name = RegionName::new(&instance).unwrap();
    let before = wait_for("the simulation steps", || {
        health(&name).filter(|health| health.stamp.step > 20)
    });
    kill(Pid::from_raw(before.pid as i32), Signal::SIGKILL).unwrap();
    wait_for("the simulation goes on in another process", || {
        health(&name).filter(|health| health.pid != before.pid && health.stamp.step > before.stamp.step)
    });
    let report = wait_for("a report", || reports(folder.path()).pop());
    let page = std::fs::read_to_string(report.join("report.md")).unwrap();
    assert!(
        page.contains("dynamics-service") && page.contains(&before.pid.to_string()),
        "{page}"
    );
    let table = std::fs::read_to_string(report.join("plant_outputs.csv")).unwrap();
    let mut lines = table.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let step = head
        .iter()
        .position(|name| *name == "plant_outputs.stamp.step")
        .unwrap();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert!(rows.iter().any(|row| row[0].parse::<f64>().unwrap() < 0.0));
    let steps: Vec<u64> = rows.iter().map(|row| row[step].parse().unwrap()).collect();
    assert!(steps.is_sorted() && steps.len() > 2, "{steps:?}");
}
