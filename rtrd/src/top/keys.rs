//! The few keys that the live view knows, read from the terminal without a library: readers of
//! terminal events exist, but the one at hand spins for ever when the terminal is closed, and a
//! view that was left behind must not cost anything.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::os::fd::AsFd;
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

/// A lone escape is a key, one with more behind it is the beginning of another. What follows comes
/// within this time.
const ESCAPE_TIMEOUT: Duration = Duration::from_millis(50);
const ESCAPE: u8 = 0x1b;
const CONTROL_C: u8 = 0x03;
const CONTROL_D: u8 = 0x04;

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    End,
    Previous,
    Next,
    /// One that means nothing here.
    Other,
}

/// The terminal as a source of keys.
pub struct Keys {
    terminal: Option<File>,
}

impl Keys {
    /// Listens on standard input, or on the terminal behind it if standard input is something else.
    pub fn open() -> io::Result<Self> {
        let terminal = if io::stdin().is_terminal() {
            Some(File::from(io::stdin().as_fd().try_clone_to_owned()?))
        } else {
            File::open("/dev/tty").ok()
        };
        Ok(Self { terminal })
    }

    /// The keys that are pressed within this time, as soon as there are any; [`Key::End`] if the
    /// terminal was closed.
    pub fn listen(&mut self, timeout: Duration) -> io::Result<Vec<Key>> {
        let Some(terminal) = &mut self.terminal else {
            std::thread::sleep(timeout);
            return Ok(vec![]);
        };
        let mut bytes = Vec::new();
        let mut timeout = timeout;
        while is_ready(terminal, timeout)? {
            let mut part = [0; 256];
            match terminal.read(&mut part) {
                Ok(count @ 1..) => bytes.extend_from_slice(&part[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // Nothing to read where something was ready is the end.
                _ => return Ok(vec![Key::End]),
            }
            if bytes.last() != Some(&ESCAPE) {
                break;
            }
            timeout = ESCAPE_TIMEOUT;
        }
        Ok(parse(&bytes))
    }
}

/// Whether there is something to read, be it the end.
fn is_ready(terminal: &File, timeout: Duration) -> io::Result<bool> {
    let mut waiting = [PollFd::new(terminal.as_fd(), PollFlags::POLLIN)];
    let timeout = PollTimeout::try_from(timeout).unwrap_or(PollTimeout::ZERO);
    match poll(&mut waiting, timeout) {
        Ok(count) => Ok(count > 0),
        // A signal: the loop looks at its flags.
        Err(Errno::EINTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn parse(bytes: &[u8]) -> Vec<Key> {
    let mut keys = Vec::new();
    let mut rest = bytes;
    while let Some((first, behind)) = rest.split_first() {
        let (key, length) = match (first, behind) {
            (&ESCAPE, [b'[' | b'O', sequence @ ..]) => {
                let (key, length) = parse_sequence(sequence);
                (key, length + 1)
            }
            (&ESCAPE | &CONTROL_C | &CONTROL_D | b'q', _) => (Key::End, 0),
            (b'\t' | b'j', _) => (Key::Next, 0),
            (b'k', _) => (Key::Previous, 0),
            _ => (Key::Other, 0),
        };
        keys.push(key);
        rest = &behind[length..];
    }
    keys
}

/// What follows `ESC [` or `ESC O`: parameters, then one byte that says which key it is. Also how
/// many bytes that were.
fn parse_sequence(sequence: &[u8]) -> (Key, usize) {
    let is_last = |byte: &u8| (0x40..=0x7e).contains(byte);
    let Some(last) = sequence.iter().position(is_last) else {
        return (Key::Other, sequence.len());
    };
    let key = match sequence[last] {
        b'A' | b'Z' => Key::Previous,
        b'B' => Key::Next,
        _ => Key::Other,
    };
    (key, last + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_told_apart() {
        for end in ["q", "\x1b", "\x03", "\x04"] {
            assert_eq!(parse(end.as_bytes()), [Key::End], "{end:?}");
        }
        for next in ["\t", "j", "\x1b[B", "\x1bOB", "\x1b[1;2B"] {
            assert_eq!(parse(next.as_bytes()), [Key::Next], "{next:?}");
        }
        for previous in ["k", "\x1b[A", "\x1bOA", "\x1b[Z"] {
            assert_eq!(parse(previous.as_bytes()), [Key::Previous], "{previous:?}");
        }
        for other in ["r", "c", "\x1b[15~", "\x1b[C", "\x1b["] {
            assert_eq!(parse(other.as_bytes()), [Key::Other], "{other:?}");
        }
    }

    #[test]
    fn several_keys_may_come_at_once() {
        assert_eq!(parse(b"j\x1b[Aq"), [Key::Next, Key::Previous, Key::End]);
        assert_eq!(parse(b""), []);
    }
}
