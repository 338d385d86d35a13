//! From just before a block's last byte is written to the block being readable in shared memory.
//!
//! The floor is a bare blocking `read` of the same kind of pipe in the same run: a thread that does nothing else. Ours is the loop of `daq-service` itself
//! with the shipped acquisition file of the buggy: take, calibrate, check, differentiate, publish `/driver/` and `/acquisition/`. The three take
//! turns. A block is readable when `/driver/` has been published, which is what the stamp of `/acquisition/` says. A spinner leaves its CPU to others
//! between rounds.

use std::fs::OpenOptions;
use std::io::Read;
use std::sync::atomic::AtomicU32;
use std::thread;

use anyhow::Result;
use daq_service::Observed;
use rt::clock::monotonic_ns;
use service::{Config, Job};
use shm_layout::Wait;

use super::board::{Fifo, Orders, Sent, join, send};
use super::{Context, NAME, plan};
use crate::place::{Seat, pause};
use crate::report::{Report, Target, short};

const PERIOD_NS: u64 = 1_000_000;
const ROUNDS: u64 = 20;
const BLOCKS: u32 = 250;
/// The loop of the thesis (µs): DAS Table 4.5, mean of five manoeuvres.
const THESIS_US: f64 = 430.0;
/// Longer than any round: the loop is woken by data.
const PATIENCE_NS: u64 = 50_000_000;

/// Latencies of one way of receiving (µs).
#[derive(Default)]
struct Latencies(Vec<f64>);

impl Latencies {
    fn percentile(&self, share: f64) -> f64 {
        let rank = (share * self.0.len() as f64).ceil() as usize;
        self.0[rank.clamp(1, self.0.len()) - 1]
    }

    /// Adds those of a round: when each publication was readable, and how many blocks had come by then.
    fn add(&mut self, sent: &Sent, published: &[(u64, u64)]) {
        for (end_ns, blocks) in published {
            if let Some(at_ns) = (*blocks as usize)
                .checked_sub(1)
                .and_then(|index| sent.at_ns.get(index))
            {
                self.0.push(end_ns.saturating_sub(*at_ns) as f64 * 1e-3);
            }
        }
    }
}

/// Measures and reports.
pub fn measure(context: &Context, board_seat: Seat, report: &mut Report) -> Result<()> {
    let job = Job::read(&Config::default())?;
    let orders = Orders {
        blocks: BLOCKS,
        period_ns: PERIOD_NS,
        value_ns: 0,
        framed: false,
        seat: board_seat,
    };
    let seat = context.place.seat();
    let [mut bare, mut sleeping, mut spinning] = [const { Latencies(Vec::new()) }; 3];
    for _ in 0..context.effort(ROUNDS) {
        pause();
        let (sent, published) = bare_round(context, seat, orders)?;
        bare.add(&sent, &published);
        for (wait, latencies) in [(Wait::Sleep, &mut sleeping), (Wait::Spin, &mut spinning)] {
            pause();
            let (sent, published) = our_round(context, seat, orders, &job, wait)?;
            latencies.add(&sent, &published);
        }
    }
    for latencies in [&mut bare, &mut sleeping, &mut spinning] {
        latencies.0.sort_by(f64::total_cmp);
        anyhow::ensure!(!latencies.0.is_empty(), "nothing arrived");
    }
    row(report, "bare blocking read", &bare);
    row(report, "ours, sleeping", &sleeping);
    row(report, "ours, spinning", &spinning);
    let (floor, ours, spun) = (
        bare.percentile(0.5),
        sleeping.percentile(0.5),
        spinning.percentile(0.5),
    );
    report.compare("sleeping.p50", ours, "µs", "blocking read", floor);
    report.compare("spinning.p50", spun, "µs", "blocking read", floor);
    for (name, latencies) in [("sleeping", &sleeping), ("spinning", &spinning)] {
        for (part, share) in [("p99", 0.99), ("p999", 0.999), ("max", 1.0)] {
            report.figure(&format!("{name}.{part}"), latencies.percentile(share), "µs");
        }
    }
    report.target(Target::at_most(
        "sleeping, median as a multiple of a bare blocking read",
        1.3,
        "×",
        ours / floor,
    ));
    report.target(Target::at_most("spinning, median", 2.0, "µs", spun));
    report.note(format!(
        "{NAME}: one block of 8 bytes each {} µs; the time of the write itself is included; the thesis took {THESIS_US} µs per loop",
        PERIOD_NS / 1000
    ));
    Ok(())
}

fn row(report: &mut Report, label: &str, latencies: &Latencies) {
    let parts = [0.0, 0.5, 0.99, 0.999, 1.0].map(|share| short(latencies.percentile(share)));
    let count = latencies.0.len().to_string();
    report.row([label.to_owned()].into_iter().chain(parts).chain([count]));
}

/// What a round gives: the board's memory, and (time, blocks so far) of each publication.
type Round = (Sent, Vec<(u64, u64)>);

fn bare_round(context: &Context, seat: Seat, orders: Orders) -> Result<Round> {
    let fifo = Fifo::new(&context.session.names().folder())?;
    thread::scope(|scope| {
        let reader = scope.spawn(|| -> Result<Vec<(u64, u64)>> {
            // Waits for the board to open its end.
            let mut pipe = OpenOptions::new().read(true).open(&fifo.0)?;
            seat.take()?;
            let mut published = Vec::with_capacity(orders.blocks as usize);
            let (mut bytes, mut room) = (0_u64, [0; 4096]);
            loop {
                let count = pipe.read(&mut room)?;
                let end_ns = monotonic_ns();
                if count == 0 {
                    return Ok(published);
                }
                bytes += count as u64;
                published.push((end_ns, bytes / 8));
            }
        });
        let sent = loop {
            match send_from(scope, &fifo, orders) {
                Some(sent) => break sent?,
                // The reader has not opened its end yet.
                None => thread::yield_now(),
            }
        };
        Ok((sent, join(reader)?))
    })
}

/// Sends in a thread of its own; `None` if nobody reads yet.
fn send_from<'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    fifo: &Fifo,
    orders: Orders,
) -> Option<Result<Sent>> {
    let path = fifo.0.clone();
    let sent = join(scope.spawn(move || send(&path, orders, &AtomicU32::new(0))));
    match &sent {
        Err(error) if nobody_reads(error) => None,
        _ => Some(sent),
    }
}

fn nobody_reads(error: &anyhow::Error) -> bool {
    let system = error.downcast_ref::<std::io::Error>();
    system.and_then(std::io::Error::raw_os_error) == Some(nix::errno::Errno::ENXIO as i32)
}

fn our_round(context: &Context, seat: Seat, orders: Orders, job: &Job, wait: Wait) -> Result<Round> {
    let fifo = Fifo::new(&context.session.names().folder())?;
    let region = context.session.open_region()?;
    let mut observed = Observed::new(&region, plan(&fifo, PERIOD_NS / 1000)?, job, wait)?;
    let path = fifo.0.clone();
    thread::scope(|scope| {
        let board = scope.spawn(move || send(&path, orders, &AtomicU32::new(0)));
        let published = scope.spawn(move || -> Result<Vec<(u64, u64)>> {
            seat.take()?;
            let mut published = Vec::with_capacity(orders.blocks as usize + 1);
            // Whatever happens to the board, the CPU is free again soon.
            let over_ns = monotonic_ns() + PATIENCE_NS + u64::from(orders.blocks) * orders.period_ns * 4;
            let mut before = 0;
            while before < u64::from(orders.blocks) && monotonic_ns() < over_ns {
                let turn = observed.turn(PATIENCE_NS);
                if turn.blocks > before {
                    before = turn.blocks;
                    published.push((turn.readable_ns, turn.blocks));
                }
            }
            Ok(published)
        });
        let published = join(published)?;
        Ok((join(board)?, published))
    })
}
