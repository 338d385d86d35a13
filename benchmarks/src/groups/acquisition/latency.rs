//! From a block's last byte having been written to the block being readable in shared memory.
//!
//! The floor is a bare blocking `read` of the same kind of pipe in the same run: a thread that does
//! nothing else. Ours is the loop of `daq-service` itself with the shipped acquisition file of the
//! buggy: take, calibrate, check, differentiate, publish `/driver/` and `/acquisition/`. The three
//! take turns. The time begins when the board's write comes back; a spinner may have the block
//! before that, which counts as no time. After each block both sides look at their cores
//! ([`crate::neighbour`]). A block is readable when `/driver/` has been published, which is what
//! the stamp of `/acquisition/` says. A spinner leaves its CPU to others between rounds.

use std::fs::OpenOptions;
use std::io::Read;
use std::sync::atomic::AtomicU32;
use std::thread;

use anyhow::Result;
use daq_service::ChainProbe;
use rt::clock::monotonic_ns;
use service::{Config, Job};
use shm_layout::Wait;

use super::board::{Fifo, Orders, Sent, join, send};
use super::{Context, NAME, plan};
use crate::neighbour::{self, Rounds};
use crate::place::{Seat, pause};
use crate::report::{Report, Target, blank, short};
use crate::statistics::{Summary, median, percentile};

const PERIOD_NS: u64 = 1_000_000;
const ROUNDS: u64 = 20;
const BLOCKS: u32 = 250;
/// The first blocks of each round are left out: a spinner learns their pace from them, asleep.
const LEARNING: u64 = 50;
/// The loop of the thesis (µs): DAS Table 4.5, mean of five manoeuvres.
const THESIS_US: f64 = 430.0;
/// Longer than any round: the loop is woken by data.
const TIMEOUT_NS: u64 = 50_000_000;

/// A publication: when it was readable (ns), how many blocks had come by then, and the probe of the
/// core after it (ns).
type Publication = (u64, u64, f64);

/// Adds the latencies of a round (µs), each with the slower of the probes on either side.
fn add(latencies: &mut Rounds, sent: &Sent, published: &[Publication]) {
    for (end_ns, blocks, probe_ns) in published.iter().filter(|one| one.1 > LEARNING) {
        let index = (*blocks as usize).checked_sub(1);
        let board = index.and_then(|index| Some((sent.at_ns.get(index)?, sent.probe_ns.get(index)?)));
        if let Some((at_ns, board_probe_ns)) = board {
            let latency_us = end_ns.saturating_sub(*at_ns) as f64 * 1e-3;
            latencies.push((latency_us, probe_ns.max(*board_probe_ns)));
        }
    }
}

pub fn measure(context: &Context, board_seat: Seat, report: &mut Report) -> Result<()> {
    let job = Job::read(&Config::default())?;
    let orders =
        Orders { blocks: BLOCKS, period_ns: PERIOD_NS, value_ns: 0, framed: false, probed: true, seat: board_seat };
    let seat = context.place.seat();
    let [mut bare, mut sleeping, mut spinning] = [const { Rounds::new() }; 3];
    let mut writes_ns = Vec::new();
    for _ in 0..context.effort(ROUNDS) {
        pause();
        let (sent, published) = bare_round(context, seat, orders)?;
        add(&mut bare, &sent, &published);
        for (wait, latencies) in [(Wait::Sleep, &mut sleeping), (Wait::Spin, &mut spinning)] {
            pause();
            let (sent, published) = our_round(context, seat, orders, &job, wait)?;
            add(latencies, &sent, &published);
            if wait == Wait::Spin {
                writes_ns.extend(sent.write_ns);
            }
        }
    }
    let least_probe_ns = neighbour::least_probe_ns([&bare, &sleeping, &spinning]);
    let [bare, sleeping, spinning] = [&bare, &sleeping, &spinning].map(|rounds| Latency::of(rounds, least_probe_ns));
    let (bare, sleeping, spinning) = (bare?, sleeping?, spinning?);
    bare.row(report, "bare blocking read");
    sleeping.row(report, "ours, sleeping");
    spinning.row(report, "ours, spinning");
    let (floor, ours) = (bare.at(0.5), sleeping.at(0.5));
    report.compare("sleeping.p50", ours, "µs", "blocking read", floor);
    report.compare("spinning.p50", spinning.at(0.5), "µs", "blocking read", floor);
    report.figure("spinning.alone.p50", spinning.alone(), "µs");
    for (name, latency) in [("sleeping", &sleeping), ("spinning", &spinning)] {
        for (part, share) in [("p99", 0.99), ("p999", 0.999), ("max", 1.0)] {
            report.figure(&format!("{name}.{part}"), latency.at(share), "µs");
        }
    }
    report.target(Target::at_most("sleeping, median as a multiple of a bare blocking read", 1.3, "×", ours / floor));
    report.target(Target::at_most("spinning, median alone", 2.0, "µs", spinning.alone()));
    report.note(format!(
        "{NAME}: one block of 8 bytes each {} µs; a write to a pipe whose reader spins takes {:.2} µs (median), before the time begins; the thesis took {THESIS_US} µs per loop",
        PERIOD_NS / 1000,
        1e-3 * median(writes_ns).unwrap_or(f64::NAN)
    ));
    Ok(())
}

/// What is said of one way of receiving (µs).
struct Latency {
    all: Vec<f64>,
    alone: Option<Summary>,
}

impl Latency {
    fn of(rounds: &Rounds, least_probe_ns: f64) -> Result<Self> {
        let latency = Self { all: rounds.all(), alone: rounds.alone(least_probe_ns) };
        anyhow::ensure!(!latency.all.is_empty(), "nothing arrived");
        Ok(latency)
    }

    fn at(&self, share: f64) -> f64 {
        percentile(self.all.clone(), share).unwrap_or(f64::NAN)
    }

    /// Median with both cores to ourselves; of all blocks if that was too seldom.
    fn alone(&self) -> f64 {
        self.alone.map_or(self.at(0.5), |alone| alone.p50)
    }

    fn row(&self, report: &mut Report, label: &str) {
        let parts = [0.0, 0.5, 0.99, 0.999, 1.0].map(|share| short(self.at(share)));
        let alone = self.alone.map_or_else(blank, |alone| short(alone.p50));
        let count = self.all.len().to_string();
        report.row([label.to_owned()].into_iter().chain(parts).chain([count, alone]));
    }
}

/// What a round gives: the board's memory, and each publication.
type Round = (Sent, Vec<Publication>);

fn bare_round(context: &Context, seat: Seat, orders: Orders) -> Result<Round> {
    let fifo = Fifo::new(&context.session.names().folder())?;
    thread::scope(|scope| {
        let reader = scope.spawn(|| -> Result<Vec<Publication>> {
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
                published.push((end_ns, bytes / 8, neighbour::chains_ns()));
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

/// Sends in a thread of its own; `None` if there is no reader yet.
fn send_from<'scope>(scope: &'scope thread::Scope<'scope, '_>, fifo: &Fifo, orders: Orders) -> Option<Result<Sent>> {
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
    let mut probe = ChainProbe::new(&region, plan(&fifo, PERIOD_NS / 1000)?, job, wait)?;
    let path = fifo.0.clone();
    thread::scope(|scope| {
        let board = scope.spawn(move || send(&path, orders, &AtomicU32::new(0)));
        let published = scope.spawn(move || -> Result<Vec<Publication>> {
            seat.take()?;
            let mut published = Vec::with_capacity(orders.blocks as usize + 1);
            // Whatever happens to the board, the CPU is free again soon.
            let over_ns = monotonic_ns() + TIMEOUT_NS + u64::from(orders.blocks) * orders.period_ns * 4;
            let mut before = 0;
            while before < u64::from(orders.blocks) && monotonic_ns() < over_ns {
                let turn = probe.turn(TIMEOUT_NS);
                if turn.blocks > before {
                    before = turn.blocks;
                    published.push((turn.readable_ns, turn.blocks, neighbour::chains_ns()));
                }
            }
            Ok(published)
        });
        let published = join(published)?;
        Ok((join(board)?, published))
    })
}
