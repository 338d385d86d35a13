//! Devices whose descriptor does not block and gives records of a fixed size, in whatever pieces
//! they come.

use std::os::fd::{AsFd, BorrowedFd};

use nix::errno::Errno;
use nix::unistd::read;

use super::arrivals::Arrivals;
use crate::{Clock, Counters, Sample, Source, State};

/// Bytes at one read.
const BUFFER_BYTES: usize = 16 * 1024;
/// No opportunity takes longer than so many reads.
const READS_MAX: usize = 64;

/// What makes samples of records. Real-time safe, as a [`Source`] is.
pub(super) trait Device: AsFd + Send {
    /// Takes the whole records of one read; how many samples they made.
    fn handle(&mut self, records: &[u8], now_ns: u64, counters: &mut Counters, each: &mut dyn FnMut(&Sample)) -> u64;

    /// What holds at an opportunity without a sample, if that is known.
    fn at_rest(&mut self, _now_ns: u64) -> Option<Sample> {
        None
    }

    /// As [`Source::set_torque`].
    fn set_torque(&mut self, _torque_nm: f64) {}
}

pub(super) struct RecordSource<D> {
    device: D,
    names: Vec<String>,
    clock: Clock,
    arrivals: Arrivals,
    record_bytes: usize,
    buffer: Box<[u8]>,
    /// How many bytes of an unfinished record the buffer begins with.
    kept: usize,
}

impl<D: Device> RecordSource<D> {
    pub fn new(device: D, names: Vec<String>, clock: Clock, record_bytes: usize, arrivals: Arrivals) -> Self {
        let buffer = vec![0; BUFFER_BYTES].into();
        Self { device, names, clock, arrivals, record_bytes, buffer, kept: 0 }
    }
}

impl<D: Device> Source for RecordSource<D> {
    fn channels(&self) -> &[String] {
        &self.names
    }

    fn clock(&self) -> Clock {
        self.clock
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        (!self.arrivals.gone).then(|| self.device.as_fd())
    }

    /// The end of the stream and every error but a signal mean that the device is gone.
    fn take(&mut self, now_ns: u64, each: &mut dyn FnMut(&Sample)) -> State {
        let Self { device, arrivals, record_bytes, buffer, kept, .. } = self;
        let mut samples = 0;
        for _ in 0..READS_MAX {
            if arrivals.gone {
                break;
            }
            match read(&*device, &mut buffer[*kept..]) {
                Ok(0) => arrivals.gone = true,
                Ok(bytes) => {
                    arrivals.counters.bytes += bytes as u64;
                    let filled = *kept + bytes;
                    *kept = filled % *record_bytes;
                    let whole = filled - *kept;
                    samples += device.handle(&buffer[..whole], now_ns, &mut arrivals.counters, each);
                    buffer.copy_within(whole..filled, 0);
                }
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => break,
                Err(_) => arrivals.gone = true,
            }
        }
        arrivals.counters.remainders += u64::from(*kept > 0);
        if samples == 0
            && !arrivals.gone
            && let Some(sample) = device.at_rest(now_ns)
        {
            samples = 1;
            each(&sample);
        }
        arrivals.taken(samples, now_ns)
    }

    fn counters(&self) -> &Counters {
        &self.arrivals.counters
    }

    fn set_torque(&mut self, torque_nm: f64, _now_ns: u64) {
        self.device.set_torque(torque_nm);
    }
}
