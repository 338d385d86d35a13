//! The orderings of the slot protocol, and four ways to get them wrong.
//!
//! A checker that finds nothing proves nothing until it has found something: each of the wrong ones
//! is a mistake that a careful person could make, and that x86 hardware would hide for ever.
#![allow(dead_code, reason = "each checker uses its part")]

use std::sync::atomic::Ordering;

use shm_layout::slots::Fence;

/// How the orderings that the protocol asks for are carried out.
pub trait Orders: Send + Sync + 'static {
    /// Name, as the scripts and reports have it.
    const NAME: &'static str;
    /// Step (4).
    fn store(order: Ordering) -> Ordering {
        order
    }
    /// Steps (2), (6) and (8): the fence that is left out.
    const MISSING: Option<Fence> = None;
}

/// As the protocol has them.
pub struct Sound;
/// Step (2) is missing: words of a write may be seen before its sequence number.
pub struct NoReleaseFence;
/// Step (8) is missing: the sequence number may be looked at before the words.
pub struct NoAcquireFence;
/// Step (4) is relaxed: a write may be published before its words are there.
pub struct RelaxedPublish;
/// Step (6) is missing: the words may be loaded before the write is known to be published.
pub struct NoPublishedFence;

impl Orders for Sound {
    const NAME: &'static str = "sound";
}

impl Orders for NoReleaseFence {
    const NAME: &'static str = "no-release-fence";
    const MISSING: Option<Fence> = Some(Fence::BeforeWords);
}

impl Orders for NoAcquireFence {
    const NAME: &'static str = "no-acquire-fence";
    const MISSING: Option<Fence> = Some(Fence::AfterCopy);
}

impl Orders for NoPublishedFence {
    const NAME: &'static str = "no-published-fence";
    const MISSING: Option<Fence> = Some(Fence::AfterPublished);
}

impl Orders for RelaxedPublish {
    const NAME: &'static str = "relaxed-publish";
    fn store(_order: Ordering) -> Ordering {
        Ordering::Relaxed
    }
}
