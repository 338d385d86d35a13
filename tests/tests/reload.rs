//! A configuration that is changed while the processes run.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use shm_layout::blocks::STATE_RUNNING;
use system_tests::live::{LiveRun, PROCESSES, is_alive, threads, until};
use system_tests::programs::{instance, rtrd, rtrd_output, said};

fn write(path: &Path, health_period_ms: u64, more: &str) {
    let text = format!("[realtime]\nhealth_period_ms = {health_period_ms}\n[dynamics]\nhold_forces_ms = 100\n{more}");
    // Whoever reads meanwhile finds a whole file.
    let new = path.with_extension("new");
    fs::write(&new, text).expect("a file");
    fs::rename(&new, path).expect("a file");
}

/// The least time between two health blocks, of some, in milliseconds. It is never less than the
/// period, however busy the machine is.
fn health_period_ms(run: &mut LiveRun, index: usize) -> u64 {
    let mut stamps = vec![];
    until("health is published", || {
        stamps.push(run.health(index).stamp.publish_ns);
        stamps.dedup();
        stamps.len() > 6
    });
    let steps = stamps.windows(2).map(|pair| (pair[1] - pair[0]) / 1_000_000);
    steps.min().expect("some")
}

/// The processes take over what they can, name what they cannot, keep everything when the file is
/// bad, and stay the same processes throughout.
#[test]
fn a_running_instance_takes_over_what_is_safe() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("car1.toml");
    write(&path, 5, "");
    let name = instance("reload");
    let log = folder.path().join("log");
    let mut command = rtrd();
    command.args(["run", "--seconds", "600", "--instance", &name, "--config"]).arg(&path);
    let command = {
        // What the run shows goes to a file that can be looked at while it runs.
        let mut shell = std::process::Command::new("sh");
        shell.arg("-c").arg(format!("exec \"$@\" >'{0}' 2>&1", log.display()));
        shell.arg("sh").arg(command.get_program()).args(command.get_args());
        shell
    };
    let mut run = LiveRun::start_command(&name, command);
    let pids = run.pids();
    let told = || fs::read_to_string(&log).unwrap_or_default();
    until("health is published often", || health_period_ms(&mut run, 2) < 100);

    write(&path, 200, "step_us = 500\ntakeover_ms = 50\n[subsystem]\ndriver_timeout_ms = 77\n");
    let output = rtrd_output(&["reload", "--instance", &name]);
    assert!(output.status.success(), "{}", said(&output));
    for process in ["daq", "subsystem", "dynamics"] {
        assert!(said(&output).contains(process), "{}", said(&output));
    }
    for line in [
        "realtime.health_period_ms: 5 -> 200",
        "dynamics.takeover_ms: 200 -> 50",
        "dynamics.step_us needs a restart: not set -> 500, kept not set",
        "subsystem.driver_timeout_ms: 500 -> 77",
    ] {
        until(line, || told().contains(line));
    }
    // All three, daq-service as well, which knows nothing of it.
    for index in 0..PROCESSES.len() {
        until("the health period is the new one", || health_period_ms(&mut run, index) >= 199);
    }

    fs::write(&path, "[realtime]\nhealth_period_ms = \"often\"\n").expect("a file");
    assert!(rtrd_output(&["reload", "--instance", &name]).status.success());
    until("the mistake is located", || {
        let place = format!("{}:2:20: realtime.health_period_ms", path.display());
        let kept = "the running configuration is kept";
        told().lines().any(|line| line.contains(&place) && line.contains(kept))
    });
    assert!(health_period_ms(&mut run, 2) >= 199, "nothing has changed");

    for (index, pid) in pids.iter().enumerate() {
        let health = run.health(index);
        assert_eq!((health.pid, health.state), (*pid, STATE_RUNNING));
        assert!(is_alive(*pid));
    }
    run.finish();
}

/// The thread that writes and reads files is an ordinary one, and not on the CPU of the loop. Where
/// every CPU has a loop it is on the one that the plan leaves to the system, beside `daq-service`,
/// and never on that of the dynamics.
#[test]
fn the_thread_beside_the_loop_is_not_in_its_way() {
    let name = instance("beside");
    let mut run = LiveRun::start(&name, &["--seconds", "600"]);
    let cpus = std::thread::available_parallelism().map_or(1, |count| count.get());
    let taken: BTreeSet<i64> = (0..PROCESSES.len()).map(|index| run.health(index).cpu).collect();
    for (index, (name, _)) in PROCESSES.iter().enumerate() {
        let health = run.health(index);
        let mut threads = threads(health.pid).into_iter();
        let beside = threads.find(|thread| thread.name == "rtrd-attendant").expect("a thread for messages");
        assert_eq!((beside.priority, beside.policy), (0, 0), "an ordinary one");
        let allowed = beside.cpus;
        if health.cpu < 0 || cpus < 2 {
            system_tests::skip("the loop has no CPU of its own here");
        } else if taken.len() >= cpus && *name == "daq-service" {
            system_tests::skip("every CPU here has a loop; the thread of the acquisition stays on the system's");
        } else {
            assert!(!allowed.contains(health.cpu as usize), "{allowed} has the loop's CPU {}", health.cpu);
        }
    }
    run.finish();
}

#[test]
fn without_an_instance_the_message_helps() {
    let output = rtrd_output(&["reload", "--instance", &instance("nobody")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("is running; start it with"), "{}", said(&output));
}
