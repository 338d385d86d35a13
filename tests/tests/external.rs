//! A powertrain of the user's own, in C, in place of ours: it drives the vehicle, may be killed,
//! and goes on.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use shm_layout::blocks::{self, VehicleState};
use system_tests::live::{LiveRun, until};
use system_tests::programs::{instance, path_text, root, said};
use system_tests::skip;

/// A manoeuvre that accelerates: the HMMWV from 5 m/s, straight ahead.
const MANOEUVRE: &str = "name = \"away\"\ndescription = \"Straight ahead, full throttle\"\nvehicle = \"electric.toml\"\nroad = \"flat\"\n\
    [initial]\nspeed_m_s = 5.0\n[path]\nkind = \"straight\"\n[steering]\nkind = \"path\"\n\
    [speed]\nkind = \"hold\"\nspeed_km_h = 100.0\n";

/// Files in a folder: the shipped HMMWV with its powertrain outside, a manoeuvre, a configuration.
fn files() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let shipped = std::fs::read_to_string(root().join("models/vehicles/hmmwv.toml")).expect("the shipped file");
    let electric = shipped.replace("powertrain = \"hmmwv\"", "powertrain = \"external\"");
    assert_ne!(shipped, electric, "the shipped file has changed");
    let vehicle = folder.path().join("electric.toml");
    std::fs::write(&vehicle, electric).expect("a file");
    let manoeuvre = MANOEUVRE.replace("electric.toml", vehicle.to_str().expect("a path"));
    std::fs::write(folder.path().join("away.toml"), manoeuvre).expect("a file");
    let configuration = "[instance]\nscenario = \"./away.toml\"\n[realtime]\nhealth_period_ms = 5\n\
        [dynamics]\nanswer_within = 1.0\n[subsystem]\nexternal_within = 0.8\n";
    std::fs::write(folder.path().join("run.toml"), configuration).expect("a file");
    folder
}

/// Compiles the example; `false` where there is no C compiler.
fn compile(program: &Path) -> bool {
    let source = root().join("clients/c/external_powertrain.c");
    let compiled = Command::new("cc")
        .args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2"])
        .arg(source)
        .args(["-lm", "-o"])
        .arg(program)
        .status();
    match compiled {
        Ok(status) => {
            assert!(status.success(), "the example does not compile");
            true
        }
        Err(_) => false,
    }
}

fn shown(run: &LiveRun) -> VehicleState {
    let mut reader = run.region().reader(blocks::VEHICLE);
    reader.latest().map(|snapshot| *snapshot.value).unwrap_or_default()
}

fn answered_step(run: &LiveRun) -> u64 {
    let mut reader = run.region().reader(blocks::EXTERNAL_POWERTRAIN);
    reader.latest().map_or(0, |snapshot| snapshot.value.stamp.step)
}

fn start_motor(program: &Path, instance: &str) -> Child {
    Command::new(program).arg(instance).stdout(Stdio::piped()).spawn().expect("what was compiled runs")
}

#[test]
fn an_electric_motor_in_c_drives_the_hmmwv() {
    let folder = files();
    let program = folder.path().join("external_powertrain");
    if !compile(&program) {
        return skip("the external powertrain: there is no C compiler");
    }
    let instance = instance("electric");
    let configuration = folder.path().join("run.toml");
    let mut run = LiveRun::start(&instance, &["--config", path_text(&configuration)]);
    run.wait_for_step_after(100);
    // Nobody answers yet: the vehicle rolls, and the misses are counted.
    let mut kinematics = run.region().reader(blocks::KINEMATICS);
    let mut speed_m_s = || kinematics.latest().map_or(0.0, |newest| newest.value.velocity_m_s.x);
    let (alone, alone_m_s) = (shown(&run), speed_m_s());
    assert!(alone.external_misses > 0);
    assert_eq!(alone.wheels[0].drive_torque_nm, 0.0);

    let mut motor = start_motor(&program, &instance);
    until("the motor drives", || {
        let now = shown(&run);
        now.wheels[3].drive_torque_nm > 100.0 && speed_m_s() > alone_m_s + 1.0
    });
    // Killed: its torque is held for a while, then the vehicle rolls.
    motor.kill().expect("it runs");
    motor.wait().expect("it is dead");
    let at_death = shown(&run);
    until("the vehicle rolls", || {
        let now = shown(&run);
        now.wheels[0].drive_torque_nm == 0.0 && now.external_misses > at_death.external_misses + 100
    });
    let (rolling, rolling_m_s) = (shown(&run), speed_m_s());
    run.wait_for_step_after(rolling.stamp.step + 100);

    let mut motor = start_motor(&program, &instance);
    until("the motor drives again", || {
        let now = shown(&run);
        now.wheels[0].drive_torque_nm > 100.0 && speed_m_s() > rolling_m_s
    });
    let step = answered_step(&run);
    until("it answers step by step", || answered_step(&run) > step + 100);
    assert_eq!(run.motion().status & lockstep::status::SAFE_STOP, 0);

    let output = run.finish();
    assert!(output.status.success(), "{}", said(&output));
    let ended = motor.wait().expect("it leaves when the run is over");
    assert!(ended.success(), "{ended}");
}
