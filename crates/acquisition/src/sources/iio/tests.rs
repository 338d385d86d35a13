use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::*;
use crate::conformance::wire::taken;
use crate::conformance::{Rig, check};
use crate::plan::Settings as _;
use crate::{Clock, State};

/// An emulated device: a folder as the kernel makes it, and a FIFO for the character device.
struct Emulated {
    folder: tempfile::TempDir,
    /// Read and write, so that the other end always has a reader.
    stream: Option<File>,
    at_ns: i64,
}

const FILES: &[(&str, &str)] = &[
    ("name", "adxl-emulated"),
    ("in_accel_scale", "0.5"),
    ("in_accel_y_offset", "10"),
    ("in_accel_x_raw", "-7"),
    ("in_accel_y_raw", "4"),
    ("in_temp_input", "21500"),
    ("sampling_frequency", "100"),
    ("current_timestamp_clock", "realtime"),
    ("buffer/enable", "0"),
    ("buffer/length", "2"),
    ("trigger/current_trigger", ""),
    ("scan_elements/in_accel_x_en", "0"),
    ("scan_elements/in_accel_x_index", "0"),
    ("scan_elements/in_accel_x_type", "le:s12/16>>4"),
    ("scan_elements/in_accel_y_en", "0"),
    ("scan_elements/in_accel_y_index", "1"),
    ("scan_elements/in_accel_y_type", "be:s24/32>>0"),
    ("scan_elements/in_accel_z_en", "1"),
    ("scan_elements/in_accel_z_index", "2"),
    ("scan_elements/in_accel_z_type", "le:s16/16>>0"),
    ("scan_elements/in_timestamp_en", "0"),
    ("scan_elements/in_timestamp_index", "3"),
    ("scan_elements/in_timestamp_type", "le:s64/64>>0"),
];

impl Emulated {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("dev")).expect("a folder");
        let mut device = Self { folder, stream: None, at_ns: 0 };
        device.plug_in();
        device
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("sys/iio:device3").join(name)
    }

    fn settings(&self, more: &str) -> Settings {
        let (sysfs, dev) = (self.folder.path().join("sys"), self.folder.path().join("dev"));
        let text = format!("device = 'adxl-emulated'\nsysfs = {sysfs:?}\ndev = {dev:?}\n{more}");
        toml::from_str(&text).expect("settings")
    }

    fn open(&self, more: &str) -> Box<dyn Source> {
        let opening = self.settings(more).opening(None).expect("an opening");
        opening.open(Counters::default()).expect("a source")
    }

    fn content(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a file").trim().to_owned()
    }

    fn replace(&self, name: &str, content: &str) {
        std::fs::write(self.path(name), content).expect("written");
    }

    fn send(&mut self, bytes: &[u8]) {
        self.stream.as_mut().expect("plugged in").write_all(bytes).expect("written");
    }
}

impl Rig for Emulated {
    fn opening(&self) -> Box<dyn Opening> {
        self.settings("channels = ['in_accel_x']\nraw = true").opening(None).expect("an opening")
    }

    fn deliver(&mut self, number: u32) {
        self.at_ns += 1_000;
        let scan = [&((number as i16) << 4).to_le_bytes()[..], &[0; 6], &self.at_ns.to_le_bytes()].concat();
        self.send(&scan);
    }

    fn unplug(&mut self) -> bool {
        std::fs::remove_dir_all(self.path("")).expect("removed");
        std::fs::remove_file(self.folder.path().join("dev/iio:device3")).expect("removed");
        self.stream = None;
        true
    }

    fn plug_in(&mut self) {
        for inner in ["buffer", "trigger", "scan_elements"] {
            std::fs::create_dir_all(self.path(inner)).expect("a folder");
        }
        for (name, content) in FILES {
            self.replace(name, &format!("{content}\n"));
        }
        // The FIFO is there last, with its writer: an opening before that fails and is tried again.
        let fifo = self.folder.path().join("fifo");
        nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::S_IRWXU).expect("a FIFO");
        self.stream = Some(File::options().read(true).write(true).open(&fifo).expect("open"));
        std::fs::rename(fifo, self.folder.path().join("dev/iio:device3")).expect("moved");
    }

    fn without_heap(&self, work: &mut dyn FnMut()) {
        rt::allocation::forbid(work);
    }
}

#[test]
fn a_device_conforms() {
    check(&mut Emulated::new());
}

/// x in the high 12 of 16 bits, two bytes of nothing, y in 32, no z, the time: 16 bytes.
fn scan(x: i16, y: i32, at_ns: i64) -> Vec<u8> {
    [&(x << 4).to_le_bytes()[..], &[0xAA; 2], &y.to_be_bytes(), &at_ns.to_le_bytes()].concat()
}

const TWO: &str = "channels = ['in_accel_y', 'in_accel_x']";

#[test]
fn scans_are_chosen_switched_on_and_taken() {
    let mut device = Emulated::new();
    let more = format!("{TWO}\nsampling_frequency_hz = 400\ntrigger = 'timer0'\nbuffer_length = 64");
    let mut source = device.open(&more);
    assert_eq!(device.content("scan_elements/in_accel_x_en"), "1");
    assert_eq!(device.content("scan_elements/in_accel_z_en"), "0", "what is not wanted is switched off");
    assert_eq!(device.content("scan_elements/in_timestamp_en"), "1");
    assert_eq!(device.content("current_timestamp_clock"), "monotonic");
    assert_eq!(device.content("sampling_frequency"), "400");
    assert_eq!(device.content("trigger/current_trigger"), "timer0");
    assert_eq!((device.content("buffer/length"), device.content("buffer/enable")), ("64".into(), "1".into()));
    assert_eq!(
        (source.channels(), source.clock()),
        (&["in_accel_y".to_owned(), "in_accel_x".to_owned()][..], Clock::Kernel)
    );

    assert_eq!(taken(source.as_mut(), 1_000).0, State::Waiting);
    device.send(&[scan(-2048, -100_000, 3_000), scan(2047, 100_000, 4_000)].concat());
    device.send(&scan(1, 1, 5_000)[..7]);
    let (state, samples) = taken(source.as_mut(), 9_000);
    assert_eq!(state, State::Flowing);
    assert_eq!(samples.iter().map(|sample| sample.sample_ns).collect::<Vec<_>>(), [3_000, 4_000]);
    // The scale 0.5 is shared by the three axes, the offset 10 is that of y alone: (raw + 10) ·
    // 0.5.
    assert_eq!(samples[0].raw[..2], [-49_995.0, -1_024.0]);
    assert_eq!(samples[1].raw[..2], [50_005.0, 1_023.5]);
    device.send(&scan(1, 1, 5_000)[7..]);
    assert_eq!(taken(source.as_mut(), 9_001).1[0].raw[..2], [5.5, 0.5]);
    let counters = *source.counters();
    assert_eq!((counters.blocks, counters.bytes, counters.remainders, counters.bursts), (3, 48, 1, 1));

    drop(source);
    assert_eq!(device.content("buffer/enable"), "0", "it is switched off at the end");
}

#[test]
fn a_device_that_is_unplugged_is_gone() {
    let mut device = Emulated::new();
    let mut source = device.open(TWO);
    device.send(&scan(0, 0, 1));
    device.stream = None;
    let (state, samples) = taken(source.as_mut(), 10);
    assert_eq!((state, samples.len()), (State::Gone, 1), "what had arrived is not lost");
    assert!(source.descriptor().is_none());
}

#[test]
fn a_kernel_without_a_choice_of_clocks_stamps_with_the_calendar() {
    let mut device = Emulated::new();
    std::fs::remove_file(device.path("current_timestamp_clock")).expect("removed");
    let mut source = device.open(TWO);
    let calendar =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970").as_nanos() as i64;
    device.send(&scan(0, 0, calendar));
    let now_ns = rt::clock::monotonic_ns();
    let (_, samples) = taken(source.as_mut(), now_ns);
    // The stamp was taken a moment ago. A minute of room is for a machine that stops; the wrong
    // clock would be years away.
    assert!(now_ns - samples[0].sample_ns < 60_000_000_000);
}

#[test]
fn files_are_read_when_their_time_has_come() {
    let device = Emulated::new();
    let more = "channels = ['in_accel_x', 'in_accel_y', 'in_temp']\nreading = 'polled'\npolling_period_s = 0.1";
    let mut source = device.open(more);
    assert_eq!((source.descriptor().is_none(), source.clock()), (true, Clock::Arrival));
    let (state, samples) = taken(source.as_mut(), 1_000_000_000);
    assert_eq!((state, samples[0].raw[..3].to_vec()), (State::Flowing, vec![-3.5, 7.0, 21500.0]));
    assert_eq!(taken(source.as_mut(), 1_099_999_999).1, []);
    device.replace("in_accel_x_raw", "100\n");
    device.replace("in_accel_y_raw", "no number\n");
    let (_, samples) = taken(source.as_mut(), 1_100_000_000);
    assert_eq!((samples[0].get(0), samples[0].get(1), samples[0].get(2)), (Some(50.0), None, Some(21500.0)));
    assert_eq!(source.counters().corrupted, 1);
}

#[test]
fn a_trigger_can_be_told_how_often_to_fire() {
    let device = Emulated::new();
    std::fs::remove_file(device.path("sampling_frequency")).expect("removed");
    let more = format!("{TWO}\nsampling_frequency_hz = 250.5\ntrigger = 'timer0'");
    let refused = device.settings(&more).opening(None).expect("an opening").open(Counters::default());
    assert!(refused.err().expect("no trigger").to_string().contains("neither the device nor its trigger"));
    let trigger = device.folder.path().join("sys/trigger7");
    std::fs::create_dir(&trigger).expect("a folder");
    std::fs::write(trigger.join("name"), "timer0\n").expect("written");
    std::fs::write(trigger.join("sampling_frequency"), "100\n").expect("written");
    device.open(&more);
    assert_eq!(std::fs::read_to_string(trigger.join("sampling_frequency")).expect("a file"), "250.5");
}

#[test]
fn mistakes_are_named() {
    let device = Emulated::new();
    for (more, expected) in [
        ("channels = []", "1 to 16 are possible"),
        ("channels = ['in_a', 'in_a']", "channel in_a is named twice"),
        ("channels = ['in_/../x']", "expected a name such as in_accel_x"),
        (&format!("{TWO}\nbuffer_length = 1"), "buffer_length = 1"),
    ] {
        let problem = device.settings(more).opening(None).err().expect(more);
        assert!(problem.contains(expected), "{problem}");
    }
    let assert_refused = |settings: Settings, expected: &str| {
        let opened = settings.opening(None).expect("an opening").open(Counters::default());
        let problem = opened.err().expect("a mistake").to_string();
        assert!(problem.contains(expected), "{problem}");
    };
    let unknown = "there is no channel in_accel_w; there is: in_accel_x, in_accel_y, in_accel_z, in_timestamp";
    assert_refused(device.settings("channels = ['in_accel_w']"), unknown);
    let other = Settings { device: "iio:device9".to_owned(), ..device.settings(TWO) };
    assert_refused(other, "there is: iio:device3 (adxl-emulated)");
    let nowhere = Settings { sysfs: Path::new("/nonexistent").to_owned(), ..device.settings(TWO) };
    assert_refused(nowhere, "is the kernel's module industrialio there?");
    device.replace("scan_elements/in_accel_x_type", "le:x12/16");
    assert_refused(device.settings(TWO), "in_accel_x_type: expected a form such as le:s12/16>>4");
}
