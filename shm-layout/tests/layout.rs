//! The table of blocks and the fields of every payload: what the declarations promise must hold for
//! all of them.

use std::collections::BTreeSet;

use shm_layout::block::{LAYOUT_HASH, layout_hash};
use shm_layout::blocks::CATALOGUE;
use shm_layout::{BlockEntry, Field, Kind, Layout, Stamp};

/// Every field of every payload, those of nested structures included, with the name of its block.
fn all_fields() -> Vec<(&'static str, &'static Field)> {
    fn collect(block: &'static str, fields: &'static [Field], all: &mut Vec<(&'static str, &'static Field)>) {
        for field in fields {
            all.push((block, field));
            collect(block, field.nested, all);
        }
    }
    let mut all = Vec::new();
    CATALOGUE.iter().for_each(|entry| collect(entry.name, entry.fields, &mut all));
    all
}

/// Only the fields that hold numbers.
fn number_fields() -> impl Iterator<Item = (&'static str, &'static Field)> {
    all_fields().into_iter().filter(|(_, field)| field.kind != Kind::Structure)
}

#[test]
fn names_and_numbers_of_blocks_are_unique_and_rise() {
    let names: BTreeSet<_> = CATALOGUE.iter().map(|entry| entry.name).collect();
    assert_eq!(names.len(), CATALOGUE.len());
    assert!(CATALOGUE.is_sorted_by(|left, right| left.number < right.number));
    for entry in CATALOGUE {
        assert!(entry.name.len() < shm_layout::header::NAME_BYTES, "{}", entry.name);
        assert!(entry.name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_'), "{}", entry.name);
    }
}

#[test]
fn every_payload_begins_with_a_stamp() {
    for entry in CATALOGUE {
        let first = &entry.fields[0];
        assert_eq!((first.name, first.word, first.count), ("stamp", 0, 1), "/{}/", entry.name);
        let names: Vec<_> = first.nested.iter().map(|field| field.name).collect();
        let expected: Vec<_> = Stamp::FIELDS.iter().map(|field| field.name).collect();
        assert_eq!(names, expected, "/{}/", entry.name);
    }
}

#[test]
fn fields_follow_each_other_without_a_gap() {
    fn end_of(fields: &[Field]) -> usize {
        let mut end = 0;
        for field in fields {
            assert_eq!(field.word, end, "{}", field.name);
            if field.kind == Kind::Structure {
                assert_eq!(end_of(field.nested), field.words_each, "{}", field.name);
            }
            end += field.count * field.words_each;
        }
        end
    }
    for entry in CATALOGUE {
        assert_eq!(end_of(entry.fields), entry.payload_words, "/{}/", entry.name);
    }
}

#[test]
fn the_unit_comes_last_in_the_name() {
    for (block, field) in number_fields() {
        let suffix = match field.unit {
            "-" => continue,
            unit => unit.to_lowercase().replace('/', "_").replace('²', "2"),
        };
        assert!(field.name.ends_with(&format!("_{suffix}")), "/{block}/ {} [{}]", field.name, field.unit);
    }
}

#[test]
fn every_number_says_its_frame_range_and_invalid_value() {
    for (block, field) in number_fields() {
        let place = format!("/{block}/ {}", field.name);
        assert!(["E", "V", "W", "T", "-"].contains(&field.frame), "{place}: frame {}", field.frame);
        let (low, high) = field.range.split_once("..").unwrap_or_else(|| panic!("{place}: range {}", field.range));
        let (low, high): (f64, f64) = (low.parse().expect(&place), high.parse().expect(&place));
        assert!(low < high, "{place}: range {}", field.range);
        match field.kind {
            Kind::Float => assert_eq!(field.invalid, "NaN", "{place}"),
            Kind::Unsigned => assert!(field.invalid.parse::<u64>().is_ok() && low >= 0.0, "{place}"),
            _ => assert!(field.invalid.parse::<i64>().is_ok(), "{place}"),
        }
        assert!(field.description.ends_with('.'), "{place}: {}", field.description);
    }
}

fn leak<T: Clone>(values: &[T], change: impl FnOnce(&mut Vec<T>)) -> &'static [T] {
    let mut changed = values.to_vec();
    change(&mut changed);
    changed.leak()
}

/// The table with one field of `/driver/` changed.
fn with_field(change: impl FnOnce(&mut Field)) -> &'static [BlockEntry] {
    let fields = leak(CATALOGUE[0].fields, |fields| change(&mut fields[1]));
    leak(CATALOGUE, |blocks| blocks[0].fields = fields)
}

/// Whatever two programs could differ in must show, or one would read the other's words for
/// something else.
#[test]
fn the_layout_hash_shows_every_difference() {
    let nested = leak(CATALOGUE[0].fields[0].nested, |fields| fields[2].name = "other_ns");
    let stamped = leak(CATALOGUE[0].fields, |fields| fields[0].nested = nested);
    let changes: [(&str, &[BlockEntry]); 13] = [
        ("a block's name", leak(CATALOGUE, |blocks| blocks[3].name = "other")),
        ("a block's number", leak(CATALOGUE, |blocks| blocks[3].number += 100)),
        ("a block's size", leak(CATALOGUE, |blocks| blocks[0].payload_words += 1000)),
        ("the order", leak(CATALOGUE, |blocks| blocks.swap(0, 1))),
        ("one block less", leak(CATALOGUE, |blocks| _ = blocks.pop())),
        ("a field's name", with_field(|field| field.name = "other")),
        ("a field's unit", with_field(|field| field.unit = "deg")),
        ("a field's frame", with_field(|field| field.frame = "W")),
        ("a field's kind", with_field(|field| field.kind = Kind::Signed)),
        ("a field's place", with_field(|field| field.word += 1)),
        ("a field's count", with_field(|field| field.count += 1)),
        ("a nested field", leak(CATALOGUE, |blocks| blocks[0].fields = stamped)),
        ("a field less", {
            let fields = leak(CATALOGUE[14].fields, |fields| _ = fields.pop());
            leak(CATALOGUE, |blocks| blocks[14].fields = fields)
        }),
    ];
    assert_eq!(layout_hash(CATALOGUE), LAYOUT_HASH);
    let mut hashes = BTreeSet::from([LAYOUT_HASH]);
    for (what, catalogue) in changes {
        assert!(hashes.insert(layout_hash(catalogue)), "{what} does not change the hash");
    }
}

/// What a person may word better does not part programs that agree on the data.
#[test]
fn the_layout_hash_does_not_show_wording() {
    let reworded = with_field(|field| field.description = "Said in another way.");
    assert_eq!(layout_hash(reworded), LAYOUT_HASH);
}
