//! Another process in the place of one of ours: it has the right to write the block, and says
//! nonsense.

use std::rc::Rc;

use fastrand::Rng;
use shm_layout::{Block, Payload, Region, Writer};

use crate::killable::{Account, checksum};
use crate::nonsense::{Nonsense, spoil};
use crate::ranges::Ranges;

/// A writer of nonsense.
pub struct Impostor<T: Payload> {
    writer: Writer<T>,
    good: Box<T>,
    spoilt: Box<T>,
    ranges: Ranges<T>,
    nonsense: Nonsense,
    account: Rc<Account>,
}

impl<T: Payload> Impostor<T> {
    /// Takes the place of a process that has just died.
    pub fn new(region: &Region, block: Block<T>, nonsense: Nonsense, account: &Rc<Account>) -> Self {
        let last = region.reader(block).latest().map(|snapshot| *snapshot.value);
        let good = Box::new(last.unwrap_or_else(T::zeroed));
        Self {
            writer: region.claim(block).expect("its owner is dead"),
            spoilt: good.clone(),
            good,
            ranges: Ranges::default(),
            nonsense,
            account: Rc::clone(account),
        }
    }

    /// Publishes nonsense for this step.
    pub fn publish(&mut self, step: u64, now_ns: u64, random: &mut Rng) {
        *self.spoilt = *self.good;
        self.spoilt.words_mut()[..3].copy_from_slice(&[step, now_ns, now_ns]);
        spoil(self.nonsense, &mut *self.spoilt, &self.ranges, random);
        self.writer.publish(&self.spoilt);
        self.account.publish(checksum(&*self.spoilt));
    }
}

/// A process dies in the middle of a write: half of a payload that makes no sense at all.
pub fn write_half<T: Payload>(region: &Region, block: Block<T>) {
    let mut payload = T::zeroed();
    payload.words_mut().fill(f64::NAN.to_bits() | 0xdead);
    region.claim(block).expect("its owner is dead").publish_half(&payload);
}
