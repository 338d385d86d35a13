//! What waiting costs: the processor time of the acquisition's thread while blocks come slower than
//! 1 kHz, and while none come.
//!
//! To be woken each millisecond has its price on this machine for every thread: a thread that does
//! nothing but sleep is measured beside. What counts is what the loop uses besides.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::atomic::AtomicU32;
use std::thread;

use anyhow::Result;
use daq_service::ChainProbe;
use nix::fcntl::OFlag;
use nix::time::{ClockId, clock_gettime};
use rt::clock::{monotonic_ns, sleep_through_signals_until_ns};
use service::{Config, Job};
use shm_layout::Wait;

use super::board::{Fifo, Orders, join, send};
use super::{Context, plan};
use crate::place::Seat;
use crate::report::{Report, Target};

const SECONDS: u64 = 4;
/// Time from block to block (µs); with the last, none comes in the whole run.
const PERIODS: [(&str, u64); 4] = [("1000_hz", 1_000), ("500_hz", 2_000), ("100_hz", 10_000), ("silence", 60_000_000)];
/// The most that is no busy CPU, besides what the wake-ups cost anybody (%).
const WANTED_PERCENT: f64 = 5.0;
/// The loop's own period, as in the default configuration (ns).
const TURN_NS: u64 = 1_000_000;

pub fn measure(context: &Context, board_seat: Seat, report: &mut Report) -> Result<()> {
    let job = Job::read(&Config::default())?;
    let floor = floor(context)?;
    report.figure("processor_time.floor", floor, "%");
    let mut lines = vec![format!("only to be woken each millisecond: {floor:.2} %")];
    let mut most = 0.0_f64;
    for (how, wait) in [("sleeping", Wait::Sleep), ("spinning", Wait::Spin)] {
        for (name, period_us) in PERIODS {
            let percent = share(context, board_seat, &job, wait, period_us)?;
            report.figure(&format!("processor_time.{how}.{name}"), percent, "%");
            lines.push(format!("{how}, {}: {percent:.2} %", name.replace('_', " ")));
            if period_us > 1_000 {
                most = most.max(percent);
            }
        }
    }
    report.note(format!("processor time of the loop, as a share of one CPU: {}", lines.join("; ")));
    let what = "processor time while data is slower than 1 kHz, sleeping or spinning, besides that of the wake-ups";
    report.target(Target::at_most(what, WANTED_PERCENT, "%", most - floor));
    Ok(())
}

/// The same for a thread that only sleeps, to the same period (%).
fn floor(context: &Context) -> Result<f64> {
    let seconds = context.effort(SECONDS);
    context.place.seat().run(|| {
        let (began_ns, used_ns) = (monotonic_ns(), thread_ns()?);
        for turn in 1..=seconds * 1_000_000_000 / TURN_NS {
            sleep_through_signals_until_ns(began_ns + turn * TURN_NS);
        }
        let passed_ns = monotonic_ns() - began_ns;
        Ok(100.0 * (thread_ns()? - used_ns) as f64 / passed_ns as f64)
    })
}

/// Processor time of the thread by the time that has passed (%).
fn share(context: &Context, board_seat: Seat, job: &Job, wait: Wait, period_us: u64) -> Result<f64> {
    let fifo = Fifo::new(&context.session.names().folder())?;
    let region = context.session.open_region()?;
    let mut probe = ChainProbe::new(&region, plan(&fifo, period_us)?, job, wait)?;
    let seconds = context.effort(SECONDS);
    let orders = Orders {
        blocks: (seconds * 1_000_000 / period_us) as u32,
        period_ns: period_us * 1000,
        value_ns: 0,
        framed: false,
        probed: false,
        seat: board_seat,
    };
    let (path, seat) = (fifo.0.clone(), context.place.seat());
    // Open until the end: a board that is silent is not one that has gone.
    let flags = OFlag::O_NONBLOCK.bits();
    let _silent = OpenOptions::new().write(true).custom_flags(flags).open(&fifo.0)?;
    thread::scope(|scope| {
        // The reading end is open: the board finds it.
        let board = scope.spawn(move || send(&path, orders, &AtomicU32::new(0)));
        let acquisition = scope.spawn(move || -> Result<(f64, ChainProbe)> {
            seat.take()?;
            let (began_ns, used_ns) = (monotonic_ns(), thread_ns()?);
            while monotonic_ns() - began_ns < seconds * 1_000_000_000 {
                probe.turn(TURN_NS);
            }
            let passed_ns = monotonic_ns() - began_ns;
            let percent = 100.0 * (thread_ns()? - used_ns) as f64 / passed_ns as f64;
            Ok((percent, probe))
        });
        // The reading end stays open until the board has sent its last block.
        let (percent, _observed) = join(acquisition)?;
        join(board)?;
        Ok(percent)
    })
}

/// Processor time of the calling thread (ns).
fn thread_ns() -> Result<u64> {
    let used = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID)?;
    Ok(used.tv_sec() as u64 * 1_000_000_000 + used.tv_nsec() as u64)
}
