//! How fast the board may be: blocks at shorter and shorter periods, each checked against what the board has sent.

use std::sync::atomic::AtomicU32;
use std::thread;

use acquisition::sources::stream::StreamSettings;
use acquisition::{Counters, Opening, Source, State};
use anyhow::Result;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use rt::clock::monotonic_ns;

use super::Context;
use super::board::{Fifo, Orders, is_whole, join, send};
use crate::place::Seat;
use crate::report::{Report, Target};

const PERIODS_US: [u64; 5] = [1000, 500, 200, 100, 50];
/// Length of each run (s).
const SECONDS: u64 = 2;

/// Measures and reports.
pub fn measure(context: &Context, board_seat: Seat, report: &mut Report) -> Result<()> {
    let mut all_wrong = 0;
    let mut lines = Vec::new();
    for period_us in PERIODS_US {
        let blocks = context.effort(SECONDS * 1_000_000 / period_us) as u32;
        let orders = Orders {
            blocks,
            period_ns: period_us * 1000,
            value_ns: 0,
            framed: false,
            seat: board_seat,
        };
        let (wrong, largest_burst) = run(context, orders)?;
        all_wrong += wrong;
        report.figure(&format!("period_{period_us}us.wrong"), wrong as f64, "blocks");
        lines.push(format!(
            "{period_us} µs: {blocks} blocks, {wrong} wrong, largest burst {largest_burst}"
        ));
    }
    report.note(format!(
        "sampling periods, lost, torn or out of order: {}",
        lines.join("; ")
    ));
    let what = "blocks lost, torn or out of order at periods down to 50 µs";
    report.target(Target::at_most(what, 0.0, "blocks", all_wrong as f64));
    Ok(())
}

/// Blocks that are missing, torn, out of order or did not fit the pipe; and the largest burst.
fn run(context: &Context, orders: Orders) -> Result<(u64, u64)> {
    let fifo = Fifo::new(&context.session.names().folder())?;
    let settings = StreamSettings {
        path: Some(fifo.0.clone()),
        // The board counts its blocks through the whole range: that is no car.
        check_byte_order: Some(false),
        ..StreamSettings::default()
    };
    let opening = settings.into_opening(None).map_err(anyhow::Error::msg)?;
    let mut source = opening.open(Counters::default())?;
    let path = fifo.0.clone();
    let seat = context.place.seat();
    thread::scope(|scope| {
        let board = scope.spawn(move || send(&path, orders, &AtomicU32::new(0)));
        let acquisition = scope.spawn(move || -> Result<(u64, u64)> {
            seat.take()?;
            let (mut next, mut wrong) = (0_u32, 0_u64);
            loop {
                wait(source.as_ref());
                let state = source.take(monotonic_ns(), &mut |sample| {
                    let is_next = is_whole(&sample.raw) && sample.raw[2] == f64::from(next);
                    wrong += u64::from(!is_next);
                    next += 1;
                });
                if state == State::Gone {
                    let missing = u64::from(orders.blocks.abs_diff(next));
                    return Ok((wrong + missing, source.counters().largest_burst));
                }
            }
        });
        let sent = join(board)?;
        let (wrong, largest_burst) = join(acquisition)?;
        Ok((wrong + sent.overflows, largest_burst))
    })
}

/// Sleeps until there is something.
fn wait(source: &dyn Source) {
    if let Some(descriptor) = source.descriptor() {
        let mut asked = [PollFd::new(descriptor, PollFlags::POLLIN)];
        // Whatever ends the wait, the source says what there is.
        let _ = poll(&mut asked, PollTimeout::from(100_u8));
    }
}
