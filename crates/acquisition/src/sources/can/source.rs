//! The open bus.

use std::io::IoSliceMut;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use nix::errno::Errno;
use nix::sys::socket::{ControlMessageOwned, MsgFlags, recvmsg, setsockopt, sockopt};
use nix::sys::time::TimeValLike;

use super::super::arrivals::{Arrivals, calendar_ahead_ns, from_calendar};
use super::decode::{Decoder, Frame, Kind, LONGEST_BYTES, Verdict};
use crate::{Clock, Counters, Sample, Source, State};

/// No opportunity takes longer than so many frames: a bus that floods us must not keep the loop.
const MOST_FRAMES: u32 = 4096;

/// A bus, or any socket whose messages are frames.
pub struct CanSource {
    socket: OwnedFd,
    pub decoder: Decoder,
    arrivals: Arrivals,
    /// The kernel's count of frames for which this socket had no room.
    overflowed: u32,
    /// Room for what the kernel says beside a frame: its time and that count.
    beside: Vec<u8>,
}

#[derive(Default)]
struct Received {
    bytes: usize,
    stamp_ns: Option<i64>,
    overflowed: Option<u32>,
}

impl CanSource {
    /// Takes frames from a socket, with the kernel's time.
    pub fn new(socket: OwnedFd, decoder: Decoder, stalled_after_s: f64, counters: Counters) -> std::io::Result<Self> {
        setsockopt(&socket, sockopt::ReceiveTimestampns, &true)?;
        setsockopt(&socket, sockopt::RxqOvfl, &1)?;
        Ok(Self {
            socket,
            decoder,
            arrivals: Arrivals::new(counters, stalled_after_s),
            overflowed: 0,
            beside: nix::cmsg_space!(libc::timespec, u32),
        })
    }

    fn receive(&mut self, buffer: &mut [u8]) -> Result<Received, Errno> {
        let mut parts = [IoSliceMut::new(buffer)];
        let capacity = self.beside.capacity();
        self.beside.resize(capacity, 0);
        let flags = MsgFlags::MSG_DONTWAIT | MsgFlags::MSG_TRUNC;
        let message = recvmsg::<()>(self.socket.as_raw_fd(), &mut parts, Some(&mut self.beside), flags)?;
        let mut received = Received { bytes: message.bytes, stamp_ns: None, overflowed: None };
        for beside in message.cmsgs()? {
            match beside {
                ControlMessageOwned::ScmTimestampns(time) => received.stamp_ns = Some(time.num_nanoseconds()),
                ControlMessageOwned::RxqOvfl(count) => received.overflowed = Some(count),
                _ => {}
            }
        }
        Ok(received)
    }

    /// What one frame means; whether it made a sample.
    fn handle(&mut self, bytes: &[u8], sample: &mut Sample) -> bool {
        let frame = Frame::read(bytes);
        let verdict = match &frame {
            Some(Frame { kind: Kind::Remote, .. }) => Verdict::NotWanted,
            Some(frame) if frame.kind == Kind::Data => self.decoder.decode(frame, sample),
            _ => Verdict::TooShort,
        };
        match verdict {
            Verdict::Decoded { refused } => {
                self.arrivals.counters.corrupted += u64::from(refused > 0);
                sample.fresh != 0
            }
            Verdict::TooShort => {
                self.arrivals.counters.corrupted += 1;
                false
            }
            Verdict::NotWanted => false,
        }
    }
}

impl Source for CanSource {
    fn channels(&self) -> &[String] {
        &self.decoder.channels
    }

    fn clock(&self) -> Clock {
        Clock::Kernel
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        (!self.arrivals.gone).then(|| self.socket.as_fd())
    }

    fn take(&mut self, now_ns: u64, each: &mut dyn FnMut(&Sample)) -> State {
        let ahead_ns = calendar_ahead_ns();
        let mut buffer = [0; LONGEST_BYTES];
        let mut samples = 0;
        for _ in 0..MOST_FRAMES {
            if self.arrivals.gone {
                break;
            }
            let received = match self.receive(&mut buffer) {
                Ok(received) => received,
                Err(Errno::EINTR) => continue,
                Err(Errno::EAGAIN) => break,
                // The interface was taken down or unplugged.
                Err(_) => Received::default(),
            };
            if received.bytes == 0 {
                self.arrivals.gone = true;
                break;
            }
            self.arrivals.counters.bytes += received.bytes as u64;
            if let Some(count) = received.overflowed {
                self.arrivals.counters.lost += u64::from(count.wrapping_sub(self.overflowed));
                self.overflowed = count;
            }
            let stamp_ns = received.stamp_ns;
            let mut sample = Sample::empty(stamp_ns.map_or(now_ns, |stamp| from_calendar(stamp, ahead_ns, now_ns)));
            if self.handle(buffer.get(..received.bytes).unwrap_or(&[]), &mut sample) {
                samples += 1;
                each(&sample);
            }
        }
        self.arrivals.taken(samples, now_ns)
    }

    fn counters(&self) -> &Counters {
        &self.arrivals.counters
    }
}
