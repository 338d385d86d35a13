//! A vehicle in the common blocks: what crosses the processes, and what observers are shown of it.

pub mod blocks;
pub mod signals;
