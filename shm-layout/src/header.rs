//! The first page of a region: what it is, which layout it has, and where its blocks are.
//!
//! It is written once, before the region gets its name, and never changes: whoever can find the
//! region finds it whole.

use bytemuck::{Pod, Zeroable};

use crate::block::{LAYOUT_HASH, PAGE_BYTES, REGION_BYTES, block_bytes, offset};
use signals::blocks::CATALOGUE;

/// Bytes of the header: one page.
pub const HEADER_BYTES: usize = PAGE_BYTES;
/// "RTRDSHM" and a zero, as a little-endian number.
pub const MAGIC: u64 = u64::from_le_bytes(*b"RTRDSHM\0");
/// Raised when the meaning of the header or of a block's control words changes.
pub const LAYOUT_VERSION: u64 = 1;
/// Lines of the table of blocks in the header.
pub const TABLE_MAX: usize = 40;
/// Bytes of a block's name in the header, with at least one zero at the end.
pub const NAME_BYTES: usize = 32;

/// One block in the header, for readers that were not compiled against this layout.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct TableLine {
    /// Name, filled up with zeros.
    pub name: [u8; NAME_BYTES],
    /// Number.
    pub number: u64,
    /// Where the block starts, in bytes from the start of the region.
    pub offset_bytes: u64,
    /// Bytes of the block, a whole number of pages.
    pub size_bytes: u64,
    /// Words of the payload.
    pub payload_words: u64,
    /// Words of a slot.
    pub slot_words: u64,
    /// Slots of the block.
    pub slot_count: u64,
}

/// The first page of a region.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Header {
    /// [`MAGIC`].
    pub magic: u64,
    /// [`LAYOUT_VERSION`].
    pub layout_version: u64,
    /// [`LAYOUT_HASH`].
    pub layout_hash: u64,
    /// Bytes of the region.
    pub region_bytes: u64,
    /// Tells one run of an instance from the next: wall-clock nanoseconds of its creation.
    pub instance_epoch: u64,
    /// Process that made the region.
    pub creator_pid: u64,
    /// Lines of the table that are in use.
    pub block_count: u64,
    /// Zero.
    pub reserved: u64,
    /// The blocks.
    pub table: [TableLine; TABLE_MAX],
}

const _: () = {
    assert!(size_of::<Header>() <= HEADER_BYTES);
    assert!(CATALOGUE.len() <= TABLE_MAX);
    assert!(size_of::<TableLine>() == 80);
};

impl Header {
    /// The header of a region that is made now.
    pub(crate) fn new(instance_epoch: u64) -> Self {
        let mut header = Self {
            magic: MAGIC,
            layout_version: LAYOUT_VERSION,
            layout_hash: LAYOUT_HASH,
            region_bytes: REGION_BYTES as u64,
            instance_epoch,
            creator_pid: u64::from(std::process::id()),
            block_count: CATALOGUE.len() as u64,
            ..Self::zeroed()
        };
        for (index, (line, entry)) in header.table.iter_mut().zip(CATALOGUE).enumerate() {
            line.name[..entry.name.len()].copy_from_slice(entry.name.as_bytes());
            line.number = u64::from(entry.number);
            line.offset_bytes = offset(index) as u64;
            line.size_bytes = block_bytes(entry) as u64;
            line.payload_words = entry.payload_words as u64;
            line.slot_words = crate::slots::slot_words(entry.payload_words) as u64;
            line.slot_count = crate::slots::SLOTS as u64;
        }
        header
    }
}
