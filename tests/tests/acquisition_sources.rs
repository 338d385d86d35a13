//! Several sources at once: each block is as old as its oldest number, whatever else flows; and the
//! steering torque of the vehicle reaches the driver's wheel.

use std::io::Write;
use std::os::unix::net::UnixListener;

use acquisition::Plan;
use acquisition::stream::{ByteOrder, Field, Kind, Layout};
use files::Found;
use service::Config;
use service::config::{DriverSource, Settings};
use shm_layout::blocks;
use shm_layout::clock::monotonic_ns;
use shm_layout::{Region, Wait, Waited};
use simulator::VehicleSystem;
use simulator::linked::Linked;
use simulator::system::job;
use system_tests::board::{bytes, fifo};
use system_tests::played::{Bench, Hand};

const SECOND_NS: u64 = 1_000_000_000;

/// A wheel that steers and an accelerometer.
const WHEEL_AND_ACCELEROMETER: &str = r#"
source = [{ name = "wheel", kind = "0" }, { name = "accelerometer", kind = "1" }]
channel = [
  { name = "steering", source = "wheel", raw = "angle", target = "driver.steering_angle_rad", calibration = { unit = "rad" } },
  { name = "throttle", source = "wheel", raw = "pedal", target = "driver.throttle_ratio" },
  { name = "along", source = "accelerometer", raw = "x", target = "sensors.accelerometers_m_s2[0].x", calibration = { unit = "m/s2" } },
]
"#;

fn wheel_and_accelerometer(text: &str) -> (Bench, Hand, Hand) {
    let (wheel, accelerometer) = (Hand::new(&["angle", "pedal"]), Hand::new(&["x"]));
    let job = job("drive-default", None);
    let bench = Bench::played(text, &[&wheel, &accelerometer], &job);
    (bench, wheel, accelerometer)
}

#[test]
fn a_block_is_as_old_as_its_oldest_number() {
    let (mut bench, wheel, accelerometer) = wheel_and_accelerometer(WHEEL_AND_ACCELEROMETER);
    bench.turn();
    let driver = bench.driver();
    assert_eq!((driver.stamp.sample_ns, driver.age_ns), (0, u64::MAX), "never measured");
    let then_ns = monotonic_ns() - SECOND_NS;
    wheel.deliver_at(then_ns, &[0.2, 0.5]);
    for later_ms in 1..100 {
        accelerometer.deliver_at(then_ns + later_ms * 1_000_000, &[9.0]);
        bench.turn();
    }
    let (driver, sensors) = (bench.driver(), bench.sensors());
    assert_eq!((driver.steering_angle_rad, driver.throttle_ratio), (0.2, 0.5));
    assert_eq!(sensors.accelerometers_m_s2[0].x, 9.0);
    assert!(sensors.accelerometers_m_s2[0].y.is_nan(), "nobody measures it");
    assert_eq!(driver.stamp.sample_ns, then_ns, "the accelerometer has kept it fresh");
    assert_eq!(sensors.stamp.sample_ns, then_ns + 99_000_000);
    for (stamp, age_ns) in [(driver.stamp, driver.age_ns), (sensors.stamp, sensors.age_ns)] {
        assert_eq!(age_ns, stamp.publish_ns - stamp.sample_ns);
    }
    assert_eq!(bench.status().stamp.sample_ns, sensors.stamp.sample_ns, "the newest of all");
}

/// The watchdog of the vehicle: `/driver/` is published every period, but the wheel's last word is
/// five seconds old.
#[test]
fn a_wheel_that_fell_silent_stops_the_vehicle_although_other_data_flows() {
    let (mut bench, wheel, accelerometer) = wheel_and_accelerometer(WHEEL_AND_ACCELEROMETER);
    let settings = Settings { driver_timeout_ms: 2_000, ..Settings::of(&Config::default()) };
    let region = Region::open(bench.region.name(), None).expect("the bench's");
    let mut linked = Linked::on(region, VehicleSystem::new("drive-default", None, DriverSource::Block), settings);
    let mut shown = bench.region.reader(blocks::VEHICLE);
    let mut step = |bench: &mut Bench| {
        accelerometer.deliver(&[0.0]);
        bench.turn();
        linked.asker.ask(1, Wait::Spin);
        assert_eq!(linked.answerer().await_question(0, Wait::Spin), Waited::Answered);
        let has_answered = linked.answerer().answer(Wait::Spin).is_answered;
        if has_answered {
            linked.take_answer(Waited::Answered);
        }
        has_answered.then(|| shown.latest().expect("an answer").value.safe_stop)
    };
    assert_eq!(step(&mut bench), None, "it waits for the driver's first word");
    wheel.deliver_at(monotonic_ns() - 5 * SECOND_NS, &[0.1, 0.3]);
    assert_eq!(step(&mut bench), Some(1), "the driver is long gone");
    wheel.deliver(&[0.1, 0.3]);
    assert_eq!(step(&mut bench), Some(0), "the driver is back");
}

#[test]
fn what_is_told_only_when_it_changes_stays_fresh_until_it_is_unplugged() {
    let text = WHEEL_AND_ACCELEROMETER.replace("source = \"wheel\"", "source = \"wheel\", only_changes = true");
    let (mut bench, wheel, _) = wheel_and_accelerometer(&text);
    wheel.deliver_at(monotonic_ns() - 5 * SECOND_NS, &[0.1, 0.3]);
    bench.turn();
    let driver = bench.driver();
    assert_eq!(driver.steering_angle_rad, 0.1);
    assert!(driver.age_ns < 5 * SECOND_NS, "{}", driver.age_ns);
    wheel.unplug();
    bench.until("it is gone", |bench| bench.status().sources[0].state == 4);
    assert!(bench.driver().age_ns >= 5 * SECOND_NS);
}

/// A FIFO, a Unix socket and a script feed `/driver/` and `/sensors/` of one vehicle.
#[test]
fn three_kinds_of_sources_feed_one_vehicle() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = fifo(folder.path());
    let socket = folder.path().join("accelerometer");
    let listener = UnixListener::bind(&socket).expect("a socket");
    let text = format!(
        r#"
format = "rtrd-acquisition-1"
calibration = "buggy"
source = [
  {{ name = "board", kind = "stream", path = {pipe:?} }},
  {{ name = "accelerometer", kind = "stream", path = {socket:?}, fields = [{{ name = "x", type = "f32" }}, {{ name = "y", type = "f32" }}], check_byte_order = false }},
  {{ name = "script", kind = "scripted", numbers = [{{ name = "gear", points = [[0.0, 3.0]] }}, {{ name = "load", points = [[0.0, 12.5]] }}] }},
]
channel = [
  {{ name = "throttle", source = "board", raw = "throttle", target = "driver.throttle_ratio" }},
  {{ name = "steering", source = "board", raw = "steering", target = "driver.steering_angle_rad" }},
  {{ name = "along", source = "accelerometer", raw = "x", target = "sensors.accelerometers_m_s2[1].x", calibration = {{ unit = "m/s2" }} }},
  {{ name = "across", source = "accelerometer", raw = "y", target = "sensors.accelerometers_m_s2[1].y", calibration = {{ unit = "m/s2" }} }},
  {{ name = "gear", source = "script", raw = "gear", target = "driver.gear" }},
  {{ name = "load", source = "script", raw = "load", target = "sensors.channels[4]" }},
]
"#
    );
    let plan = Plan::parse(&Found::new("test.toml", text), &[]).unwrap_or_else(|error| panic!("{error}"));
    let mut bench = Bench::new(plan, &job("drive-default", None));
    let mut board = std::fs::OpenOptions::new().write(true).open(&pipe).expect("the acquisition reads");
    let (mut accelerometer, _) = listener.accept().expect("the acquisition connects");
    let fields = ["x", "y"].map(|name| Field::new(name, Kind::F32));
    let layout = Layout::new(&fields, ByteOrder::Little).expect("two fields");
    let mut acceleration = Vec::new();
    layout.encode(&[1.5, -2.25], &mut acceleration);
    let before_ns = monotonic_ns();
    board.write_all(&bytes([0.0, 105.0, -100.0], ByteOrder::Little)).expect("room in the pipe");
    accelerometer.write_all(&acceleration).expect("room in the socket");
    bench.until("all three have delivered", |bench| {
        bench.driver().age_ns != u64::MAX && bench.sensors().age_ns != u64::MAX
    });
    let (driver, sensors) = (bench.driver(), bench.sensors());
    // 420 counts are the whole throttle, and a count of the steering wheel is 0.18° to the right
    // (models/calibrations/buggy.toml).
    assert!((driver.throttle_ratio - 0.25).abs() < 1e-12);
    assert!((driver.steering_angle_rad - 18_f64.to_radians()).abs() < 1e-12);
    assert_eq!(driver.gear, 3);
    let body = sensors.accelerometers_m_s2[1];
    assert_eq!((body.x, body.y), (1.5, -2.25));
    assert!(body.z.is_nan() && sensors.accelerometers_m_s2[0].x.is_nan());
    assert_eq!((sensors.channel_count, sensors.channels[4]), (5, 12.5));
    assert!(sensors.channels[3].is_nan(), "nobody measures it");
    for stamp in [driver.stamp, sensors.stamp] {
        assert!((before_ns..=stamp.publish_ns).contains(&stamp.sample_ns), "{stamp:?}");
    }
    // The script goes on, the board says nothing more: the driver's block grows old, and so does
    // that of the sensors.
    bench.until("a second passes", |bench| bench.driver().age_ns > SECOND_NS && bench.sensors().age_ns > SECOND_NS);
    assert_eq!(bench.driver().gear, 3);
}

#[test]
fn the_wheel_gets_the_vehicles_torque_and_never_an_old_one() {
    let (mut bench, wheel, _) = wheel_and_accelerometer(WHEEL_AND_ACCELEROMETER);
    bench.turn();
    assert!(wheel.torques().is_empty(), "there is no vehicle yet");
    let mut writer = bench.region.claim(blocks::VEHICLE).expect("nobody else");
    let mut sent = |torque_nm: f64, age_ns: u64| {
        let mut vehicle = blocks::VehicleState { steering_feedback_nm: torque_nm, ..blocks::VehicleState::default() };
        vehicle.stamp.publish_ns = monotonic_ns() - age_ns;
        writer.publish(&vehicle);
        bench.turn();
        wheel.torques()
    };
    // A busy machine may take longer than the torque is fresh: then again.
    let mut is_sent = |torque_nm: f64| (0..1000).any(|_| sent(torque_nm, 0) == [torque_nm]);
    assert!(is_sent(3.25), "the torque arrives");
    assert!(is_sent(-1.5), "to the right as well");
    for (torque_nm, age_ns) in [(f64::NAN, 0), (f64::INFINITY, 0), (3.25, SECOND_NS)] {
        let torques = sent(torque_nm, age_ns);
        assert!(torques.is_empty(), "{torque_nm} Nm of {age_ns} ns ago: {torques:?}");
    }
}
