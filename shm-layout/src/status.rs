//! What an onlooker may know of a block without copying it: who writes it, how often, and since
//! when.

use bytemuck::Zeroable;

use crate::region::Region;
use crate::slots::{ATTEMPTS, ReadOnly, slot_words};
use crate::writer::{GENERATION, PUBLISHED, block_slots, owner_pid};
use signals::blocks::CATALOGUE;
use signals::{Payload, Stamp};

/// How a block is doing at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockStatus {
    /// The process that has the right to write it; `None` if it gave the block back or nobody ever
    /// had it. A process that was killed stays named until another one takes over.
    pub owner_pid: Option<u32>,
    /// How many owners the block has had.
    pub generation: u32,
    /// How many writes it has had.
    pub sequence: u64,
    /// Monotonic time of the last one; `None` before the first, or if the writer overtook every
    /// attempt to read it.
    pub publish_ns: Option<u64>,
}

impl Region {
    /// How the block at this position of the table is doing. Reads a few words and writes none;
    /// like every read, it ends after a bounded number of attempts, whatever the writer does.
    ///
    /// # Panics
    /// When there is no block at this position.
    pub fn block_status(&self, index: usize) -> BlockStatus {
        let block = self.block_words(index);
        let slots = block_slots::<ReadOnly>(block, slot_words(CATALOGUE[index].payload_words));
        // Every payload begins with a stamp: a copy of so many words is enough, and no less whole.
        let mut stamp = Stamp::zeroed();
        let copied = slots.read(ATTEMPTS, stamp.words_mut());
        BlockStatus {
            owner_pid: owner_pid(block),
            generation: block[GENERATION].load() as u32,
            sequence: block[PUBLISHED].load(),
            publish_ns: copied.is_ok().then_some(stamp.publish_ns),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name::RegionName;
    use signals::blocks::{self, DriverInput};

    fn region(folder: &std::path::Path) -> Region {
        Region::create(&RegionName::in_directory(folder, "status").unwrap(), None).unwrap()
    }

    #[test]
    fn a_block_tells_its_owner_its_generation_and_its_last_write() {
        let folder = tempfile::tempdir().unwrap();
        let region = region(folder.path());
        let index = blocks::DRIVER.index;
        assert_eq!(region.block_status(index), BlockStatus::default());

        let mut writer = region.claim(blocks::DRIVER).unwrap();
        let mut driver = DriverInput::default();
        for publish_ns in [70, 71] {
            driver.stamp.publish_ns = publish_ns;
            writer.publish(&driver);
        }
        let owned =
            BlockStatus { owner_pid: Some(std::process::id()), generation: 1, sequence: 2, publish_ns: Some(71) };
        assert_eq!(region.block_status(index), owned);

        drop(writer);
        let left = BlockStatus { owner_pid: None, ..owned };
        assert_eq!(region.block_status(index), left);
        let _second = region.claim(blocks::DRIVER).unwrap();
        assert_eq!(region.block_status(index).generation, 2);
    }

    #[test]
    fn half_a_write_is_not_seen() {
        let folder = tempfile::tempdir().unwrap();
        let region = region(folder.path());
        let mut writer = region.claim(blocks::DRIVER).unwrap();
        let mut driver = DriverInput::default();
        driver.stamp.publish_ns = 70;
        writer.publish(&driver);
        driver.stamp.publish_ns = 71;
        writer.publish_half(&driver);
        let status = region.block_status(blocks::DRIVER.index);
        assert_eq!((status.sequence, status.publish_ns), (1, Some(70)));
    }
}
