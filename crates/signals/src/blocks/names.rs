//! `/names/` and `/daq_names/`: what the numbers of a run are called that only the run itself
//! knows.
//!
//! The text is written once, before the first step: [`RunNames`](crate::names::RunNames).

use bytemuck::{Pod, Zeroable};

use crate::{Layout, Stamp};

/// Words of text; what does not fit is left out, whole lines at a time.
pub const NAMES_WORDS_MAX: usize = 8_000;

/// A text in UTF-8.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[layout(count = "word_count", tail = "text")]
#[repr(C)]
pub struct Names {
    /// When it was written.
    pub stamp: Stamp,
    /// [-] [@range 0..64000] [@invalid 0] Bytes of the text.
    pub byte_count: u64,
    /// [-] [@range 0..8000] [@invalid 0] Words of the text.
    pub word_count: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] The text, eight bytes in a word, the
    /// first in the lowest.
    pub text: [u64; NAMES_WORDS_MAX],
}

impl Names {
    /// The lines of a text, as many as fit.
    pub fn from_text(text: &str) -> Self {
        let mut names = Self::default();
        let most = 8 * NAMES_WORDS_MAX;
        let end = if text.len() <= most {
            text.len()
        } else {
            text.as_bytes()[..most].iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1)
        };
        for (word, bytes) in names.text.iter_mut().zip(text.as_bytes()[..end].chunks(8)) {
            let mut whole = [0; 8];
            whole[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_le_bytes(whole);
        }
        names.byte_count = end as u64;
        names.word_count = end.div_ceil(8) as u64;
        names
    }

    /// The text; what is not UTF-8 is replaced.
    pub fn to_text(&self) -> String {
        let words = &self.text[..(self.word_count as usize).min(NAMES_WORDS_MAX)];
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(self.byte_count as usize);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_back_and_one_that_is_too_long_ends_with_a_line() {
        for text in ["", "a", "level\tcm\n", "8 bytes!", "cm³/s\tµ\n"] {
            assert_eq!(Names::from_text(text).to_text(), text);
        }
        let line = "thirty bytes and then one more\n";
        let found = Names::from_text(&line.repeat(3_000)).to_text();
        assert_eq!(found, line.repeat(8 * NAMES_WORDS_MAX / line.len()));
    }
}
