//! Whatever stands in a file, reading it ends with a result.

use acquisition::calibration::CalibrationFile;
use acquisition::differentiation::comparison::Recording;
use acquisition::plan::Plan;
use acquisition::text::{Kind, Text};
use proptest::prelude::*;

fn read_all(content: &str) {
    let text = Text::new("any", content);
    let _ = Plan::parse(&text);
    let _ = CalibrationFile::parse(&text);
    let _ = Recording::read(content, None);
}

fn shipped() -> String {
    let find = |kind| Text::find(kind, "buggy", None).expect("shipped").content;
    find(Kind::Acquisition).into_owned() + &find(Kind::Calibration)
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
