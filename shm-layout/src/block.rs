//! Where each block lives in the region, and the fingerprint of the whole layout.

use signals::blocks::CATALOGUE;
use signals::{BlockEntry, Field};

use crate::slots::{LINE_WORDS, SLOTS, slot_words};

/// Blocks start on a page of their own, because page protection is what keeps other writers out.
pub const PAGE_BYTES: usize = 4096;
/// Words of the control line in front of a block's slots: two cache lines, so that `published`,
/// which changes with every write, does not share one with what changes only when the owner does.
pub const CONTROL_WORDS: usize = 2 * LINE_WORDS;

/// Bytes of the region that a block takes: its control words and its slots, in whole pages.
pub const fn block_bytes(entry: &BlockEntry) -> usize {
    ((CONTROL_WORDS + SLOTS * slot_words(entry.payload_words)) * 8).next_multiple_of(PAGE_BYTES)
}

/// Where the block at this position of the table starts, in bytes.
pub const fn offset(index: usize) -> usize {
    let mut bytes = crate::header::HEADER_BYTES;
    let mut before = 0;
    while before < index {
        bytes += block_bytes(&CATALOGUE[before]);
        before += 1;
    }
    bytes
}

/// Bytes of the whole region.
pub const REGION_BYTES: usize = offset(CATALOGUE.len());

/// Fingerprint of the whole layout (FNV-1a, 64 bits): names, units, kinds and places of every field
/// of every block. Two programs may share a region only if theirs are equal.
pub const LAYOUT_HASH: u64 = layout_hash(CATALOGUE);

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
        offset += block_bytes(entry);
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
