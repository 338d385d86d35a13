//! Our block, exactly as the services use it.
//!
//! No block of the catalogue has exactly 512 bytes, but only the used words of a block are copied:
//! `/plant_inputs/` with 59 of its 64 inputs in use is 5 + 59 = 64 words.

use std::hint::black_box;

use anyhow::Result;
use shm_layout::blocks::{PLANT_INPUTS, PlantInputs};
use shm_layout::{Payload, Reader, Region, Wait, Waited, Writer};

use super::{Received, Receiver, Sender, WORDS, Words};

/// Inputs in use that make a payload of 512 bytes.
const INPUTS: u64 = 59;

/// `/plant_inputs/` with 64 words in use.
fn inputs_of_512_bytes() -> PlantInputs {
    let mut payload = PlantInputs { input_count: INPUTS, ..PlantInputs::default() };
    for (index, input) in payload.inputs[..INPUTS as usize].iter_mut().enumerate() {
        *input = 0.5 + index as f64;
    }
    payload
}

pub(super) fn constant_sum() -> u64 {
    let payload = inputs_of_512_bytes();
    used(&payload).iter().fold(0, |sum, word| sum.wrapping_add(*word))
}

#[inline(always)]
fn used(payload: &PlantInputs) -> &Words {
    let (words, _) = payload.words().as_chunks::<WORDS>();
    &words[0]
}

pub struct OurSender {
    writer: Writer<PlantInputs>,
    payload: PlantInputs,
}

impl OurSender {
    /// Takes the right to write the block.
    pub fn new(region: &Region) -> Result<Self> {
        Ok(Self { writer: region.claim(PLANT_INPUTS)?, payload: inputs_of_512_bytes() })
    }
}

impl Sender for OurSender {
    #[inline(always)]
    fn send(&mut self, sequence: u64, stamp_ns: u64) {
        self.payload.stamp.step = sequence;
        self.payload.stamp.publish_ns = stamp_ns;
        self.writer.publish(black_box(&self.payload));
    }
}

pub struct OurReceiver {
    reader: Reader<PlantInputs>,
}

impl OurReceiver {
    pub fn new(region: &Region) -> Self {
        Self { reader: region.reader(PLANT_INPUTS) }
    }
}

impl Receiver for OurReceiver {
    #[inline(always)]
    fn take(&mut self) -> bool {
        match self.reader.latest() {
            Some(snapshot) => {
                black_box(snapshot.value);
                true
            }
            None => false,
        }
    }

    #[inline(always)]
    fn wait_for_newer(&mut self, sequence: u64, deadline_ns: u64) -> Option<Received> {
        loop {
            if self.reader.wait_for_news(deadline_ns, Wait::Spin) == Waited::Late {
                return None;
            }
            let received = Received::of(used(self.reader.last()?));
            if received.sequence > sequence {
                return Some(received);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SEQUENCE, STAMP};
    use super::*;
    use shm_layout::{Layout, Stamp};

    #[test]
    fn the_used_part_is_512_bytes() {
        assert_eq!(inputs_of_512_bytes().used_words() * 8, 512);
    }

    #[test]
    fn sequence_and_time_are_where_the_peers_have_them() {
        let stamp = Stamp { step: 7, sample_ns: 0, publish_ns: 9 };
        let payload = PlantInputs { stamp, ..inputs_of_512_bytes() };
        assert_eq!((used(&payload)[SEQUENCE], used(&payload)[STAMP]), (7, 9));
        assert!(Received::of(used(&payload)).is_whole(constant_sum()));
    }
}
