use std::io::Write;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use proptest::prelude::*;

use super::super::records::RecordSource;
use super::channel::{Controls, Mapping};
use super::feedback::{Actuator, Feedback};
use super::source::Wheel;
use super::*;
use crate::State;
use crate::conformance::wire::{check_on_wire, taken};
use crate::plan::opening;

const ABS_X: u16 = 0;
const ABS_Z: u16 = 2;
const BTN_TRIGGER: u16 = 0x120;

/// An emulated wheel: an axis from −32768 to 32767, a pedal from 0 to 255, two buttons.
#[derive(Clone, Default)]
struct Emulated(Arc<Mutex<(i32, i32, [bool; 2])>>);

impl Controls for Emulated {
    fn refresh(&mut self) -> std::io::Result<()> {
        Ok(())
    }
    fn axis(&self, code: u16) -> Option<i32> {
        let state = self.0.lock().expect("no panic");
        [(ABS_X, state.0), (ABS_Z, state.1)].iter().find(|axis| axis.0 == code).map(|axis| axis.1)
    }
    fn range(&self, code: u16) -> Option<(i32, i32)> {
        [(ABS_X, (-32768, 32767)), (ABS_Z, (0, 255))].iter().find(|axis| axis.0 == code).map(|axis| axis.1)
    }
    fn button(&self, code: u16) -> Option<bool> {
        self.0.lock().expect("no panic").2.get(usize::from(code.checked_sub(BTN_TRIGGER)?)).copied()
    }
}

/// A record as the kernel writes it.
fn record(at_ns: u64, kind: u16, code: u16, value: i32) -> [u8; 24] {
    let mut record = [0; 24];
    record[..8].copy_from_slice(&(at_ns as i64 / 1_000_000_000).to_ne_bytes());
    record[8..16].copy_from_slice(&(at_ns as i64 % 1_000_000_000 / 1_000).to_ne_bytes());
    record[16..18].copy_from_slice(&kind.to_ne_bytes());
    record[18..20].copy_from_slice(&code.to_ne_bytes());
    record[20..].copy_from_slice(&value.to_ne_bytes());
    record
}

const CHANNELS: &str = r#"
device = "/dev/input/event0"
channels = [
    { name = "steering", axis = "ABS_X", scale = "signed" },
    { name = "throttle", axis = "ABS_Z", scale = "unit" },
    { name = "counts", axis = "ABS_Z" },
    { name = "horn", button = "BTN_TRIGGER" },
    { name = "lever", gears = { BTN_TRIGGER = 1, BTN_THUMB = -1 } },
    { name = "paddles", up = "BTN_TRIGGER", down = "BTN_THUMB", between = [-1, 2] },
]
"#;

fn wheel() -> (UnixStream, Emulated, RecordSource<Wheel>) {
    let (controls, mapping) = (Emulated::default(), mapping(CHANNELS).expect("a mapping"));
    let (device, ours) = UnixStream::pair().expect("a socket pair");
    ours.set_nonblocking(true).expect("a flag");
    let source = Wheel::source(ours.into(), Box::new(controls.clone()), mapping, None, 0.01, Counters::default());
    (device, controls, source)
}

#[test]
fn reports_become_samples_at_the_times_of_the_kernel() {
    let (mut device, _, mut source) = wheel();
    let (state, first) = taken(&mut source, 1_000);
    assert_eq!((state, first.len()), (State::Flowing, 1), "positions are known from the beginning");
    assert_eq!(first[0].raw[1..6], [0.0, 0.0, 0.0, 0.0, 0.0]);
    let records = [
        record(5_000_000, 3, ABS_X, 32767),
        record(5_000_000, 3, ABS_Z, 51),
        record(5_000_000, 0, 0, 0),
        record(7_000_000, 1, BTN_TRIGGER, 1),
        record(7_000_000, 0, 0, 0),
    ];
    device.write_all(&records.concat()).expect("written");
    let (_, samples) = taken(&mut source, 9_000_000);
    assert_eq!(samples.iter().map(|sample| sample.sample_ns).collect::<Vec<_>>(), [5_000_000, 7_000_000]);
    // 51 of 255 is a fifth, but for rounding.
    assert_eq!(samples[0].raw[0], 1.0);
    assert!((samples[0].raw[1] - 0.2).abs() < 1e-15);
    assert_eq!(samples[0].raw[2..6], [51.0, 0.0, 0.0, 0.0]);
    assert_eq!(samples[1].raw[2..6], [51.0, 1.0, 1.0, 1.0]);
}

#[test]
fn paddles_and_levers_find_their_gears() {
    let (mut device, _, mut source) = wheel();
    let mut gears = Vec::new();
    for event in 0..13 {
        // Three times up, then down, pressed and released in turn.
        let (button, pressed) = (u16::from(event >= 6), i32::from(event % 2 == 0));
        device.write_all(&record(0, 1, BTN_TRIGGER + button, pressed)).expect("written");
        device.write_all(&record(0, 0, 0, 0)).expect("written");
    }
    source.take(1, &mut |sample| gears.push((sample.raw[4] as i32, sample.raw[5] as i32)));
    // The lever, pressed and released; the paddles, which keep their gear.
    let (lever, paddles): (Vec<i32>, Vec<i32>) = gears.into_iter().unzip();
    assert_eq!(lever, [1, 0, 1, 0, 1, 0, -1, 0, -1, 0, -1, 0, -1]);
    assert_eq!(paddles, [1, 1, 2, 2, 2, 2, 1, 1, 0, 0, -1, -1, -1]);
}

#[test]
fn after_lost_records_the_device_is_asked() {
    let (mut device, controls, mut source) = wheel();
    taken(&mut source, 0);
    *controls.0.lock().expect("no panic") = (-32768, 255, [false, true]);
    device.write_all(&record(1_000, 0, 3, 0)).expect("SYN_DROPPED");
    device.write_all(&record(1_000, 3, ABS_X, 77)).expect("means nothing");
    assert_eq!(taken(&mut source, 20_000_000).1, [], "half of a report is not used");
    device.write_all(&record(2_000, 0, 0, 0)).expect("written");
    let (_, samples) = taken(&mut source, 20_000_001);
    assert_eq!(samples.len(), 1);
    assert_eq!(samples[0].raw[..5], [-1.0, 1.0, 255.0, 0.0, -1.0]);
    assert_eq!(source.counters().resynchronised, 1);
}

#[test]
fn a_wheel_at_rest_is_fresh_and_an_unplugged_one_gone() {
    let (device, _, mut source) = wheel();
    assert_eq!(taken(&mut source, 1_000_000).1.len(), 1);
    assert_eq!(taken(&mut source, 10_999_999), (State::Flowing, vec![]));
    let (state, samples) = taken(&mut source, 11_000_000);
    assert_eq!((state, samples[0].sample_ns), (State::Flowing, 11_000_000));
    drop(device);
    assert_eq!(taken(&mut source, 12_000_000), (State::Gone, vec![]));
    assert!(source.descriptor().is_none());
    assert_eq!(source.counters().blocks, 2);
}

proptest! {
    /// However the bytes are cut, the samples are the same.
    #[test]
    fn a_record_may_come_in_pieces(cuts in proptest::collection::vec(1_usize..60, 1..20), turns in proptest::collection::vec(any::<i16>(), 1..40)) {
        let (mut device, _, mut source) = wheel();
        taken(&mut source, 0);
        let bytes: Vec<u8> = turns
            .iter()
            .flat_map(|&turn| [record(1_000, 3, ABS_X, turn.into()), record(1_000, 0, 0, 0)].concat())
            .collect();
        let mut found = Vec::new();
        let (mut at, mut cut) = (0, cuts.iter().cycle());
        while at < bytes.len() {
            let end = bytes.len().min(at + cut.next().expect("endless"));
            device.write_all(&bytes[at..end]).expect("written");
            at = end;
            source.take(1_000, &mut |sample| found.push((sample.raw[0] * 65535.0 - 1.0) / 2.0));
        }
        prop_assert_eq!(found.iter().map(|turn| turn.round() as i16).collect::<Vec<_>>(), turns);
    }

    #[test]
    fn no_bytes_do_harm(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        let (mut device, _, mut source) = wheel();
        device.write_all(&bytes).expect("written");
        taken(&mut source, u64::MAX);
    }
}

/// The channels of these settings on the emulated wheel.
fn mapping(settings: &str) -> Result<Mapping, String> {
    let settings: Settings = toml::from_str(settings).expect("settings");
    Mapping::new(&settings.channels, &Emulated::default())
}

#[test]
fn mistakes_in_the_file_are_named() {
    for (channel, expected) in [
        ("axis = 'ABS_Y'", "the device has no axis ABS_Y"),
        ("axis = 'X'", "there is no axis X"),
        ("button = 'BTN_PINKIE'", "the device has no button BTN_PINKIE"),
        ("axis = 'ABS_X', button = 'BTN_TRIGGER'", "expected one of: axis; button; gears; up and down"),
        ("up = 'BTN_TRIGGER'", "expected one of: axis; button; gears; up and down"),
    ] {
        let problem = mapping(&format!("device = 'x'\nchannels = [{{ name = 'c', {channel} }}]"));
        let problem = problem.expect_err(channel);
        assert!(problem.starts_with(&format!("channel c: {expected}")), "{problem}");
    }
    let channel = "channels = [{ name = 'c', axis = 'ABS_X' }]";
    for (settings, expected) in [
        ("channels = []", "expected either device (a path) or device_name"),
        ("device = 'x'\nchannels = []", "x: there are 0 channels; 1 to 16 are possible"),
        (
            &format!("device = 'x'\n{channel}\nforce_feedback = {{ max_torque_nm = 0.0 }}"),
            "x: force_feedback.max_torque_nm = 0: expected 0.01 to 100",
        ),
        (&format!("device = 'x'\n{channel}\nforce = 1"), "unknown field `force`"),
    ] {
        let problem = opening("evdev", settings, None).err().expect(settings);
        assert!(problem.contains(expected), "{problem}");
    }
}

/// An actuator that reports what it was asked for.
struct ReportingActuator(Sender<(i16, bool)>);

impl Actuator for ReportingActuator {
    fn set_level(&mut self, level: i16) -> std::io::Result<()> {
        self.0.send((level, false)).map_err(std::io::Error::other)
    }

    fn refresh(&mut self, level: i16) -> std::io::Result<()> {
        self.0.send((level, true)).map_err(std::io::Error::other)
    }
}

/// The next level that differs from the one before, which is refreshed now and then.
fn change(sent: &Receiver<(i16, bool)>) -> Option<i16> {
    let changes = sent.iter().filter(|(_, refreshed)| !refreshed);
    changes.map(|(level, _)| level).next()
}

fn feedback(text: &str) -> (Feedback, Receiver<(i16, bool)>) {
    let (report, sent) = channel();
    let settings = toml::from_str(text).expect("settings");
    (Feedback::start(settings, Box::new(ReportingActuator(report))).expect("a thread"), sent)
}

#[test]
fn torque_becomes_a_level() {
    let settings: FeedbackSettings = toml::from_str("max_torque_nm = 2.0").expect("settings");
    assert_eq!(settings.level(2.0), 32767);
    assert_eq!(settings.level(-1.0), -16384);
    assert_eq!(settings.level(1e9), 32767);
    assert_eq!(settings.level(f64::NEG_INFINITY), -32767);
    assert_eq!(settings.level(f64::NAN), 0);
    let settings: FeedbackSettings =
        toml::from_str("max_torque_nm = 2.0\ngain = 0.5\ninvert = true").expect("settings");
    assert_eq!(settings.level(2.0), -16384);
}

#[test]
fn the_force_follows_the_torque_and_ends_with_the_source() {
    let (feedback, sent) = feedback("max_torque_nm = 1.0\nzero_after_s = 10.0");
    feedback.set_torque(1.0);
    assert_eq!(change(&sent), Some(32767));
    feedback.set_torque(-1.0);
    assert_eq!(change(&sent), Some(-32767));
    drop(feedback);
    assert_eq!(change(&sent), Some(0), "the last thing said is zero");
    assert!(change(&sent).is_none(), "and the thread has ended");
}

#[test]
fn a_loop_that_falls_silent_takes_the_force_away() {
    let (feedback, sent) = feedback("max_torque_nm = 1.0\nzero_after_s = 0.05");
    feedback.set_torque(1.0);
    assert_eq!(change(&sent), Some(32767));
    assert_eq!(change(&sent), Some(0));
    feedback.set_torque(0.5);
    assert_eq!(change(&sent), Some(16384), "and it comes back with the loop");
}

/// Some devices end a constant force by themselves: what stays the same is sent again, and
/// played again, as long as it is not zero.
#[test]
fn a_force_that_stays_is_sent_anew() {
    let (feedback, sent) = feedback("max_torque_nm = 1.0\nzero_after_s = 10.0");
    feedback.set_torque(1.0);
    assert_eq!(sent.recv(), Ok((32767, false)));
    assert_eq!(sent.recv(), Ok((32767, true)));
    assert_eq!(sent.recv(), Ok((32767, true)), "again and again");
    feedback.set_torque(0.0);
    assert_eq!(change(&sent), Some(0));
    assert!(sent.recv_timeout(std::time::Duration::from_millis(1200)).is_err(), "no force needs no refreshing");
}

/// The conformance suite on a wheel whose counts are its numbers, with force.
#[test]
fn a_wheel_conforms() {
    let make = |ours: std::os::fd::OwnedFd, counters| -> Box<dyn Source> {
        let mapping = mapping("device = 'x'\nchannels = [{ name = 'counts', axis = 'ABS_X' }]").expect("a mapping");
        let settings = toml::from_str("max_torque_nm = 1.0").expect("settings");
        let feedback = Feedback::start(settings, Box::new(ReportingActuator(channel().0))).expect("a thread");
        Box::new(Wheel::source(ours, Box::new(Emulated::default()), mapping, Some(feedback), 0.0, counters))
    };
    // A report of one axis; the kernel's clock counts microseconds.
    check_on_wire(make, |number| {
        let at_ns = u64::from(number) * 1_000;
        [record(at_ns, 3, ABS_X, number as i32), record(at_ns, 0, 0, 0)].concat()
    });
}
