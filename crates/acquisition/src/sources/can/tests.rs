use std::os::unix::net::UnixDatagram;

use rt::clock::monotonic_ns;

use super::*;
use crate::State;
use crate::conformance::wire::{check_on_wire, taken};
use crate::plan::opening;

const DATABASE: &[u8] = br#"
VERSION "1"
BS_:
BU_: Car
BO_ 256 Brake: 8 Car
 SG_ Pressure : 7|16@0+ (0.01,0) [0|250] "bar" Car
BO_ 2566844926 Wheel: 4 Car
 SG_ Angle : 0|16@1- (0.1,0) [-900|900] "deg" Car
 SG_ Speed : 16|16@1- (1,0) [0|0] "deg/s" Car
BO_ 258 Count: 2 Car
 SG_ Number : 0|16@1+ (1,0) [0|20000] "" Car
"#;

fn source(ours: OwnedFd, signals: &[&str], counters: Counters) -> CanSource {
    let signals: Vec<String> = signals.iter().map(|&signal| signal.to_owned()).collect();
    let decoder = Decoder::new(&Database::read(DATABASE).expect("a database"), &signals, true).expect("signals");
    CanSource::new(ours, decoder, 0.5, counters).expect("a source")
}

/// The two ends of a bus without a kernel's interface: messages of a socket pair are frames.
fn bus(signals: &[&str]) -> (UnixDatagram, CanSource) {
    let (bus, ours) = UnixDatagram::pair().expect("a socket pair");
    (bus, source(ours.into(), signals, Counters::default()))
}

fn frame(id: u32, length: u8, data: &[u8], size: usize) -> Vec<u8> {
    let mut bytes = vec![0; size];
    bytes[..4].copy_from_slice(&id.to_ne_bytes());
    bytes[4] = length;
    bytes[8..8 + data.len()].copy_from_slice(data);
    bytes
}

#[test]
fn frames_become_samples_at_the_times_of_the_kernel() {
    let (bus, mut source) = bus(&["Brake.Pressure", "Angle"]);
    assert_eq!(taken(&mut source, monotonic_ns()), (State::Waiting, vec![]));
    let before_ns = monotonic_ns();
    bus.send(&frame(256, 8, &[0x03, 0xE8, 0, 0, 0, 0, 0, 0], 16)).expect("sent");
    bus.send(&frame(0x98FE_F1FE, 4, &[0x9C, 0xFF, 0, 0], 72)).expect("sent");
    let after_ns = monotonic_ns();
    let (state, samples) = taken(&mut source, after_ns + 1_000_000_000);
    assert_eq!(state, State::Flowing);
    assert_eq!(samples.len(), 2);
    assert_eq!((samples[0].get(0), samples[0].get(1)), (Some(10.0), None));
    assert_eq!((samples[1].get(0), samples[1].get(1)), (None, Some(-10.0)));
    // The conversion between the clocks is good to a microsecond unless its looks at them are
    // interrupted; 100 ms catch a wrong clock.
    for sample in &samples {
        let room_ns = 100_000_000;
        assert!((before_ns - room_ns..=after_ns + room_ns).contains(&sample.sample_ns));
    }
    let counters = source.counters();
    assert_eq!((counters.blocks, counters.bytes, counters.bursts, counters.empty_reads), (2, 88, 1, 1));
}

#[test]
fn what_cannot_be_used_is_counted_and_does_no_harm() {
    let (bus, mut source) = bus(&["Pressure"]);
    let refused: &[Vec<u8>] = &[
        frame(256, 4, &[3, 0xE8, 0, 0], 16),                // shorter than the database says
        frame(256, 8, &[0xFF, 0xFF, 0, 0, 0, 0, 0, 0], 16), // 655 bar, of 250
        frame(libc::CAN_ERR_FLAG | 4, 8, &[0; 8], 16),      // an error on the bus
        frame(256, 200, &[0; 8], 16),                       // a length that no frame has
        vec![1, 2, 3],                                      // no frame
        vec![0; 100],                                       // longer than any frame
    ];
    for bytes in refused {
        bus.send(bytes).expect("sent");
    }
    bus.send(&frame(257, 8, &[0; 8], 16)).expect("sent"); // not wanted
    bus.send(&frame(256 | libc::CAN_RTR_FLAG, 8, &[], 16)).expect("sent");
    bus.send(&frame(256, 8, &[0, 100, 0, 0, 0, 0, 0, 0], 16)).expect("sent");
    let (_, samples) = taken(&mut source, monotonic_ns());
    assert_eq!(samples.iter().map(|sample| sample.get(0)).collect::<Vec<_>>(), [Some(1.0)]);
    assert_eq!(source.counters().corrupted, refused.len() as u64);
}

#[test]
fn a_bus_that_goes_away_is_gone_and_keeps_its_counters() {
    let (bus, mut source) = bus(&["Pressure"]);
    bus.send(&frame(256, 8, &[0; 8], 16)).expect("sent");
    assert_eq!(taken(&mut source, monotonic_ns()).0, State::Flowing);
    // A datagram of no bytes is what the end of a connected peer looks like here.
    bus.send(&[]).expect("sent");
    assert_eq!(taken(&mut source, monotonic_ns()).0, State::Gone);
    assert!(source.descriptor().is_none());
    assert_eq!(source.counters().blocks, 1);
}

#[test]
fn the_kernel_is_asked_for_wanted_identifiers_only() {
    let (_, source) = bus(&["Pressure", "Angle", "Speed"]);
    let filters: Vec<_> = source.decoder.filters().collect();
    assert_eq!(filters, [(0x100, 0xC000_07FF), (0x98FE_F1FE, 0xDFFF_FFFF)]);
}

#[test]
fn mistakes_in_the_file_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("bus.dbc"), DATABASE).expect("written");
    let bad = "BO_ 1 A: 8 X\n SG_ B : 0|8@2+ (1,0) [0|0] \"\" X\n";
    std::fs::write(folder.path().join("bad.dbc"), bad).expect("written");
    for (settings, expected) in [
        (
            "database = 'bus.dbc'\nsignals = ['Brake.Force']",
            "no signal Brake.Force; message Brake has the signals Pressure",
        ),
        ("database = 'bad.dbc'\nsignals = ['B']", "bad.dbc: line 2: the byte order of B is 2"),
        ("database = 'bus.dbc'\nsignals = []", "0 signals are wanted"),
        ("database = 'bus.dbc'\nsignals = ['Angle']\nstalled_after_s = -1", "stalled_after_s"),
    ] {
        let problem = opening("can", &format!("interface = 'can0'\n{settings}"), Some(folder.path()));
        let problem = problem.err().expect("a mistake");
        assert!(problem.contains(expected), "{problem}");
    }
    let absent = "interface = 'nocan7'\ndatabase = 'bus.dbc'\nsignals = ['Angle']";
    let absent = opening("can", absent, Some(folder.path())).expect("an opening");
    let problem = absent.open(Counters::default()).err().expect("no interface").to_string();
    assert!(problem.starts_with("CAN interface nocan7: "), "{problem}");
}

#[test]
fn a_bus_conforms() {
    let encode = |number: u32| frame(258, 2, &(number as u16).to_le_bytes(), 16);
    check_on_wire(|ours, counters| Box::new(source(ours, &["Number"], counters)), encode);
}
