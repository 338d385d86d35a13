//! A pseudo-terminal as an outlet: the program that opens the other end reads the stream as from a serial
//! port.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use nix::fcntl::{OFlag, open};
use nix::pty::{grantpt, posix_openpt, ptsname_r, unlockpt};
use nix::sys::stat::Mode;
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};

pub(super) struct Terminal {
    pub(super) master: OwnedFd,
    pub(super) name: PathBuf,
    link: Option<PathBuf>,
}

impl Terminal {
    /// Makes one in raw mode, so that no byte means anything to it, and lets the link point at it.
    pub(super) fn open(link: Option<&Path>) -> io::Result<Self> {
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
