//! From a board's block in a pipe to shared memory: how long it takes, which strategy of taking
//! blocks wins, and how fast the board may be.
//!
//! Five questions, each with its own file: [`proof`] that nothing is lost between the emulated
//! board and shared memory, as in DAS Table 4.5 and Fig. 4.19 and 4.20; [`latency`] beside a bare
//! blocking read of the same kind of pipe; [`periods`] down to 50 µs per block; [`processor_time`]
//! while waiting; [`strategies`] as in DAS Table 4.5 and Fig. 4.16 and 4.17.

mod board;
mod figures;
mod latency;
mod periods;
mod processor_time;
mod proof;
mod strategies;

use acquisition::Plan;
use anyhow::{Context as _, Result};
use board::Fifo;
use files::Found;

use super::Context;
use crate::report::Report;

pub const NAME: &str = "acquisition";

/// As many as in the thesis.
const MANOEUVRES: usize = 5;
/// Length of a manoeuvre unless the variable says otherwise, as in the thesis (s).
const SECONDS: u64 = 50;
const SECONDS_VARIABLE: &str = "RTRD_ACQUISITION_SECONDS";

/// Length of a manoeuvre (s).
fn seconds(context: &Context) -> u64 {
    let wanted = std::env::var(SECONDS_VARIABLE).ok();
    let wanted = wanted.and_then(|text| text.parse().ok());
    wanted.unwrap_or_else(|| context.effort(SECONDS)).max(1)
}

/// The shipped acquisition file of the buggy, with the board at the other end of a FIFO.
fn plan(fifo: &Fifo, period_us: u64) -> Result<Plan> {
    let shipped = files::shipped_text("acquisition", "buggy").context("the shipped file is gone")?;
    let path = fifo.0.display().to_string();
    let source = format!("kind = \"stream\"\npath = {path:?}\nperiod_us = {period_us}.0\nwhole_blocks = false");
    let text = shipped.replace("kind = \"emulator\"", &source);
    Ok(Plan::parse(&Found::new("buggy with a stream", text), &[])?)
}

pub fn run(context: &Context) -> Result<Report> {
    let Ok(board_seat) = context.place.other_seat() else {
        let why = "it needs a CPU for the board and another one for the acquisition, and this process may use only one";
        return Ok(Report::skipped(NAME, why));
    };
    let columns = ["block to shared memory, µs", "min", "p50", "p99", "p99.9", "max", "blocks", "p50 alone"];
    let mut report = Report::new(NAME, &columns);
    latency::measure(context, board_seat, &mut report)?;
    processor_time::measure(context, board_seat, &mut report)?;
    periods::measure(context, board_seat, &mut report)?;
    proof::measure(context, board_seat, &mut report)?;
    strategies::measure(context, board_seat, &mut report)?;
    Ok(report)
}
