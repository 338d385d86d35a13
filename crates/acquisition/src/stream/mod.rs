//! The board's stream of blocks, and the strategies of taking them.
//!
//! A board measures several numbers at a time and sends them as one block, again and again, through
//! a pipe that is first in, first out (DAS §4.3.2). A reader finds nothing, a part of a block, one
//! block or many, as the scheduler pleases, and wants one thing: the newest numbers, all of the
//! same time. [`AllBlocks`] is the way to get them at which DAS §4.3.4 arrives; those that it
//! compares are in the crate `board-emulator`.
//!
//! ```text
//!  Pipe ──bytes──► Strategy ──blocks──► Receiver ──samples──► a source
//!                  whole blocks only    ByteOrderCheck: can this be right?
//!                                       Timing: when was it measured?
//! ```

mod all_blocks;
mod buffer;
mod byte_order;
mod frame;
mod layout;
mod pipe;
mod receiver;
mod splitter;
mod timing;

pub use all_blocks::AllBlocks;
pub use buffer::Buffer;
pub use frame::{Found, FrameStamp, HEADER_BYTES, encode as encode_frame, examine, frame_bytes};
pub use layout::{ByteOrder, Field, Kind, Layout};
pub(crate) use pipe::Descriptor;
pub use pipe::{Arrived, Pipe, do_not_block};
pub(crate) use receiver::Receiver;
pub use splitter::{Block, Framing, Strategy, Transfer};
pub(crate) use timing::Timing;
