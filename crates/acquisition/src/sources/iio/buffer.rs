//! Scans from a device's buffer.

use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::OpenOptionsExt;

use super::super::arrivals::{Arrivals, calendar_ahead_ns, from_calendar};
use super::super::records::{Device, RecordSource};
use super::Settings;
use super::element::Element;
use super::files::{Conversion, Files};
use crate::{Clock, Counters, OpenError, Sample};

const TIMESTAMP: &str = "in_timestamp";

#[derive(Clone, Copy, Debug)]
struct Placed {
    at: usize,
    element: Element,
    channel: usize,
    conversion: Conversion,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stamp {
    Monotonic,
    Calendar,
}

/// A device whose buffer is on; dropping it switches the buffer off.
pub(super) struct Buffer {
    device: File,
    files: Files,
    names: Vec<String>,
    numbers: Vec<Placed>,
    stamp: Option<(usize, Element, Stamp)>,
    scan_bytes: usize,
}

impl Buffer {
    /// Chooses the elements of a scan, switches the buffer on and opens the character device.
    pub fn open(settings: &Settings, files: Files, arrivals: Arrivals) -> Result<RecordSource<Self>, OpenError> {
        let path = settings.dev.join(files.number());
        files.write("buffer/enable", "0")?;
        if let Some(trigger) = &settings.trigger {
            files.write("trigger/current_trigger", trigger)?;
        }
        let (names, numbers) = (settings.channels.clone(), Vec::new());
        let mut buffer = Self { device: open_device(&path)?, files, names, numbers, stamp: None, scan_bytes: 0 };
        buffer.choose(settings)?;
        buffer.files.write("buffer/length", &settings.buffer_length.to_string())?;
        buffer.files.write("buffer/enable", "1")?;
        let clock = if buffer.stamp.is_some() { Clock::Kernel } else { Clock::Arrival };
        let (names, scan_bytes) = (buffer.names.clone(), buffer.scan_bytes);
        Ok(RecordSource::new(buffer, names, clock, scan_bytes, arrivals))
    }

    /// Switches on the wanted elements and the time, everything else off, and works out where they
    /// lie: in the order of their indexes, each at a multiple of its own size, and the whole a
    /// multiple of the largest.
    fn choose(&mut self, settings: &Settings) -> Result<(), OpenError> {
        let mut elements = Vec::new();
        let names = self.files.list("scan_elements")?;
        let there: Vec<&str> = names.iter().filter_map(|name| name.strip_suffix("_en")).collect();
        if let Some(missing) = self.names.iter().find(|name| !there.contains(&name.as_str())) {
            let problem = format!("there is no channel {missing}; there is: {}", there.join(", "));
            return Err(OpenError::new(self.files.path("scan_elements").display(), problem));
        }
        for name in there {
            let wanted = name == TIMESTAMP || self.names.iter().any(|channel| channel == name);
            self.files.write(&format!("scan_elements/{name}_en"), if wanted { "1" } else { "0" })?;
            if wanted {
                let index = self.files.number_in(&format!("scan_elements/{name}_index"))? as u32;
                elements.push((index, name.to_owned(), self.form(name)?));
            }
        }
        elements.sort_by_key(|(index, ..)| *index);
        let (mut at, mut largest) = (0_usize, 1);
        for (_, name, element) in elements {
            at = at.next_multiple_of(element.bytes);
            largest = largest.max(element.bytes);
            match self.names.iter().position(|channel| *channel == name) {
                Some(channel) => {
                    let conversion = if settings.raw { Conversion::NONE } else { self.files.conversion(&name)? };
                    self.numbers.push(Placed { at, element, channel, conversion });
                }
                None => self.stamp = Some((at, element, self.clock_of_stamps()?)),
            }
            at += element.bytes;
        }
        self.scan_bytes = at.next_multiple_of(largest);
        Ok(())
    }

    fn form(&self, name: &str) -> Result<Element, OpenError> {
        let file = format!("scan_elements/{name}_type");
        let text = self.files.read(&file)?;
        Element::parse(&text).map_err(|problem| OpenError::new(self.files.path(&file).display(), problem))
    }

    /// Asks for the monotonic clock, which newer kernels give.
    fn clock_of_stamps(&self) -> Result<Stamp, OpenError> {
        if !self.files.has("current_timestamp_clock") {
            return Ok(Stamp::Calendar);
        }
        self.files.write("current_timestamp_clock", "monotonic")?;
        Ok(Stamp::Monotonic)
    }
}

fn open_device(path: &std::path::Path) -> Result<File, OpenError> {
    let opened = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path);
    opened.map_err(|problem| match problem.raw_os_error() {
        Some(libc::EBUSY) => OpenError::new(path.display(), "another program reads its buffer"),
        _ => OpenError::new(path.display(), problem),
    })
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let _ = self.files.write("buffer/enable", "0");
    }
}

impl AsFd for Buffer {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.device.as_fd()
    }
}

/// Unplugged, or switched off by another program, the buffer reads as an error.
impl Device for Buffer {
    fn handle(&mut self, scans: &[u8], now_ns: u64, _: &mut Counters, each: &mut dyn FnMut(&Sample)) -> u64 {
        let ahead_ns = calendar_ahead_ns();
        let scans = scans.chunks_exact(self.scan_bytes);
        let count = scans.len() as u64;
        for scan in scans {
            let read = |at: usize, element: Element| element.read(&scan[at..at + element.bytes]);
            let mut sample = Sample::empty(match self.stamp.map(|(at, element, clock)| (clock, read(at, element))) {
                None => now_ns,
                Some((Stamp::Calendar, stamp)) => from_calendar(stamp, ahead_ns, now_ns),
                Some((Stamp::Monotonic, stamp)) => u64::try_from(stamp).unwrap_or(now_ns).min(now_ns),
            });
            for Placed { at, element, channel, conversion } in &self.numbers {
                sample.set(*channel, conversion.of(read(*at, *element) as f64));
            }
            each(&sample);
        }
        count
    }
}
