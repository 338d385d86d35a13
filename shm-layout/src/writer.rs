//! The right to write one block.

use std::marker::PhantomData;
use std::os::fd::OwnedFd;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::block::{CONTROL_WORDS, block_bytes, offset};
use crate::clock::monotonic_ns;
use crate::error::ClaimError;
use crate::futex;
use crate::lock::{Kind, try_lock};
use crate::mapping::{ReadOnlyWord, WritableMapping};
use crate::region::Region;
use crate::slots::{Hardware, Loads, SLOTS, Slots, slot_words};
use signals::{Block, Payload};

/// Control word: number of the last whole write. It has a cache line of its own.
pub const PUBLISHED: usize = 0;
/// Control word: how many owners the block has had.
pub const GENERATION: usize = 8;
/// Control word: process number of the owner; 0 if it gave the block back.
pub const OWNER_PID: usize = 9;
/// Control word: monotonic time at which the owner took the block.
pub const OWNED_SINCE_NS: usize = 10;

/// How often to look for the owner of a block that somebody else has.
const LOOKS_FOR_OWNER: usize = 20;

/// Holding one proves that this process is the only writer of the block, and that only this block's
/// pages are writable through it. The kernel takes the right back when the process ends, however it
/// ends.
#[derive(Debug)]
pub struct Writer<T> {
    mapping: WritableMapping,
    sequence: u64,
    generation: u32,
    _lock: OwnedFd,
    payload: PhantomData<fn(&T)>,
}

impl<T: Payload> Writer<T> {
    pub(crate) fn claim(region: &Region, block: Block<T>) -> Result<Self, ClaimError> {
        let entry = block.entry();
        let system = |what| move |source| ClaimError::System { what, block: entry.name, source };
        let file = region.open_writable().map_err(|source| ClaimError::Forbidden { block: entry.name, source })?;
        if !try_lock(&file, offset(block.index), Kind::Exclusive).map_err(system("locking"))? {
            return Err(owned(region, block));
        }
        let mapping =
            WritableMapping::new(&file, offset(block.index), block_bytes(entry)).map_err(system("mapping"))?;
        let control = mapping.words();
        let generation = control[GENERATION].load(Ordering::Relaxed) + 1;
        control[GENERATION].store(generation, Ordering::Relaxed);
        control[OWNED_SINCE_NS].store(monotonic_ns(), Ordering::Relaxed);
        control[OWNER_PID].store(u64::from(std::process::id()), Ordering::Release);
        // Only whole writes count: what a dead owner left half written is overwritten and never
        // looked at.
        let sequence = control[PUBLISHED].load(Ordering::Relaxed);
        Ok(Self { mapping, sequence, generation: generation as u32, _lock: file, payload: PhantomData })
    }

    /// Makes this payload the block's newest snapshot. Does not allocate, wait or enter the kernel.
    #[inline]
    pub fn publish(&mut self, payload: &T) {
        self.sequence += 1;
        self.slots().write(self.sequence, self.generation, &payload.words()[..payload.used_words()]);
    }

    /// Publishes, and wakes those who sleep until the block changes.
    #[inline]
    pub fn publish_and_wake(&mut self, payload: &T) {
        self.publish(payload);
        futex::wake_all(self.mapping.words()[PUBLISHED].as_ptr());
    }

    /// How many owners the block has had, this one included.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Number of the last whole write, by this owner or one before it.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Does half of a write and stops, as a writer does that is killed or stopped there. For tests
    /// of exactly that.
    #[doc(hidden)]
    pub fn publish_half(&mut self, payload: &T) {
        let words = &payload.words()[..payload.used_words()];
        let slots = self.slots();
        let slot = slots.begin(self.sequence + 1, self.generation, words.len());
        for (word, value) in slot[crate::slots::SLOT_HEADER_WORDS..].iter().zip(&words[..words.len() / 2]) {
            word.store(*value, Ordering::Relaxed);
        }
    }

    #[inline(always)]
    fn slots(&self) -> Slots<'_, Hardware> {
        block_slots::<Hardware>(self.mapping.words(), const { slot_words(T::WORDS) })
    }
}

impl<T> Drop for Writer<T> {
    fn drop(&mut self) {
        self.mapping.words()[OWNER_PID].store(0, Ordering::Release);
    }
}

/// The slots, of so many words each, of a block that begins at the first of these words.
#[inline(always)]
pub(crate) fn block_slots<M: Loads>(words: &[M::Word], stride: usize) -> Slots<'_, M> {
    Slots { published: &words[PUBLISHED], words: &words[CONTROL_WORDS..CONTROL_WORDS + SLOTS * stride], stride }
}

/// Who owns a block, as far as the block itself says.
pub(crate) fn owner_pid(words: &[ReadOnlyWord]) -> Option<u32> {
    let pid = words[OWNER_PID].load() as u32;
    (pid != 0).then_some(pid)
}

fn owned<T: Payload>(region: &Region, block: Block<T>) -> ClaimError {
    let entry = block.entry();
    let mut pid = 0;
    let mut process = None;
    // Who has the lock writes down its number a moment later; until then a dead owner's may stand
    // there.
    for _ in 0..LOOKS_FOR_OWNER {
        pid = owner_pid(region.block_words(block.index)).unwrap_or(0);
        process = std::fs::read_to_string(format!("/proc/{pid}/comm")).ok();
        if process.is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    ClaimError::Owned {
        block: entry.name,
        pid,
        process: process.map_or_else(|| "not visible from here".to_owned(), |name| name.trim().to_owned()),
    }
}
