//! The publish-subscribe of iceoryx2: loan, fill, send; receive.

use std::hint::{black_box, spin_loop};

use anyhow::Result;
use iceoryx2::port::publisher::Publisher;
use iceoryx2::port::subscriber::Subscriber;
use iceoryx2::prelude::{Node, ipc};
use iceoryx2::service::port_factory::publish_subscribe::PortFactory;
use shm_layout::clock::monotonic_ns;

use super::{Received, Receiver, Sender, Words, blank_words};

const SERVICE: &str = "publish-subscribe";
/// Payloads that wait for the subscriber before the oldest is dropped.
pub const QUEUE: usize = 16;

fn service(node: &Node<ipc::Service>) -> Result<PortFactory<ipc::Service, Words, ()>> {
    let builder = node.service_builder(&SERVICE.try_into()?).publish_subscribe::<Words>();
    let builder = builder.subscriber_max_buffer_size(QUEUE).max_publishers(1).max_subscribers(1);
    Ok(builder.open_or_create()?)
}

pub struct PublishSubscribeSender {
    publisher: Publisher<ipc::Service, Words, ()>,
    words: Words,
}

impl PublishSubscribeSender {
    /// The writing end; the first of the two ends makes the service.
    pub fn new(node: &Node<ipc::Service>) -> Result<Self> {
        Ok(Self { publisher: service(node)?.publisher_builder().create()?, words: blank_words() })
    }
}

impl Sender for PublishSubscribeSender {
    #[inline(always)]
    fn send(&mut self, sequence: u64, stamp_ns: u64) {
        self.words[super::SEQUENCE] = sequence;
        self.words[super::STAMP] = stamp_ns;
        if let Ok(sample) = self.publisher.loan_uninit() {
            let _ = black_box(sample.write_payload(*black_box(&self.words)).send());
        }
    }
}

pub struct PublishSubscribeReceiver {
    subscriber: Subscriber<ipc::Service, Words, ()>,
}

impl PublishSubscribeReceiver {
    /// The reading end; the first of the two ends makes the service.
    pub fn new(node: &Node<ipc::Service>) -> Result<Self> {
        Ok(Self { subscriber: service(node)?.subscriber_builder().buffer_size(QUEUE).create()? })
    }
}

impl Receiver for PublishSubscribeReceiver {
    /// Gets hold of the payload without copying it: less than the other two do, in the peer's
    /// favour.
    #[inline(always)]
    fn take(&mut self) -> bool {
        match self.subscriber.receive() {
            Ok(Some(sample)) => {
                black_box(sample.payload());
                true
            }
            _ => false,
        }
    }

    #[inline(always)]
    fn wait_for_newer(&mut self, sequence: u64, deadline_ns: u64) -> Option<Received> {
        loop {
            for _ in 0..super::LOOKS_PER_CLOCK {
                if let Ok(Some(sample)) = self.subscriber.receive() {
                    let received = Received::of(sample.payload());
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
