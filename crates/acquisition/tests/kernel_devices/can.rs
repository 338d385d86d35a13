//! A bus without wires: vcan.

use std::process::Command;

use acquisition::conformance::{Rig, check};
use acquisition::plan::opening;
use acquisition::{Clock, Counters, Opening};
use rt::allocation::forbid;
use rt::clock::monotonic_ns;
use socketcan::{CanDataFrame, CanSocket, EmbeddedFrame, Socket, StandardId};

use super::{needed, take};

const DATABASE: &str = r#"BO_ 256 Brake: 8 Car
 SG_ Pressure : 7|16@0+ (0.01,0) [0|250] "bar" Car
BO_ 2566844926 Wheel: 4 Car
 SG_ Angle : 0|16@1- (0.1,0) [-900|900] "deg" Car
BO_ 257 Long: 12 Car
 SG_ Far : 80|16@1+ (1,0) [0|0] "" Car
BO_ 258 Count: 2 Car
 SG_ Number : 0|16@1+ (1,0) [0|0] "" Car
"#;

/// An interface of its own, gone with the test.
struct Interface(&'static str);

fn ip(arguments: &[&str]) -> bool {
    Command::new("ip").args(arguments).output().is_ok_and(|output| output.status.success())
}

impl Interface {
    fn new(name: &'static str) -> Option<Self> {
        let made = ip(&["link", "add", "dev", name, "type", "vcan"])
            && ip(&["link", "set", name, "mtu", "72"])
            && ip(&["link", "set", name, "up"]);
        made.then_some(Self(name))
    }

    fn opening(&self, signals: &str) -> Box<dyn Opening> {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("bus.dbc"), DATABASE).expect("written");
        let text = format!("interface = '{}'\ndatabase = 'bus.dbc'\nsignals = [{signals}]", self.0);
        opening("can", &text, Some(folder.path())).expect("an opening")
    }

    fn cansend(&self, frame: &str) {
        let sent = Command::new("cansend").args([self.0, frame]).status().expect("cansend runs");
        assert!(sent.success(), "cansend {frame}");
    }
}

impl Drop for Interface {
    fn drop(&mut self) {
        ip(&["link", "del", self.0]);
    }
}

#[test]
fn frames_of_cansend_arrive_with_their_values_and_times() {
    let cansend = Command::new("cansend").arg("-?").output().is_ok();
    let bus = Interface::new("rtrdcan0").filter(|_| cansend);
    let Some(bus) = needed("vcan or cansend", bus) else { return };
    let opening = bus.opening("'Pressure', 'Angle', 'Far'");
    let mut source = opening.open(Counters::default()).expect("a source");
    assert_eq!(source.clock(), Clock::Kernel);
    let before_ns = monotonic_ns();
    bus.cansend("100#03E8000000000000"); // 1000 · 0.01 bar
    bus.cansend("7FF#0102030405060708"); // not wanted: the kernel's filter drops it
    bus.cansend("98FEF1FE#9CFF0000"); // an identifier of 29 bits, −100 · 0.1°
    bus.cansend("101##0000102030405060708093412"); // CAN FD, 12 bytes; 0x1234 at bytes 10 and 11
    let samples = take(source.as_mut(), 3);
    let after_ns = monotonic_ns();
    assert_eq!((samples[0].get(0), samples[0].get(1)), (Some(10.0), None));
    assert_eq!((samples[1].get(0), samples[1].get(1)), (None, Some(-10.0)));
    assert_eq!(samples[2].get(2), Some(f64::from(0x1234)));
    assert!(samples.windows(2).all(|pair| pair[0].sample_ns <= pair[1].sample_ns));
    for sample in &samples {
        // The kernel's stamp of the calendar, moved to the monotonic clock: 10 ms of room for
        // clocks that are read one after the other.
        assert!((before_ns - 10_000_000..=after_ns).contains(&sample.sample_ns));
    }
    let counters = source.counters();
    assert_eq!((counters.blocks, counters.corrupted, counters.lost), (3, 0, 0));
    // Two frames of CAN (16 bytes) and one of CAN FD (72): the fourth never came here.
    assert_eq!(counters.bytes, 16 + 16 + 72);
}

/// A bus that is taken down and up again.
struct BusRig(Interface);

impl Rig for BusRig {
    fn opening(&self) -> Box<dyn Opening> {
        self.0.opening("'Number'")
    }

    fn deliver(&mut self, number: u32) {
        let socket = CanSocket::open(self.0.0).expect("a socket");
        let data = (number as u16).to_le_bytes();
        let frame = CanDataFrame::new(StandardId::new(258).expect("an identifier"), &data).expect("a frame");
        assert_eq!(frame.data(), data);
        socket.write_frame(&frame).expect("written");
    }

    fn unplug(&mut self) -> bool {
        ip(&["link", "set", self.0.0, "down"])
    }

    fn plug_in(&mut self) {
        assert!(ip(&["link", "set", self.0.0, "up"]));
    }

    fn without_heap(&self, work: &mut dyn FnMut()) {
        forbid(work);
    }
}

#[test]
fn a_bus_conforms() {
    if let Some(bus) = needed("vcan", Interface::new("rtrdcan1")) {
        check(&mut BusRig(bus));
    }
}
