//! Standard output that nobody waits for.
//!
//! A pipe that nobody reads, and a terminal that is held (Ctrl-S), keep whoever writes to them. The
//! supervisor must not be kept: a process that died would not be started again. So a thread of its
//! own writes, from a queue that does not grow without limit.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Texts that wait for a reader; further ones are counted and left out.
const TEXTS_MAX: usize = 1_000;
/// How long the end waits for a reader who takes nothing.
const PATIENCE: Duration = Duration::from_secs(3);

/// Hands texts to the thread that writes.
pub struct Writer(Arc<Shared>);

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    /// Something of the queue has changed.
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    texts: VecDeque<String>,
    /// A text is on its way.
    is_writing: bool,
    /// Nobody will ever read again.
    is_gone: bool,
    is_closed: bool,
    /// Whether the end has waited for a reader already.
    has_waited: bool,
    /// Texts that were left out.
    lost: u64,
    /// Bytes that were taken: shows whether somebody reads.
    written: u64,
}

impl Queue {
    fn is_done(&self) -> bool {
        self.is_gone || (self.texts.is_empty() && !self.is_writing)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next text, as soon as there is one; `None` at the end.
    fn next(&self) -> Option<String> {
        let waiting = |queue: &mut Queue| queue.texts.is_empty() && !queue.is_closed;
        let mut queue = self.changed.wait_while(self.lock(), waiting).unwrap_or_else(PoisonError::into_inner);
        let text = queue.texts.pop_front();
        queue.is_writing = text.is_some();
        text
    }

    /// Writes all of a text; in pieces, to see whether somebody reads.
    fn write(&self, output: &mut impl Write, mut text: &[u8]) -> io::Result<()> {
        while !text.is_empty() {
            match output.write(text) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => {
                    text = &text[count..];
                    self.lock().written += count as u64;
                    self.changed.notify_all();
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        output.flush()
    }
}

impl Writer {
    /// To standard output, past the lock that other parts of the program take to write a line.
    pub fn to_standard_output() -> io::Result<Self> {
        Self::to(File::from(io::stdout().as_fd().try_clone_to_owned()?))
    }

    fn to(mut output: impl Write + Send + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let ours = Arc::clone(&shared);
        std::thread::Builder::new().name("output".to_owned()).spawn(move || {
            while let Some(text) = ours.next() {
                let written = ours.write(&mut output, text.as_bytes());
                let mut queue = ours.lock();
                (queue.is_writing, queue.is_gone) = (false, queue.is_gone || written.is_err());
                drop(queue);
                ours.changed.notify_all();
            }
        })?;
        Ok(Self(shared))
    }

    /// Writes a text after those before it; it is left out if very many wait already.
    pub fn write(&self, text: String) {
        let mut queue = self.0.lock();
        if queue.texts.len() < TEXTS_MAX {
            queue.texts.push_back(text);
        } else {
            queue.lost += 1;
        }
        self.0.changed.notify_all();
    }

    /// Writes a text only if nothing waits; otherwise it is `false`, and the text is out of date.
    pub fn write_if_read(&self, text: String) -> bool {
        let mut queue = self.0.lock();
        let is_done = queue.is_done();
        if is_done {
            queue.texts.push_back(text);
            self.0.changed.notify_all();
        }
        is_done
    }

    /// Whether it is certain that nobody reads any more.
    pub fn is_gone(&self) -> bool {
        self.0.lock().is_gone
    }

    /// Writes the last text, however many wait, and gives a reader the time to take all of them;
    /// `false` if nobody does.
    pub fn finish(&self, text: String) -> bool {
        let mut queue = self.0.lock();
        if queue.lost > 0 {
            let note = format!("({} messages were left out: nobody read them in time)\n", queue.lost);
            queue.texts.push_back(note);
        }
        queue.texts.push_back(text);
        queue.has_waited = true;
        self.0.changed.notify_all();
        let mut taken = queue.written;
        while !queue.is_done() {
            let waited = self.0.changed.wait_timeout(queue, PATIENCE).unwrap_or_else(PoisonError::into_inner);
            queue = waited.0;
            if waited.1.timed_out() && queue.written == taken {
                return false;
            }
            taken = queue.written;
        }
        !queue.is_gone
    }
}

impl Drop for Writer {
    /// A run that fails has said why, and has no last text.
    fn drop(&mut self) {
        let has_waited = self.0.lock().has_waited;
        if !has_waited {
            self.finish(String::new());
        }
        self.0.lock().is_closed = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn nobody_is_kept_by_a_full_pipe_and_who_reads_gets_all_of_it() {
        let (mut reader, output) = io::pipe().unwrap();
        let writer = Writer::to(output).unwrap();
        // More than a pipe holds, so the thread is kept in the middle of it.
        let long = "x".repeat(1 << 20) + "\n";
        writer.write(long.clone());
        for number in 0..2 * TEXTS_MAX {
            writer.write(format!("message {number}\n"));
        }
        assert!(!writer.write_if_read("status\n".to_owned()));
        let read = std::thread::spawn(move || {
            let mut text = String::new();
            reader.read_to_string(&mut text).unwrap();
            text
        });
        assert!(writer.finish("summary\n".to_owned()));
        drop(writer);
        let text = read.join().unwrap();
        assert!(text.starts_with(&long) && text.ends_with("nobody read them in time)\nsummary\n"));
        assert!(text.contains("\nmessage 0\n") && !text.contains("status"));
    }

    #[test]
    fn the_end_does_not_wait_for_ever() {
        let (reader, output) = io::pipe().unwrap();
        let writer = Writer::to(output).unwrap();
        writer.write("x".repeat(1 << 20));
        assert!(!writer.finish("summary\n".to_owned()));
        assert!(!writer.is_gone());
        drop(reader);
        writer.finish(String::new());
        assert!(writer.is_gone());
    }
}
