//! The blackboard of iceoryx2: one entry of 512 bytes.

use std::hint::{black_box, spin_loop};

use anyhow::Result;
use iceoryx2::port::reader::{BlackboardValue, EntryHandle};
use iceoryx2::port::writer::EntryHandleMut;
use iceoryx2::prelude::{Node, ipc};
use iceoryx2::service::port_factory::blackboard::PortFactory;
use shm_layout::clock::monotonic_ns;

use super::{Received, Receiver, Sender, Words, blank_words};

const SERVICE: &str = "blackboard";
const KEY: u64 = 1;

/// The service, which one process makes and others open.
pub struct BlackboardService(PortFactory<ipc::Service, u64>);

impl BlackboardService {
    /// Makes the service with its only entry.
    pub fn create(node: &Node<ipc::Service>) -> Result<Self> {
        let builder = node.service_builder(&SERVICE.try_into()?).blackboard_creator::<u64>();
        Ok(Self(builder.add::<Words>(KEY, blank_words()).create()?))
    }

    /// Opens the service that another process made.
    pub fn open(node: &Node<ipc::Service>) -> Result<Self> {
        Ok(Self(node.service_builder(&SERVICE.try_into()?).blackboard_opener::<u64>().open()?))
    }

    /// The writing end; there can be only one.
    pub fn sender(&self) -> Result<BlackboardSender> {
        let entry = self.0.writer_builder().create()?.entry::<Words>(&KEY)?;
        Ok(BlackboardSender { entry: Some(entry), words: blank_words() })
    }

    /// The reading end.
    pub fn receiver(&self) -> Result<BlackboardReceiver> {
        let entry = self.0.reader_builder().create()?.entry::<Words>(&KEY)?;
        let value = entry.get();
        Ok(BlackboardReceiver { entry, value })
    }
}

pub struct BlackboardSender {
    /// Lent out for the length of [`Self::loan_many`] only.
    entry: Option<EntryHandleMut<ipc::Service, u64, Words>>,
    words: Words,
}

impl BlackboardSender {
    /// Sends so many through loans of the entry's memory, the peer's way to write in place.
    #[inline(never)]
    pub fn loan_many(&mut self, count: u64) {
        let Some(mut entry) = self.entry.take() else {
            return;
        };
        for sequence in 1..=count {
            self.stamp(sequence, sequence);
            entry = entry.loan_uninit().update_with_copy(*black_box(&self.words));
        }
        self.entry = Some(entry);
    }

    #[inline(always)]
    fn stamp(&mut self, sequence: u64, stamp_ns: u64) {
        self.words[super::SEQUENCE] = sequence;
        self.words[super::STAMP] = stamp_ns;
    }
}

impl Sender for BlackboardSender {
    #[inline(always)]
    fn send(&mut self, sequence: u64, stamp_ns: u64) {
        self.stamp(sequence, stamp_ns);
        if let Some(entry) = &self.entry {
            entry.update_with_copy(*black_box(&self.words));
        }
    }
}

pub struct BlackboardReceiver {
    entry: EntryHandle<ipc::Service, u64, Words>,
    value: BlackboardValue<Words>,
}

impl BlackboardReceiver {
    /// Brings the newest payload here so many times and does not keep it: the least that the peer
    /// can be asked for.
    #[inline(never)]
    pub fn glance_many(&mut self, count: u64) {
        for _ in 0..count {
            black_box(&*self.entry.get());
        }
    }
}

impl Receiver for BlackboardReceiver {
    #[inline(always)]
    fn take(&mut self) -> bool {
        self.value = self.entry.get();
        black_box(&self.value);
        true
    }

    /// Looks at the entry's counter and copies only when it has moved, which is cheaper than
    /// copying all the time.
    #[inline(always)]
    fn wait_for_newer(&mut self, sequence: u64, deadline_ns: u64) -> Option<Received> {
        loop {
            for _ in 0..super::LOOKS_PER_CLOCK {
                if !self.entry.is_up_to_date(&self.value) {
                    self.value = self.entry.get();
                    let received = Received::of(&self.value);
                    if received.sequence > sequence {
                        return Some(received);
                    }
                }
                spin_loop();
            }
            if monotonic_ns() >= deadline_ns {
                return None;
            }
        }
    }
}
