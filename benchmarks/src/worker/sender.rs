//! The writing end of a one-way trip.

use std::hint::spin_loop;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use shm_layout::Region;
use shm_layout::clock::monotonic_ns;

use crate::session::Names;
use crate::transport::{BlackboardService, OurSender, PublishSubscribeSender, Sender, Transport, peer_node};

/// Sends a number of payloads at a pace.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct SendOrder {
    pub transport: Transport,
    pub first: u64,
    pub count: u64,
    /// From one to the next.
    pub pace_ns: u64,
    pub start_ns: u64,
}

pub(super) fn serve(names: &Names) -> Result<()> {
    let region = Region::open(&names.region()?, None)?;
    let node = peer_node(names)?;
    let board = BlackboardService::open(&node)?;
    let mut ours = OurSender::new(&region)?;
    let mut blackboard = board.sender()?;
    let mut publisher = PublishSubscribeSender::new(&node)?;
    super::obey(|order: SendOrder| {
        match order.transport {
            Transport::Ours => send(&mut ours, &order),
            Transport::Blackboard => send(&mut blackboard, &order),
            Transport::PublishSubscribe => send(&mut publisher, &order),
        }
        Ok(order.count)
    })
}

/// Spins from one sending to the next: a sleep would leave the CPU cold and the pace uneven. It
/// ends after `count · pace_ns`, whatever the reader does.
fn send(sender: &mut impl Sender, order: &SendOrder) {
    for index in 0..order.count {
        let due_ns = order.start_ns + index * order.pace_ns;
        let mut now_ns = monotonic_ns();
        while now_ns < due_ns {
            spin_loop();
            now_ns = monotonic_ns();
        }
        sender.send(order.first + index, now_ns);
    }
}
