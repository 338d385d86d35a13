//! The emulated acquisition processor: a configuration script, the boards that it samples, and the
//! stream that it makes.
//!
//! ```text
//!  manoeuvre ──► encoders, sensor ──► boards ──► processor ──► queue ──► outlet ──► whoever reads
//!  (steering,    (quadrature,         (latch,    (QDCOUNT,     (faults,   (FIFO, terminal, Unix or
//!   pedals)       ±5 V)                16 bit)    MERGE)        record)    TCP socket, pipe)
//! ```
//!
//! Everything up to the block is a pure function of the script, the manoeuvre and the seed, in the
//! board's own time; the rest is about when and how the blocks reach a reader.

pub mod comparison;
pub mod delivery;
mod emulator;
pub mod hardware;
pub mod manoeuvre;
mod ordinary;
mod pace;
mod parts;
mod processor;
mod random;
pub mod script;
mod settings;
mod source;
mod tasks;

pub use emulator::{Delivery, Emulator};
pub use processor::{Block, Processor};
pub use random::Random;
pub use settings::{Prepared, Settings};
pub use source::EmulatorOpening;
pub(crate) use tasks::Rate;

#[cfg(test)]
mod tests;
