//! Numbers from files, one after the other, when their time has come.
//!
//! Each read runs the driver, which may wait for a slow bus: milliseconds are possible, and the
//! loop waits with it.

use std::fs::File;

use nix::sys::uio::pread;

use super::super::arrivals::Arrivals;
use super::Settings;
use super::files::{Conversion, Files};
use crate::{Clock, Counters, OpenError, Sample, Source, State};

pub(super) struct PolledSource {
    names: Vec<String>,
    files: Vec<(File, Conversion)>,
    period_ns: u64,
    next_ns: u64,
    arrivals: Arrivals,
}

impl PolledSource {
    pub fn open(settings: &Settings, files: &Files, arrivals: Arrivals) -> Result<Self, OpenError> {
        let open = |name: &String| {
            // Some quantities come without scale, already in their unit.
            let (file, converted) = match files.has(&format!("{name}_raw")) {
                true => (format!("{name}_raw"), !settings.raw),
                false => (format!("{name}_input"), false),
            };
            files.number_in(&file)?;
            let path = files.path(&file);
            let opened = File::open(&path).map_err(|problem| OpenError::new(path.display(), problem))?;
            Ok((opened, if converted { files.conversion(name)? } else { Conversion::NONE }))
        };
        Ok(Self {
            names: settings.channels.clone(),
            files: settings.channels.iter().map(open).collect::<Result<_, OpenError>>()?,
            period_ns: (settings.polling_period_s * 1e9) as u64,
            next_ns: 0,
            arrivals,
        })
    }
}

/// The number in a file, read without allocating; the file may be gone, or hold something else.
fn number_in(file: &File) -> Result<(f64, usize), Option<nix::errno::Errno>> {
    let mut text = [0; 64];
    let bytes = pread(file, &mut text, 0).map_err(Some)?;
    let text = std::str::from_utf8(&text[..bytes]).map_err(|_| None)?;
    text.trim().parse().map(|number| (number, bytes)).map_err(|_| None)
}

impl Source for PolledSource {
    fn channels(&self) -> &[String] {
        &self.names
    }

    fn clock(&self) -> Clock {
        Clock::Arrival
    }

    fn take(&mut self, now_ns: u64, each: &mut dyn FnMut(&Sample)) -> State {
        if now_ns < self.next_ns || self.arrivals.gone {
            return self.arrivals.taken(0, now_ns);
        }
        self.next_ns = now_ns + self.period_ns;
        let mut sample = Sample::empty(now_ns);
        for (channel, (file, conversion)) in self.files.iter().enumerate() {
            match number_in(file) {
                Ok((raw, bytes)) => {
                    self.arrivals.counters.bytes += bytes as u64;
                    sample.set(channel, conversion.of(raw));
                }
                Err(Some(nix::errno::Errno::ENODEV)) => self.arrivals.gone = true,
                // A bus that did not answer, or no number: this channel has nothing this time.
                Err(_) => self.arrivals.counters.corrupted += 1,
            }
        }
        let fresh = u64::from(sample.fresh != 0);
        if fresh > 0 {
            each(&sample);
        }
        self.arrivals.taken(fresh, now_ns)
    }

    fn counters(&self) -> &Counters {
        &self.arrivals.counters
    }
}
