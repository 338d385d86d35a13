//! Copying shared words many bytes at a time.
//!
//! The compiler never joins atomic accesses, so a copy word by word takes a load and a store for
//! each word: 64 stores for a block of 512 bytes, and the processor retires about one in a cycle.
//! Its vector registers need a quarter of that, or half where there is no AVX.
//!
//! *Why this is the same copy.* What the instructions below do is what a loop of relaxed loads and
//! stores of the same words may do. An aligned word of 8 bytes inside a vector move to or from
//! ordinary memory is not torn, and x86-64 keeps loads in the order of loads and stores in the
//! order of stores, which is more than relaxed asks for. To the compiler each `asm!` is an access
//! to memory that it cannot see into, so it stays between the fences of [`crate::slots`].
//!
//! *Where the lines begin.* A load may cross a cache line at little cost, a store may not. In a
//! slot the payload starts two words behind a line, so its first six words go by themselves and the
//! rest begins on one; a reader's copy begins on one.
//!
//! Other processors, Miri and loom take the loop word by word in [`crate::slots::Memory`].
#![allow(unsafe_code)]

use core::arch::asm;
use core::sync::atomic::{AtomicU64, Ordering};

use crate::mapping::ReadOnlyWord;
use crate::slots::{LINE_WORDS, SLOT_HEADER_WORDS};

/// Words of a payload in its first cache line.
const FIRST: usize = LINE_WORDS - SLOT_HEADER_WORDS;
/// Words that one instruction moves where there is no AVX.
const PAIR: usize = 2;

/// Stores the values in as many words.
///
/// The first line goes word by word: a vector load of words that were stored one by one a moment
/// ago has to wait until all have reached the cache, and the stamp is always such a word.
///
/// # Panics
/// When there are fewer words than values.
#[inline(always)]
pub fn store(words: &[AtomicU64], values: &[u64]) {
    let (first_values, values) = values.split_at(FIRST.min(values.len()));
    let (first_words, words) = words.split_at(first_values.len());
    store_each(first_words, first_values);
    let (value_lines, values_left) = values.as_chunks::<LINE_WORDS>();
    let (word_lines, words_left) = words[..values.len()].as_chunks::<LINE_WORDS>();
    // SAFETY: both sides have as many lines, and atomic words may be written through a shared
    // reference.
    unsafe { move_lines(word_lines.as_ptr().cast_mut().cast(), value_lines.as_ptr().cast(), value_lines.len()) }
    let (value_pairs, last_value) = values_left.as_chunks::<PAIR>();
    let (word_pairs, last_word) = words_left.as_chunks::<PAIR>();
    for (words, values) in word_pairs.iter().zip(value_pairs) {
        // SAFETY: both sides are arrays of 16 bytes; as above.
        unsafe { move_pair(words.as_ptr().cast_mut().cast(), values.as_ptr()) }
    }
    store_each(last_word, last_value);
}

/// Loads as many words as there are values.
///
/// # Panics
/// When there are fewer words than values.
#[inline(always)]
pub fn load(words: &[ReadOnlyWord], values: &mut [u64]) {
    let words = &words[..values.len()];
    let (word_lines, words_left) = words.as_chunks::<LINE_WORDS>();
    let (value_lines, values_left) = values.as_chunks_mut::<LINE_WORDS>();
    // SAFETY: both sides have as many lines, and the values are borrowed for writing.
    unsafe { move_lines(value_lines.as_mut_ptr().cast(), word_lines.as_ptr().cast(), word_lines.len()) }
    load_pairs(words_left, values_left);
}

#[inline(always)]
fn load_pairs(words: &[ReadOnlyWord], values: &mut [u64]) {
    let (word_pairs, last_word) = words.as_chunks::<PAIR>();
    let (value_pairs, last_value) = values.as_chunks_mut::<PAIR>();
    for (words, values) in word_pairs.iter().zip(value_pairs) {
        // SAFETY: both sides are arrays of 16 bytes, and the values are borrowed for writing.
        unsafe { move_pair(values.as_mut_ptr(), words.as_ptr().cast()) }
    }
    for (word, value) in last_word.iter().zip(last_value) {
        *value = word.load();
    }
}

#[inline(always)]
fn store_each(words: &[AtomicU64], values: &[u64]) {
    for (word, value) in words.iter().zip(values) {
        word.store(*value, Ordering::Relaxed);
    }
}

/// Moves so many lines of 64 bytes.
///
/// # Safety
/// So many lines can be read at `from` and written at `to`, and both are aligned for words.
#[inline(always)]
unsafe fn move_lines(to: *mut u64, from: *const u64, lines: usize) {
    if lines == 0 {
        return;
    }
    if std::arch::is_x86_feature_detected!("avx") {
        // SAFETY: the caller vouches for the memory, and the processor has the instructions.
        unsafe { move_lines_wide(to, from, lines) }
    } else {
        // SAFETY: the caller vouches for the memory.
        unsafe { move_lines_narrow(to, from, lines) }
    }
}

/// Moves lines through 32-byte registers.
///
/// # Safety
/// As for [`move_lines`], with at least one line, on a processor with AVX.
#[inline(always)]
unsafe fn move_lines_wide(to: *mut u64, from: *const u64, lines: usize) {
    // SAFETY: it reads and writes just the bytes that the caller vouches for, and only the
    // registers named here.
    unsafe {
        asm!(
            "2:",
            "vmovups {a:y}, [{from}]",
            "vmovups {b:y}, [{from} + 32]",
            "vmovups [{to}], {a:y}",
            "vmovups [{to} + 32], {b:y}",
            "add {from}, 64",
            "add {to}, 64",
            "sub {lines}, 1",
            "jnz 2b",
            from = inout(reg) from => _,
            to = inout(reg) to => _,
            lines = inout(reg) lines => _,
            a = out(xmm_reg) _,
            b = out(xmm_reg) _,
            options(nostack),
        );
    }
    // Code that is not made for AVX runs slowly while the upper halves are in use; such code keeps
    // nothing in them.
    #[cfg(not(target_feature = "avx"))]
    // SAFETY: it changes only the upper halves of registers, which this program does not use.
    unsafe {
        asm!("vzeroupper", options(nomem, nostack, preserves_flags));
    }
}

/// Moves lines through 16-byte registers.
///
/// # Safety
/// As for [`move_lines`].
#[inline(always)]
unsafe fn move_lines_narrow(to: *mut u64, from: *const u64, lines: usize) {
    for line in 0..lines {
        // SAFETY: the line lies within those that the caller vouches for.
        let to = unsafe { to.add(line * LINE_WORDS) };
        // SAFETY: as above.
        let from = unsafe { from.add(line * LINE_WORDS) };
        // SAFETY: it reads and writes just this line, and only the registers named here.
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
}

/// Moves [`PAIR`] words.
///
/// # Safety
/// 16 bytes can be read at `from` and written at `to`, and both are aligned for words.
#[inline(always)]
unsafe fn move_pair(to: *mut u64, from: *const u64) {
    // SAFETY: it reads and writes just the bytes that the caller vouches for, and only the register
    // named here.
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

    /// More than the longest path through lines, pairs and single words.
    const LONGEST: usize = FIRST + 4 * LINE_WORDS + 5;
    const UNTOUCHED: u64 = u64::MAX;

    fn words(values: impl IntoIterator<Item = u64>) -> Vec<AtomicU64> {
        values.into_iter().map(AtomicU64::new).collect()
    }

    fn values(words: &[AtomicU64]) -> Vec<u64> {
        words.iter().map(|word| word.load(Ordering::Relaxed)).collect()
    }

    fn read_only(words: &[AtomicU64]) -> &[ReadOnlyWord] {
        // SAFETY: a read-only word is a transparent wrapper of an atomic word.
        unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), words.len()) }
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
                load(read_only(&shared[first..]), &mut copy[first..first + length]);
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

    #[test]
    fn both_ways_to_move_lines_move_the_same() {
        let from: Vec<u64> = (1..=40).collect();
        for lines in 1..=4 {
            let mut narrow = vec![UNTOUCHED; from.len()];
            // SAFETY: both sides have five lines.
            unsafe { move_lines_narrow(narrow.as_mut_ptr(), from.as_ptr(), lines) }
            let mut either = vec![UNTOUCHED; from.len()];
            // SAFETY: both sides have five lines.
            unsafe { move_lines(either.as_mut_ptr(), from.as_ptr(), lines) }
            assert_eq!(narrow, either);
            assert_eq!(narrow[..lines * LINE_WORDS], from[..lines * LINE_WORDS]);
            assert!(narrow[lines * LINE_WORDS..].iter().all(|word| *word == UNTOUCHED));
        }
    }
}
