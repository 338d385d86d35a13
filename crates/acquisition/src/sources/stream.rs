//! The board's stream from any file descriptor: FIFO, character device, serial port, Unix or TCP
//! socket.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::endpoint::Endpoint;
use super::serial::{FlowControl, Line, Parity};
use crate::plan::Settings;
use crate::stream::{AllBlocks, ByteOrder, Descriptor, Field, Framing, Layout, Receiver, Strategy, Timing};
use crate::{Clock, Counters, OpenError, Opening, Sample, Source, State};

/// Silence after which a stream has stalled, unless the file says otherwise (ms).
const STALLED_AFTER_MS: u64 = 100;

/// The settings of a stream, as they stand in the acquisition file. What is not given is as on the
/// board of the thesis.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StreamSettings {
    /// A FIFO, a character device, a Unix socket; what it is, the file system says.
    pub path: Option<PathBuf>,
    /// Speed, if the path is a serial port (baud).
    pub baud: Option<u32>,
    /// Bits of a character on a serial port.
    pub data_bits: Option<u8>,
    /// Its parity bit.
    pub parity: Option<Parity>,
    /// Bits between characters.
    pub stop_bits: Option<u8>,
    /// How the other end is asked to wait.
    pub flow_control: Option<FlowControl>,
    /// A TCP socket as `host:port`, instead of a path.
    pub tcp: Option<String>,
    /// The numbers of a block.
    pub fields: Vec<Field>,
    /// Which byte of a number comes first.
    pub byte_order: ByteOrder,
    /// Whether blocks have headers.
    pub framing: Framing,
    /// Sampling period of the board (µs), which gives the blocks of a burst their times.
    pub period_us: Option<f64>,
    /// Silence after which the stream has stalled (ms).
    pub stalled_after_ms: u64,
    /// Whether to look for the wrong byte order.
    pub check_byte_order: bool,
    /// Whether the board writes whole blocks at once, so that every part of one shows garbage; that
    /// of the thesis writes value by value.
    pub whole_blocks: bool,
}

impl Default for StreamSettings {
    fn default() -> Self {
        Self {
            path: None,
            baud: None,
            data_bits: None,
            parity: None,
            stop_bits: None,
            flow_control: None,
            tcp: None,
            fields: Layout::board_fields(),
            byte_order: ByteOrder::Little,
            framing: Framing::None,
            period_us: None,
            stalled_after_ms: STALLED_AFTER_MS,
            check_byte_order: true,
            whole_blocks: false,
        }
    }
}

impl StreamSettings {
    /// Where the numbers of a block are.
    pub fn layout(&self) -> Result<Layout, String> {
        Layout::new(&self.fields, self.byte_order).map_err(|error| format!("fields: {error}"))
    }

    fn check(&self) -> Result<Layout, String> {
        if self.period_us.is_some_and(|period_us| !(1.0..=1e9).contains(&period_us)) {
            return Err("period_us: expected 1 to 1e9".to_owned());
        }
        if self.stalled_after_ms == 0 {
            return Err("stalled_after_ms: expected at least 1".to_owned());
        }
        self.layout()
    }

    fn timing(&self) -> Timing {
        match (self.framing, self.period_us) {
            (Framing::Header, _) => Timing::Hardware,
            (Framing::None, Some(period_us)) => Timing::Period((period_us * 1e3) as u64),
            (Framing::None, None) => Timing::Arrival,
        }
    }

    /// The settings of a serial port, if it is one: 8 bits, no parity, one stop bit and no flow
    /// control unless they say otherwise.
    fn line(&self) -> Result<Option<Line>, String> {
        let Some(baud) = self.baud else {
            let given = [
                ("data_bits", self.data_bits.is_some()),
                ("parity", self.parity.is_some()),
                ("stop_bits", self.stop_bits.is_some()),
                ("flow_control", self.flow_control.is_some()),
            ];
            return match given.iter().find(|(_, is_given)| *is_given) {
                None => Ok(None),
                Some((key, _)) => Err(format!("{key}: expected `baud` beside it; only a serial port has this")),
            };
        };
        let line = Line {
            baud,
            data_bits: self.data_bits.unwrap_or(8),
            parity: self.parity.unwrap_or_default(),
            stop_bits: self.stop_bits.unwrap_or(1),
            flow_control: self.flow_control.unwrap_or_default(),
        };
        line.check().map(Some)
    }

    /// Checks everything. Relative paths count from the folder, if there is one.
    fn prepare(self, folder: Option<&Path>) -> Result<StreamOpening, String> {
        let line = self.line()?;
        let endpoint = match (&self.path, &self.tcp, line) {
            (Some(path), None, line) => {
                let path = folder.map_or(path.clone(), |folder| folder.join(path));
                match line {
                    None => Endpoint::Path(path),
                    Some(line) => Endpoint::Serial(path, line),
                }
            }
            (None, Some(address), None) => Endpoint::Tcp(address.clone()),
            _ => return Err("expected either `path`, with `baud` for a serial port, or `tcp`".to_owned()),
        };
        Ok(StreamOpening { endpoint, layout: self.check()?, format: self })
    }
}

impl Settings for StreamSettings {
    fn opening(self, folder: Option<&Path>) -> Result<Box<dyn Opening>, String> {
        Ok(Box::new(self.prepare(folder)?))
    }
}

#[derive(Clone, Debug)]
struct StreamOpening {
    endpoint: Endpoint,
    layout: Layout,
    format: StreamSettings,
}

impl Opening for StreamOpening {
    fn open(&self, counters: Counters) -> Result<Box<dyn Source>, OpenError> {
        let source = StreamSource::new(self.endpoint.open()?, &self.format, &self.layout, counters);
        let source = source.map_err(|problem| OpenError { place: self.endpoint.place(), problem })?;
        Ok(Box::new(source))
    }
}

/// A stream of blocks from a file descriptor.
pub struct StreamSource {
    receiver: Receiver<Descriptor>,
    clock: Clock,
}

impl StreamSource {
    /// The stream of an open descriptor.
    pub fn new(file: OwnedFd, format: &StreamSettings, layout: &Layout, counters: Counters) -> Result<Self, String> {
        let mut strategy = AllBlocks::new(layout.bytes(), format.framing);
        if !format.whole_blocks {
            strategy = strategy.of_values(layout);
        }
        Self::with_strategy(file, format, layout, counters, Box::new(strategy))
    }

    /// The same, with another way of taking blocks.
    pub fn with_strategy(
        file: OwnedFd,
        format: &StreamSettings,
        layout: &Layout,
        counters: Counters,
        strategy: Box<dyn Strategy>,
    ) -> Result<Self, String> {
        let pipe = Descriptor::new(file).map_err(|errno| format!("cannot be read without waiting: {errno}"))?;
        let mut receiver = Receiver::new(pipe, strategy, layout.clone(), format.timing(), counters)
            .with_stall_after_ns(format.stalled_after_ms.saturating_mul(1_000_000));
        if format.check_byte_order {
            receiver = receiver.with_byte_order_check();
        }
        let clock = match format.framing {
            Framing::None => Clock::Arrival,
            Framing::Header => Clock::Hardware,
        };
        Ok(Self { receiver, clock })
    }
}

impl Source for StreamSource {
    fn channels(&self) -> &[String] {
        self.receiver.layout().names()
    }

    fn clock(&self) -> Clock {
        self.clock
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        Some(self.receiver.pipe().as_fd())
    }

    fn take(&mut self, now_ns: u64, each: &mut dyn FnMut(&Sample)) -> State {
        self.receiver.take(now_ns, each)
    }

    fn counters(&self) -> &Counters {
        self.receiver.counters()
    }
}

#[cfg(test)]
mod tests;
