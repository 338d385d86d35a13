//! A vehicle in the common blocks: what crosses the processes, and what onlookers are shown of it.

pub mod blocks;
pub mod signals;
