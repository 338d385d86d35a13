//! From a board's block in a pipe to shared memory: how long it takes, which strategy of taking blocks wins, and how fast the board may be.
//!
//! Three questions, each with its own file: [`latency`] beside a bare blocking read of the same kind of pipe, [`strategies`] as in DAS Table 4.5 and
//! Fig. 4.16 and 4.17, [`periods`] down to 50 µs per block.

mod board;
mod figures;
mod latency;
mod periods;
mod strategies;

use anyhow::Result;

use super::Context;
use crate::report::Report;

/// The name of the group.
pub const NAME: &str = "acquisition";

/// Measures the group.
pub fn run(context: &Context) -> Result<Report> {
    let Ok(board_seat) = context.place.other_seat() else {
        let why = "it needs a CPU for the board and another one for the acquisition, and this process may use only one";
        return Ok(Report::skipped(NAME, why));
    };
    let columns = [
        "block to shared memory, µs",
        "min",
        "p50",
        "p99",
        "p99.9",
        "max",
        "blocks",
    ];
    let mut report = Report::new(NAME, &columns);
    latency::measure(context, board_seat, &mut report)?;
    periods::measure(context, board_seat, &mut report)?;
    strategies::measure(context, board_seat, &mut report)?;
    Ok(report)
}
