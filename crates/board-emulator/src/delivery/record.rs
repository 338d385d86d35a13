//! The emulator's own record: what was measured, what was sent and when, to check a reader against
//! (DAS Fig. 4.19 and 4.20).
//!
//! As CSV, one line per block: number, time of its last channel on the board's clock, the times on
//! the monotonic clock just before and just after its last byte was written (empty if it was not
//! sent), what was done to it, and its values. [`read`](super::read) reads it again.
//!
//! A block is written down when it is known what became of it: one that is lost may stand before an
//! earlier one that waits.
//!
//! In binary, little-endian: `RTRDSENT`, then as `u32` the version 2 and the number of values per
//! block; per block as `u64` number, time on the board's clock, the two times of writing or 0, and
//! what was done as bits (1 corrupted, 2 garbage, 4 lost, 8 duplicated, 16 overflowed, 32 unread),
//! then its values as `i32`.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::super::processor::Block;
use super::super::script::Program;
use super::faults::Outcome;

/// When the last byte of a block was written (monotonic, ns): at some moment between the two, and
/// there for a reader at the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// Just before.
    pub sent_ns: u64,
    /// Just after.
    pub written_ns: u64,
}

/// What each line of a record begins with.
pub(super) const COLUMNS: &str = "number,board_ns,sent_ns,written_ns,done";

/// How a record is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text.
    Csv,
    /// Numbers.
    Binary,
}

/// A record that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the record {}: {problem}", path.display())]
pub struct RecordError {
    /// The file.
    pub path: PathBuf,
    /// What the system says.
    pub problem: io::Error,
}

/// A record that is being written.
pub struct Record {
    path: PathBuf,
    format: Format,
    file: BufWriter<File>,
}

impl Record {
    /// Begins a record: binary for names that end in `.bin`, CSV otherwise.
    pub fn create(path: &Path, program: &Program) -> Result<Self, RecordError> {
        let is_binary = path.extension().is_some_and(|ending| ending == "bin");
        let format = if is_binary { Format::Binary } else { Format::Csv };
        let refused = |problem| RecordError { path: path.to_owned(), problem };
        let file = BufWriter::new(File::create(path).map_err(refused)?);
        let path = path.to_owned();
        let mut record = Self { path, format, file };
        let begun = record.begin(program);
        record.checked(begun)?;
        Ok(record)
    }

    fn begin(&mut self, program: &Program) -> io::Result<()> {
        match self.format {
            Format::Csv => {
                write!(self.file, "{COLUMNS}")?;
                for field in &program.block {
                    write!(self.file, ",{}", field.pipe.to_lowercase())?;
                }
                writeln!(self.file)
            }
            Format::Binary => {
                self.file.write_all(b"RTRDSENT")?;
                self.file.write_all(&2_u32.to_le_bytes())?;
                self.file.write_all(&(program.block.len() as u32).to_le_bytes())
            }
        }
    }

    /// Writes a block down; without times if it was not sent.
    pub fn note(&mut self, block: &Block, times: Option<Times>, done: Outcome) -> Result<(), RecordError> {
        let written = match self.format {
            Format::Csv => self.note_text(block, times, done),
            Format::Binary => self.note_numbers(block, times, done),
        };
        self.checked(written)
    }

    fn note_text(&mut self, block: &Block, times: Option<Times>, done: Outcome) -> io::Result<()> {
        let text = |Times { sent_ns, written_ns }| format!("{sent_ns},{written_ns}");
        let times = times.map_or_else(|| ",".to_owned(), text);
        let (number, board_ns) = (block.number, block.sampled_ns);
        write!(self.file, "{number},{board_ns},{times},{}", done.words())?;
        for value in &block.values {
            write!(self.file, ",{value}")?;
        }
        writeln!(self.file)
    }

    fn note_numbers(&mut self, block: &Block, times: Option<Times>, done: Outcome) -> io::Result<()> {
        let (sent_ns, written_ns) = times.map_or((0, 0), |times| (times.sent_ns, times.written_ns));
        for number in [block.number, block.sampled_ns, sent_ns, written_ns, done.bits()] {
            self.file.write_all(&number.to_le_bytes())?;
        }
        let mut values = block.values.iter();
        values.try_for_each(|value| self.file.write_all(&value.to_le_bytes()))
    }

    /// Writes down what is still in memory.
    pub fn finish(mut self) -> Result<(), RecordError> {
        let flushed = self.file.flush();
        self.checked(flushed)
    }

    fn checked(&self, result: io::Result<()>) -> Result<(), RecordError> {
        result.map_err(|problem| RecordError { path: self.path.clone(), problem })
    }
}
