//! `/acquisition/`: how sources and channels are.

use acquisition::{Clock, Reading, Source, State};
use shm_layout::blocks::{Acquisition, ChannelStatus, SourceStatus};

use super::Slot;

/// The number of a state in the block.
const fn state_number(state: State) -> u64 {
    match state {
        State::Waiting => 1,
        State::Flowing => 2,
        State::Stalled => 3,
        State::Gone => 4,
        State::Ended => 5,
        State::Swapped => 6,
    }
}

/// The number of a clock in the block.
const fn clock_number(clock: Clock) -> u64 {
    match clock {
        Clock::Arrival => 1,
        Clock::Kernel => 2,
        Clock::Hardware => 3,
        Clock::Recorded => 4,
    }
}

/// Fills the block, except its stamp and counts. Real-time safe.
#[inline]
pub(super) fn fill(block: &mut Acquisition, slots: &[Slot], channels: &[Reading]) {
    for (place, slot) in block.sources.iter_mut().zip(slots) {
        let counters = slot.source.counters();
        *place = SourceStatus {
            state: state_number(slot.state),
            clock: clock_number(slot.source.clock()),
            sample_ns: slot.newest.sample_ns,
            blocks: counters.blocks,
            bytes: counters.bytes,
            empty_reads: counters.empty_reads,
            bursts: counters.bursts,
            largest_burst: counters.largest_burst,
            remainders: counters.remainders,
            lost: counters.lost,
            duplicated: counters.duplicated,
            corrupted: counters.corrupted,
            resynchronised: counters.resynchronised,
            reconnects: counters.reconnects,
        };
    }
    for (place, channel) in block.channels.iter_mut().zip(channels) {
        *place = ChannelStatus {
            raw: channel.raw,
            value: channel.value,
            rate: channel.rate,
            acceleration: channel.acceleration,
            sample_ns: channel.sample_ns,
            age_ns: channel.age_ns,
            faults: channel.faults.0,
            reaction: channel.reaction as u64,
            fault_count: channel.fault_count,
        };
    }
}
