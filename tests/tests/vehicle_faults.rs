//! A vehicle across real processes that are killed in mid-drive: it coasts, stops safely, is taken
//! over, and nothing else dies.

use std::io::Write;

use lockstep::status::{ANSWER_HELD, SAFE_STOP, TAKING_OVER};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use shm_layout::blocks::{self, Kinematics};
use system_tests::live::{LiveRun, PROCESSES, eventually, is_alive};
use system_tests::programs::{instance, said};

const DAQ: usize = 0;
const SUBSYSTEM: usize = 1;
const DYNAMICS: usize = 2;

fn config(text: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(".toml").tempfile().expect("a file");
    file.write_all(text.as_bytes()).expect("a writable file");
    file
}

fn send(pid: u64, signal: Signal) {
    kill(Pid::from_raw(pid as i32), signal).expect("the process is there");
}

/// A run and its configuration, which processes that are restarted read again.
fn start(name: &str, text: &str) -> (LiveRun, tempfile::NamedTempFile) {
    let file = config(text);
    let run = LiveRun::start(&instance(name), &["--config", file.path().to_str().expect("a path")]);
    (run, file)
}

fn motion(run: &LiveRun) -> Kinematics {
    let mut reader = run.region().reader(blocks::KINEMATICS);
    reader.latest().map(|snapshot| *snapshot.value).unwrap_or_default()
}

/// Forces are held for 100 ms, the dead process comes back after 600 ms, so there are some 500 ms
/// of safe stop.
const SLOW_RESTARTS: &str = "[realtime]\nhealth_period_ms = 5\n[dynamics]\nhold_forces_ms = 100\ntakeover_ms = 200\nanswer_within = 1.0\n\
    [supervisor]\nrestart_delay_ms = 600\nrestart_delay_max_ms = 600\nhung_after_ms = 0\n";

#[test]
fn the_subsystems_are_killed_in_mid_corner() {
    let (mut run, _file) = start("corner", SLOW_RESTARTS);
    let pids: Vec<u64> = (0..3).map(|index| run.health(index).pid).collect();
    eventually("the vehicle is in a bend", || (motion(&run).rate_rad_s.z > 0.12).then_some(()));
    let at_loss = motion(&run);
    send(pids[SUBSYSTEM], Signal::SIGKILL);

    let mut seen = 0;
    let mut before = at_loss;
    let mut slowest_m_s = f64::INFINITY;
    eventually("the vehicle is taken over", || {
        let status = run.motion().status;
        seen |= status;
        let now = motion(&run);
        assert!(now.stamp.step >= before.stamp.step, "time went back");
        let passed_s = now.time_s - before.time_s;
        // No jump, whatever happens: grip is below 1 g, and twice that leaves room for the heave of
        // the body.
        let change_m_s = (now.velocity_m_s.x - before.velocity_m_s.x).hypot(now.velocity_m_s.y - before.velocity_m_s.y);
        let turned_m_s = now.rate_rad_s.z.abs().max(before.rate_rad_s.z.abs()) * passed_s * now.velocity_m_s.x.abs();
        assert!(change_m_s <= turned_m_s + 2.0 * 9.81 * passed_s + 1e-3, "{change_m_s} m/s in {passed_s} s");
        before = now;
        slowest_m_s = slowest_m_s.min(now.velocity_m_s.x);
        (seen & TAKING_OVER != 0 && status == 0).then_some(())
    });
    assert!(seen & ANSWER_HELD != 0 && seen & SAFE_STOP != 0, "{seen:b}");
    // 0.3 g for about half a second.
    assert!(slowest_m_s < at_loss.velocity_m_s.x - 0.5, "{slowest_m_s}");
    for index in [DAQ, DYNAMICS] {
        assert_eq!(run.health(index).pid, pids[index], "{} died too", PROCESSES[index].0);
    }
    assert!(run.health(DYNAMICS).exchange_misses > 100);
    eventually("it drives on", || (motion(&run).velocity_m_s.x > slowest_m_s + 0.5).then_some(()));
    let output = run.finish();
    assert!(output.status.success(), "{}", said(&output));
}

const QUICK_RESTARTS: &str = "[realtime]\nhealth_period_ms = 5\n[dynamics]\nanswer_within = 1.0\n\
    [supervisor]\nrestart_delay_ms = 1\nrestart_delay_max_ms = 1\nhung_after_ms = 0\n";

/// The same with a driver in another process: `tests/simulator`.
#[test]
fn twenty_kills_leave_a_vehicle_that_drives() {
    let (mut run, _file) = start("vehicle-kills", QUICK_RESTARTS);
    let mut pids: Vec<u64> = (0..3).map(|index| run.health(index).pid).collect();
    run.wait_for_step_after(200);
    for round in 0..21 {
        let victim = round % 3;
        let before = motion(&run);
        send(pids[victim], Signal::SIGKILL);
        pids[victim] = run.wait_until_running(victim, pids[victim]);
        run.wait_for_step_after(before.stamp.step + 50);
        let after = motion(&run);
        assert!(after.time_s > before.time_s, "round {round}: time went back");
        assert!(after.velocity_m_s.x.is_finite() && after.position_m.z.abs() < 3.0, "round {round}: {after:?}");
        for other in (0..3).filter(|other| *other != victim) {
            assert_eq!(run.health(other).pid, pids[other], "round {round}: {} died too", PROCESSES[other].0);
            assert!(is_alive(pids[other]), "round {round}: {} died too", PROCESSES[other].0);
        }
    }
    eventually("it drives at its speed again", || {
        let now = motion(&run);
        let well = run.motion().status == 0;
        (well && (11.0..16.0).contains(&now.velocity_m_s.x)).then_some(())
    });
    let now = motion(&run);
    assert!((now.time_s - (now.stamp.step - 1) as f64 * 1e-3).abs() < 1e-6, "a step is 1 ms, whoever made it");
    assert!(run.finish().status.success());
}

#[test]
fn a_run_without_a_time_ends_with_its_manoeuvre() {
    let mut command = system_tests::programs::rtrd();
    let name = instance("over");
    let output =
        command.args(["run", "--quiet", "--instance", &name, "--scenario", "iso-3888-1"]).output().expect("rtrd runs");
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("the manoeuvre is over"), "{text}");
}
