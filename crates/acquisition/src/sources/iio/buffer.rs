//! Scans from a device's buffer.

use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::OpenOptionsExt;

use super::super::arrivals::Arrivals;
use super::super::clocks::{calendar_ahead_ns, from_calendar};
use super::super::records::Records;
use super::Settings;
use super::element::Element;
use super::files::{Conversion, Files};
use crate::{Clock, Counters, OpenError, Sample, Source, State};

const TIMESTAMP: &str = "in_timestamp";

/// One number of a scan.
#[derive(Clone, Copy, Debug)]
struct Placed {
    at: usize,
    element: Element,
    channel: usize,
    conversion: Conversion,
}

/// Whose clock the scans' times are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stamp {
    Monotonic,
    Calendar,
}

/// A device whose buffer is on; dropping it switches the buffer off.
pub(super) struct BufferSource {
    device: File,
    files: Files,
    names: Vec<String>,
    numbers: Vec<Placed>,
    stamp: Option<(usize, Element, Stamp)>,
    scan_bytes: usize,
    arrivals: Arrivals,
    records: Records,
}

impl BufferSource {
    /// Chooses the elements of a scan, switches the buffer on and opens the character device.
    pub fn open(settings: &Settings, files: Files, arrivals: Arrivals) -> Result<Self, OpenError> {
        let path = settings.dev.join(files.number());
        files.write("buffer/enable", "0")?;
        if let Some(trigger) = &settings.trigger {
            files.write("trigger/current_trigger", trigger)?;
        }
        let mut source = Self {
            device: open_device(&path)?,
            files,
            names: settings.channels.clone(),
            numbers: Vec::new(),
            stamp: None,
            scan_bytes: 0,
            arrivals,
            records: Records::new(1),
        };
        source.choose(settings)?;
        source.records = Records::new(source.scan_bytes);
        source.files.write("buffer/length", &settings.buffer_length.to_string())?;
        source.files.write("buffer/enable", "1")?;
        Ok(source)
    }

    /// Switches on the wanted elements and the time, everything else off, and works out where they
    /// lie: in the order of their indexes, each at a multiple of its own size, and the whole a
    /// multiple of the largest.
    fn choose(&mut self, settings: &Settings) -> Result<(), OpenError> {
        let mut elements = Vec::new();
        let names = self.files.list("scan_elements")?;
        let there: Vec<&str> = names.iter().filter_map(|name| name.strip_suffix("_en")).collect();
        if let Some(missing) = self.names.iter().find(|name| !there.contains(&name.as_str())) {
            return Err(OpenError {
                place: self.files.path("scan_elements").display().to_string(),
                problem: format!("there is no channel {missing}; there is: {}", there.join(", ")),
            });
        }
        for name in there {
            let wanted = name == TIMESTAMP || self.names.iter().any(|channel| channel == name);
            self.files.write(&format!("scan_elements/{name}_en"), if wanted { "1" } else { "0" })?;
            if wanted {
                elements.push((
                    self.files.number_in(&format!("scan_elements/{name}_index"))? as u32,
                    name.to_owned(),
                    self.form(name)?,
                ));
            }
        }
        elements.sort_by_key(|(index, ..)| *index);
        let (mut at, mut largest) = (0_usize, 1);
        for (_, name, element) in elements {
            at = at.next_multiple_of(element.bytes);
            largest = largest.max(element.bytes);
            match self.names.iter().position(|channel| *channel == name) {
                Some(channel) => self.numbers.push(Placed {
                    at,
                    element,
                    channel,
                    conversion: if settings.raw { Conversion::NONE } else { self.files.conversion(&name)? },
                }),
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
        Element::parse(&text)
            .map_err(|problem| OpenError { place: self.files.path(&file).display().to_string(), problem })
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

/// The sample of a scan.
fn sample_of(
    scan: &[u8],
    numbers: &[Placed],
    stamp: Option<(usize, Element, Stamp)>,
    ahead_ns: i64,
    now_ns: u64,
) -> Sample {
    let mut sample = Sample::empty(match stamp {
        None => now_ns,
        Some((at, element, clock)) => match (clock, element.read(&scan[at..at + element.bytes])) {
            (Stamp::Calendar, stamp) => from_calendar(stamp, ahead_ns, now_ns),
            (Stamp::Monotonic, stamp) => u64::try_from(stamp).unwrap_or(now_ns).min(now_ns),
        },
    });
    for number in numbers {
        let raw = number.element.read(&scan[number.at..number.at + number.element.bytes]);
        sample.set(number.channel, number.conversion.of(raw as f64));
    }
    sample
}

fn open_device(path: &std::path::Path) -> Result<File, OpenError> {
    let opened = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path);
    opened.map_err(|problem| OpenError {
        place: path.display().to_string(),
        problem: match problem.raw_os_error() {
            Some(libc::EBUSY) => "another program reads its buffer".to_owned(),
            _ => problem.to_string(),
        },
    })
}

impl Drop for BufferSource {
    fn drop(&mut self) {
        let _ = self.files.write("buffer/enable", "0");
    }
}

impl Source for BufferSource {
    fn channels(&self) -> &[String] {
        &self.names
    }

    fn clock(&self) -> Clock {
        if self.stamp.is_some() { Clock::Kernel } else { Clock::Arrival }
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        (!self.arrivals.has_left()).then(|| self.device.as_fd())
    }

    fn take(&mut self, now_ns: u64, each: &mut dyn FnMut(&Sample)) -> State {
        let ahead_ns = calendar_ahead_ns();
        let Self { device, numbers, stamp, scan_bytes, arrivals, records, .. } = self;
        // Unplugged, or another program switched the buffer off: an error.
        let samples = records.take(device, arrivals, |scans| {
            let scans = scans.chunks_exact(*scan_bytes);
            let count = scans.len() as u64;
            scans.for_each(|scan| each(&sample_of(scan, numbers, *stamp, ahead_ns, now_ns)));
            count
        });
        arrivals.taken(samples, now_ns)
    }

    fn counters(&self) -> &Counters {
        &self.arrivals.counters
    }
}
