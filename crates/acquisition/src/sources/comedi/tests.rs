use std::io::Write;
use std::os::unix::net::UnixStream;

use super::*;
use crate::State;
use crate::conformance::wire::{check_on_wire, taken};
use crate::plan::opening;

/// A board of two channels, ±10 V and 0…5 V with 16 bits, at 1 kHz, whose stream is a socket.
fn board(sample_bytes: usize) -> (UnixStream, impl Source) {
    let (peer, ours) = UnixStream::pair().expect("a socket pair");
    ours.set_nonblocking(true).expect("a flag");
    let layout = Layout {
        sample_bytes,
        conversions: vec![Conversion::new(-10_000_000, 10_000_000, 65535), Conversion::new(0, 5_000_000, 65535)],
    };
    let names = vec!["a".to_owned(), "b".to_owned()];
    let arrivals = Arrivals::new(Counters::default(), 0.5);
    (peer, Scans::source(ours, names, layout, 1_000_000, arrivals))
}

#[test]
fn scans_become_values_one_period_apart() {
    let (mut peer, mut source) = board(2);
    let scans: Vec<u8> =
        [0_u16, 0, 65535, 65535, 32768, 13107].iter().flat_map(|sample| sample.to_ne_bytes()).collect();
    peer.write_all(&scans[..11]).expect("written");
    let (state, samples) = taken(&mut source, 50_000_000);
    assert_eq!(state, State::Flowing);
    assert_eq!(samples.iter().map(|sample| sample.sample_ns).collect::<Vec<_>>(), [49_000_000, 50_000_000]);
    assert_eq!(samples[0].raw[..2], [-10.0, 0.0]);
    // The ends of a range are exact but for the rounding of one multiplication.
    assert!((samples[1].raw[0] - 10.0).abs() < 1e-12 && (samples[1].raw[1] - 5.0).abs() < 1e-12);
    peer.write_all(&scans[11..]).expect("written");
    let (_, samples) = taken(&mut source, 51_000_000);
    // The middle of an even number of counts lies half a count beside zero: 10 V / 65535.
    assert!((samples[0].raw[0] - 10.0 / 65535.0).abs() < 1e-12 && (samples[0].raw[1] - 1.0).abs() < 1e-12);
    let counters = source.counters();
    assert_eq!((counters.blocks, counters.bytes, counters.remainders, counters.largest_burst), (3, 12, 1, 2));
}

#[test]
fn long_samples_are_read() {
    let (mut peer, mut source) = board(4);
    let scan: Vec<u8> = [65535_u32, 13107].iter().flat_map(|sample| sample.to_ne_bytes()).collect();
    peer.write_all(&scan).expect("written");
    let (_, samples) = taken(&mut source, 1);
    assert!((samples[0].raw[0] - 10.0).abs() < 1e-12 && (samples[0].raw[1] - 1.0).abs() < 1e-12);
}

#[test]
fn times_never_go_back() {
    let (mut peer, mut source) = board(2);
    peer.write_all(&[0; 4]).expect("written");
    assert_eq!(taken(&mut source, 10_000_000).1[0].sample_ns, 10_000_000);
    peer.write_all(&[0; 12]).expect("written");
    let (_, samples) = taken(&mut source, 10_500_000);
    assert_eq!(samples.iter().map(|sample| sample.sample_ns).collect::<Vec<_>>(), [10_000_000, 10_000_000, 10_500_000]);
}

#[test]
fn a_board_that_stops_is_gone() {
    let (mut peer, mut source) = board(2);
    peer.write_all(&[0; 6]).expect("written");
    drop(peer);
    let (state, samples) = taken(&mut source, 1);
    assert_eq!((state, samples.len()), (State::Gone, 1));
    assert!(source.descriptor().is_none());
}

#[test]
fn mistakes_in_the_file_are_named() {
    let channel = "channels = [{ name = 'a', input = 0 }]";
    for (settings, expected) in [
        (format!("scan_period_s = 0\n{channel}"), "x: scan_period_s = 0: expected 0.000001 to 4"),
        ("scan_period_s = 0.001\nchannels = []".to_owned(), "x: there are 0 channels; 1 to 16 are possible"),
        (format!("scan_period = 1\n{channel}"), "unknown field `scan_period`"),
    ] {
        let problem = opening("comedi", &format!("device = 'x'\n{settings}"), None).err().expect("a mistake");
        assert!(problem.starts_with(expected), "{problem}");
    }
    let settings = format!("device = '/dev/null'\nscan_period_s = 0.001\n{channel}");
    let opening = opening("comedi", &settings, None).expect("an opening");
    let refused = opening.open(Counters::default()).err().expect("no board").to_string();
    assert!(refused.starts_with("/dev/null: "), "{refused}");
}

#[test]
fn inputs_are_packed_as_the_kernel_wants_them() {
    let text = "device = 'x'\nscan_period_s = 1\n\
                channels = [{ name = 'a', input = 3, range = 2, reference = 'differential' }]";
    let settings: Settings = toml::from_str(text).expect("settings");
    // CR_PACK of linux/comedi.h: reference in bits 24 and 25, range from bit 16, input below.
    assert_eq!(settings.packed(), [2 << 24 | 2 << 16 | 3]);
}

/// The conformance suite on a board whose counts are its numbers.
#[test]
fn a_board_conforms() {
    let make = |ours: std::os::fd::OwnedFd, counters| -> Box<dyn Source> {
        let layout = Layout { sample_bytes: 2, conversions: vec![Conversion { least: 0.0, per_count: 1.0 }] };
        Box::new(Scans::source(ours, vec!["count".to_owned()], layout, 1_000, Arrivals::new(counters, 0.5)))
    };
    check_on_wire(make, |number| (number as u16).to_ne_bytes().to_vec());
}
