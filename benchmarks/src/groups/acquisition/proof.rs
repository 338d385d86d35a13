//! The emulated board and the real acquisition together, as in DAS Table 4.5: five manoeuvres,
//! every block against the board's own record.
//!
//! The board is the emulator with the script of the thesis: value by value into a FIFO, a block
//! each millisecond, every block written down. The acquisition is the loop of `daq-service` with
//! the shipped file of the buggy, up to shared memory; after each turn what can be read there is
//! written down as well. [`board_emulator::comparison`] has the rules by which the two are
//! compared.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};
use board_emulator::comparison::{Comparison, Opportunity};
use board_emulator::delivery::{Outlet, Place, Record, Sent, Tally, read};
use board_emulator::{Emulator, Settings};
use daq_service::ChainProbe;
use rt::clock::monotonic_ns;
use service::{Config, Job};
use shm_layout::Wait;

use super::board::{Fifo, join};
use super::{Context, MANOEUVRES, NAME, figures, plan, seconds};
use crate::place::Seat;
use crate::report::{Report, Target};

/// One for each manoeuvre of the table.
const DRIVEN: [&str; MANOEUVRES] = ["drive", "steering-sweep", "lock-to-lock", "pedals", "slow-turn"];
/// The period of the thesis (µs).
const PERIOD_US: u64 = 1000;
/// Turns of the loop for which there is room, for each block; a turn beyond them would need the
/// heap.
const TURNS_PER_BLOCK: u64 = 8;
/// The loop looks whether the board has ended, at least so often (ns).
const LOOK_NS: u64 = 50_000_000;
/// Whatever happens, a manoeuvre is over so long after its time (ns).
const TIMEOUT_NS: u64 = 5_000_000_000;

/// What was sent and what was seen.
pub struct Run {
    pub record: Vec<Sent>,
    /// What was readable in shared memory, opportunity by opportunity.
    pub seen: Vec<Opportunity>,
}

/// Measures, prints the table, and draws the figures if they are wanted.
pub fn measure(context: &Context, board_seat: Seat, report: &mut Report) -> Result<()> {
    let job = Job::read(&Config::default())?;
    let seconds = seconds(context);
    println!("── {NAME}: emulator and acquisition, {MANOEUVRES} manoeuvres of {seconds} s ──");
    println!(
        "  manoeuvre             loops     bytes   blocks  ms/loop  burst  lost  torn  misplaced  overflow  behind"
    );
    let mut wrong = 0;
    for (index, manoeuvre) in DRIVEN.into_iter().enumerate() {
        let orders = Orders { manoeuvre, period_us: PERIOD_US, seconds, seat: board_seat };
        let run = drive(context, &job, orders)?;
        let comparison = Comparison::new(&run.record, &run.seen);
        print(manoeuvre, &comparison);
        wrong += mistakes(&comparison);
        let name = |what: &str| format!("proof.manoeuvre_{}.{what}", index + 1);
        report.figure(&name("blocks"), comparison.blocks as f64, "blocks");
        report.figure(&name("wrong"), mistakes(&comparison) as f64, "blocks");
        report.figure(&name("loop"), ms_per_loop(&comparison), "ms");
        if let (0, Some(folder)) = (index, context.figures) {
            for path in figures::draw_proof(folder, &run)? {
                report.note(format!("figure {}", path.display()));
            }
        }
    }
    println!();
    let what = "emulator to shared memory: blocks lost, torn, misplaced, overflowed or not the newest";
    report.target(Target::at_most(what, 0.0, "blocks", wrong as f64));
    Ok(())
}

pub fn mistakes(comparison: &Comparison) -> u64 {
    let Comparison { lost, torn, misplaced, overflowed, behind, .. } = comparison;
    lost + torn + misplaced + overflowed + behind
}

fn ms_per_loop(comparison: &Comparison) -> f64 {
    comparison.seconds * 1e3 / comparison.loops.max(1) as f64
}

fn print(manoeuvre: &str, comparison: &Comparison) {
    println!(
        "  {manoeuvre:<18} {:>8} {:>9} {:>8} {:>8.3} {:>6} {:>5} {:>5} {:>10} {:>9} {:>7}",
        comparison.loops,
        comparison.bytes,
        comparison.blocks,
        ms_per_loop(comparison),
        comparison.largest_burst,
        comparison.lost,
        comparison.torn,
        comparison.misplaced,
        comparison.overflowed,
        comparison.behind,
    );
}

#[derive(Clone, Copy)]
pub struct Orders {
    pub manoeuvre: &'static str,
    /// Time from block to block (µs).
    pub period_us: u64,
    pub seconds: u64,
    pub seat: Seat,
}

/// Lets the board play and the acquisition acquire.
pub fn drive(context: &Context, job: &Job, orders: Orders) -> Result<Run> {
    let folder = context.session.names().folder();
    let (fifo, record) = (Fifo::new(&folder)?, folder.join("sent.csv"));
    let region = context.session.open_region()?;
    let mut probe = ChainProbe::new(&region, plan(&fifo, orders.period_us)?, job, Wait::Sleep)?;
    let seat = context.place.seat();
    let (fifo, record_path, has_ended) = (&fifo.0, &record, &AtomicBool::new(false));
    let seen = thread::scope(|scope| {
        let board = scope.spawn(move || {
            let played = orders.seat.take().and_then(|()| play(orders, fifo, record_path));
            has_ended.store(true, Ordering::Release);
            played
        });
        let acquisition = scope.spawn(move || -> Result<Vec<Opportunity>> {
            seat.take()?;
            let blocks = orders.seconds * 1_000_000 / orders.period_us;
            let mut seen = Vec::with_capacity((blocks * TURNS_PER_BLOCK) as usize);
            let over_ns = monotonic_ns() + orders.seconds * 1_000_000_000 + TIMEOUT_NS;
            loop {
                // A look after the board has ended finds everything.
                let is_last = has_ended.load(Ordering::Acquire) || monotonic_ns() > over_ns;
                seen.push(probe.turn(LOOK_NS));
                if is_last {
                    return Ok(seen);
                }
            }
        });
        let seen = join(acquisition)?;
        join(board)?;
        anyhow::Ok(seen)
    })?;
    Ok(Run { record: read(&record).context("the board's record")?, seen })
}

/// The emulator, until its time is over.
fn play(orders: Orders, fifo: &Path, record: &Path) -> Result<Tally> {
    let settings = Settings {
        manoeuvre: orders.manoeuvre.to_owned(),
        period_us: Some(orders.period_us as f64),
        ..Settings::default()
    };
    let prepared = settings.prepare(None).map_err(anyhow::Error::msg)?;
    let prepared = prepared.ending(Some(Duration::from_secs(orders.seconds)), None);
    let processor = prepared.processor();
    let record = Record::create(record, processor.program())?;
    let outlet = Outlet::open(&Place::Fifo(fifo.to_owned()))?;
    let emulator = Emulator::new(processor, prepared.delivery, outlet, None, Some(record));
    Ok(emulator.run(&|| false, &mut |_| {})?)
}
