//! The table of blocks: which payload lives where in the region, and who writes it.

use core::marker::PhantomData;

use crate::payload::{Field, Payload};
use crate::slots::{LINE_WORDS, SLOTS, slot_words};

/// Blocks start on a page of their own, because page protection is what keeps other writers out.
pub const PAGE_BYTES: usize = 4096;
/// Words of the control line in front of a block's slots: two cache lines, so that `published`,
/// which changes with every write, does not share one with what changes only when the owner does.
pub const CONTROL_WORDS: usize = 2 * LINE_WORDS;

/// Which process of the set writes a block by default. A process of the user's may take its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the processes")]
pub enum Role {
    Daq,
    Dynamics,
    Subsystem,
    Gateway,
    Supervisor,
    External,
}

impl Role {
    /// The name of the process.
    pub const fn name(self) -> &'static str {
        match self {
            Role::Daq => "daq-service",
            Role::Dynamics => "dynamics-service",
            Role::Subsystem => "subsystem-service",
            Role::Gateway => "gateway-service",
            Role::Supervisor => "rtrd",
            Role::External => "a process of the user's",
        }
    }
}

/// One line of the table of blocks.
#[derive(Clone, Copy, Debug)]
pub struct BlockEntry {
    /// Name; people write it between slashes, as in Fortran: `/driver/`.
    pub name: &'static str,
    /// Number; it is part of the signal numbers and never changes.
    pub number: u32,
    /// Who writes it.
    pub writer: Role,
    /// Words of the payload.
    pub payload_words: usize,
    /// Fields of the payload.
    pub fields: &'static [Field],
}

impl BlockEntry {
    /// Bytes of the region that the block takes: its control words and its slots, in whole pages.
    pub const fn bytes(&self) -> usize {
        ((CONTROL_WORDS + SLOTS * slot_words(self.payload_words)) * 8).next_multiple_of(PAGE_BYTES)
    }
}

/// A block and the type of its payload: the key to a [`crate::Reader`] or a [`crate::Writer`].
#[derive(Debug)]
pub struct Block<T> {
    /// Position in the table of blocks.
    pub index: usize,
    payload: PhantomData<T>,
}

impl<T> Clone for Block<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Block<T> {}

impl<T: Payload> Block<T> {
    /// The block at this position of the table; only the table itself makes one.
    pub(crate) const fn at(index: usize) -> Self {
        Self { index, payload: PhantomData }
    }

    /// Its line in the table.
    pub const fn entry(self) -> &'static BlockEntry {
        &crate::blocks::CATALOGUE[self.index]
    }

    /// Where it starts in the region, in bytes.
    pub const fn offset(self) -> usize {
        offset(self.index)
    }
}

/// Where the block at this position of the table starts, in bytes.
pub const fn offset(index: usize) -> usize {
    let mut bytes = crate::header::HEADER_BYTES;
    let mut before = 0;
    while before < index {
        bytes += crate::blocks::CATALOGUE[before].bytes();
        before += 1;
    }
    bytes
}

/// Bytes of the whole region.
pub const REGION_BYTES: usize = offset(crate::blocks::CATALOGUE.len());

/// Fingerprint of the whole layout (FNV-1a, 64 bits): names, units, kinds and places of every field
/// of every block. Two programs may share a region only if theirs are equal.
pub const LAYOUT_HASH: u64 = layout_hash(crate::blocks::CATALOGUE);

/// The fingerprint of a table of blocks that lie one behind the other.
pub const fn layout_hash(catalogue: &[BlockEntry]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut offset = crate::header::HEADER_BYTES;
    let mut index = 0;
    while index < catalogue.len() {
        let entry = &catalogue[index];
        hash = hash_text(hash, entry.name);
        hash = hash_number(hash, entry.number as u64);
        hash = hash_number(hash, SLOTS as u64);
        hash = hash_number(hash, offset as u64);
        hash = hash_fields(hash, entry.fields);
        offset += entry.bytes();
        index += 1;
    }
    hash
}

const fn hash_byte(hash: u64, byte: u8) -> u64 {
    (hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01b3)
}

const fn hash_text(mut hash: u64, text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut index = 0;
    while index < bytes.len() {
        hash = hash_byte(hash, bytes[index]);
        index += 1;
    }
    hash_byte(hash, 0)
}

const fn hash_number(mut hash: u64, number: u64) -> u64 {
    let bytes = number.to_le_bytes();
    let mut index = 0;
    while index < bytes.len() {
        hash = hash_byte(hash, bytes[index]);
        index += 1;
    }
    hash
}

const fn hash_fields(mut hash: u64, fields: &[Field]) -> u64 {
    hash = hash_number(hash, fields.len() as u64);
    let mut index = 0;
    while index < fields.len() {
        let field = &fields[index];
        hash = hash_text(hash, field.name);
        hash = hash_text(hash, field.unit);
        hash = hash_text(hash, field.frame);
        hash = hash_number(hash, field.kind as u64);
        hash = hash_number(hash, field.word as u64);
        hash = hash_number(hash, field.count as u64);
        hash = hash_fields(hash, field.nested);
        index += 1;
    }
    hash
}
