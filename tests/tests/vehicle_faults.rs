//! A vehicle across real processes that are killed in mid-drive: it coasts, stops safely, is taken
//! over, and nothing else dies.

use lockstep::status::{ANSWER_HELD, SAFE_STOP, TAKING_OVER};
use nix::sys::signal::Signal;
use system_tests::live::{LiveRun, send, until};
use system_tests::programs::{TextFile, instance, rtrd_output, said};

const SUBSYSTEM: usize = 1;
const DYNAMICS: usize = 2;

/// A run and its configuration, which processes that are restarted read again.
fn start(name: &str, text: &str) -> (LiveRun, TextFile) {
    let file = TextFile::new(text);
    (LiveRun::start(&instance(name), &["--config", file.path()]), file)
}

/// Forces are held for 100 ms, the dead process comes back after 600 ms, so there are some 500 ms
/// of safe stop.
const SLOW_RESTARTS: &str = "[realtime]\nhealth_period_ms = 5\n[dynamics]\nhold_forces_ms = 100\ntakeover_ms = 200\nanswer_within = 1.0\n\
    [supervisor]\nrestart_delay_ms = 600\nrestart_delay_max_ms = 600\nhung_after_ms = 0\n";

#[test]
fn the_subsystems_are_killed_in_mid_corner() {
    let (mut run, _file) = start("corner", SLOW_RESTARTS);
    let pids = run.pids();
    until("the vehicle is in a bend", || run.motion().rate_rad_s.z > 0.12);
    let at_loss = run.motion();
    send(pids[SUBSYSTEM], Signal::SIGKILL);

    // That nothing jumps meanwhile is seen step by step in `tests/simulator/tests/silence.rs`.
    let (mut seen, mut step, mut slowest_m_s) = (0, at_loss.stamp.step, f64::INFINITY);
    until("the vehicle is taken over", || {
        let now = run.motion();
        assert!(now.stamp.step >= step, "time went back");
        (seen, step) = (seen | now.status, now.stamp.step);
        slowest_m_s = slowest_m_s.min(now.velocity_m_s.x);
        seen & TAKING_OVER != 0 && now.status == 0
    });
    assert!(seen & ANSWER_HELD != 0 && seen & SAFE_STOP != 0, "{seen:b}");
    // 0.3 g for about half a second.
    assert!(slowest_m_s < at_loss.velocity_m_s.x - 0.5, "{slowest_m_s}");
    run.assert_others_live(SUBSYSTEM, &pids, "in the end");
    assert!(run.health(DYNAMICS).exchange_misses > 100);
    until("it drives on", || run.motion().velocity_m_s.x > slowest_m_s + 0.5);
    let output = run.finish();
    assert!(output.status.success(), "{}", said(&output));
}

const QUICK_RESTARTS: &str = "[realtime]\nhealth_period_ms = 5\n[dynamics]\nanswer_within = 1.0\n\
    [supervisor]\nrestart_delay_ms = 1\nrestart_delay_max_ms = 1\nhung_after_ms = 0\n";

/// The same with a driver in another process: `tests/simulator`.
#[test]
fn twenty_kills_leave_a_vehicle_that_drives() {
    let (mut run, _file) = start("vehicle-kills", QUICK_RESTARTS);
    let mut pids = run.pids();
    run.wait_for_step_after(200);
    for round in 0..21 {
        let victim = round % 3;
        let before = run.motion();
        send(pids[victim], Signal::SIGKILL);
        pids[victim] = run.wait_until_running(victim, pids[victim]);
        run.wait_for_step_after(before.stamp.step + 50);
        let after = run.motion();
        assert!(after.time_s > before.time_s, "round {round}: time went back");
        assert!(after.velocity_m_s.x.is_finite() && after.position_m.z.abs() < 3.0, "round {round}: {after:?}");
        run.assert_others_live(victim, &pids, &format!("round {round}"));
    }
    until("it drives at its speed again", || {
        let now = run.motion();
        now.status == 0 && (11.0..16.0).contains(&now.velocity_m_s.x)
    });
    let now = run.motion();
    assert!((now.time_s - (now.stamp.step - 1) as f64 * 1e-3).abs() < 1e-6, "a step is 1 ms, whoever made it");
    assert!(run.finish().status.success());
}

#[test]
fn a_run_without_a_time_ends_with_its_manoeuvre() {
    let output = rtrd_output(&["run", "--quiet", "--instance", &instance("over"), "--scenario", "iso-3888-1"]);
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("the manoeuvre is over"), "{text}");
}
