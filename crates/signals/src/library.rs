//! The index library: every signal in every block has a number and a name.
//!
//! The name is `block.field`, with `[i]` behind arrays and `.x` behind vectors:
//! `kinematics.wheels[2].position_m.x`. The number is `block number · 10 000 + word`: it follows
//! from the declaration, so that no list can go stale.

use crate::block::BlockEntry;
use crate::blocks::CATALOGUE;
use crate::payload::{Field, Kind};

/// Distance between the numbers of two blocks; no payload has more words.
pub const NUMBERS_PER_BLOCK: u64 = 10_000;

const _: () = {
    let mut index = 0;
    while index < CATALOGUE.len() {
        assert!((CATALOGUE[index].payload_words as u64) < NUMBERS_PER_BLOCK, "the numbers of two blocks overlap");
        index += 1;
    }
};

/// One number in one block.
#[derive(Clone, Debug)]
pub struct Signal {
    /// Number in the library.
    pub number: u64,
    /// Full name.
    pub name: String,
    /// Position of its block in the table of blocks.
    pub block: usize,
    /// Its word in the payload.
    pub word: usize,
    /// What its declaration says.
    pub field: &'static Field,
}

impl Signal {
    /// The block's line in the table.
    pub fn entry(&self) -> &'static BlockEntry {
        &CATALOGUE[self.block]
    }

    /// The word as a person reads it.
    pub fn format(&self, word: u64) -> String {
        self.field.kind.text(word)
    }
}

/// All signals, in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Library {
    signals: Vec<Signal>,
}

impl Default for Library {
    fn default() -> Self {
        Self::new()
    }
}

impl Library {
    /// The library of this layout.
    pub fn new() -> Self {
        let mut signals = Vec::new();
        for (index, entry) in CATALOGUE.iter().enumerate() {
            let base = u64::from(entry.number) * NUMBERS_PER_BLOCK;
            collect(&mut signals, index, base, entry.name, 0, entry.fields);
        }
        Self { signals }
    }

    /// Every signal.
    pub fn all(&self) -> &[Signal] {
        &self.signals
    }

    /// The signal with this number.
    pub fn by_number(&self, number: u64) -> Option<&Signal> {
        let position = self.signals.binary_search_by_key(&number, |signal| signal.number).ok()?;
        Some(&self.signals[position])
    }

    /// The signal with this name.
    pub fn by_name(&self, name: &str) -> Option<&Signal> {
        self.signals.iter().find(|signal| signal.name == name)
    }
}

fn collect(signals: &mut Vec<Signal>, block: usize, base: u64, prefix: &str, start: usize, fields: &'static [Field]) {
    for field in fields {
        for element in 0..field.count {
            let word = start + field.word + element * field.words_each;
            let name = match field.count {
                1 => format!("{prefix}.{}", field.name),
                _ => format!("{prefix}.{}[{element}]", field.name),
            };
            let mut push = |word: usize, name| {
                signals.push(Signal { number: base + word as u64, name, block, word, field });
            };
            match (field.kind, field.parts) {
                (Kind::Structure, _) => collect(signals, block, base, &name, word, field.nested),
                (_, []) => push(word, name),
                (_, parts) => {
                    let named = parts.iter().enumerate();
                    named.for_each(|(part, letter)| push(word + part, format!("{name}.{letter}")));
                }
            }
        }
    }
}
