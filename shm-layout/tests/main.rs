//! Regions and blocks from outside, most of them between several processes. The checkers of the
//! slot protocol and the C header have programs of their own.

#[macro_use]
#[path = "support/every_block.rs"]
mod every_block;
#[macro_use]
#[path = "support/child.rs"]
mod child;
#[path = "support/compiler.rs"]
mod compiler;
#[path = "support/flat_out.rs"]
mod flat_out;
#[path = "support/pattern.rs"]
mod pattern;
#[path = "support/place.rs"]
mod place;

mod c_client;
mod c_writer;
mod layout;
mod never_waits;
mod never_waits_fifo;
mod ownership;
mod permissions;
mod refused;
mod removal;
mod snapshots;
mod stress;
mod waiting;
