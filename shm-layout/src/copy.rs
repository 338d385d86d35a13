//! Copying shared words sixteen bytes at a time.
//!
//! The compiler never joins atomic accesses, so a copy word by word takes a load and a store for each word: 64 stores
//! for a block of 512 bytes, and the processor retires about one in a cycle. The vector registers that every x86-64 has
//! halve that.
//!
//! *Why this is the same copy.* What the instructions below do is what a loop of relaxed loads and stores of the same
//! words may do. An aligned word of 8 bytes inside a 16-byte move to or from ordinary memory is not torn, and x86-64
//! keeps loads in the order of loads and stores in the order of stores, which is more than relaxed asks for. To the
//! compiler each `asm!` is an access to memory that it cannot see into, so it stays between the fences of
//! [`crate::slots`].
//!
//! *Why 16 bytes and not 32.* Some processors switch the upper half of wide registers off when it has not been used for
//! a while, and run slowly for microseconds when it is wanted again: a loop with a period of a millisecond would pay
//! that in every period.
//!
//! Other processors, Miri and loom take the loop word by word in [`crate::slots::Memory`].
#![allow(unsafe_code)]

use core::arch::asm;
use core::sync::atomic::{AtomicU64, Ordering};

/// Words that one run of instructions moves.
const CHUNK: usize = 16;
/// Words that one instruction moves.
const PAIR: usize = 2;
/// Words at the start of a payload that were probably written just now: the stamp, and what lies next to it.
const FRESH: usize = 8;

/// Stores the values in as many words.
///
/// The beginning goes word by word: a 16-byte load of two words that were stored one by one a moment ago has to wait
/// until both have reached the cache, and the stamp is always such a pair.
///
/// # Panics
/// When there are fewer words than values.
#[inline(always)]
pub fn store(words: &[AtomicU64], values: &[u64]) {
    let (fresh_values, values) = values.split_at(FRESH.min(values.len()));
    let (fresh_words, words) = words.split_at(fresh_values.len());
    store_each(fresh_words, fresh_values);
    let (value_chunks, values_left) = values.as_chunks::<CHUNK>();
    let (word_chunks, words_left) = words[..values.len()].as_chunks::<CHUNK>();
    for (words, values) in word_chunks.iter().zip(value_chunks) {
        // SAFETY: both sides are arrays of 128 bytes, and atomic words may be written through a shared reference.
        unsafe { move_chunk(words.as_ptr().cast_mut().cast(), values.as_ptr()) }
    }
    let (value_pairs, last_value) = values_left.as_chunks::<PAIR>();
    let (word_pairs, last_word) = words_left.as_chunks::<PAIR>();
    for (words, values) in word_pairs.iter().zip(value_pairs) {
        // SAFETY: as above, with 16 bytes.
        unsafe { move_pair(words.as_ptr().cast_mut().cast(), values.as_ptr()) }
    }
    store_each(last_word, last_value);
}

/// Loads as many words as there are values.
///
/// # Panics
/// When there are fewer words than values.
#[inline(always)]
pub fn load(words: &[AtomicU64], values: &mut [u64]) {
    let (word_chunks, words_left) = words[..values.len()].as_chunks::<CHUNK>();
    let (value_chunks, values_left) = values.as_chunks_mut::<CHUNK>();
    for (words, values) in word_chunks.iter().zip(value_chunks) {
        // SAFETY: both sides are arrays of 128 bytes, and the values are borrowed for writing.
        unsafe { move_chunk(values.as_mut_ptr(), words.as_ptr().cast()) }
    }
    let (word_pairs, last_word) = words_left.as_chunks::<PAIR>();
    let (value_pairs, last_value) = values_left.as_chunks_mut::<PAIR>();
    for (words, values) in word_pairs.iter().zip(value_pairs) {
        // SAFETY: as above, with 16 bytes.
        unsafe { move_pair(values.as_mut_ptr(), words.as_ptr().cast()) }
    }
    for (word, value) in last_word.iter().zip(last_value) {
        *value = word.load(Ordering::Relaxed);
    }
}

#[inline(always)]
fn store_each(words: &[AtomicU64], values: &[u64]) {
    for (word, value) in words.iter().zip(values) {
        word.store(*value, Ordering::Relaxed);
    }
}

/// Moves [`CHUNK`] words.
///
/// # Safety
/// 128 bytes can be read at `from` and written at `to`, and both are aligned for words.
#[inline(always)]
unsafe fn move_chunk(to: *mut u64, from: *const u64) {
    // SAFETY: it reads and writes just the bytes that the caller vouches for, and only the registers named here.
    unsafe {
        asm!(
            "movups {a}, [{from}]",
            "movups {b}, [{from} + 16]",
            "movups {c}, [{from} + 32]",
            "movups {d}, [{from} + 48]",
            "movups [{to}], {a}",
            "movups [{to} + 16], {b}",
            "movups [{to} + 32], {c}",
            "movups [{to} + 48], {d}",
            "movups {a}, [{from} + 64]",
            "movups {b}, [{from} + 80]",
            "movups {c}, [{from} + 96]",
            "movups {d}, [{from} + 112]",
            "movups [{to} + 64], {a}",
            "movups [{to} + 80], {b}",
            "movups [{to} + 96], {c}",
            "movups [{to} + 112], {d}",
            from = in(reg) from,
            to = in(reg) to,
            a = out(xmm_reg) _,
            b = out(xmm_reg) _,
            c = out(xmm_reg) _,
            d = out(xmm_reg) _,
            options(nostack, preserves_flags),
        );
    }
}

/// Moves [`PAIR`] words.
///
/// # Safety
/// 16 bytes can be read at `from` and written at `to`, and both are aligned for words.
#[inline(always)]
unsafe fn move_pair(to: *mut u64, from: *const u64) {
    // SAFETY: it reads and writes just the bytes that the caller vouches for, and only the register named here.
    unsafe {
        asm!(
            "movups {a}, [{from}]",
            "movups [{to}], {a}",
            from = in(reg) from,
            to = in(reg) to,
            a = out(xmm_reg) _,
            options(nostack, preserves_flags),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More than the longest path through chunks, pairs and single words.
    const LONGEST: usize = FRESH + 3 * CHUNK;
    const UNTOUCHED: u64 = u64::MAX;

    fn words(values: impl IntoIterator<Item = u64>) -> Vec<AtomicU64> {
        values.into_iter().map(AtomicU64::new).collect()
    }

    fn values(words: &[AtomicU64]) -> Vec<u64> {
        words.iter().map(|word| word.load(Ordering::Relaxed)).collect()
    }

    #[test]
    fn every_length_is_stored_and_nothing_beside_it() {
        for first in 0..4 {
            for length in 0..=LONGEST {
                let shared = words(vec![UNTOUCHED; first + LONGEST + 2]);
                let payload: Vec<u64> = (1..=length as u64).collect();
                store(&shared[first..], &payload);
                let mut expected = vec![UNTOUCHED; shared.len()];
                expected[first..first + length].copy_from_slice(&payload);
                assert_eq!(values(&shared), expected, "{length} words from {first}");
            }
        }
    }

    #[test]
    fn every_length_is_loaded_and_nothing_beside_it() {
        let shared = words(1..=LONGEST as u64 + 2);
        for first in 0..4 {
            for length in 0..=LONGEST - 2 {
                let mut copy = vec![UNTOUCHED; first + length + 2];
                load(&shared[first..], &mut copy[first..first + length]);
                let mut expected = vec![UNTOUCHED; copy.len()];
                let found = values(&shared[first..first + length]);
                expected[first..first + length].copy_from_slice(&found);
                assert_eq!(copy, expected, "{length} words from {first}");
            }
        }
    }

    #[test]
    #[should_panic]
    fn too_few_words_are_refused() {
        store(&words([0; 3]), &[1; 4]);
    }
}
