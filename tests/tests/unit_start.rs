//! A process that is started the way its unit does it (priority, CPU, watchdog, socket for
//! messages) comes to the same place by its own plan, and its helpers stay out of the way.

use std::os::unix::net::UnixDatagram;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use system_tests::live::{Running, Thread, eventually, threads};
use system_tests::programs::{folder, instance, rtrd, said};
use system_tests::skip;

const SCHED_OTHER: u32 = 0;
const SCHED_FIFO: u32 = 1;
/// Only a test that fails waits so long.
const WAIT_MAX: Duration = Duration::from_secs(60);

/// What a drop-in says.
struct DropIn {
    cpu: String,
    priority: String,
    cpus: String,
}

impl DropIn {
    fn read(folder: &Path, role: &str, instance: &str) -> Self {
        let path = folder.join(format!("rtrd-{role}@{instance}.service.d/10-cpu-plan.conf"));
        let text = std::fs::read_to_string(&path).expect("a drop-in");
        let value = |key: &str| {
            let last = text.lines().filter_map(|line| line.strip_prefix(key)).next_back();
            last.expect("the key").to_owned()
        };
        Self {
            cpu: value("CPUAffinity="),
            priority: value("CPUSchedulingPriority="),
            cpus: value("Environment=RTRD_CPUS="),
        }
    }
}

/// Starts a service as systemd does, and waits until it says that it is ready.
fn start(role: &str, instance: &str, place: &Path, drop_in: &DropIn, fifo: bool) -> Running {
    let socket_path = place.join(format!("{role}.socket"));
    let socket = UnixDatagram::bind(&socket_path).expect("a socket");
    socket.set_read_timeout(Some(WAIT_MAX)).expect("a time limit");
    let program = folder().join(format!("{role}-service"));
    let mut starting = Command::new("taskset");
    starting.args(["-c", &drop_in.cpu]);
    if fifo {
        starting.args(["chrt", "-f", &drop_in.priority]);
    }
    let started = starting
        .arg(&program)
        .arg("--config")
        .arg(place.join("car.toml"))
        .args(["--instance", instance])
        .env("RTRD_CPUS", &drop_in.cpus)
        .env("NOTIFY_SOCKET", &socket_path)
        .env("WATCHDOG_USEC", "5000000")
        .process_group(0)
        .spawn();
    let running = Running(started.expect("a process"));
    let mut message = [0; 4096];
    loop {
        let length = socket.recv(&mut message).expect("a message of the service");
        if String::from_utf8_lossy(&message[..length]).contains("READY=1") {
            return running;
        }
    }
}

#[test]
fn a_process_comes_to_the_place_that_its_drop_in_names_and_its_helpers_are_ordinary() {
    if Command::new("taskset").arg("--version").output().is_err() {
        return skip("taskset is not installed");
    }
    let fifo = Command::new("chrt").args(["-f", "1", "true"]).output().is_ok_and(|output| output.status.success());
    if !fifo {
        println!("skipped: no right to SCHED_FIFO: only the CPUs are looked at");
    }
    let place = tempfile::tempdir().expect("a folder");
    let instance = instance("unit-start");
    std::fs::write(place.path().join("car.toml"), "").expect("a configuration");
    let mut planning = rtrd();
    planning.args(["deploy", "plan", "--instance", &instance, "--config"]);
    planning.arg(place.path().join("car.toml")).arg("--out").arg(place.path());
    let planned = planning.output().expect("rtrd runs");
    assert!(planned.status.success(), "{}", said(&planned));

    let dynamics = DropIn::read(place.path(), "dynamics", &instance);
    let single = dynamics.cpu == dynamics.cpus;
    let taken: usize = dynamics.cpu.parse().expect("a CPU");
    let mut running = Vec::new();
    for role in ["daq", "subsystem", "dynamics"] {
        let drop_in = DropIn::read(place.path(), role, &instance);
        let process = start(role, &instance, place.path(), &drop_in, fifo);
        let threads = threads(process.0.id().into());
        assert_eq!(threads[0].cpus.to_string(), drop_in.cpu, "{role}");
        if fifo {
            assert_eq!(threads[0].policy, SCHED_FIFO, "{role}");
        }
        assert!(threads.len() > 1, "{role} serves a watchdog from a thread of its own");
        for Thread { name, policy, cpus, .. } in &threads[1..] {
            assert_eq!(*policy, SCHED_OTHER, "{role}: {name}");
            assert!(single || !cpus.contains(taken), "{role}: {name} on {cpus}");
        }
        running.push(process);
    }
}

/// The control: what a process is started with is seen, so a service that kept it would have been
/// noticed.
#[test]
fn a_process_that_does_not_step_aside_is_seen_as_it_was_started() {
    let mut starting = Command::new("chrt");
    starting.args(["-f", "3", "taskset", "-c", "0", "sleep", "60"]);
    let Ok(child) = starting.spawn() else {
        return skip("chrt is not installed");
    };
    let mut running = Running(child);
    let has_begun = eventually("it begins or is refused", || {
        let name = std::fs::read_to_string(format!("/proc/{}/comm", running.0.id())).unwrap_or_default();
        let ended = running.0.try_wait().expect("a process").is_some();
        (ended || name.trim() == "sleep").then_some(!ended)
    });
    if !has_begun {
        return skip("no right to SCHED_FIFO, or no CPU 0");
    }
    let threads = threads(running.0.id().into());
    let seen: Vec<_> = threads.iter().map(|thread| (thread.policy, thread.cpus.to_string())).collect();
    assert_eq!(seen, [(SCHED_FIFO, "0".to_owned())]);
}
