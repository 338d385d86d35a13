//! Processes are killed, stopped and starved in the middle of a run; the others go on and nothing
//! is left behind.

use std::io::{PipeReader, PipeWriter, Read, Write};
use std::process::Stdio;

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sys::signal::Signal;
use shm_layout::blocks::STATE_RUNNING;
use shm_layout::{Region, RegionName};
use system_tests::live::{LiveRun, PROCESSES, Running, eventually, is_alive, send, until};
use system_tests::programs::{TextFile, instance, rtrd, rtrd_output, said};

/// How often each process is killed.
const KILLS: usize = 100;

/// Restarts without growing delays: these tests kill faster than anything real dies.
const QUICK_RESTARTS: &str = "[realtime]\nhealth_period_ms = 5\n\
    [supervisor]\nrestart_delay_ms = 1\nrestart_delay_max_ms = 1\nhung_after_ms = 0\n";

/// The tank's set-point is 15 cm in its first 20 s, and then 20 and 10 cm; a controller that lives
/// holds one of them.
fn wait_for_the_set_point(run: &mut LiveRun) {
    until("the level returns to its set-point", || {
        let mut demands = run.region().reader(shm_layout::blocks::DEMANDS);
        let demand_cm = demands.latest().map_or(f64::NAN, |newest| newest.value.demands[0]);
        (run.outputs().outputs[0] - demand_cm).abs() < 0.5
    });
}

#[test]
fn each_process_is_killed_a_hundred_times_and_the_rest_goes_on() {
    let instance = instance("kills");
    let file = TextFile::new(QUICK_RESTARTS);
    let mut run = LiveRun::start(&instance, &["--config", file.path(), "--scenario", "tank-level"]);
    let mut pids = run.pids();
    for round in 0..KILLS {
        for victim in 0..PROCESSES.len() {
            let step = run.outputs().stamp.step;
            send(pids[victim], Signal::SIGKILL);
            pids[victim] = run.wait_until_running(victim, pids[victim]);
            run.wait_for_step_after(step);
            run.assert_others_live(victim, &pids, &format!("round {round}"));
        }
    }
    wait_for_the_set_point(&mut run);
    let steps = run.outputs().stamp.step;
    // Simulated time never went back: the plant took up its own state after each of its hundred
    // deaths.
    assert!((run.outputs().time_s - (steps - 1) as f64 * 1e-3).abs() < 1e-9);

    let path = run.region().name().path();
    let output = run.finish();
    assert!(output.status.success(), "{}", said(&output));
    let summary = said(&output);
    let counted = PROCESSES.iter().filter(|(name, _)| {
        let mut rows =
            summary.lines().map(str::trim).filter(|line| line.starts_with(name.trim_end_matches("-service")));
        rows.any(|row| row.contains("stopped") && row.ends_with(" 100"))
    });
    assert_eq!(counted.count(), PROCESSES.len(), "the summary counts the restarts: {summary}");
    assert!(!path.exists(), "a region is left");
    for pid in pids {
        assert!(!is_alive(pid), "process {pid} is left");
    }
}

#[test]
fn a_process_that_hangs_is_killed_and_restarted() {
    let instance = instance("hang");
    let file =
        TextFile::new("[realtime]\nhealth_period_ms = 5\n[supervisor]\nrestart_delay_ms = 1\nhung_after_ms = 500\n");
    let mut run = LiveRun::start(&instance, &["--config", file.path()]);
    for victim in 0..PROCESSES.len() {
        let pid = run.health(victim).pid;
        send(pid, Signal::SIGSTOP);
        run.wait_until_running(victim, pid);
        assert!(!is_alive(pid), "the process that hung is still there");
    }
    let output = run.finish();
    assert!(said(&output).contains("has not reported"), "{}", said(&output));
}

#[test]
fn when_the_supervisor_is_killed_everything_ends_and_nothing_is_left() {
    let instance = instance("orphans");
    let mut run = LiveRun::start(&instance, &[]);
    let pids = run.pids();
    run.kill_supervisor();
    for pid in pids {
        until("the orphans end", || !is_alive(pid));
    }
    until("the last one removes the region", || !run.region_exists());
}

#[test]
fn a_region_that_a_killed_run_left_is_replaced_and_cleaned() {
    let instance = instance("stale");
    let mut run = LiveRun::start(&instance, &[]);
    let pids = run.pids();
    // A supervisor that is stopped restarts nobody, and processes that are killed put nothing in
    // order.
    send(run.supervisor_pid(), Signal::SIGSTOP);
    for pid in &pids {
        send(*pid, Signal::SIGKILL);
        until("the process dies", || !is_alive(*pid));
    }
    run.kill_supervisor();
    assert!(run.region_exists(), "this is how a killed run looks");

    // A process whose first thread is dead may have others that are still dying: its locks are free
    // with the last one.
    until("it would be removed", || said(&rtrd_output(&["clean", "--dry-run", &instance])).contains("would remove"));
    let output = rtrd_output(&["run", "--quiet", "--seconds", "0.5", "--instance", &instance]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(!run.region_exists(), "the new run removed its region at the end");
}

#[test]
fn when_nobody_reads_the_output_the_run_ends_in_order() {
    let instance = instance("pipe");
    let mut child = system_tests::programs::rtrd()
        .args(["run", "--instance", &instance, "--seconds", "600"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("rtrd starts");
    let mut heading = [0; 10];
    std::io::Read::read_exact(child.stdout.as_mut().expect("a pipe"), &mut heading).expect("a heading");
    drop(child.stdout.take());
    let status = child.wait().expect("it ends");
    assert!(status.success(), "{status}");
    let path = shm_layout::RegionName::new(&instance).expect("a good name").path();
    assert!(!path.exists(), "a region is left");
}

#[test]
fn a_live_region_is_neither_cleaned_nor_taken() {
    let instance = instance("live");
    let mut run = LiveRun::start(&instance, &[]);
    let cleaned = said(&rtrd_output(&["clean", &instance]));
    assert!(cleaned.contains("kept") && cleaned.contains("in use"), "{cleaned}");
    let second = rtrd_output(&["run", "--quiet", "--seconds", "1", "--instance", &instance]);
    assert!(!second.status.success());
    assert!(said(&second).contains("in use"), "{}", said(&second));
    let step = run.outputs().stamp.step;
    run.wait_for_step_after(step);
    assert!(run.finish().status.success());
}

/// A pipe that nobody reads and that holds no further byte.
fn full_pipe() -> (PipeReader, PipeWriter) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    let flags = |flags: OFlag| fcntl(&writer, FcntlArg::F_SETFL(flags)).expect("a pipe has flags");
    flags(OFlag::O_NONBLOCK);
    let mut filler = writer.try_clone().expect("the other end");
    while filler.write(b".").is_ok() {}
    flags(OFlag::empty());
    (reader, writer)
}

#[test]
fn an_output_that_nobody_reads_does_not_stop_the_supervision() {
    for is_read_at_the_end in [false, true] {
        let instance = instance("unread");
        let file = TextFile::new(QUICK_RESTARTS);
        let (mut reader, writer) = full_pipe();
        let mut command = rtrd();
        command.args(["run", "--no-view", "--instance", &instance, "--config", file.path()]);
        let supervisor = command.stdout(writer).stderr(Stdio::null()).spawn().expect("rtrd starts");
        // Its end of the pipe is held by the command too.
        drop(command);
        let mut supervisor = Running(supervisor);
        let name = RegionName::new(&instance).expect("a good name");
        let region = eventually("the region appears", || Region::observe(&name).ok());
        for (role, block) in PROCESSES {
            let mut health = region.reader(block);
            let mut running_but = |gone: u64| {
                eventually(&format!("{role} runs"), || {
                    let newest = health.latest()?.value;
                    (newest.state == STATE_RUNNING && newest.pid != gone).then_some(newest.pid)
                })
            };
            let first = running_but(0);
            send(first, Signal::SIGKILL);
            running_but(first);
        }
        let reading = is_read_at_the_end.then(|| {
            std::thread::spawn(move || {
                let mut said = String::new();
                reader.read_to_string(&mut said).expect("text");
                said
            })
        });
        supervisor.send(Signal::SIGINT);
        let status = eventually("the run ends", || supervisor.0.try_wait().expect("our child"));
        assert!(status.success(), "{status}");
        assert!(!name.path().exists(), "a region is left");
        if let Some(reading) = reading {
            let said = reading.join().expect("a thread that reads");
            assert!(said.contains("was ended by SIGKILL") && said.contains("page faults in the loops"), "{said}");
        }
    }
}
