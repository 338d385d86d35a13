//! Where bytes come from, without waiting.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::unistd::read;

/// What one look into a pipe has given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrived {
    /// So many bytes, at least one.
    Bytes(usize),
    /// Nothing at present.
    Nothing,
    /// The writer has closed it, or the device is gone.
    End,
}

/// Where bytes come from.
pub trait Pipe {
    /// Takes what has arrived, as far as there is room, without waiting.
    fn look(&mut self, room: &mut [u8]) -> Arrived;

    /// Waits until something has arrived, at most so long. Only for the strategies that wait; the
    /// acquisition never calls it.
    fn wait(&mut self, at_most_ms: u16);
}

/// Makes a descriptor one that does not block.
pub fn do_not_block(file: &OwnedFd) -> nix::Result<()> {
    let flags = OFlag::from_bits_truncate(fcntl(file, FcntlArg::F_GETFL)?);
    fcntl(file, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK)).map(|_| ())
}

/// The reading end of any file descriptor that does not block.
#[derive(Debug)]
pub struct Descriptor {
    file: OwnedFd,
}

impl Descriptor {
    /// Makes the descriptor one that does not block.
    pub fn new(file: OwnedFd) -> nix::Result<Self> {
        do_not_block(&file)?;
        Ok(Self { file })
    }

    /// A FIFO that no writer has opened yet reads as ended, and so does one whose writer
    /// has gone; only the latter has hung up.
    fn has_hung_up(&self) -> bool {
        let mut asked = [PollFd::new(self.file.as_fd(), PollFlags::POLLIN)];
        let hung_up = PollFlags::POLLHUP | PollFlags::POLLERR | PollFlags::POLLNVAL;
        match poll(&mut asked, PollTimeout::ZERO) {
            // A socket whose peer has finished is readable, and a regular file always is.
            Ok(_) => asked[0].revents().is_some_and(|events| events.intersects(hung_up | PollFlags::POLLIN)),
            Err(_) => true,
        }
    }
}

impl AsFd for Descriptor {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl Pipe for Descriptor {
    fn look(&mut self, room: &mut [u8]) -> Arrived {
        match read(&self.file, room) {
            Ok(0) if room.is_empty() => Arrived::Nothing,
            Ok(0) if self.has_hung_up() => Arrived::End,
            Ok(0) => Arrived::Nothing,
            Ok(count) => Arrived::Bytes(count),
            Err(Errno::EAGAIN | Errno::EINTR) => Arrived::Nothing,
            Err(_) => Arrived::End,
        }
    }

    fn wait(&mut self, at_most_ms: u16) {
        let mut asked = [PollFd::new(self.file.as_fd(), PollFlags::POLLIN)];
        // A wait that a signal ends is a short wait.
        let _ = poll(&mut asked, PollTimeout::from(at_most_ms));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_pipe_is_empty_then_has_bytes_then_ends() {
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        let mut pipe = Descriptor::new(reader.into()).expect("flags");
        let mut room = [0; 16];
        assert_eq!(pipe.look(&mut room), Arrived::Nothing);
        writer.write_all(b"abc").expect("room in the pipe");
        assert_eq!(pipe.look(&mut room), Arrived::Bytes(3));
        drop(writer);
        assert_eq!(pipe.look(&mut room), Arrived::End);
    }
}
