//! Torn reads under stress: one process writes flat out, three read, and none of them may ever see
//! half a write.
//!
//! There are more processes than most test machines have cores, so that readers are preempted in
//! the middle of a copy and writers in the middle of a write. The long run is an example: `cargo
//! run --release -p shm-layout --example stress`.

use std::fs::File;
use std::os::unix::fs::FileExt;

use bytemuck::Zeroable;
use shm_layout::block::{CONTROL_WORDS, offset};
use shm_layout::blocks::{PLANT_OUTPUTS, PlantOutputs};
use shm_layout::slots::{ATTEMPTS, SLOT_HEADER_WORDS, SLOTS, slot_words};
use shm_layout::writer::PUBLISHED;
use shm_layout::{Layout, Payload, RegionName, Shape};

use crate::child::{self, Child};
use crate::flat_out::{self, Tally};
use crate::pattern;
use crate::place::{self, Place};

const READERS: u64 = 3;
const READS: u64 = 10_000_000;
/// Reads after which a wrong reader must have seen torn data; it takes a few hundred.
const WRONG_READS_MAX: u64 = 1_000_000;

#[test]
fn three_readers_never_see_a_torn_snapshot() {
    match child::role().as_deref() {
        None => {}
        Some("writer") => return child::say(flat_out::write_flat_out(&place::given())),
        Some(_) => return child::say(flat_out::read(&place::given(), READS.div_ceil(READERS)).to_line()),
    }
    let (place, _region) = Place::with_region();
    let mut writer = Child::start(this_test!(), "writer", &place.environment());
    let readers: Vec<Child> =
        (0..READERS).map(|_| Child::start(this_test!(), "reader", &place.environment())).collect();
    let tallies = readers.iter().map(|reader| Tally::of_line(&reader.next()));
    let total = tallies.fold(Tally::default(), Tally::with);
    writer.tell("stop");
    let writes: u64 = writer.next().parse().unwrap();
    println!("{writes} writes, {total:?}");
    assert!(total.reads >= READS, "{total:?}");
    assert_eq!(total.torn, 0, "{total:?}");
    assert!(total.attempts_max <= u64::from(ATTEMPTS), "{total:?}");
    assert!(total.fresh > 100, "readers and writer did not run side by side: {total:?}");
}

/// A reader without steps (8) and (9): it takes the published slot as it is.
fn read_without_check(name: &RegionName, file: &File, payload: &mut PlantOutputs) -> u64 {
    let start = offset(PLANT_OUTPUTS.index) as u64;
    let mut word = [0; 8];
    file.read_exact_at(&mut word, start + PUBLISHED as u64 * 8).expect("the region is there");
    let sequence = u64::from_ne_bytes(word);
    let slot = CONTROL_WORDS + (sequence % SLOTS as u64) as usize * slot_words(PlantOutputs::WORDS);
    let words = start + (slot + SLOT_HEADER_WORDS) as u64 * 8;
    let read = file.read_exact_at(bytemuck::bytes_of_mut(payload), words);
    read.unwrap_or_else(|error| panic!("{name}: {error}"));
    // Behind the used words it finds what an earlier write left; that is not what this is about.
    let used = payload.used_words();
    payload.words_mut()[used..].fill(0);
    sequence
}

/// The pattern must be able to show torn data, or the test above shows nothing.
#[test]
fn a_reader_without_the_final_check_sees_torn_snapshots() {
    if child::role().is_some() {
        return child::say(flat_out::write_flat_out(&place::given()));
    }
    let (place, region) = Place::with_region();
    let name = place.name();
    let mut writer = Child::start(this_test!(), "writer", &place.environment());
    flat_out::wait_for_write(&mut region.reader(PLANT_OUTPUTS), 1);
    let file = File::open(name.path()).unwrap();
    let mut payload = PlantOutputs::zeroed();
    let torn = (1..=WRONG_READS_MAX).find(|_| {
        let sequence = read_without_check(&name, &file, &mut payload);
        !pattern::is_whole(&payload, sequence)
    });
    writer.tell("stop");
    println!("the first torn read was number {torn:?}");
    assert!(torn.is_some(), "{WRONG_READS_MAX} reads without a check were all whole");
}
