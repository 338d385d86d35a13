//! A record that is read again, to check a reader against.

use std::io;
use std::path::Path;

use super::record::{COLUMNS, RecordError, Times};

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
