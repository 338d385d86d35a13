//! A reader against a writer that never rests: how often must it try again, and how often in vain?
//!
//! No service writes like this. It is the worst case of the protocol: the reader fails an attempt
//! only when the writer has come round all slots while the copy was being made, and gives up,
//! keeping its last whole copy, after a bounded number of attempts.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use shm_layout::blocks::PLANT_INPUTS;
use shm_layout::clock::monotonic_ns;
use shm_layout::slots::ATTEMPTS;

use super::Context;
use crate::place::{Seat, pause};
use crate::report::{Report, short};
use crate::statistics::median;
use crate::worker::{Role, Worker, WriteOrder};

pub const NAME: &str = "slots-under-load";
const ROUNDS: u64 = 20;
const ROUND_NS: u64 = 50_000_000;
/// Before the first read: by then the writer writes.
const MARGIN: Duration = Duration::from_millis(2);
const READS_PER_CLOCK: u64 = 256;

/// What the reader has seen.
#[derive(Default)]
struct Seen {
    /// Reads by the number of attempts that they took.
    attempts: [u64; ATTEMPTS as usize + 1],
    /// Reads that were overtaken in every attempt.
    held: u64,
    reads: u64,
    writes: u64,
    read_ns: Vec<f64>,
}

pub fn run(context: &Context) -> Result<Report> {
    let seat = match context.place.other_seat() {
        Ok(seat) => seat,
        Err(why) => return Ok(Report::skipped(NAME, why)),
    };
    let worker = Worker::start(Role::ContinuousWriter, context.session.names())?;
    let rounds = context.effort(ROUNDS);
    let work = || measure(context, worker, seat, rounds);
    report(&context.place.seat().run(work)?)
}

fn measure(context: &Context, mut worker: Worker<WriteOrder, u64>, seat: Seat, rounds: u64) -> Result<Seen> {
    let mut reader = context.session.open_region()?.reader(PLANT_INPUTS);
    let mut seen = Seen::default();
    for _ in 0..rounds {
        let order = WriteOrder { until_ns: monotonic_ns() + ROUND_NS };
        worker.order(seat, &order)?;
        std::thread::sleep(MARGIN);
        while monotonic_ns() < order.until_ns {
            let batch = Instant::now();
            for _ in 0..READS_PER_CLOCK {
                let snapshot = reader.latest().context("the writer has written nothing")?;
                seen.held += u64::from(snapshot.held);
                seen.attempts[if snapshot.held { 0 } else { snapshot.attempts as usize }] += 1;
            }
            seen.reads += READS_PER_CLOCK;
            seen.read_ns.push(batch.elapsed().as_nanos() as f64 / READS_PER_CLOCK as f64);
        }
        seen.writes += worker.answer()?;
        pause();
    }
    Ok(seen)
}

fn report(seen: &Seen) -> Result<Report> {
    let mut report = Report::new(NAME, &["attempts", "reads", "share"]);
    let share = |reads: u64| reads as f64 / seen.reads as f64;
    for (attempts, &reads) in seen.attempts.iter().enumerate().skip(1) {
        report.row([attempts.to_string(), reads.to_string(), format!("{:.4} %", 100.0 * share(reads))]);
        report.figure(&format!("attempts_{attempts}.share"), share(reads), "1");
    }
    let held = format!("{:.4} %", 100.0 * share(seen.held));
    report.row(["overtaken in all".to_owned(), seen.held.to_string(), held]);
    report.figure("overtaken.share", share(seen.held), "1");
    let read_ns = median(seen.read_ns.clone()).context("nothing was read")?;
    report.figure("read.p50", read_ns, "ns");
    report.figure("writes_per_read", seen.writes as f64 / seen.reads as f64, "1");
    report.note(format!(
        "median {} ns per read of 512 bytes, {} writes per read; a read that was overtaken in all attempts keeps its \
         last whole copy",
        short(read_ns),
        short(seen.writes as f64 / seen.reads as f64)
    ));
    Ok(report)
}
