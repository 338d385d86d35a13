//! Where the stream goes.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

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
