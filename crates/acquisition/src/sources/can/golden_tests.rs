//! Decoding against cantools, an independent implementation: `tests/reference/can_golden.py` makes
//! random signals and says what cantools reads.

use super::super::dbc::{ByteOrder, Database};
use super::decode::{Decoder, Frame, Kind, Verdict};
use crate::{RAW_MAX, Sample};

const DATABASE: &[u8] = include_bytes!("../../../tests/reference/can_golden.dbc");
const FRAMES: &str = include_str!("../../../tests/reference/can_golden.txt");

struct Line<'a> {
    frame: Frame<'a>,
    values: Vec<(&'a str, f64)>,
}

fn parse<'a>(line: &'a str, data: &'a mut Vec<u8>) -> Line<'a> {
    let mut words = line.split(' ');
    let id = words.next().expect("an identifier");
    let hex = words.next().expect("data");
    *data = (0..hex.len() / 2)
        .map(|byte| u8::from_str_radix(&hex[2 * byte..2 * byte + 2], 16).expect("hexadecimal"))
        .collect();
    let values = words
        .map(|word| word.split_once('=').expect("name=value"))
        .map(|(name, value)| (name, value.parse().expect("a number")))
        .collect();
    Line {
        frame: Frame {
            kind: Kind::Data,
            id: u32::from_str_radix(id.trim_start_matches('x'), 16).expect("hexadecimal"),
            extended: id.starts_with('x'),
            data,
        },
        values,
    }
}

/// Every signal of the frame's message, decoded: those that are in the frame.
fn decoded(database: &Database, frame: &Frame<'_>) -> Vec<(String, f64)> {
    let is = |id, extended| (id, extended) == (frame.id, frame.extended);
    let message = database.messages.iter().find(|message| is(message.id, message.extended)).expect("the message");
    let names: Vec<String> = message.signals.iter().map(|signal| format!("{}.{}", message.name, signal.name)).collect();
    let mut values = Vec::new();
    for names in names.chunks(RAW_MAX) {
        let decoder = Decoder::new(database, names, true).expect("signals of the database");
        let mut sample = Sample::empty(0);
        let verdict = decoder.decode(frame, &mut sample);
        assert_ne!(verdict, Verdict::TooShort);
        let plain = |name: &String| name.split_once('.').expect("Message.Signal").1.to_owned();
        let found = names.iter().enumerate().filter_map(|(index, name)| Some((plain(name), sample.get(index)?)));
        values.extend(found);
    }
    values
}

#[test]
fn every_signal_is_what_cantools_reads() {
    let database = Database::read(DATABASE).expect("the database");
    let mut compared = 0;
    for line in FRAMES.lines().filter(|line| !line.starts_with('#')) {
        let mut data = Vec::new();
        let expected = parse(line, &mut data);
        let mut found = decoded(&database, &expected.frame);
        let mut wanted = expected.values.clone();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        wanted.sort_by(|a, b| a.0.cmp(b.0));
        let names = |found: &[(String, f64)]| found.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&found), wanted.iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>(), "{line}");
        for ((name, value), (_, reference)) in found.iter().zip(&wanted) {
            // Both compute raw · factor + offset; cantools keeps whole numbers beyond 2^53 exact,
            // we round them once.
            let room = 4.0 * f64::EPSILON * (reference.abs() + 360.0);
            assert!((value - reference).abs() <= room, "{name}: {value} is not {reference}: {line}");
            compared += 1;
        }
    }
    assert!(compared > 1000, "only {compared} values were compared");
}

#[test]
fn a_decoder_that_takes_motorola_for_intel_is_caught() {
    let mut database = Database::read(DATABASE).expect("the database");
    for signal in database.messages.iter_mut().flat_map(|message| &mut message.signals) {
        if signal.place.order == ByteOrder::Motorola {
            signal.place.order = ByteOrder::Intel;
        }
    }
    let wrong = FRAMES.lines().filter(|line| !line.starts_with('#')).filter(|line| {
        let mut data = Vec::new();
        let expected = parse(line, &mut data);
        let found = decoded(&database, &expected.frame);
        !expected.values.iter().all(|(name, value)| found.iter().any(|(other, found)| other == name && found == value))
    });
    assert!(wrong.count() > 100);
}
