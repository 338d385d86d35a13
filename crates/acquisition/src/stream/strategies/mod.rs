//! The strategies, one file each.

mod all_blocks;
mod block_if_available;
mod everything;
mod one_block;
mod one_value;
mod piece;
mod what_you_need;

pub use all_blocks::AllBlocks;
pub use block_if_available::BlockIfAvailable;
pub use everything::Everything;
pub use one_block::OneBlock;
pub use one_value::OneValue;
pub use what_you_need::WhatYouNeed;
