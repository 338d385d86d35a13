//! The dictionary of a run: every signal that can be asked for, by name.
//!
//! Three parts make it: the declared fields of all blocks ([`library`](crate::library)), what the
//! run calls them ([`names`](crate::names)), and the views for people ([`views`](crate::views)). An
//! onlooker needs the region and nothing else: no file, no command line.

use crate::block::Role;
use crate::blocks::{CATALOGUE, FORCES, KINEMATICS, VEHICLE};
use crate::library::Library;
use crate::names::RunNames;
use crate::payload::{Field, Kind, Payload};
use crate::views::{Of, VIEWS};
use crate::{Block, BlockEntry};

/// One signal.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Number; those of views are below all others.
    pub number: u64,
    /// The name that people use.
    pub name: String,
    /// The name by its declaration; the same where the run has no other.
    pub declared: String,
    /// Unit; `-` where there is none.
    pub unit: String,
    /// Frame of reference; `-` where there is none.
    pub frame: &'static str,
    /// Range of valid values.
    pub range: String,
    /// What the value means.
    pub description: String,
    /// Position of its block in the table of blocks.
    pub block: usize,
    /// Whether only this run knows it by this name.
    pub is_of_run: bool,
    source: Source,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    Word { word: usize, kind: Kind, invalid: u64 },
    View(Of),
}

impl Entry {
    /// The process that writes its block.
    pub fn owner(&self) -> Role {
        CATALOGUE[self.block].writer
    }

    /// Whether it is worked out by who looks.
    pub fn is_view(&self) -> bool {
        matches!(self.source, Source::View(_))
    }

    /// The value as a number: NaN where it is not known, none where its block does not have it.
    pub fn value(&self, blocks: &Blocks) -> Option<f64> {
        match self.source {
            Source::Word { word, kind, invalid } => {
                let word = blocks.word(self.block, word)?;
                Some(match kind {
                    Kind::Float => f64::from_bits(word),
                    _ if word == invalid && invalid != 0 => f64::NAN,
                    Kind::Signed => word.cast_signed() as f64,
                    _ => word as f64,
                })
            }
            Source::View(Of::Kinematics(value)) => blocks.payload(KINEMATICS).map(value),
            Source::View(Of::Forces(value)) => blocks.payload(FORCES).map(value),
            Source::View(Of::Vehicle(value)) => blocks.payload(VEHICLE).map(value),
        }
    }

    /// The value as a person reads it: every digit of what is stored, and no more than four
    /// decimals of a view.
    pub fn text(&self, blocks: &Blocks) -> Option<String> {
        match self.source {
            Source::Word { word, kind, .. } => blocks.word(self.block, word).map(|word| kind.text(word)),
            Source::View(_) => self.value(blocks).map(|value| format!("{value:.4}")),
        }
    }
}

/// Whole payloads, as a reader saw or a writer made them.
#[derive(Clone, Debug)]
pub struct Blocks {
    words: Vec<Vec<u64>>,
}

impl Default for Blocks {
    fn default() -> Self {
        Self { words: vec![Vec::new(); CATALOGUE.len()] }
    }
}

impl Blocks {
    /// Puts a payload in.
    pub fn put<T: Payload>(&mut self, block: Block<T>, payload: &T) {
        self.put_words(block.index, payload.words());
    }

    /// Puts the words of a payload in.
    pub fn put_words(&mut self, block: usize, words: &[u64]) {
        self.words[block].clear();
        self.words[block].extend_from_slice(words);
    }

    /// Whether a block was put in.
    pub fn has(&self, block: usize) -> bool {
        !self.words[block].is_empty()
    }

    /// A word that is in use.
    fn word(&self, block: usize, word: usize) -> Option<u64> {
        let words = &self.words[block];
        words.get(word).copied().filter(|_| word < used_words(&CATALOGUE[block], words))
    }

    fn payload<T: Payload>(&self, block: Block<T>) -> Option<&T> {
        bytemuck::try_from_bytes(bytemuck::cast_slice(&self.words[block.index])).ok()
    }
}

/// A payload ends with as many elements of its last field as the field before it counts.
fn used_words(entry: &BlockEntry, words: &[u64]) -> usize {
    match entry.fields {
        [.., count, tail] if is_counted(count, tail) => {
            let count = words.get(count.word).map_or(0, |count| (*count as usize).min(tail.count));
            tail.word + count * tail.words_each
        }
        _ => entry.payload_words,
    }
}

fn is_counted(count: &Field, tail: &Field) -> bool {
    tail.count > 1 && count.name.ends_with("_count")
}

/// All signals of a run.
#[derive(Clone, Debug)]
pub struct Dictionary {
    /// What runs: name and description.
    pub titles: Vec<(String, String)>,
    entries: Vec<Entry>,
}

impl Default for Dictionary {
    fn default() -> Self {
        Self::new(&[])
    }
}

impl Dictionary {
    /// The dictionary of this layout with what a run calls its numbers.
    pub fn new(of_run: &[RunNames]) -> Self {
        let views = VIEWS.iter().zip(1..).map(|(view, number)| Entry {
            number,
            name: view.name.to_owned(),
            declared: view.name.to_owned(),
            unit: view.unit.to_owned(),
            frame: "-",
            range: String::new(),
            description: view.description.to_owned(),
            block: view.of.block(),
            is_of_run: false,
            source: Source::View(view.of),
        });
        let library = Library::new();
        // The words of a text are no signals.
        let numbers = library.all().iter().filter(|signal| signal.field.name != "text");
        let declared = numbers.map(|signal| Entry {
            number: signal.number,
            name: signal.name.clone(),
            declared: signal.name.clone(),
            unit: signal.field.unit.to_owned(),
            frame: signal.field.frame,
            range: signal.field.range.to_owned(),
            description: signal.field.description.to_owned(),
            block: signal.block,
            is_of_run: false,
            source: Source::Word { word: signal.word, kind: signal.field.kind, invalid: signal.field.invalid_word() },
        });
        let mut dictionary = Self { titles: Vec::new(), entries: views.chain(declared).collect() };
        of_run.iter().for_each(|names| dictionary.take(names));
        dictionary
    }

    fn take(&mut self, names: &RunNames) {
        self.titles.extend(names.titles.iter().cloned());
        for it in &names.names {
            let place = self.entries.binary_search_by_key(&it.number, |entry| entry.number);
            let Some(entry) = place.ok().map(|place| &mut self.entries[place]) else { continue };
            entry.name.clone_from(&it.name);
            entry.unit.clone_from(&it.unit);
            entry.range.clone_from(&it.range);
            entry.description.clone_from(&it.description);
            entry.is_of_run = true;
        }
    }

    /// Every signal, in the order of the numbers.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The signal of a name, or of a number.
    pub fn find(&self, name: &str) -> Option<&Entry> {
        let named = self.entries.iter().find(|entry| entry.name == name || entry.declared == name);
        named.or_else(|| {
            let number: u64 = name.parse().ok()?;
            self.entries.iter().find(|entry| entry.number == number)
        })
    }

    /// The signals that a pattern means: one by its name or number; with `*` for anything, all that
    /// fit; else all that have it in their name. None where nothing fits.
    pub fn choose(&self, pattern: &str) -> Vec<&Entry> {
        if let Some(entry) = self.find(pattern) {
            return vec![entry];
        }
        let fits = |entry: &&Entry| match pattern.contains('*') {
            true => fits(pattern, &entry.name) || fits(pattern, &entry.declared),
            false => entry.name.contains(pattern) || entry.declared.contains(pattern),
        };
        self.entries.iter().filter(fits).collect()
    }
}

/// Whether a name fits a pattern, in which `*` stands for anything.
pub fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|name| {
            (0..=name.len()).filter(|at| name.is_char_boundary(*at)).any(|at| fits(rest, &name[at..]))
        }),
    }
}
