//! The board's end of a connection: waits for a reader without waiting, and writes without
//! blocking.

use std::net::TcpListener;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, symlink};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::{fmt, io};

use acquisition::stream::do_not_block;
use nix::errno::Errno;
use nix::fcntl::{OFlag, open};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::pty::{grantpt, posix_openpt, ptsname_r, unlockpt};
use nix::sys::stat::Mode;
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
use nix::unistd::{mkfifo, write};

/// Where the stream goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A named pipe; made if it is not there.
    Fifo(PathBuf),
    /// A pseudo-terminal in raw mode; the link, if there is one, points at it.
    Terminal(Option<PathBuf>),
    /// A Unix socket on which it listens.
    Unix(PathBuf),
    /// A TCP address on which it listens; port 0 for any.
    Tcp(String),
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        match (kind, rest) {
            ("fifo", path) if !path.is_empty() => Ok(Self::Fifo(path.into())),
            ("pty", "") => Ok(Self::Terminal(None)),
            ("pty", path) => Ok(Self::Terminal(Some(path.into()))),
            ("unix", path) if !path.is_empty() => Ok(Self::Unix(path.into())),
            ("tcp", address) if address.contains(':') => Ok(Self::Tcp(address.to_owned())),
            _ => Err("expected fifo:PATH, pty, pty:LINK, unix:PATH or tcp:HOST:PORT".to_owned()),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fifo(path) => write!(out, "fifo:{}", path.display()),
            Self::Terminal(None) => write!(out, "pty"),
            Self::Terminal(Some(path)) => write!(out, "pty:{}", path.display()),
            Self::Unix(path) => write!(out, "unix:{}", path.display()),
            Self::Tcp(address) => write!(out, "tcp:{address}"),
        }
    }
}

enum Kind {
    Fifo {
        path: PathBuf,
        made: bool,
    },
    Terminal(Terminal),
    Unix(UnixListener, PathBuf),
    Tcp(TcpListener),
    /// A pipe has had its reader from the beginning.
    Pipe(Option<OwnedFd>),
}

/// Where the stream goes, and its reader if there is one.
pub struct Outlet {
    kind: Kind,
    reader: Option<OwnedFd>,
    /// Readers that have come since this was last asked.
    arrivals: u64,
}

impl Outlet {
    /// Opens it. It needs no reader yet.
    pub fn open(place: &Place) -> io::Result<Self> {
        let kind = match place {
            Place::Fifo(path) => open_fifo(path)?,
            Place::Terminal(link) => Kind::Terminal(Terminal::open(link.as_deref())?),
            Place::Unix(path) => open_unix(path)?,
            Place::Tcp(address) => {
                let listener = TcpListener::bind(address)?;
                listener.set_nonblocking(true)?;
                Kind::Tcp(listener)
            }
        };
        Ok(Self { kind, reader: None, arrivals: 0 })
    }

    /// The writing end of a pipe.
    pub fn pipe(writing_end: OwnedFd) -> nix::Result<Self> {
        do_not_block(&writing_end)?;
        Ok(Self { kind: Kind::Pipe(Some(writing_end)), reader: None, arrivals: 0 })
    }

    /// What a reader has to open: with the port or the terminal that the system gave.
    pub fn address(&self) -> String {
        match &self.kind {
            Kind::Fifo { path, .. } | Kind::Unix(_, path) => path.display().to_string(),
            Kind::Terminal(terminal) => terminal.name.display().to_string(),
            Kind::Tcp(listener) => listener.local_addr().map_or_else(|_| String::new(), |address| address.to_string()),
            Kind::Pipe(_) => "pipe".to_owned(),
        }
    }

    /// The place to open it at again; a TCP port that the system chose stays the same.
    pub fn again(&self, place: &Place) -> Place {
        match &self.kind {
            Kind::Tcp(_) => Place::Tcp(self.address()),
            _ => place.clone(),
        }
    }

    /// Whether there is a reader, after a look for a new one.
    pub fn has_reader(&mut self) -> bool {
        if self.reader.as_ref().is_some_and(|reader| is_gone(reader.as_fd())) {
            self.reader = None;
        }
        if self.reader.is_none() {
            // Whatever goes wrong while a reader comes, another look follows.
            self.reader = self.look().ok().flatten();
            self.arrivals += u64::from(self.reader.is_some());
        }
        self.reader.is_some()
    }

    /// How many readers have come since the last time that this was asked.
    pub fn take_arrivals(&mut self) -> u64 {
        std::mem::take(&mut self.arrivals)
    }

    fn look(&mut self) -> io::Result<Option<OwnedFd>> {
        match &mut self.kind {
            Kind::Fifo { path, .. } => {
                let flags = OFlag::O_WRONLY | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
                match open(path.as_path(), flags, Mode::empty()) {
                    Ok(writing_end) => Ok(Some(writing_end)),
                    // No reader has it open.
                    Err(Errno::ENXIO) => Ok(None),
                    Err(error) => Err(error.into()),
                }
            }
            Kind::Terminal(terminal) => {
                let is_open = !is_gone(terminal.master.as_fd());
                is_open.then(|| terminal.master.try_clone()).transpose()
            }
            Kind::Unix(listener, _) => {
                let (stream, _) = listener.accept()?;
                stream.set_nonblocking(true)?;
                Ok(Some(stream.into()))
            }
            Kind::Tcp(listener) => {
                let (stream, _) = listener.accept()?;
                stream.set_nonblocking(true)?;
                stream.set_nodelay(true)?;
                Ok(Some(stream.into()))
            }
            Kind::Pipe(writing_end) => Ok(writing_end.take()),
        }
    }

    /// Whether no reader can come any more.
    pub fn is_over(&self) -> bool {
        matches!(self.kind, Kind::Pipe(None)) && self.reader.is_none()
    }

    /// Writes what there is room for; 0 if there is none. A reader that has gone is forgotten.
    pub fn write(&mut self, bytes: &[u8]) -> usize {
        let Some(reader) = &self.reader else {
            return 0;
        };
        match write(reader, bytes) {
            Ok(count) => count,
            Err(Errno::EAGAIN | Errno::EINTR) => 0,
            Err(_) => {
                self.reader = None;
                0
            }
        }
    }

    /// Waits until there is room, at most so long.
    pub fn wait_for_room(&self, at_most_ms: u16) {
        if let Some(reader) = &self.reader {
            let mut asked = [PollFd::new(reader.as_fd(), PollFlags::POLLOUT)];
            // A wait that a signal ends is a short wait.
            let _ = poll(&mut asked, PollTimeout::from(at_most_ms));
        }
    }
}

fn open_fifo(path: &Path) -> io::Result<Kind> {
    let made = match std::fs::symlink_metadata(path) {
        Ok(found) if found.file_type().is_fifo() => false,
        Ok(_) => return Err(io::Error::other("something else than a FIFO has this name")),
        Err(_) => {
            mkfifo(path, Mode::from_bits_truncate(0o660))?;
            true
        }
    };
    let path = path.to_owned();
    Ok(Kind::Fifo { path, made })
}

/// A socket with a listener is in use; one without was left behind.
fn open_unix(path: &Path) -> io::Result<Kind> {
    match std::fs::symlink_metadata(path) {
        Ok(found) if !found.file_type().is_socket() => {
            return Err(io::Error::other("something else than a socket has this name"));
        }
        Ok(_) if UnixStream::connect(path).is_ok() => {
            return Err(io::Error::other("another program listens on this socket"));
        }
        Ok(_) => std::fs::remove_file(path)?,
        Err(_) => {}
    }
    let listener = UnixListener::bind(path)?;
    listener.set_nonblocking(true)?;
    Ok(Kind::Unix(listener, path.to_owned()))
}

/// Whether the other end is closed.
fn is_gone(file: BorrowedFd<'_>) -> bool {
    let mut asked = [PollFd::new(file, PollFlags::empty())];
    let gone = PollFlags::POLLHUP | PollFlags::POLLERR | PollFlags::POLLNVAL;
    match poll(&mut asked, PollTimeout::ZERO) {
        Ok(_) => asked[0].revents().is_some_and(|events| events.intersects(gone)),
        Err(_) => false,
    }
}

impl Drop for Outlet {
    fn drop(&mut self) {
        match &self.kind {
            // What is gone already need not be removed.
            Kind::Unix(_, path) | Kind::Fifo { path, made: true } => drop(std::fs::remove_file(path)),
            _ => {}
        }
    }
}

/// A pseudo-terminal: the program that opens the other end reads the stream as from a serial port.
struct Terminal {
    master: OwnedFd,
    name: PathBuf,
    link: Option<PathBuf>,
}

impl Terminal {
    /// Makes one in raw mode, so that no byte means anything to it, and lets the link point at it.
    fn open(link: Option<&Path>) -> io::Result<Self> {
        let master = posix_openpt(OFlag::O_RDWR | OFlag::O_NOCTTY | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC)?;
        grantpt(&master)?;
        unlockpt(&master)?;
        let name = PathBuf::from(ptsname_r(&master)?);
        // Closed again at the end of this function: from then on the kernel says whether a reader
        // has it open.
        let slave = open(&name, OFlag::O_RDWR | OFlag::O_NOCTTY | OFlag::O_CLOEXEC, Mode::empty())?;
        let mut settings = tcgetattr(&slave)?;
        cfmakeraw(&mut settings);
        tcsetattr(&slave, SetArg::TCSANOW, &settings)?;
        if let Some(link) = link {
            point(link, &name)?;
        }
        Ok(Self { master: OwnedFd::from(master), name, link: link.map(Path::to_owned) })
    }
}

/// Only a link is replaced, never a file.
fn point(link: &Path, name: &Path) -> io::Result<()> {
    match std::fs::symlink_metadata(link) {
        Ok(found) if found.is_symlink() => std::fs::remove_file(link)?,
        Ok(_) => return Err(io::Error::other("something else than a link has this name")),
        Err(_) => {}
    }
    symlink(name, link)
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if let Some(link) = &self.link
            && std::fs::read_link(link).is_ok_and(|target| target == self.name)
        {
            // A link that another program has removed is gone as well.
            let _ = std::fs::remove_file(link);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_and_written() {
        for text in ["fifo:/tmp/a", "pty", "pty:/tmp/tty", "unix:a.sock", "tcp:127.0.0.1:4200", "tcp:[::1]:0"] {
            assert_eq!(text.parse::<Place>().unwrap().to_string(), text);
        }
        for text in ["", "fifo", "fifo:", "unix:", "tcp:4200", "serial:/dev/ttyS0"] {
            assert!(text.parse::<Place>().unwrap_err().contains("fifo:PATH"), "{text}");
        }
    }
}
