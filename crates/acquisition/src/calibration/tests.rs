use files::{FileError, Source};

use super::*;

fn parse(name: &str, text: &str) -> Result<CalibrationFile, FileError> {
    CalibrationFile::parse(&Source::new(name, text.as_bytes()))
}

fn read(keys: &str) -> Result<Calibration, FileError> {
    let text = format!("format = \"rtrd-calibration-1\"\n[channel.a]\n{keys}\n");
    let mut file = parse("test.toml", &text)?;
    Ok(file.channels.remove("a").expect("the channel"))
}

fn problem(keys: &str) -> String {
    read(keys).expect_err("a mistake").to_string()
}

fn buggy(channel: &str) -> Calibration {
    CalibrationFile::load("buggy", None).expect("shipped").channels[channel].clone()
}

fn applied(calibration: &Calibration, raw: f64) -> f64 {
    calibration.clamp(calibration.convert(raw))
}

/// Gallo 2012, Table 4.2, Eq. 4.13 and 4.15, Table 4.4, Eq. 4.19, appendices D and F.
#[test]
fn the_shipped_calibration_has_the_values_of_the_thesis() {
    let throttle = buggy("throttle");
    assert_eq!([0.0, 210.0, 420.0].map(|raw| applied(&throttle, raw)), [0.0, 0.5, 1.0]);
    let steering = buggy("steering");
    assert_eq!((applied(&steering, 100.0), steering.unit.name), (-18.0, "deg"));
    assert!((applied(&steering, 1.0) + 0.18).abs() < 1e-15);
    let brake = buggy("brake");
    assert_eq!([0.0, 32767.0, -12.0].map(|raw| applied(&brake, raw)), [0.0, 40.0, 0.0]);
    assert!((applied(&brake, 16383.5) - 20.0).abs() < 1e-12);
}

/// The thesis prints 76.6° in §4.2.1 and 75.5° in Table 4.2 for the pedal's 420 counts.
#[test]
fn erratum_the_pedal_turns_by_75_6_degrees() {
    let encoder = read("scale = 0.18\nunit = \"deg\"").expect("a calibration");
    assert!((encoder.convert(420.0) - 75.6).abs() < 1e-12);
}

#[test]
fn a_negative_pressure_is_seen_before_it_is_clamped() {
    assert!(buggy("brake").convert(-819.0) < -0.99);
}

#[test]
fn the_order_is_offset_map_sign_deadband_clamp() {
    let keys = "offset = 100\nscale = 2.0\nsign = -1\ndeadband = 3.0\nclamp = { min = -10.0, max = 5.0 }";
    let calibration = read(keys).expect("a calibration");
    assert_eq!(calibration.convert(100.0), 0.0);
    assert_eq!(calibration.convert(101.5), 0.0, "on the edge of the deadband");
    assert_eq!(calibration.convert(102.0), -1.0, "−4 is 1 beyond a deadband of 3");
    assert_eq!(calibration.convert(98.0), 1.0);
    assert_eq!(applied(&calibration, 200.0), -10.0);
    assert_eq!(applied(&calibration, 0.0), 5.0);
    assert!(applied(&calibration, f64::NAN).is_nan());
}

#[test]
fn a_table_goes_through_its_points_and_on_along_its_ends() {
    for keys in ["table = [[0, 0.0], [10, 1.0], [30, 2.0]]", "table = [[30, 2.0], [10, 1.0], [0, 0.0]]"] {
        let table = read(keys).expect("a calibration");
        let raws = [-10.0, 0.0, 5.0, 10.0, 20.0, 30.0, 50.0];
        let values = raws.map(|raw| table.convert(raw));
        assert_eq!(values, [-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0], "{keys}");
        assert_eq!(table.resolution(), 0.1);
    }
}

#[test]
fn mistakes_are_told() {
    for (keys, expected) in [
        ("scale = 0", "test.toml:3:9: channel.a.scale: expected a scale other than zero"),
        ("scale = nan", "channel.a.scale: expected a finite number"),
        ("offset = inf", "channel.a.offset: expected a finite number, found inf"),
        ("two_point = [[5, 0], [5, 1]]", "channel.a.two_point: both points have the raw number 5"),
        ("two_point = [[4, 1], [5, 1]]", "channel.a.two_point: both points have the value 1"),
        ("two_point = [[nan, 1], [5, 1]]", "expected a finite number, found NaN"),
        ("table = [[0, 1]]", "channel.a.table: expected at least two points"),
        ("table = []", "expected at least two points"),
        ("table = [[0, 1], [2, 1], [2, 3]]", "channel.a.table: not monotonic"),
        ("table = [[3, 1], [2, 1], [4, 3]]", "channel.a.table: not monotonic"),
        ("table = [[3, nan], [4, 1]]", "expected a finite number, found NaN"),
        ("scale = 1\ntable = [[3, 1], [4, 1]]", "expected one of scale, two_point and table"),
        ("scale = 1\ntwo_point = [[3, 1], [4, 1]]", "expected one of scale, two_point and table"),
        ("sign = 2", "channel.a.sign: 2 is impossible; expected a whole number -1..1"),
        ("sign = 0", "channel.a.sign: expected 1 or -1, found 0"),
        ("deadband = -1", "channel.a.deadband: expected a number from 0 to"),
        ("clamp = { min = 1, max = 1 }", "channel.a.clamp: expected min less than max"),
        ("clamp = { min = nan }", "expected min less than max"),
        ("unit = \"degrees\"", "channel.a.unit: `degrees` is no unit; expected one of 1, %, rad, deg"),
        ("slope = 3", "unknown field `slope`"),
    ] {
        let found = problem(keys);
        assert!(found.contains(expected), "{keys}: {found}");
    }
    let found = parse("x", "format = \"rtrd-calibration-9\"").expect_err("another format").to_string();
    assert_eq!(found, "x:1:10: format: expected \"rtrd-calibration-1\", found \"rtrd-calibration-9\"");
}

#[test]
fn what_is_written_is_read_again() {
    let mut file = CalibrationFile::load("buggy", None).expect("shipped");
    let table =
        read("offset = -3.5\ntable = [[0, 0.1], [10, 1e-30]]\ndeadband = 0.25\nclamp = { max = 1.5 }\nunit = \"%\"");
    file.channels.insert("pedal \"left\"".into(), table.expect("a calibration"));
    let written = file.to_string();
    let again = parse("again", &written).expect("readable");
    assert_eq!(again, file, "{written}");
    assert!(written.contains(
        "[channel.brake]\ntwo_point = [[0.0, 0.0], [32767.0, 40.0]]\nclamp = { min = 0.0 }\nunit = \"bar\"\n"
    ));
}
