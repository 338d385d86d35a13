//! `.crg` files that are wrong: each fault names the file, the line and the field; no bytes make
//! the reader panic, loop or take much memory.

use crate::support::files;
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use vehicle::files::{FileError, Source};
use vehicle::terrain::{self, Hint, Terrain};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/terrain")
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).expect("a file of the test suite")
}

fn fault(bytes: &[u8]) -> FileError {
    files::fault("road.crg", bytes, terrain::read)
}

const HEAD: &str =
    "$ROAD_CRG\nreference_line_increment = 1.0\nlong_section_v_right = -1.0\nlong_section_v_left = 1.0\n$\n";
const CHANNELS: &str = "$KD_DEFINITION\n#:LRFI\nD:long section 1,m\nD:long section 2,m\n$\n";
const SEPARATOR: &str = "$$$$$$$$$$$$$$$$$$$$\n";
const RECORD: &str = " 0.0000000 0.1000000\n";

fn file(head: &str, channels: &str, records: &str) -> String {
    format!("{head}{channels}{SEPARATOR}{records}")
}

#[test]
fn a_plain_file_is_sound() {
    let text = file(HEAD, CHANNELS, &RECORD.repeat(3));
    let road = terrain::read(&Source::new("road.crg", text.as_bytes())).expect("sound");
    let ground = road.at(1.0, 0.0, &mut Hint::default());
    assert!((ground.height_m - 0.05).abs() < 1e-15);
}

#[test]
fn faults_of_the_header_name_line_and_field() {
    let records = RECORD.repeat(3);
    let changed = |from: &str, to: &str| file(HEAD, CHANNELS, &records).replace(from, to);
    for (text, line, field, word) in [
        (changed("LRFI", "LXFI"), 7, "format", "found `LXFI`"),
        (changed("#:LRFI\n", ""), 6, "$KD_DEFINITION", "`#:`"),
        (changed("KD_DEFINITION", "OTHER"), 1, "$KD_DEFINITION", "is this an OpenCRG file"),
        (changed("$$$$", ""), 6, "$$$$", "cut off"),
        (changed("= 1.0\nlong", "= one\nlong"), 2, "reference_line_increment", "`one`"),
        (changed("= 1.0\nlong", "= 0.0\nlong"), 2, "reference_line_increment", "1e-6"),
        (changed("= 1.0\nlong", "= 1e300\nlong"), 2, "reference_line_increment", "1e-6"),
        (changed("section 2,m", "section 2,mm"), 9, "long section 2", "unit m"),
        (changed("section 2,m", "section 3,m"), 6, "$KD_DEFINITION", "1 to 2"),
        (changed("section 2,m", "section 1,m"), 6, "$KD_DEFINITION", "two long sections"),
        (changed("section 2,m", "section two,m"), 9, "long section", "found `two`"),
        (changed("section 2,m", "section at v = 1.0,m"), 9, "long section", "found both"),
        (changed("D:long section 2,m\n", ""), 6, "$KD_DEFINITION", "at least 2"),
        (changed("section 1,m", "section 1,m\nD:reference line x,m"), 6, "$KD_DEFINITION", "found one"),
        (
            changed("$ROAD_CRG\n", "$ROAD_CRG\nreference_line_end_u = 10.0\n"),
            2,
            "reference_line_end_u",
            "promises 11 records, found 3",
        ),
        (
            changed("$ROAD_CRG\n", "$ROAD_CRG_OPTS\nborder_mode_u = 7\n$\n$ROAD_CRG\n"),
            2,
            "border_mode_u",
            "from 0 to 4",
        ),
        (changed("$ROAD_CRG\n", "$ROAD_CRG_MODS\nscale_width = -1\n$\n$ROAD_CRG\n"), 2, "scale_width", "above 0"),
        (
            changed("$ROAD_CRG\n", "$ROAD_CRG_MODS\nscale_length = 1e-200\n$\n$ROAD_CRG\n"),
            1,
            "reference line",
            "1e-9 m",
        ),
        (changed("$ROAD_CRG\n", "$ROAD_CRG_FILE\nnowhere.crg\n$\n$ROAD_CRG\n"), 1, "$ROAD_CRG_FILE", "cannot read"),
    ] {
        let error = fault(text.as_bytes());
        assert_eq!((error.line, error.field.as_str()), (line, field), "{error}\n{text}");
        assert!(error.problem.contains(word), "{error}");
        assert_eq!(error.file, "road.crg");
    }
}

#[test]
fn faults_of_text_records_name_their_line() {
    for (records, line, word) in [
        (format!("{RECORD} 0.0000000\n{RECORD}"), 13, "expected 2 values of 10 characters"),
        (format!("{RECORD} 0.0000000 0.1000000 0.2000000\n"), 13, "found 3"),
        (format!("{RECORD}{RECORD} 0.0000000 0.1x00000\n"), 14, "found `0.1x00000`"),
        (format!("{RECORD}{RECORD} 0.0000"), 14, "cut off"),
        (RECORD.to_owned(), 11, "at least 2 records, found 1"),
        (String::new(), 11, "found 0"),
        (format!("{RECORD}**********     1e300\n"), 11, "within ±1e8"),
        (format!("{RECORD}********************\n"), 1, "no height at all"),
    ] {
        let error = fault(file(HEAD, CHANNELS, &records).as_bytes());
        assert_eq!(error.line, line, "{error}\n{records}");
        assert!(error.problem.contains(word), "{error}");
    }
}

/// A record of more than one line that ends in the middle, and reference lines that cannot be.
#[test]
fn faults_of_longer_records_are_told() {
    let sections: String = (1..=10).map(|index| format!("D:long section {index},m\n")).collect();
    let channels = format!("$KD_DEFINITION\n#:LRFI\n{sections}$\n");
    let line = " 0.0000000".repeat(8) + "\n";
    let record = format!("{line} 0.0000000 0.0000000\n");
    let error = fault(file(HEAD, &channels, &format!("{record}{record}{line}")).as_bytes());
    assert!(error.problem.contains("expected 2 lines in record 3, found 1"), "{error}");

    let channels = CHANNELS.replace("D:long section 1", "D:reference line phi,rad\nD:long section 1");
    let record = |phi: &str| format!("{phi:>10} 0.0000000 0.0000000\n");
    let turned_back = [record("0.0"), record("0.0"), record("3.1415"), record("0.0")].concat();
    let error = fault(file(HEAD, &channels, &turned_back).as_bytes());
    assert!(error.problem.contains("turns too sharply at record 2"), "{error}");
    let gap = [record("*"), record("0.0"), record("*"), record("0.0")].concat();
    let error = fault(file(HEAD, &channels, &gap).as_bytes());
    assert!(error.field == "reference line phi" && error.problem.contains("record 3"), "{error}");
}

/// A binary file cut at any byte of its records is told to be cut off; so is a text file (or its
/// last word is no number), but for the last digits of its last number.
#[test]
fn a_file_that_is_cut_off_is_refused() {
    for (name, spared) in [("bent-krbi.crg", 0), ("bent-kdbi.crg", 0), ("bent-ldfi.crg", 20), ("bent-lrfi.crg", 11)] {
        let whole = bytes(name);
        let data = whole.windows(5).position(|bytes| bytes == b"$$$$\n").expect("a separator") + 5;
        for length in (data..whole.len() - spared).step_by(7) {
            let error = fault(&whole[..length]);
            assert!(error.line > 1, "{name} cut at {length}: {error}");
            let told = ["cut off", "at least 2 records", "expected a number"];
            assert!(told.iter().any(|word| error.problem.contains(word)), "{name} cut at {length}: {error}");
        }
    }
}

#[test]
fn a_file_may_refer_to_another() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("data.crg"), bytes("bent-krbi.crg")).expect("written");
    let text = "$ROAD_CRG_OPTS\nborder_mode_v = 1\nborder_offset_v = 5.5\n$\n$ROAD_CRG_FILE\ndata.crg\n$\n";
    let name = folder.path().join("outer.crg").display().to_string();
    let road = terrain::read(&Source::new(&name, text.as_bytes())).expect("sound");
    assert_eq!(road.at(0.0, 40.0, &mut Hint::default()).height_m, 5.5, "its options replace those of the other");
}

fn finite_everywhere(road: &dyn Terrain) -> bool {
    [(0.0, 0.0), (3.0, -2.0), (17.0, 9.0), (1e300, -1e300), (-40.0, 1e7)].iter().all(|(x, y)| {
        let ground = road.at(*x, *y, &mut Hint(17));
        ground.height_m.is_finite() && (ground.normal.norm() - 1.0).abs() < 1e-9 && ground.normal.z > 0.0
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    /// Mutated files are refused or give a road that is finite everywhere. What is read is bounded
    /// by the file's own size.
    #[test]
    fn mutated_files_never_panic(
        which in 0_usize..6,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        cut in prop::option::of(any::<prop::sample::Index>()),
        in_header in any::<bool>(),
    ) {
        let names = ["handmade.crg", "bent-krbi.crg", "bent-lrfi.crg", "circuit.crg", "modified-point.crg", "border-reflect.crg"];
        let mut mutated = bytes(names[which]);
        let range = if in_header { mutated.len().min(900) } else { mutated.len() };
        for (place, value) in &changes {
            let place = place.index(range);
            mutated[place] = *value;
        }
        if let Some(cut) = cut {
            let length = cut.index(mutated.len());
            mutated.truncate(length);
        }
        if let Ok(road) = terrain::read(&Source::new("mutated.crg", &mutated)) {
            prop_assert!(finite_everywhere(road.as_ref()), "{}", names[which]);
        }
    }

    /// Digits of headers replaced by others: sizes become absurd.
    #[test]
    fn absurd_numbers_never_panic(which in 0_usize..3, places in prop::collection::vec((any::<prop::sample::Index>(), 0_u8..12), 1..6)) {
        let names = ["handmade.crg", "modified-offset.crg", "border-smooth.crg"];
        let mut mutated = bytes(names[which]);
        let end = mutated.windows(4).position(|bytes| bytes == b"$$$$").expect("a separator");
        let digits: Vec<usize> = (0..end).filter(|place| mutated[*place].is_ascii_digit()).collect();
        for (place, digit) in &places {
            mutated[digits[place.index(digits.len())]] = b"0123456789e-"[usize::from(*digit)];
        }
        if let Ok(road) = terrain::read(&Source::new("mutated.crg", &mutated)) {
            prop_assert!(finite_everywhere(road.as_ref()), "{}", names[which]);
        }
    }
}
