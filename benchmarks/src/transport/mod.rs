//! The ways in which 512 bytes get from a writer to a reader: ours and the peers', behind one
//! interface.
//!
//! What is sent is the same everywhere: 64 words of 8 bytes, with a sequence number, a time, and
//! constant words behind them. The reader adds all words up, so that every transport has to bring
//! all 512 bytes, and bring them whole.

mod blackboard;
mod ours;
mod publish_subscribe;

pub use blackboard::BlackboardService;
pub use ours::{OurReceiver, OurSender};
pub use publish_subscribe::{PublishSubscribeReceiver, PublishSubscribeSender, QUEUE};

use anyhow::Result;
use iceoryx2::prelude::{LogLevel, Node, NodeBuilder, SignalHandlingMode, ipc, set_log_level};
use serde::{Deserialize, Serialize};

use crate::session::Names;

/// Words of a payload: 512 bytes.
pub const WORDS: usize = 64;
/// Word that holds the sequence number.
const SEQUENCE: usize = 0;
/// Word that holds the time of sending.
const STAMP: usize = 2;

/// How often a waiting reader looks between two looks at the clock: as often as ours does.
const LOOKS_PER_CLOCK: u32 = 64;

/// A payload as the peers carry it.
pub type Words = [u64; WORDS];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Transport {
    Ours,
    Blackboard,
    PublishSubscribe,
}

impl Transport {
    /// All of them, ours first.
    pub const ALL: [Self; 3] = [Self::Ours, Self::Blackboard, Self::PublishSubscribe];

    /// The name for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Blackboard => "iceoryx2 blackboard",
            Self::PublishSubscribe => "iceoryx2 publish-subscribe",
        }
    }

    /// The name within the names of figures.
    pub fn key(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Blackboard => "blackboard",
            Self::PublishSubscribe => "publish_subscribe",
        }
    }
}

/// The writing end.
pub trait Sender {
    fn send(&mut self, sequence: u64, stamp_ns: u64);

    /// Sends so many in a row.
    #[inline(never)]
    fn send_many(&mut self, count: u64) {
        for sequence in 1..=count {
            self.send(sequence, sequence);
        }
    }
}

/// The reading end.
pub trait Receiver {
    /// Brings the newest payload here and keeps it; `false` if there is none.
    fn take(&mut self) -> bool;

    /// Does that so many times.
    #[inline(never)]
    fn take_many(&mut self, count: u64) {
        for _ in 0..count {
            self.take();
        }
    }

    /// Spins until a payload with a higher sequence number is here; `None` when the deadline passes
    /// before.
    fn wait_for_newer(&mut self, sequence: u64, deadline_ns: u64) -> Option<Received>;
}

/// What a reader saw of a payload.
#[derive(Clone, Copy, Debug)]
pub struct Received {
    pub sequence: u64,
    pub stamp_ns: u64,
    /// The sum of all its words.
    pub sum: u64,
}

impl Received {
    /// Looks at every word.
    #[inline(always)]
    fn of(words: &Words) -> Self {
        let sum = words.iter().fold(0, |sum: u64, word| sum.wrapping_add(*word));
        Self { sequence: words[SEQUENCE], stamp_ns: words[STAMP], sum }
    }

    /// Whether all words belong together, given what the constant words of the transport's payload
    /// add up to.
    pub fn is_whole(&self, constant_sum: u64) -> bool {
        self.sum == constant_sum.wrapping_add(self.sequence).wrapping_add(self.stamp_ns)
    }
}

/// What the peers send before sequence number and time are filled in.
pub fn blank_words() -> Words {
    let mut words = [0x0123_4567_89ab_cdef; WORDS];
    (words[SEQUENCE], words[STAMP]) = (0, 0);
    words
}

/// The sum of the words that never change.
pub fn constant_sum(transport: Transport) -> u64 {
    match transport {
        Transport::Ours => ours::constant_sum(),
        Transport::Blackboard | Transport::PublishSubscribe => Received::of(&blank_words()).sum,
    }
}

/// The peer's own kind of connection, which every process needs once.
pub fn peer_node(names: &Names) -> Result<Node<ipc::Service>> {
    set_log_level(LogLevel::Error);
    let node = NodeBuilder::new()
        .config(&names.peer_configuration()?)
        .signal_handling_mode(SignalHandlingMode::Disabled)
        .create::<ipc::Service>()?;
    Ok(node)
}
