//! `/acquisition/`: what the sources deliver and how far it can be believed, channel by channel.

use bytemuck::{Pod, Zeroable};

use crate::{Layout, Stamp};

/// Most sources that feed one instance.
pub const SOURCES_MAX: usize = 8;
/// Most channels of all sources together.
pub const ACQUISITION_CHANNELS_MAX: usize = 32;

/// How a source is, and what it has seen since the process began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable, Layout)]
#[repr(C)]
pub struct SourceStatus {
    /// [-] [@range 0..6] [@invalid 0] 0 not in use, 1 waiting for the first data, 2 flowing, 3
    /// stalled, 4 gone, 5 ended, 6 bytes swapped.
    pub state: u64,
    /// [-] [@range 1..4] [@invalid 0] Clock of its sample times: 1 arrival, 2 kernel, 3 hardware, 4
    /// recorded.
    pub clock: u64,
    /// [ns] [@range 0..18446744073709551615] [@invalid 0] Sample time of its newest sample.
    pub sample_ns: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Whole samples taken.
    pub blocks: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Bytes taken.
    pub bytes: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Opportunities at which nothing had
    /// arrived.
    pub empty_reads: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Opportunities at which more than one
    /// sample had arrived.
    pub bursts: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Most samples at one opportunity.
    pub largest_burst: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Opportunities that ended inside a sample.
    pub remainders: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Samples that are missing, by their
    /// numbers.
    pub lost: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Samples that came again.
    pub duplicated: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Samples that were refused.
    pub corrupted: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Times that the beginning of a sample had
    /// to be searched for.
    pub resynchronised: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] Times that it was opened again.
    pub reconnects: u64,
}

/// One channel, from the raw number to the value that is used.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[repr(C)]
pub struct ChannelStatus {
    /// [-] [@range -1e308..1e308] [@invalid NaN] The number as the source delivered it.
    pub raw: f64,
    /// [-] [@range -1e308..1e308] [@invalid NaN] The calibrated value after the plausibility
    /// checks, in the unit of the file.
    pub value: f64,
    /// [-] [@range -1e308..1e308] [@invalid NaN] Its rate (1/s).
    pub rate: f64,
    /// [-] [@range -1e308..1e308] [@invalid NaN] Its acceleration (1/s²).
    pub acceleration: f64,
    /// [ns] [@range 0..18446744073709551615] [@invalid 0] When the number was measured.
    pub sample_ns: u64,
    /// [ns] [@range 0..18446744073709551615] [@invalid 0] How old it was when it was published.
    pub age_ns: u64,
    /// [-] [@range 0..31] [@invalid 0] What is wrong with it now: bits 1 out of range, 2 stuck, 4
    /// jump, 8 stale, 16 not a number.
    pub faults: u64,
    /// [-] [@range 0..3] [@invalid 0] What is done about it: 0 nothing, 1 held, 2 ramped to its
    /// safe value, 3 stop asked for.
    pub reaction: u64,
    /// [-] [@range 0..18446744073709551615] [@invalid 0] How often a fault has begun.
    pub fault_count: u64,
}

/// What the sources deliver and how far it can be believed. The names are in the acquisition file,
/// in the same order.
#[derive(Clone, Copy, Debug, Pod, Zeroable, Layout)]
#[layout(count = "channel_count", tail = "channels")]
#[repr(C)]
pub struct Acquisition {
    /// When; the step counts publications.
    pub stamp: Stamp,
    /// [-] [@range 0..8] [@invalid 0] How many sources are in use.
    pub source_count: u64,
    /// The sources, in the order of the file.
    pub sources: [SourceStatus; SOURCES_MAX],
    /// [-] [@range 0..32] [@invalid 0] How many channels are in use.
    pub channel_count: u64,
    /// The channels, in the order of the file.
    pub channels: [ChannelStatus; ACQUISITION_CHANNELS_MAX],
}
