//! Hardware at the other end of a socket pair, for sources whose descriptor a test can play.

use std::io::Write;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nix::sys::socket::{AddressFamily, SockFlag, SockType, socketpair};
use rt::allocation::{CountingAllocator, forbid};

use super::{Rig, check};
use crate::{Counters, OpenError, Opening, Sample, Source, State};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

pub(crate) fn taken(source: &mut dyn Source, now_ns: u64) -> (State, Vec<Sample>) {
    let mut samples = Vec::new();
    let state = source.take(now_ns, &mut |sample| samples.push(*sample));
    (state, samples)
}

/// Makes a source of a descriptor that does not block.
type Make = fn(OwnedFd, Counters) -> Box<dyn Source>;

/// A source whose bytes come from a socket; each opening makes another pair.
#[derive(Clone)]
struct Wire {
    make: Make,
    encode: fn(u32) -> Vec<u8>,
    peer: Arc<Mutex<Option<UnixStream>>>,
    plugged: Arc<AtomicBool>,
}

/// The conformance suite on a source whose samples are these bytes.
pub(crate) fn check_on_wire(make: Make, encode: fn(u32) -> Vec<u8>) {
    check(&mut Wire { make, encode, peer: Arc::default(), plugged: Arc::new(AtomicBool::new(true)) });
}

impl Wire {
    fn peer(&self) -> MutexGuard<'_, Option<UnixStream>> {
        self.peer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Opening for Wire {
    fn open(&self, counters: Counters) -> Result<Box<dyn Source>, OpenError> {
        if !self.plugged.load(Ordering::Acquire) {
            return Err(OpenError::new("wire", "unplugged"));
        }
        // Messages stay whole, as those of a CAN bus do.
        let pair = socketpair(AddressFamily::Unix, SockType::SeqPacket, None, SockFlag::empty());
        let (peer, ours) = pair.map(|(peer, ours)| (peer.into(), UnixStream::from(ours))).expect("a socket pair");
        ours.set_nonblocking(true).expect("a flag");
        *self.peer() = Some(peer);
        Ok((self.make)(ours.into(), counters))
    }
}

impl Rig for Wire {
    fn opening(&self) -> Box<dyn Opening> {
        Box::new(self.clone())
    }

    fn deliver(&mut self, number: u32) {
        let sample = (self.encode)(number);
        let mut peer = self.peer();
        let peer = peer.as_mut().expect("plugged in");
        peer.write_all(&sample).expect("room in the socket");
    }

    fn unplug(&mut self) -> bool {
        self.plugged.store(false, Ordering::Release);
        *self.peer() = None;
        true
    }

    fn plug_in(&mut self) {
        self.plugged.store(true, Ordering::Release);
    }

    fn without_heap(&self, work: &mut dyn FnMut()) {
        forbid(work);
    }
}
