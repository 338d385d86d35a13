//! The emulator's own record: what was measured, what was sent and when, to check a reader against (DAS Fig. 4.19 and 4.20).
//!
//! As CSV, one line per block: number, time of its last channel on the board's clock, time on the monotonic clock just before its last byte was
//! written (empty if it was not sent), what was done to it, and its values.
//!
//! A block is written down when it is known what became of it: one that is lost may stand before an earlier one that waits.
//!
//! In binary, little-endian: `RTRDSENT`, then as `u32` the version 1 and the number of values per block; per block as `u64` number, time on
//! the board's clock, time of sending or 0, and what was done as bits (1 corrupted, 2 garbage, 4 lost, 8 duplicated, 16 overflowed,
//! 32 unheard), then its values as `i32`.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::super::processor::Block;
use super::super::script::Program;
use super::faults::Done;

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
        let refused = |problem| RecordError {
            path: path.to_owned(),
            problem,
        };
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
                write!(self.file, "number,board_ns,sent_ns,done")?;
                for field in &program.block {
                    write!(self.file, ",{}", field.pipe.to_lowercase())?;
                }
                writeln!(self.file)
            }
            Format::Binary => {
                self.file.write_all(b"RTRDSENT")?;
                self.file.write_all(&1_u32.to_le_bytes())?;
                self.file.write_all(&(program.block.len() as u32).to_le_bytes())
            }
        }
    }

    /// Writes a block down; without a time if it was not sent.
    pub fn note(&mut self, block: &Block, sent_ns: Option<u64>, done: Done) -> Result<(), RecordError> {
        let written = match self.format {
            Format::Csv => self.note_text(block, sent_ns, done),
            Format::Binary => self.note_numbers(block, sent_ns, done),
        };
        self.checked(written)
    }

    fn note_text(&mut self, block: &Block, sent_ns: Option<u64>, done: Done) -> io::Result<()> {
        let sent_ns = sent_ns.map_or_else(String::new, |sent_ns| sent_ns.to_string());
        write!(
            self.file,
            "{},{},{sent_ns},{}",
            block.number,
            block.sampled_ns,
            done.words()
        )?;
        for value in &block.values {
            write!(self.file, ",{value}")?;
        }
        writeln!(self.file)
    }

    fn note_numbers(&mut self, block: &Block, sent_ns: Option<u64>, done: Done) -> io::Result<()> {
        for number in [block.number, block.sampled_ns, sent_ns.unwrap_or(0), done.bits()] {
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
        result.map_err(|problem| RecordError {
            path: self.path.clone(),
            problem,
        })
    }
}
