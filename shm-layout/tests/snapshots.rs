//! What is published is what is read, in every block: word for word, and only as much of it as is
//! in use.

use shm_layout::block::block_bytes;
use shm_layout::blocks::{self, CATALOGUE, DEMANDS_MAX, Demands};
use shm_layout::header::{LAYOUT_VERSION, MAGIC};
use shm_layout::slots::{SLOTS, slot_words};
use shm_layout::{Block, Payload, Region};

use crate::place::Place;

/// Publishes words that follow from their place, and reads them back in both ways.
fn assert_round_trip<T: Payload>(block: Block<T>, region: &Region) {
    let name = block.entry().name;
    let mut writer = region.claim(block).unwrap();
    let mut reader = region.reader(block);
    let mut words = region.word_reader(block.index);
    assert!(reader.latest().is_none() && words.latest().is_none(), "/{name}/ is not empty");
    // More often than there are slots, so that each of them is used again.
    for round in 1..=2 * SLOTS as u64 + 1 {
        let mut payload = T::zeroed();
        for (index, word) in payload.words_mut().iter_mut().enumerate() {
            *word = round * 1_000_000 + index as u64;
        }
        writer.publish(&payload);
        let snapshot = reader.latest().unwrap();
        assert_eq!((snapshot.sequence, snapshot.generation, snapshot.attempts), (round, 1, 1), "/{name}/");
        // The counts are far above what there is room for: everything is in use.
        assert_eq!(snapshot.value.words(), payload.words(), "/{name}/");
        assert_eq!(words.latest().unwrap(), payload.words(), "/{name}/");
        assert_eq!(words.sequence(), round, "/{name}/");
    }
}

#[test]
fn every_block_gives_back_what_was_put_in() {
    let (_place, region) = Place::with_region();
    every_block!(assert_round_trip, &region);
}

fn demands_with(demand_count: u64) -> Demands {
    Demands { demand_count, demands: [1.5; DEMANDS_MAX], ..Demands::default() }
}

#[test]
fn only_the_used_part_is_copied_and_the_rest_is_zero() {
    let (_place, region) = Place::with_region();
    let mut writer = region.claim(blocks::DEMANDS).unwrap();
    let mut reader = region.reader(blocks::DEMANDS);
    let mut words = region.word_reader(blocks::DEMANDS.index);
    let first_demand = std::mem::offset_of!(Demands, demands) / 8;
    // Growing and shrinking, through both of the reader's copies.
    for count in [64, 3, 2, 64, 63, 0, 0, 1, 40, 39, 5, 100] {
        writer.publish(&demands_with(count));
        let used = (count as usize).min(DEMANDS_MAX);
        let value = reader.latest().unwrap().value;
        assert_eq!(value.demand_count, count);
        assert!(value.demands[..used].iter().all(|demand| *demand == 1.5), "{count} demands");
        assert!(value.demands[used..].iter().all(|demand| *demand == 0.0), "behind {count} demands");
        assert_eq!(words.latest().unwrap()[first_demand..], value.words()[first_demand..]);
    }
}

/// A reader that has not looked for a long time finds the newest, not the next.
#[test]
fn a_reader_finds_the_newest_and_keeps_the_last() {
    let (_place, region) = Place::with_region();
    let mut writer = region.claim(blocks::DEMANDS).unwrap();
    let mut reader = region.reader(blocks::DEMANDS);
    assert!(reader.last().is_none());
    (1..=1000).for_each(|count| writer.publish(&demands_with(count % 60)));
    assert_eq!(reader.last_sequence(), 0, "it has not looked yet");
    assert_eq!(reader.latest().unwrap().sequence, 1000);
    writer.publish(&demands_with(7));
    assert_eq!((reader.last_sequence(), reader.last().unwrap().demand_count), (1000, 1000 % 60));
    // The writer gives the block back; what it wrote stays.
    drop(writer);
    assert_eq!(reader.latest().unwrap().value.demand_count, 7);
}

#[test]
fn the_header_describes_every_block() {
    let (place, region) = Place::with_region();
    let header = region.header();
    assert_eq!((header.magic, header.layout_version), (MAGIC, LAYOUT_VERSION));
    assert_eq!(header.region_bytes, place.name().path().metadata().unwrap().len());
    assert_eq!(header.creator_pid, u64::from(std::process::id()));
    assert_eq!(header.block_count as usize, CATALOGUE.len());
    for (index, (line, entry)) in header.table.iter().zip(CATALOGUE).enumerate() {
        let name = std::ffi::CStr::from_bytes_until_nul(&line.name).unwrap();
        assert_eq!(name.to_str().unwrap(), entry.name);
        assert_eq!(line.offset_bytes as usize, shm_layout::block::offset(index));
        assert_eq!(line.size_bytes as usize, block_bytes(entry));
        let slot_shape = (line.payload_words as usize, line.slot_words as usize, line.slot_count as usize);
        assert_eq!(slot_shape, (entry.payload_words, slot_words(entry.payload_words), SLOTS));
    }
}
