//! A converter of the kernel's Industrial I/O on a bus that is not there: the driver ina2xx-adc of
//! the power monitor INA226, whose registers are those of i2c-stub.
//!
//! The kernel's own dummy device (iio_dummy) is not built in Debian's kernels. This is a driver
//! that people use, with a buffer of its own; only the chip is missing. Register 2 is the bus
//! voltage, 1.25 mV per count, register 1 the shunt voltage, 2.5 µV per count (INA226 data sheet,
//! SBOS547).

use std::path::PathBuf;
use std::process::Command;

use acquisition::plan::opening;
use acquisition::{Clock, Counters, Source, State};
use rt::clock::monotonic_ns;

use super::{needed, take};

/// Number of the emulated bus, if the chip on it has its driver.
fn bus() -> Option<String> {
    let names = |folder: &str| -> Vec<(PathBuf, String)> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let name = |path: PathBuf| Some((path.clone(), std::fs::read_to_string(path.join("name")).ok()?));
        entries.filter_map(|entry| name(entry.path())).collect()
    };
    names("/sys/bus/iio/devices").iter().find(|(_, name)| name.trim() == "ina226")?;
    let (path, _) =
        names("/sys/bus/i2c/devices").into_iter().find(|(_, name)| name.starts_with("SMBus stub driver"))?;
    Some(path.file_name()?.to_str()?.trim_start_matches("i2c-").to_owned())
}

/// Puts counts into a register of the chip, which sends its high byte first.
fn set(bus: &str, register: u8, counts: u16) {
    let word = format!("0x{:04x}", counts.swap_bytes());
    let arguments = ["-f", "-y", bus, "0x40", &register.to_string(), &word, "w"];
    let set = Command::new("i2cset").args(arguments).status().expect("i2cset runs");
    assert!(set.success(), "i2cset {register} {word}");
}

fn open(more: &str) -> Box<dyn Source> {
    let text = format!("device = 'ina226'\nchannels = ['in_voltage1', 'in_voltage0']\n{more}");
    opening("iio", &text, None).expect("an opening").open(Counters::default()).expect("a source")
}

const BUS_VOLTAGE: u8 = 2;
const SHUNT_VOLTAGE: u8 = 1;

/// A scale is given with nine decimals, of which those of 0.0025 are exact.
fn is(value: f64, expected: f64) -> bool {
    (value - expected).abs() < 1e-6 * expected.abs()
}

#[test]
fn the_buffer_of_a_converter_is_read() {
    let Some(bus) = needed("an INA226 on i2c-stub", bus()) else { return };
    set(&bus, BUS_VOLTAGE, 9600);
    set(&bus, SHUNT_VOLTAGE, 4000);
    let before_ns = monotonic_ns();
    let mut source = open("");
    assert_eq!(source.clock(), Clock::Kernel);
    let samples = take(source.as_mut(), 50);
    let after_ns = monotonic_ns();
    for sample in &samples {
        assert!(is(sample.raw[0], 12_000.0) && is(sample.raw[1], 10.0), "{:?} mV", &sample.raw[..2]);
        assert!((before_ns..=after_ns).contains(&sample.sample_ns), "{before_ns} {} {after_ns}", sample.sample_ns);
    }
    assert!(samples.windows(2).all(|pair| pair[0].sample_ns < pair[1].sample_ns));
    set(&bus, SHUNT_VOLTAGE, 2000);
    let changed = std::iter::repeat_with(|| take(source.as_mut(), 1)).flatten().find(|sample| sample.raw[1] < 9.0);
    assert!(is(changed.expect("endless").raw[1], 5.0));
    drop(source);
    let mut again = open("raw = true");
    let sample = take(again.as_mut(), 1)[0];
    assert_eq!(sample.raw[..2], [9600.0, 2000.0]);
}

#[test]
fn files_of_a_converter_are_read() {
    let Some(bus) = needed("an INA226 on i2c-stub", bus()) else { return };
    let mut source = open("reading = 'polled'\npolling_period_s = 0.01");
    for counts in [8000, 1] {
        set(&bus, BUS_VOLTAGE, counts);
        std::thread::sleep(std::time::Duration::from_millis(20));
        let mut found = None;
        assert_eq!(source.take(monotonic_ns(), &mut |sample| found = sample.get(0)), State::Flowing);
        assert!(is(found.expect("its time has come"), 1.25 * f64::from(counts)), "{found:?} mV");
    }
}
