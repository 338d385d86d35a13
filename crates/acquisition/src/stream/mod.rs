//! The board's stream of blocks, and the strategies of taking them.
//!
//! A board measures several numbers at a time and sends them as one block, again and again, through
//! a pipe that is first in, first out (DAS §4.3.2). Whoever reads it finds nothing, a part of a
//! block, one block or many, as the scheduler pleases, and wants one thing: the newest numbers, all
//! of the same time. [`Strategy`] has the ways to get them that DAS §4.3.3 compares, and
//! [`AllBlocks`] the one that it arrives at.
//!
//! ```text
//!  Pipe ──bytes──► Strategy ──blocks──► Receiver ──samples──► a source
//!                  whole blocks only    Sense: can this be right?
//!                                       Timing: when was it measured?
//! ```

mod buffer;
mod frame;
mod layout;
mod pipe;
mod receiver;
mod sense;
mod splitter;
mod strategies;
mod strategy;
mod timing;

pub use buffer::Buffer;
pub use frame::{FrameStamp, HEADER_BYTES, TRAILER_BYTES, encode as encode_frame, frame_bytes};
pub use layout::{ByteOrder, Field, Kind, Layout, LayoutError};
pub use pipe::{Arrived, Descriptor, Pipe};
pub use receiver::Receiver;
pub use sense::Sense;
pub use splitter::Framing;
pub use strategies::{AllBlocks, BlockIfAvailable, Everything, OneBlock, OneValue, WhatYouNeed};
pub use strategy::{Block, Strategy, StrategyName, Transfer};
pub use timing::Timing;
