//! The flight recorder at work: a process is killed, and the last seconds of every block are on
//! disk.

use std::path::Path;
use std::process::Stdio;

use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use shm_layout::blocks::{CATALOGUE, DYNAMICS_HEALTH, Health};
use shm_layout::signals::Library;
use shm_layout::{Region, RegionName, Role};
use system_tests::live::{Running, eventually};
use system_tests::programs::{instance, rtrd};
use system_tests::skip;

fn health(name: &RegionName) -> Option<Health> {
    let region = Region::observe(name).ok()?;
    region.reader(DYNAMICS_HEALTH).latest().map(|snapshot| *snapshot.value)
}

fn reports(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.join("report.md").is_file()).collect()
}

/// Starts the vehicle in a folder of its own, with crash reports in another.
fn start(instance: &str, work: &Path, reports: &Path, arguments: &[&str]) -> Running {
    let child = rtrd()
        .args(["run", "--quiet", "--instance", instance])
        .args(arguments)
        .arg("--crash-reports")
        .arg(reports)
        .current_dir(work)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    Running(child.unwrap())
}

/// How often each block of the catalogue has been written.
fn writes(name: &RegionName) -> Vec<u64> {
    let region = Region::observe(name).unwrap();
    (0..CATALOGUE.len()).map(|index| region.block_status(index).sequence).collect()
}

/// Ends the dynamics with a signal once it steps; its process number, and the writes of every block
/// before.
fn end_dynamics(name: &RegionName, signal: Signal) -> (u64, Vec<u64>) {
    let before = eventually("the simulation steps", || health(name).filter(|health| health.stamp.step > 20));
    let written = writes(name);
    kill(Pid::from_raw(before.pid as i32), signal).unwrap();
    eventually("the simulation goes on in another process", || {
        health(name).filter(|health| health.pid != before.pid && health.stamp.step > before.stamp.step)
    });
    (before.pid, written)
}

/// Head and rows of a table.
fn table(path: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let split = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let mut lines = text.lines().map(split);
    (lines.next().unwrap_or_default(), lines.collect())
}

/// What every table has: the signals of its block, rows from before the incident, and writes up to
/// what the block had had.
fn assert_holds_the_block(report: &Path, index: usize, written: u64) {
    let name = CATALOGUE[index].name;
    let (head, rows) = table(&report.join(format!("{name}.csv")));
    assert_eq!(&head[..2], ["seen_s", "writes"], "{name}");
    let library = Library::new();
    let of_block = library.all().iter().filter(|signal| signal.block == index);
    let known: Vec<&str> = of_block.map(|signal| signal.name.as_str()).collect();
    let is_known = |column: &String| known.contains(&column.as_str());
    assert!(head.len() > 2 && head[2..].iter().all(is_known), "{name}: {head:?}");
    assert!(rows.iter().any(|row| row[0].parse::<f64>().unwrap() < 0.0), "{name}");
    let counted: Vec<u64> = rows.iter().map(|row| row[1].parse().unwrap()).collect();
    assert!(counted.is_sorted(), "{name}: {counted:?}");
    assert!(counted.last().is_some_and(|last| *last >= written), "{name}");
}

#[test]
fn a_killed_process_leaves_the_last_seconds_of_every_block() {
    let folder = tempfile::tempdir().unwrap();
    let instance = instance("crash");
    let name = RegionName::new(&instance).unwrap();
    let run = start(&instance, folder.path(), folder.path(), &[]);
    let (pid, written) = end_dynamics(&name, Signal::SIGKILL);
    let report = eventually("a report", || reports(folder.path()).pop());
    let after = writes(&name);
    drop(run);
    let page = std::fs::read_to_string(report.join("report.md")).unwrap();
    assert!(page.contains("dynamics-service") && page.contains(&pid.to_string()), "{page}");
    for (index, entry) in CATALOGUE.iter().enumerate() {
        let is_listed = page.contains(&format!("[{}](", entry.name));
        if written[index] > 0 {
            assert!(is_listed, "{} is not in the page", entry.name);
            assert_holds_the_block(&report, index, written[index]);
        } else if after[index] == 0 {
            assert!(!is_listed, "{} was never written", entry.name);
        }
    }
    // A vehicle writes something in each of its processes.
    for role in [Role::Daq, Role::Subsystem, Role::Dynamics, Role::Supervisor] {
        let mut blocks = CATALOGUE.iter().zip(&written);
        assert!(blocks.any(|(entry, count)| entry.writer == role && *count > 0), "{role:?}");
    }
    let (head, rows) = table(&report.join("kinematics.csv"));
    let step = head.iter().position(|name| name == "kinematics.stamp.step");
    let steps: Vec<u64> = rows.iter().map(|row| row[step.unwrap()].parse().unwrap()).collect();
    assert!(steps.is_sorted() && steps.len() > 2, "{steps:?}");
}

/// The core of an aborted process lies where its report says, unless the machine hands cores to a
/// program.
#[test]
fn the_report_of_an_abort_says_where_the_core_is() {
    let (work, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let instance = instance("abort");
    let name = RegionName::new(&instance).unwrap();
    let _run = start(&instance, work.path(), folder.path(), &["--scenario", "tank-level"]);
    let (pid, _) = end_dynamics(&name, Signal::SIGABRT);
    let report = eventually("a report", || reports(folder.path()).pop());
    let page = std::fs::read_to_string(report.join("report.md")).unwrap();
    let pattern = std::fs::read_to_string("/proc/sys/kernel/core_pattern").unwrap_or_default();
    let pattern = pattern.trim();
    if pattern.contains("systemd-coredump") {
        assert!(page.contains(&format!("coredumpctl info {pid}")), "{page}");
    } else if let Some(program) = pattern.strip_prefix('|') {
        assert!(page.contains(program.split(' ').next().unwrap()), "{page}");
    } else if pattern != "core" {
        skip("cores have another name here; only what the report says was looked at");
        assert!(page.contains(pattern), "{page}");
    } else {
        assert!(page.contains("`core` in the process's folder"), "{page}");
        let is_core = |name: &str| name == "core" || name == format!("core.{pid}");
        let (_, hard) = getrlimit(Resource::RLIMIT_CORE).unwrap();
        if hard < RLIM_INFINITY {
            return skip("the limit allows no whole core");
        }
        eventually("the core in the process's folder", || {
            let mut entries = std::fs::read_dir(work.path()).unwrap().filter_map(Result::ok);
            entries.find(|entry| is_core(&entry.file_name().to_string_lossy()))
        });
    }
}
