//! Where a stream comes from: a FIFO, a character device, a serial port, a socket.

use std::net::{TcpStream, ToSocketAddrs};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::fcntl::OFlag;

use super::serial::{Line, make_raw};
use crate::OpenError;

/// Longest wait for the other end of a network.
const CONNECT_WITHIN: Duration = Duration::from_secs(2);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// A FIFO, a character device or a Unix socket: what it is, the file system says.
    Path(PathBuf),
    Serial(PathBuf, Line),
    /// A TCP socket as `host:port`.
    Tcp(String),
}

impl Endpoint {
    pub fn place(&self) -> String {
        match self {
            Self::Path(path) | Self::Serial(path, _) => path.display().to_string(),
            Self::Tcp(address) => address.clone(),
        }
    }

    /// Opens it for reading. May take seconds.
    pub fn open(&self) -> Result<OwnedFd, OpenError> {
        let opened = match self {
            Self::Path(path) => open_path(path),
            Self::Serial(path, line) => open_device(path).and_then(|file| {
                make_raw(&file, Some(line))?;
                Ok(file)
            }),
            Self::Tcp(address) => connect(address),
        };
        opened.map_err(|problem| OpenError { place: self.place(), problem })
    }
}

fn open_path(path: &Path) -> Result<OwnedFd, String> {
    let kind = std::fs::metadata(path).map_err(|error| format!("cannot be found: {error}"))?.file_type();
    if kind.is_socket() {
        let stream = UnixStream::connect(path).map_err(|error| format!("no answer: {error}"))?;
        return Ok(stream.into());
    }
    if kind.is_dir() || kind.is_file() {
        let what = if kind.is_dir() { "folder" } else { "file" };
        return Err(format!(
            "is a {what}; expected a FIFO, a character device or a socket (a recording is of kind \"replay\")"
        ));
    }
    let file = open_device(path)?;
    if nix::unistd::isatty(&file).unwrap_or(false) {
        make_raw(&file, None)?;
    }
    Ok(file)
}

/// A FIFO without a writer would block an ordinary open; so would a modem without a carrier.
fn open_device(path: &Path) -> Result<OwnedFd, String> {
    let flags = OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
    let file = std::fs::OpenOptions::new().read(true).custom_flags(flags.bits()).open(path);
    file.map(OwnedFd::from).map_err(|error| format!("cannot be opened: {error}"))
}

fn connect(address: &str) -> Result<OwnedFd, String> {
    let found = address.to_socket_addrs().map_err(|error| format!("is no address: {error}; expected host:port"))?;
    let mut problem = "has no address".to_owned();
    for place in found {
        match TcpStream::connect_timeout(&place, CONNECT_WITHIN) {
            Ok(stream) => return Ok(stream.into()),
            Err(error) => problem = format!("no answer: {error}"),
        }
    }
    Err(problem)
}
