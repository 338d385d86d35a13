//! A wheel that a program plays: uinput.

use std::sync::mpsc::{Receiver, Sender, channel};

use acquisition::conformance::{Rig, check};
use acquisition::{Clock, Counters, Opening, Source};
use evdev::uinput::VirtualDevice;
use evdev::{
    AbsInfo, AbsoluteAxisCode, AbsoluteAxisEvent, AttributeSet, EventSummary, FFEffectCode, FFEffectKind, KeyCode,
    KeyEvent, UInputCode, UinputAbsSetup,
};
use rt::allocation::forbid;
use rt::clock::monotonic_ns;

use super::{needed, take};

fn wheel(name: &str, force: bool) -> Option<VirtualDevice> {
    let axis = |code, least, greatest| UinputAbsSetup::new(code, AbsInfo::new(0, least, greatest, 0, 0, 0));
    let builder = VirtualDevice::builder().ok()?.name(name);
    let builder = builder
        .with_keys(&AttributeSet::from_iter([KeyCode::BTN_TRIGGER, KeyCode::BTN_GEAR_UP, KeyCode::BTN_GEAR_DOWN]))
        .ok()?
        .with_absolute_axis(&axis(AbsoluteAxisCode::ABS_X, 0, 20_000))
        .ok()?
        .with_absolute_axis(&axis(AbsoluteAxisCode::ABS_Z, 0, 255))
        .ok()?;
    let effects = AttributeSet::from_iter([FFEffectCode::FF_CONSTANT, FFEffectCode::FF_GAIN]);
    let builder = if force { builder.with_ff(&effects).ok()?.with_ff_effects_max(4) } else { builder };
    builder.build().ok()
}

fn opening(name: &str, more: &str) -> Box<dyn Opening> {
    let text = format!(
        "device_name = '{name}'\n{more}\nchannels = [{{ name = 'steering', axis = 'ABS_X' }}, {{ name = 'throttle', axis = 'ABS_Z', scale = 'unit' }}, \
         {{ name = 'gear', up = 'BTN_GEAR_UP', down = 'BTN_GEAR_DOWN', between = [-1, 5] }}]"
    );
    acquisition::plan::opening("evdev", &text, None).expect("an opening")
}

struct WheelRig(Option<VirtualDevice>);

const NAME: &str = "rtrd test wheel";

impl Rig for WheelRig {
    fn opening(&self) -> Box<dyn Opening> {
        opening(NAME, "repeat_after_s = 0")
    }

    fn deliver(&mut self, number: u32) {
        let event = *AbsoluteAxisEvent::new(AbsoluteAxisCode::ABS_X, number as i32);
        self.0.as_mut().expect("plugged in").emit(&[event]).expect("emitted");
    }

    fn unplug(&mut self) -> bool {
        self.0 = None;
        true
    }

    fn plug_in(&mut self) {
        self.0 = wheel(NAME, false);
    }

    fn without_heap(&self, work: &mut dyn FnMut()) {
        forbid(work);
    }
}

#[test]
fn a_wheel_conforms() {
    if let Some(device) = needed("uinput", wheel(NAME, false)) {
        check(&mut WheelRig(Some(device)));
    }
}

#[test]
fn positions_and_gears_arrive_at_the_times_of_the_kernel() {
    let Some(mut device) = needed("uinput", wheel("rtrd second wheel", false)) else { return };
    let opening = opening("rtrd second wheel", "");
    let mut source = opening.open(Counters::default()).expect("a source");
    assert_eq!(source.clock(), Clock::Kernel);
    let at_rest = take(source.as_mut(), 1);
    assert_eq!(at_rest[0].raw[..3], [0.0, 0.0, 0.0], "where it is, is known before it moves");
    let before_ns = monotonic_ns();
    let turn = *AbsoluteAxisEvent::new(AbsoluteAxisCode::ABS_X, 12_345);
    let press = *AbsoluteAxisEvent::new(AbsoluteAxisCode::ABS_Z, 255);
    let up = *KeyEvent::new(KeyCode::BTN_GEAR_UP, 1);
    device.emit(&[turn, press, up]).expect("emitted");
    let after_ns = monotonic_ns();
    let mut samples = std::iter::repeat_with(|| take(source.as_mut(), 1)).flatten();
    let moved = samples.find(|sample| sample.raw[0] > 0.0).expect("endless");
    assert_eq!(moved.raw[..3], [12_345.0, 1.0, 1.0]);
    // Records carry microseconds.
    let (began_ns, moved_ns) = (before_ns / 1_000 * 1_000, moved.sample_ns);
    assert!((began_ns..=after_ns).contains(&moved_ns), "{began_ns} {moved_ns} {after_ns}");
}

/// What the device was asked to do: level and direction of an effect, or that it was removed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Asked {
    Force(i16, u16),
    Removed,
}

/// Plays the device: answers when effects are uploaded and removed, and reports to the test.
fn play(mut device: VirtualDevice, report: &Sender<Asked>) {
    loop {
        let Ok(events) = device.fetch_events() else { return };
        for event in events.collect::<Vec<_>>() {
            let asked = match event.destructure() {
                EventSummary::UInput(event, UInputCode::UI_FF_UPLOAD, _) => {
                    let mut upload = device.process_ff_upload(event).expect("an upload");
                    upload.set_retval(0);
                    let effect = upload.effect();
                    match effect.kind {
                        FFEffectKind::Constant { level, .. } => Asked::Force(level, effect.direction),
                        other => panic!("a constant force was expected, not {other:?}"),
                    }
                }
                EventSummary::UInput(event, UInputCode::UI_FF_ERASE, _) => {
                    device.process_ff_erase(event).expect("a removal").set_retval(0);
                    Asked::Removed
                }
                _ => continue,
            };
            if report.send(asked).is_err() {
                return;
            }
        }
    }
}

/// A wheel with force, open, and what it is asked to do.
struct ForceWheel {
    source: Option<Box<dyn Source>>,
    reports: Receiver<Asked>,
    last: Option<Asked>,
}

impl ForceWheel {
    fn new(name: &str, zero_after_s: f64) -> Option<Self> {
        let device = needed("uinput", wheel(name, true))?;
        let (report, reports) = channel();
        std::thread::spawn(move || play(device, &report));
        let force = format!("force_feedback = {{ max_torque_nm = 2.0, zero_after_s = {zero_after_s:?} }}");
        let source = opening(name, &force).open(Counters::default()).expect("a source");
        Some(Self { source: Some(source), reports, last: None })
    }

    fn set_torque(&mut self, torque_nm: f64) {
        self.source.as_mut().expect("open").set_torque(torque_nm, monotonic_ns());
    }

    /// The next that differs from the one before: a force that stays is refreshed now and then.
    fn next(&mut self) -> Asked {
        loop {
            let asked = self.reports.recv_timeout(super::TIME_LIMIT).expect("the device is asked");
            if self.last.replace(asked) != Some(asked) {
                return asked;
            }
        }
    }
}

#[test]
fn torque_reaches_the_device_and_ends_with_the_source() {
    let Some(mut wheel) = ForceWheel::new("rtrd force wheel", 5.0) else { return };
    // 0x4000 is to the left, by linux/input.h.
    assert_eq!(wheel.next(), Asked::Force(0, 0x4000), "uploaded, and without force");
    wheel.set_torque(1.0);
    assert_eq!(wheel.next(), Asked::Force(16384, 0x4000), "half of 2 Nm to the left");
    wheel.set_torque(-8.0);
    assert_eq!(wheel.next(), Asked::Force(-32767, 0x4000), "all it can to the right");
    wheel.source = None;
    assert_eq!(wheel.next(), Asked::Force(0, 0x4000));
    assert_eq!(wheel.next(), Asked::Removed);
}

#[test]
fn a_silent_loop_takes_the_force_away() {
    let Some(mut wheel) = ForceWheel::new("rtrd silent wheel", 0.2) else { return };
    assert_eq!(wheel.next(), Asked::Force(0, 0x4000));
    wheel.set_torque(2.0);
    assert_eq!(wheel.next(), Asked::Force(32767, 0x4000));
    assert_eq!(wheel.next(), Asked::Force(0, 0x4000), "nothing was said for 0.2 s");
}

#[test]
fn a_wheel_without_force_says_so() {
    let name = "rtrd plain wheel";
    let Some(_device) = needed("uinput", wheel(name, false)) else { return };
    let opening = opening(name, "force_feedback = { max_torque_nm = 2.0 }");
    let problem = opening.open(Counters::default()).err().expect("no force").to_string();
    assert!(problem.contains("no constant force (FF_CONSTANT)"), "{problem}");
}
