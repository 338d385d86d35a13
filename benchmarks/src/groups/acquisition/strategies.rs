//! Every strategy of DAS §4.3.3 and §4.3.4 under the same conditions, as in DAS Table 4.5 and Fig.
//! 4.16 and 4.17.
//!
//! The board sends its numbers one by one, as `MERGE` does, 200 µs apart and a block each
//! millisecond. The loop has an opportunity each 0.43 ms, which is the mean of the thesis, and once
//! in a second the machine does something else for 30 ms. What counts is not only how much is
//! transferred but whether blocks are whole and how far behind the board the newest one is. The
//! strategies run side by side, each with a board and a pipe of its own: all of them are asleep
//! most of the time.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use acquisition::sources::stream::{StreamSettings, StreamSource};
use acquisition::stream::{Framing, Layout};
use acquisition::{Counters, Source};
use anyhow::{Context as _, Result};
use board_emulator::strategies::StrategyName;
use rt::clock::monotonic_ns;

use super::board::{Fifo, Orders, is_whole, join, send};
use super::{Context, MANOEUVRES, NAME, figures, seconds};
use crate::place::Seat;
use crate::report::{Report, Target};

const PERIOD_NS: u64 = 1_000_000;
const VALUE_NS: u64 = 200_000;
const LOOP: Duration = Duration::from_micros(430);
const PAUSE: Duration = Duration::from_millis(30);
const PAUSE_EACH_NS: u64 = 1_000_000_000;

/// What one manoeuvre has given.
#[derive(Default)]
struct Outcome {
    /// Bytes of each loop.
    bytes: Vec<u32>,
    blocks: u64,
    torn: u64,
    /// Most blocks that the board had sent before an opportunity and that were newer than the
    /// newest after it.
    behind_max: u32,
    /// The same after the last one.
    behind_end: u32,
    /// Whole blocks up to the newest.
    newest: u32,
    overflows: u64,
    seconds: f64,
}

/// Measures, prints the table, and draws the figures if they are wanted.
pub fn measure(context: &Context, board_seat: Seat, report: &mut Report) -> Result<()> {
    let seconds = seconds(context);
    let mut first = Vec::new();
    println!("── {NAME}: strategies, {MANOEUVRES} manoeuvres of {seconds} s ──");
    println!(
        "  strategy                   manoeuvre  loops    bytes   blocks  ms/loop  torn  behind (most)  behind (end)"
    );
    let mut torn = 0;
    for manoeuvre in 1..=MANOEUVRES {
        for (name, outcome) in run_all(context, board_seat, seconds)? {
            print(name, manoeuvre, &outcome);
            if name == StrategyName::AllBlocks {
                torn += outcome.torn;
                let wrong = outcome.torn + outcome.overflows + u64::from(outcome.behind_end);
                let name = format!("all_blocks.manoeuvre_{manoeuvre}.wrong");
                report.figure(&name, wrong as f64, "blocks");
            }
            if manoeuvre == 1 {
                first.push((name, outcome.bytes));
            }
        }
    }
    let what = "take all blocks available, torn blocks";
    report.target(Target::at_most(what, 0.0, "blocks", torn as f64));
    println!();
    if let Some(folder) = context.figures {
        for path in figures::draw(folder, &first)? {
            report.note(format!("figure {}", path.display()));
        }
    }
    Ok(())
}

/// One manoeuvre with every strategy, side by side.
fn run_all(context: &Context, board_seat: Seat, seconds: u64) -> Result<Vec<(StrategyName, Outcome)>> {
    let folder = &context.session.names().folder();
    thread::scope(|scope| {
        let run = |name| (name, scope.spawn(move || run(folder, board_seat, name, seconds)));
        let running = StrategyName::ALL.map(run);
        let outcome = |(name, thread)| -> Result<_> { Ok((name, join(thread)?)) };
        running.into_iter().map(outcome).collect()
    })
}

fn print(name: StrategyName, manoeuvre: usize, outcome: &Outcome) {
    let loops = outcome.bytes.len();
    let bytes: u64 = outcome.bytes.iter().map(|bytes| u64::from(*bytes)).sum();
    println!(
        "  {:<26} {manoeuvre:>9} {loops:>6} {bytes:>8} {:>8} {:>8.2} {:>5} {:>14} {:>13}",
        name.words(),
        outcome.blocks,
        outcome.seconds * 1e3 / loops.max(1) as f64,
        outcome.torn,
        outcome.behind_max,
        outcome.behind_end,
    );
}

fn run(folder: &Path, board_seat: Seat, name: StrategyName, seconds: u64) -> Result<Outcome> {
    let fifo = Fifo::new(folder)?;
    let framed = name == StrategyName::WhatYouNeed;
    let format = StreamSettings {
        framing: if framed { Framing::Header } else { Framing::None },
        check_byte_order: false,
        ..StreamSettings::default()
    };
    let flags = nix::fcntl::OFlag::O_NONBLOCK.bits();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(&fifo.0);
    let file = file.context("cannot open the FIFO")?;
    let layout = Layout::board();
    // That of the acquisition knows that the board writes value by value.
    let source = match name {
        StrategyName::AllBlocks => StreamSource::new(file.into(), &format, &layout, Counters::default()),
        other => {
            let strategy = other.strategy(&layout, format.framing);
            StreamSource::with_strategy(file.into(), &format, &layout, Counters::default(), strategy)
        }
    };
    let mut source = source.map_err(anyhow::Error::msg)?;
    let orders = Orders {
        blocks: (seconds * 1_000_000_000 / PERIOD_NS) as u32,
        period_ns: PERIOD_NS,
        value_ns: VALUE_NS,
        framed,
        probed: false,
        seat: board_seat,
    };
    let (path, sent) = (fifo.0.clone(), &AtomicU32::new(0));
    thread::scope(|scope| {
        let board = scope.spawn(move || send(&path, orders, sent));
        let mut outcome = Outcome::default();
        let began_ns = monotonic_ns();
        let mut pause_ns = began_ns + PAUSE_EACH_NS / 2;
        loop {
            // The last opportunity comes after the last block.
            let is_last = board.is_finished();
            outcome.opportunity(&mut source, sent);
            if is_last {
                break;
            }
            if monotonic_ns() >= pause_ns {
                pause_ns += PAUSE_EACH_NS;
                thread::sleep(PAUSE);
            }
            thread::sleep(LOOP);
        }
        outcome.seconds = (monotonic_ns() - began_ns) as f64 * 1e-9;
        outcome.overflows = join(board)?.overflows;
        Ok(outcome)
    })
}

impl Outcome {
    /// One opportunity of the loop.
    fn opportunity(&mut self, source: &mut StreamSource, sent: &AtomicU32) {
        let before = source.counters().bytes;
        // What was sent before the look is what it could have found.
        let sent = sent.load(Ordering::Acquire);
        source.take(monotonic_ns(), &mut |sample| {
            self.blocks += 1;
            if is_whole(&sample.raw) {
                self.newest = sample.raw[2] as u32 + 1;
            } else {
                self.torn += 1;
            }
        });
        self.bytes.push((source.counters().bytes - before) as u32);
        self.behind_end = sent.saturating_sub(self.newest);
        self.behind_max = self.behind_max.max(self.behind_end);
    }
}
