use serde::Deserialize;

use super::*;
use crate::differentiation::Method;
use crate::{Counters, OpenError, Source};

/// A source that cannot be opened: plans are made without hardware.
pub(crate) struct Nothing;

impl Opening for Nothing {
    fn open(&self, _: Counters) -> Result<Box<dyn Source>, OpenError> {
        Err(OpenError { place: "nowhere".into(), problem: "there is nothing here".into() })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TestSettings {
    port: Spanned<u16>,
}

impl Settings for TestSettings {
    fn opening(self, place: Place<'_>) -> Result<Box<dyn Opening>, SettingsError> {
        assert_eq!(place.source, "board");
        if *self.port.get_ref() == 0 {
            return Err(SettingsError { place: Some(self.port.span()), problem: "expected a port".into() });
        }
        Ok(Box::new(Nothing))
    }
}

pub(crate) fn parse(content: &str) -> Result<Plan, TextError> {
    Plan::parse_with(&Text::new("test.toml", content), &|_, _| Ok(Box::new(Nothing)))
}

const HEAD: &str = "format = \"rtrd-acquisition-1\"\n[[source]]\nname = \"board\"\nkind = \"stream\"\n";

/// A file with one channel with further keys.
fn channel(keys: &str) -> String {
    format!("{HEAD}[[channel]]\nname = \"steering\"\nsource = \"board\"\nraw = \"stw\"\n{keys}\n")
}

/// Line, field and problem.
fn fault<T>(result: Result<T, TextError>) -> (usize, String, String) {
    match result {
        Err(TextError::Text { line, field, problem, .. }) => (line, field, problem),
        Err(other) => panic!("expected a place in the text, found {other}"),
        Ok(_) => panic!("expected a fault"),
    }
}

fn assert_fault(content: &str, line: usize, field: &str, problem: &str) {
    let found = fault(parse(content));
    assert_eq!((found.0, found.1.as_str()), (line, field), "{}", found.2);
    assert!(found.2.contains(problem), "{}", found.2);
}

#[test]
fn the_shipped_file_is_the_thesis_buggy() {
    let text = Text::find(Kind::Acquisition, "buggy", None).expect("shipped");
    let plan = Plan::parse_with(&text, &|_, _| Ok(Box::new(Nothing))).expect("a plan");
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
    assert_eq!(
        steering.derivative,
        Derivative::Method { method: Method::Smooth { length: 4 }, gap_ns: 250_000_000 }
    );
    let factors: Vec<f64> = steering.targets.iter().map(|target| target.factor).collect();
    assert_eq!(factors, [1_f64.to_radians(); 3]);
    assert_eq!(plan.stops.len(), 2);
}

#[test]
fn a_kind_that_is_not_there_is_named_with_its_place() {
    let told = |kind: &str| {
        let text = Text::new("test.toml", channel("").replace("stream", kind));
        fault(Plan::parse_with(&text, &|_, table| Err(table.unknown_kind())))
    };
    let (line, field, problem) = told("iio");
    assert_eq!((line, field.as_str()), (4, "source[0].kind"));
    assert_eq!(problem, "sources of kind `iio` are not built in");
    let problem = told("radio").2;
    assert!(
        problem.starts_with("`radio` is no kind of source; expected one of stream, emulator"),
        "{problem}"
    );
}

#[test]
fn settings_are_read_by_their_kind_and_their_faults_have_places() {
    let read = |settings: &str| {
        let content = channel("").replace("kind = \"stream\"\n", &format!("kind = \"stream\"\n{settings}\n"));
        let text = Text::new("test.toml", content);
        Plan::parse_with(&text, &|kind, table| {
            assert_eq!(kind, "stream");
            table.read::<TestSettings>()
        })
        .map(|_| ())
    };
    assert_eq!(read("port = 7"), Ok(()));
    let (line, field, problem) = fault(read("port = 7\nprot = 8"));
    assert_eq!((line, field.as_str()), (6, "source[0].prot"), "{problem}");
    assert!(problem.contains("unknown field"), "{problem}");
    let (line, field, _) = fault(read("port = \"seven\""));
    assert_eq!((line, field.as_str()), (5, "source[0].port"));
    let (line, field, problem) = fault(read("port = 0"));
    assert_eq!((line, field.as_str(), problem.as_str()), (5, "source[0].port", "expected a port"));
    assert!(fault(read("")).2.contains("missing field `port`"));
}

#[test]
fn mistakes_have_a_place_and_say_what_was_expected() {
    assert_fault(
        "format = \"rtrd-acquisition-2\"\n[[source]]\nname=\"a\"\nkind=\"b\"",
        1,
        "format",
        "rtrd-acquisition-1",
    );
    assert_fault("format = \"rtrd-acquisition-1\"", 1, "top level", "expected [[source]]");
    assert_fault(HEAD, 1, "top level", "expected 1 to 32 channels, found 0");
    assert_fault(&channel("target = \"steering\""), 9, "channel[0].target", "expected a block and a signal");
    assert_fault(
        &channel("target = \"driver.steering_angle_rad\""),
        9,
        "channel[0].target",
        "is in rad, which cannot be had from the calibration's 1",
    );
    assert_fault(
        &channel("calibration = { unit = \"deg\" }\nrate_target = \"driver.steering_rate_rad_s\""),
        10,
        "channel[0].rate_target",
        "expected a `derivative`",
    );
    assert_fault(
        &channel("derivative = { method = \"smooth\", length = 11 }"),
        9,
        "channel[0].derivative.length",
        "expected 2 to 10, found 11",
    );
    assert_fault(
        &channel("derivative = { method = \"smooth\", points = 3 }"),
        9,
        "channel[0].derivative.points",
        "does not use `points`; expected length",
    );
    assert_fault(
        &channel("derivative = { method = \"kalman\", jerk_density = -1 }"),
        9,
        "channel[0].derivative.jerk_density",
        "greater than zero, found -1",
    );
    assert_fault(
        &channel("derivative = { method = \"measured\", rate = \"wheel\" }"),
        9,
        "channel[0].derivative.rate",
        "no other channel `wheel`",
    );
    assert_fault(
        &channel("[channel.plausibility]\nstale = { after_s = -1, reaction = \"stop\" }"),
        10,
        "channel[0].plausibility.stale.after_s",
        "expected a time from 0 to 86400 s, found -1",
    );
    assert_fault(
        &channel("[channel.plausibility]\nrange = { min = 2, max = 1, reaction = \"stop\" }"),
        10,
        "channel[0].plausibility.range",
        "expected min less than max",
    );
    assert_fault(
        &channel("[channel.plausibility]\nrange = { min = 2, max = 1, reaction = \"panic\" }"),
        10,
        "channel[0].plausibility.range.reaction",
        "expected one of `none`, `hold`, `ramp`, `stop`",
    );
    assert_fault(
        &channel("[channel.plausibility]\nnot_a_number = { reaction = \"none\" }"),
        10,
        "channel[0].plausibility.not_a_number",
        "cannot be used",
    );
    assert_fault(&channel("colour = 3"), 9, "channel[0].colour", "unknown field");
    assert_fault(
        &channel("").replace("source = \"board\"", "source = \"bored\""),
        7,
        "channel[0].source",
        "no source `bored`; expected one of board",
    );
    let twice = channel("target = \"driver.gear\"")
        + &channel("target = \"driver.gear\"").replace(HEAD, "").replace("steering", "gear");
    assert_fault(&twice, 14, "channel[1].target", "written twice");
    assert_fault(
        &(channel("") + "calibration = { scale = 0 }"),
        10,
        "channel[0].calibration.scale",
        "other than zero, found 0",
    );
    assert_fault(
        &channel("").replacen('\n', "\ncalibration = \"car\"\n", 1),
        2,
        "calibration",
        "no file and not shipped; expected the path of a file, or one of",
    );
}

#[test]
fn a_measured_rate_is_another_channel_in_a_fitting_unit() {
    let content = channel(
        "calibration = { unit = \"deg\" }\nderivative = { method = \"measured\", rate = \"rate\" }",
    ) + "[[channel]]\nname = \"rate\"\nsource = \"board\"\nraw = \"r\"\ncalibration = { unit = \"rpm\" }\n";
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
    let Derivative::Method { method: Method::Kalman { noise, .. }, .. } =
        plan.expect("a plan").channels[0].derivative
    else {
        panic!("a Kalman filter")
    };
    assert!((noise - 0.18 / 12_f64.sqrt()).abs() < 1e-15);
}
