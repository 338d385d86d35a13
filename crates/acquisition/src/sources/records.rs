//! Records of fixed size from a descriptor that does not block, in whatever pieces they come.

use std::os::fd::AsFd;

use nix::errno::Errno;
use nix::unistd::read;

use super::arrivals::Arrivals;

/// Bytes at one read.
const BUFFER_BYTES: usize = 16 * 1024;
/// No opportunity takes longer than so many reads.
const READS_MAX: usize = 64;

/// Whole records, and the beginning of the next one.
pub(super) struct Records {
    record_bytes: usize,
    buffer: Box<[u8]>,
    /// How many bytes of an unfinished record the buffer begins with.
    kept: usize,
}

impl Records {
    /// Of this size.
    pub fn new(record_bytes: usize) -> Self {
        Self { record_bytes, buffer: vec![0; BUFFER_BYTES].into(), kept: 0 }
    }

    /// Reads everything that has arrived and hands over the whole records of each read, which says
    /// how many samples they made. The end of the stream and every error but a signal mean that the
    /// device is gone. Returns all samples. Real-time safe.
    #[inline]
    pub fn take(&mut self, file: impl AsFd, arrivals: &mut Arrivals, mut each: impl FnMut(&[u8]) -> u64) -> u64 {
        let mut samples = 0;
        for _ in 0..READS_MAX {
            if arrivals.has_left() {
                break;
            }
            match read(&file, &mut self.buffer[self.kept..]) {
                Ok(0) => arrivals.leave(),
                Ok(bytes) => {
                    arrivals.counters.bytes += bytes as u64;
                    let filled = self.kept + bytes;
                    let whole = filled - filled % self.record_bytes;
                    samples += each(&self.buffer[..whole]);
                    self.buffer.copy_within(whole..filled, 0);
                    self.kept = filled - whole;
                }
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => break,
                Err(_) => arrivals.leave(),
            }
        }
        arrivals.counters.remainders += u64::from(self.kept > 0);
        samples
    }
}
