use std::path::Path;

use files::ranges::Whole;
use serde::Deserialize;

use super::*;
use crate::differentiation::Method;
use crate::{Counters, OpenError, Source};

/// A source that cannot be opened: plans are made without hardware.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {
    #[serde(default)]
    port: Option<Whole<1, 65_535>>,
}

impl Opening for Nothing {
    fn open(&self, _: Counters) -> Result<Box<dyn Source>, OpenError> {
        Err(OpenError::new("nowhere", "there is nothing here"))
    }
}

impl Settings for Nothing {
    fn opening(self, _: Option<&Path>) -> Result<Box<dyn Opening>, String> {
        match self.port.map(Whole::get) {
            Some(13) => Err("port 13 is taken".into()),
            _ => Ok(Box::new(self)),
        }
    }
}

/// In the place of sources that want settings.
const NOTHING: [SourceKind; 3] =
    [SourceKind::new::<Nothing>("stream"), SourceKind::new::<Nothing>("evdev"), SourceKind::new::<Nothing>("emulator")];

pub(crate) fn parse(content: &str) -> Result<Plan, FileError> {
    Plan::parse(&Found::new("test.toml", content), &NOTHING)
}

const HEAD: &str = "format = \"rtrd-acquisition-1\"\n[[source]]\nname = \"board\"\nkind = \"stream\"\n";

fn channel(keys: &str) -> String {
    format!("{HEAD}[[channel]]\nname = \"steering\"\nsource = \"board\"\nraw = \"stw\"\n{keys}\n")
}

fn assert_fault(content: &str, line: usize, field: &str, problem: &str) {
    let found = parse(content).err().expect("a fault");
    assert_eq!((found.line, found.field.as_str()), (line, field), "{found}");
    assert!(found.problem.contains(problem), "{found}");
}

#[test]
fn the_shipped_file_is_the_thesis_buggy() {
    let plan = Plan::load("buggy", None, &NOTHING).expect("a plan");
    assert_eq!(
        plan.signals,
        [
            "driver.brake_pressure_bar",
            "driver.throttle_ratio",
            "driver.steering_angle_rad",
            "driver.steering_rate_rad_s",
            "driver.steering_acceleration_rad_s2",
        ]
    );
    let steering = &plan.channels[2];
    assert_eq!(steering.derivative, Derivative::Method { method: Method::Smooth { length: 4 }, gap_ns: 250_000_000 });
    let factors: Vec<f64> = steering.targets.iter().map(|target| target.factor).collect();
    assert_eq!(factors, [1_f64.to_radians(); 3]);
    assert_eq!(plan.stops.len(), 2);
}

#[test]
fn a_kind_that_is_not_there_is_named_with_its_place() {
    let problem = "`radio` is no kind of source; expected one of stream, iio, comedi, can, evdev, replay, scripted";
    assert_fault(&channel("").replace("stream", "radio"), 4, "source[0].kind", problem);
}

#[test]
fn settings_are_read_by_their_kind_and_their_faults_have_places() {
    let with = |settings: &str| channel("").replace("kind = \"stream\"\n", &format!("kind = \"stream\"\n{settings}\n"));
    assert!(parse(&with("port = 7")).is_ok());
    assert_fault(&with("port = 7\nprot = 8"), 6, "source[0].prot", "unknown field");
    assert_fault(&with("port = \"seven\""), 5, "source[0].port", "invalid type");
    assert_fault(&with("port = 0"), 5, "source[0].port", "expected a whole number 1..65535");
    assert_fault(&with("port = 13"), 2, "source[0]", "port 13 is taken");
}

#[test]
fn mistakes_have_a_place_and_say_what_was_expected() {
    let other = "format = \"rtrd-acquisition-2\"\n[[source]]\nname=\"a\"\nkind=\"stream\"";
    assert_fault(other, 1, "format", "rtrd-acquisition-1");
    assert_fault("format = \"rtrd-acquisition-1\"", 1, "top level", "expected [[source]]");
    assert_fault(HEAD, 1, "top level", "expected 1 to 32 channels, found 0");
    // Further keys of a channel: of the last of their lines, the field and what is wrong.
    for (keys, field, problem) in [
        ("target = 'steering'", "target", "expected a block and a signal"),
        ("target = 'driver.steering_angle_rad'", "target", "is in rad, which cannot be had from the calibration's 1"),
        ("calibration.unit = 'deg'\nrate_target = 'driver.a_rad_s'", "rate_target", "expected a `derivative`"),
        (
            "derivative = { method = 'smooth', length = 11 }",
            "derivative.length",
            "11 is impossible; expected a whole number 2..10",
        ),
        (
            "derivative = { method = 'smooth', points = 3 }",
            "derivative.points",
            "does not use `points`; expected length",
        ),
        (
            "derivative = { method = 'kalman', jerk_density = -1 }",
            "derivative.jerk_density",
            "expected a number larger than 0, found -1",
        ),
        ("derivative = { method = 'measured', rate = 'wheel' }", "derivative.rate", "no other channel `wheel`"),
        (
            "[channel.plausibility]\nstale = { after_s = -1, reaction = 'stop' }",
            "plausibility.stale.after_s",
            "expected a number from 0 to 86400, found -1",
        ),
        (
            "[channel.plausibility]\nrange = { min = 2, max = 1, reaction = 'stop' }",
            "plausibility.range",
            "expected min less than max",
        ),
        (
            "[channel.plausibility]\nrange = { min = 2, max = 1, reaction = 'panic' }",
            "plausibility.range.reaction",
            "expected one of `none`, `hold`, `ramp`, `stop`",
        ),
        ("[channel.plausibility]\nnot_a_number = { reaction = 'none' }", "plausibility.not_a_number", "cannot be used"),
        ("colour = 3", "colour", "unknown field"),
        ("\ncalibration = { scale = 0 }", "calibration.scale", "expected a scale other than zero, found 0"),
    ] {
        assert_fault(&channel(keys), 8 + keys.lines().count(), &format!("channel[0].{field}"), problem);
    }
    let bored = channel("").replace("source = \"board\"", "source = \"bored\"");
    assert_fault(&bored, 7, "channel[0].source", "no source `bored`; expected one of board");
    let gear = channel("target = \"driver.gear\"");
    let twice = gear.clone() + &gear.replace(HEAD, "").replace("steering", "gear");
    assert_fault(&twice, 14, "channel[1].target", "written twice");
    let car = channel("").replacen('\n', "\ncalibration = \"car\"\n", 1);
    assert_fault(&car, 2, "calibration", "no file and not shipped; expected the path of a file or one of");
}

#[test]
fn a_measured_rate_is_another_channel_in_a_fitting_unit() {
    let content = channel("calibration = { unit = \"deg\" }\nderivative = { method = \"measured\", rate = \"rate\" }")
        + "[[channel]]\nname = \"rate\"\nsource = \"board\"\nraw = \"r\"\ncalibration = { unit = \"rpm\" }\n";
    let plan = parse(&content).expect("a plan");
    let Derivative::Measured { channel, factor } = plan.channels[0].derivative else { panic!("measured") };
    assert_eq!(channel, 1);
    assert!((factor - 6.0).abs() < 1e-12, "one turn per minute is 6°/s, found {factor}");
    let wrong = content.replace("rpm", "bar");
    assert_fault(&wrong, 10, "channel[0].derivative.rate", "is in bar, which is no rate of deg");
}

#[test]
fn a_kalman_filter_without_a_noise_takes_the_encoder_step() {
    let plan = parse(&channel(
        "calibration = { scale = 0.18, unit = \"deg\" }\nderivative = { method = \"kalman\", jerk_density = 1e4 }",
    ));
    let Derivative::Method { method: Method::Kalman { noise, .. }, .. } = plan.expect("a plan").channels[0].derivative
    else {
        panic!("a Kalman filter")
    };
    assert!((noise - 0.18 / 12_f64.sqrt()).abs() < 1e-15);
}
