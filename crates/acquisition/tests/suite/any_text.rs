//! Whatever stands in a file, reading it ends with a result.

use acquisition::Plan;
use acquisition::calibration::CalibrationFile;
use files::Found;
use proptest::prelude::*;

fn read_all(content: &str) {
    let found = Found::new("any", content);
    let _ = Plan::parse(&found, &[]);
    let _ = CalibrationFile::parse(&found.source());
}

fn shipped() -> String {
    let find = |folder| files::shipped_text(folder, "buggy").expect("shipped");
    find("acquisition").to_owned() + find("calibrations")
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(content in ".{0,200}") {
        read_all(&content);
    }

    /// Pieces of the files themselves, in the wrong places.
    #[test]
    fn a_torn_file_is_read_or_refused(cuts in prop::collection::vec((0..3_000_usize, 0..60_usize, 0..3_000_usize), 1..5)) {
        let mut letters: Vec<char> = shipped().chars().collect();
        for (from, length, to) in cuts {
            let from = from % letters.len();
            let piece: Vec<char> = letters[from..(from + length).min(letters.len())].to_vec();
            let to = to % letters.len();
            letters.splice(to..to, piece);
            let end = (from + length / 2).min(letters.len());
            letters.drain(from..end);
        }
        read_all(&letters.into_iter().collect::<String>());
    }
}
