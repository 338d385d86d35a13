use super::*;
use crate::plan::tests::parse;
use crate::plausibility::Fault;

const MS: u64 = 1_000_000;

const FILE: &str = r#"
format = "rtrd-acquisition-1"
calibration = "buggy"
[[source]]
name = "board"
kind = "stream"
[[source]]
name = "wheel"
kind = "evdev"

[[channel]]
name = "steering"
source = "board"
raw = "stw"
target = "driver.steering_angle_rad"
rate_target = "driver.steering_rate_rad_s"
acceleration_target = "driver.steering_acceleration_rad_s2"
derivative = { method = "smooth", length = 4 }
[channel.plausibility]
stale = { after_s = 0.02, reaction = "stop" }
range = { min = -500, max = 500, reaction = "hold" }
recover_s = 0.005
return_s = 0.0
ramp_s = 0.1

[[channel]]
name = "pedal"
source = "wheel"
raw = "ABS_Z"
only_changes = true
target = "driver.throttle_ratio"
calibration = { two_point = [[0, 0], [255, 1]], unit = "1" }
derivative = { method = "backward", points = 1 }

[[stop]]
target = "driver.brake_ratio"
value = 0.8
ramp_s = 0.01
"#;

fn pipeline() -> Pipeline {
    let mut pipeline = Pipeline::new(&parse(FILE).expect("a plan"));
    pipeline.bind(0, &["brake".into(), "stw".into()]).expect("the board's numbers");
    pipeline.bind(1, &["ABS_Z".into()]).expect("the wheel's numbers");
    pipeline
}

fn board(ms: u64, counts: f64) -> Sample {
    let mut sample = Sample::empty(ms * MS);
    sample.set(0, 0.0);
    sample.set(1, counts);
    sample
}

/// Turns the wheel by a count each millisecond.
fn turn(pipeline: &mut Pipeline, from_ms: u64, to_ms: u64) {
    for ms in from_ms..to_ms {
        pipeline.feed(0, &board(ms, ms as f64));
        pipeline.tick(ms * MS);
    }
}

#[test]
fn counts_become_radians_and_radians_per_second() {
    let mut pipeline = pipeline();
    turn(&mut pipeline, 1, 100);
    let steering = pipeline.channels()[0];
    assert_eq!((steering.raw, steering.sample_ns, steering.age_ns), (99.0, 99 * MS, 0));
    assert!((steering.value + 0.18 * 99.0).abs() < 1e-12, "−0.18° a count");
    assert!((steering.rate + 180.0).abs() < 1e-6, "0.18° a millisecond");
    assert!(steering.acceleration.abs() < 1e-3);
    let expected = [steering.value.to_radians(), steering.rate.to_radians()];
    assert!((pipeline.outputs()[0] - expected[0]).abs() < 1e-15);
    assert!((pipeline.outputs()[1] - expected[1]).abs() < 1e-12);
    assert!(pipeline.outputs()[4].is_nan(), "a brake that only a stop presses");
}

#[test]
fn nothing_is_claimed_before_the_first_sample() {
    let mut pipeline = pipeline();
    pipeline.tick(5 * MS);
    let steering = pipeline.channels()[0];
    assert!(steering.raw.is_nan() && steering.value.is_nan());
    assert_eq!((steering.sample_ns, steering.age_ns, steering.faults.0), (0, 0, 0));
    assert!(pipeline.outputs()[0].is_nan());
}

#[test]
fn a_silent_source_asks_for_a_stop_and_recovers_by_itself() {
    let mut pipeline = pipeline();
    turn(&mut pipeline, 1, 100);
    pipeline.tick(120 * MS);
    let steering = pipeline.channels()[0];
    assert_eq!((steering.faults.0, steering.reaction), (Fault::Stale.bit(), Reaction::Stop));
    assert_eq!(steering.age_ns, 21 * MS);
    assert!(pipeline.stop_requested());
    assert_eq!(pipeline.outputs()[4], 0.0, "the ramp begins");
    pipeline.tick(125 * MS);
    assert_eq!(pipeline.outputs()[4], 0.4);
    pipeline.tick(500 * MS);
    assert_eq!(pipeline.outputs()[4], 0.8);
    assert_eq!(pipeline.channels()[0].value, 0.0, "the safe value");
    // The wheel was turned on meanwhile, to 450 counts.
    turn(&mut pipeline, 450, 470);
    assert!(pipeline.stop_requested(), "samples older than the silence's end do not prove anything");
    turn(&mut pipeline, 501, 520);
    let steering = pipeline.channels()[0];
    assert_eq!((steering.faults.0, steering.reaction, steering.fault_count), (0, Reaction::None, 1));
    assert!((steering.value + 0.18 * 519.0).abs() < 1e-9);
    assert!((steering.rate + 180.0).abs() < 1e-6);
    assert!(!pipeline.stop_requested());
    assert!(pipeline.outputs()[4].is_nan());
}

#[test]
fn a_value_out_of_range_does_not_reach_value_or_rate() {
    let mut pipeline = pipeline();
    turn(&mut pipeline, 1, 100);
    pipeline.feed(0, &board(100, 30_000.0));
    pipeline.tick(100 * MS);
    let steering = pipeline.channels()[0];
    assert_eq!((steering.raw, steering.faults.0), (30_000.0, Fault::OutOfRange.bit()));
    assert!((steering.value + 0.18 * 99.0).abs() < 1e-12);
    assert_eq!((steering.rate, steering.reaction), (0.0, Reaction::Hold));
    turn(&mut pipeline, 101, 110);
    assert!((pipeline.channels()[0].rate + 180.0).abs() < 1e-6, "the spike is not in the history");
}

#[test]
fn a_number_that_comes_only_when_it_changes_is_neither_stale_nor_for_ever_moving() {
    let mut pipeline = pipeline();
    let mut pressed = Sample::empty(10 * MS);
    pressed.set(0, 51.0);
    pipeline.feed(1, &pressed);
    pipeline.tick(10 * MS);
    pressed.sample_ns = 12 * MS;
    pressed.set(0, 102.0);
    pipeline.feed(1, &pressed);
    pipeline.tick(12 * MS);
    let moving = pipeline.channels()[1];
    assert!((moving.value - 0.4).abs() < 1e-12 && (moving.rate - 100.0).abs() < 1e-9);
    for ms in 13..200 {
        pipeline.tick(ms * MS);
    }
    let still = pipeline.channels()[1];
    assert_eq!((still.rate, still.faults.0), (0.0, 0));
    assert_eq!((still.sample_ns, still.known_ns), (12 * MS, 199 * MS), "it still holds");
    pipeline.lost(1);
    pipeline.tick(200 * MS);
    assert_eq!(pipeline.channels()[1].faults.0, Fault::Stale.bit(), "unplugged");
    assert_eq!(pipeline.channels()[1].reaction, Reaction::Hold);
    assert_eq!(pipeline.channels()[1].known_ns, 12 * MS, "its value is unknown now");
    pipeline.bind(1, &["ABS_X".into(), "ABS_Z".into()]).expect("plugged in again");
    (201..400).for_each(|ms| pipeline.tick(ms * MS));
    assert!(pipeline.channels()[1].faults.none());
}

#[test]
fn a_number_that_the_source_lacks_is_named() {
    let mut pipeline = Pipeline::new(&parse(FILE).expect("a plan"));
    let numbers = ["brake".into(), "wheel".into()];
    let unbound = pipeline.bind(0, &numbers).expect_err("no stw");
    assert_eq!(
        pipeline.explain(unbound, &numbers),
        "test.toml: channel `steering`: raw: source `board` has no `stw`; expected one of brake, wheel"
    );
    pipeline.feed(0, &board(1, 5.0));
    pipeline.tick(MS);
    assert!(pipeline.channels()[0].raw.is_nan(), "never another number instead");
}

#[test]
fn a_measured_rate_is_used_whatever_the_order_of_the_file() {
    let file = r#"
format = "rtrd-acquisition-1"
[[source]]
name = "board"
kind = "stream"
[[channel]]
name = "angle"
source = "board"
raw = "a"
calibration = { unit = "deg" }
derivative = { method = "measured", rate = "speed" }
rate_target = "driver.steering_rate_rad_s"
[[channel]]
name = "speed"
source = "board"
raw = "b"
calibration = { unit = "rpm" }
derivative = { method = "backward", points = 1 }
"#;
    let mut pipeline = Pipeline::new(&parse(file).expect("a plan"));
    pipeline.bind(0, &["a".into(), "b".into()]).expect("its numbers");
    for ms in 1..4_u64 {
        let mut sample = Sample::empty(ms * MS);
        sample.set(0, 12.0);
        sample.set(1, ms as f64);
        pipeline.feed(0, &sample);
        pipeline.tick(ms * MS);
    }
    let angle = pipeline.channels()[0];
    assert!((angle.rate - 18.0).abs() < 1e-9, "3 turns a minute are 18°/s");
    assert!((angle.acceleration - 6_000.0).abs() < 1e-6, "6°/s more each millisecond");
    assert!((pipeline.outputs()[0] - 18_f64.to_radians()).abs() < 1e-12);
}
