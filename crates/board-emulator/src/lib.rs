//! The emulated acquisition board: a configuration script, the boards that it samples, and the
//! stream that it makes.
//!
//! ```text
//!  manoeuvre ──► encoders, sensor ──► boards ──► processor ──► queue ──► outlet ──► reader
//!  (steering,    (quadrature,         (latch,    (QDCOUNT,     (faults,   (FIFO, terminal, Unix or
//!   pedals)       ±5 V)                16 bit)    MERGE)        record)    TCP socket, pipe)
//! ```
//!
//! Everything up to the block is a pure function of the script, the manoeuvre and the seed, in the
//! board's own time; the rest is about when and how the blocks reach a reader.
//!
//! Beside it stands what measures a reader of the board: the read strategies that the acquisition
//! does not use ([`strategies`]), the comparison of what was read with what was sent
//! ([`comparison`]), and the differentiators side by side ([`differentiators`]). None of this is
//! part of a run with hardware; `daq-service` registers the board as source kind `emulator`
//! ([`SOURCE_KIND`]).

pub mod comparison;
pub mod delivery;
pub mod differentiators;
mod emulator;
mod hardware;
pub mod manoeuvre;
mod processor;
mod random;
mod schedule;
pub mod script;
mod settings;
mod source;
pub mod strategies;
mod tasks;

pub use emulator::{Delivery, Emulator};
pub(crate) use processor::Block;
pub use processor::Processor;
use random::Random;
pub use settings::{Prepared, Settings};
pub use source::{EmulatorOpening, SOURCE_KIND};

#[cfg(test)]
mod tests;
