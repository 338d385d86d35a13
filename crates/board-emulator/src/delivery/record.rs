//! The emulator's own record: what was measured, what was sent and when, to check a reader against
//! (DAS Fig. 4.19 and 4.20).
//!
//! As CSV, one line per block: number, time of its last channel on the board's clock, the times on
//! the monotonic clock just before and just after its last byte was written (empty if it was not
//! sent), what was done to it, and its values. [`read`] reads it again.
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

use super::faults::Outcome;
use crate::Block;
use crate::script::Program;

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
const COLUMNS: &str = "number,board_ns,sent_ns,written_ns,done";

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
    is_binary: bool,
    file: BufWriter<File>,
}

impl Record {
    /// Begins a record: binary for names that end in `.bin`, CSV otherwise.
    pub fn create(path: &Path, program: &Program) -> Result<Self, RecordError> {
        let is_binary = path.extension().is_some_and(|ending| ending == "bin");
        let refused = |problem| RecordError { path: path.to_owned(), problem };
        let file = BufWriter::new(File::create(path).map_err(refused)?);
        let mut record = Self { path: path.to_owned(), is_binary, file };
        let begun = record.begin(program);
        record.checked(begun)?;
        Ok(record)
    }

    fn begin(&mut self, program: &Program) -> io::Result<()> {
        if self.is_binary {
            self.file.write_all(b"RTRDSENT")?;
            self.file.write_all(&2_u32.to_le_bytes())?;
            return self.file.write_all(&(program.block.len() as u32).to_le_bytes());
        }
        let pipes = program.block.iter().map(|field| format!(",{}", field.pipe.to_lowercase()));
        writeln!(self.file, "{COLUMNS}{}", pipes.collect::<String>())
    }

    /// Writes a block down; without times if it was not sent.
    pub(super) fn note(&mut self, block: &Block, times: Option<Times>, done: Outcome) -> Result<(), RecordError> {
        let written = match self.is_binary {
            false => self.note_text(block, times, done),
            true => self.note_numbers(block, times, done),
        };
        self.checked(written)
    }

    fn note_text(&mut self, block: &Block, times: Option<Times>, done: Outcome) -> io::Result<()> {
        let text = |Times { sent_ns, written_ns }| format!("{sent_ns},{written_ns}");
        let times = times.map_or_else(|| ",".to_owned(), text);
        let (number, board_ns) = (block.number, block.sampled_ns);
        let values = block.values.iter().map(|value| format!(",{value}")).collect::<String>();
        writeln!(self.file, "{number},{board_ns},{times},{}{values}", done.words())
    }

    fn note_numbers(&mut self, block: &Block, times: Option<Times>, done: Outcome) -> io::Result<()> {
        let (sent_ns, written_ns) = times.map_or((0, 0), |times| (times.sent_ns, times.written_ns));
        for number in [block.number, block.sampled_ns, sent_ns, written_ns, done.0] {
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

/// A block of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Counted from 0.
    pub number: u64,
    /// When its last channel was sampled, on the board's clock (ns).
    pub board_ns: u64,
    /// When its last byte was written; `None` if it was not sent.
    pub times: Option<Times>,
    /// What was done to it: names with `+` between them, empty for nothing.
    pub done: String,
    /// Its values.
    pub values: Vec<i32>,
}

/// Reads a record in CSV; blocks in the order of their numbers.
pub fn read(path: &Path) -> Result<Vec<Sent>, RecordError> {
    let failed = |problem| RecordError { path: path.to_owned(), problem };
    let text = std::fs::read_to_string(path).map_err(failed)?;
    let mut blocks = parse(&text).map_err(|problem| failed(io::Error::other(problem)))?;
    blocks.sort_by_key(|block| block.number);
    Ok(blocks)
}

fn parse(text: &str) -> Result<Vec<Sent>, String> {
    let mut lines = text.lines().enumerate();
    let is_record = lines.next().is_some_and(|(_, line)| line.starts_with(COLUMNS));
    if !is_record {
        return Err(format!("line 1: expected a record of the emulator, beginning with {COLUMNS}"));
    }
    let block = |(index, line): (usize, &str)| {
        block(line).ok_or_else(|| {
            let line = index + 1;
            format!("line {line}: expected {COLUMNS} and the values, as whole numbers")
        })
    };
    lines.map(block).collect()
}

fn block(line: &str) -> Option<Sent> {
    let mut cells = line.split(',');
    let (number, board_ns) = (cells.next()?.parse().ok()?, cells.next()?.parse().ok()?);
    let times = match (cells.next()?, cells.next()?) {
        ("", "") => None,
        (sent_ns, written_ns) => Some(Times { sent_ns: sent_ns.parse().ok()?, written_ns: written_ns.parse().ok()? }),
    };
    Some(Sent {
        number,
        board_ns,
        times,
        done: cells.next()?.to_owned(),
        values: cells.map(|cell| cell.parse().ok()).collect::<Option<Vec<i32>>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_back_and_mistakes_have_their_line() {
        let text = format!("{COLUMNS},ip0,p1\n0,800,5,7,,-3,4\n1,1800,,,lost,0,9\n");
        let blocks = parse(&text).unwrap();
        let times = Times { sent_ns: 5, written_ns: 7 };
        assert_eq!((blocks[0].times, &blocks[0].values[..]), (Some(times), &[-3, 4][..]));
        assert_eq!((blocks[1].times, blocks[1].done.as_str()), (None, "lost"));
        let spoiled = text.replace("1800", "x");
        assert!(parse(&spoiled).unwrap_err().starts_with("line 3: expected"));
        assert!(parse("a,b\n").unwrap_err().starts_with("line 1: expected"));
    }
}
