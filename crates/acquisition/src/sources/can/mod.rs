//! Signals of a CAN bus, through SocketCAN.
//!
//! A DBC file says where a signal's bits lie; the acquisition file names the signals that are
//! wanted, and the kernel is asked for frames with their identifiers only. Every frame becomes one
//! sample, in which the signals that it carries are fresh.

mod decode;
mod source;

use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use nix::sys::socket::{getsockopt, sockopt};
use serde::Deserialize;
use socketcan::{CanFdSocket, CanFilter, CanSocket, Socket, SocketOptions};

use super::arrivals::{check_duration, half_a_second};
use super::dbc::Database;
use crate::{Counters, OpenError, Opening, Source, plan};
use decode::Decoder;
use source::CanSource;

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Network interface, such as `can0`.
    pub interface: String,
    /// DBC file, from the folder of the acquisition file.
    pub database: PathBuf,
    /// The signals that are wanted, at most 16: `Message.Signal`, or the signal's name alone if
    /// only one message has it. They name the channels.
    pub signals: Vec<String>,
    #[serde(default = "yes")]
    pub flexible_data_rate: bool,
    /// Whether values outside the range that the database gives are refused.
    #[serde(default = "yes")]
    pub check_range: bool,
    /// Without a frame for so long the bus counts as stalled (s).
    #[serde(default = "half_a_second")]
    pub stalled_after_s: f64,
}

fn yes() -> bool {
    true
}

struct Bus {
    settings: Settings,
    decoder: Decoder,
}

impl plan::Settings for Settings {
    fn opening(self, folder: Option<&Path>) -> Result<Box<dyn Opening>, String> {
        check_duration(&self.interface, "stalled_after_s", self.stalled_after_s)?;
        let found = files::find(plan::FOLDER, &self.database.to_string_lossy(), folder);
        let found = found.map_err(|error| error.to_string())?;
        let wrong = |problem: String| format!("{}: {problem}", found.name);
        let database = Database::read(&found.bytes).map_err(|error| wrong(error.to_string()))?;
        let decoder = Decoder::new(&database, &self.signals, self.check_range).map_err(wrong)?;
        Ok(Box::new(Bus { settings: self, decoder }))
    }
}

impl Opening for Bus {
    fn open(&self, counters: Counters) -> Result<Box<dyn Source>, OpenError> {
        let place = format!("CAN interface {}", self.settings.interface);
        let error = |problem: std::io::Error| match problem.raw_os_error() {
            Some(libc::ENODEV) => {
                OpenError::new(&place, "there is no such interface; `ip link` shows those that there are")
            }
            Some(libc::ENETDOWN) => OpenError::new(&place, "the interface is down; `ip link set … up` starts it"),
            Some(libc::EAFNOSUPPORT) => OpenError::new(&place, "the kernel has no CAN sockets (module can_raw)"),
            _ => OpenError::new(&place, problem),
        };
        let socket = self.socket().map_err(error)?;
        // An interface that is down can be bound, and says so afterwards.
        if let Some(problem) = pending_error(&socket) {
            return Err(error(problem));
        }
        let source = CanSource::new(socket, self.decoder.clone(), self.settings.stalled_after_s, counters);
        Ok(Box::new(source.map_err(error)?))
    }
}

impl Bus {
    fn socket(&self) -> std::io::Result<OwnedFd> {
        let interface = &self.settings.interface;
        if self.settings.flexible_data_rate {
            let socket = CanFdSocket::open(interface)?;
            self.choose_frames(&socket)?;
            socket.as_fd().try_clone_to_owned()
        } else {
            let socket = CanSocket::open(interface)?;
            self.choose_frames(&socket)?;
            socket.as_fd().try_clone_to_owned()
        }
    }

    /// Only the frames that are wanted, and what the controllers say of errors on the bus.
    fn choose_frames(&self, socket: &impl SocketOptions) -> std::io::Result<()> {
        let filters: Vec<CanFilter> = self.decoder.filters().map(|(id, mask)| CanFilter::new(id, mask)).collect();
        socket.set_filters(&filters)?;
        socket.set_error_filter_accept_all()
    }
}

fn pending_error(socket: &OwnedFd) -> Option<std::io::Error> {
    match getsockopt(socket, sockopt::SocketError) {
        Ok(0) => None,
        Ok(errno) => Some(std::io::Error::from_raw_os_error(errno)),
        Err(errno) => Some(errno.into()),
    }
}

#[cfg(test)]
mod golden_tests;
#[cfg(test)]
mod tests;
