//! `simulate`: runs seeds, and prints those in which something did not hold.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::Parser;
use simulator::{Outcome, run_seed};

/// Runs the three services in one thread on a virtual clock, with faults from seeds.
#[derive(Parser)]
struct Command {
    /// Run this seed only.
    #[arg(long)]
    seed: Option<u64>,
    /// Run so many seeds, from 0.
    #[arg(long, default_value_t = 1_000)]
    seeds: u64,
    /// Simulated time of each (s).
    #[arg(long, default_value_t = 60.0)]
    seconds: f64,
    /// Print every change of the status, and the faults.
    #[arg(long)]
    trace: bool,
    /// Threads, each with whole seeds of its own.
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, usize::from))]
    threads: usize,
}

fn main() -> ExitCode {
    let command = Command::parse();
    let (first, end) = command.seed.map_or((0, command.seeds), |seed| (seed, seed + 1));
    let began = Instant::now();
    let (next, failed) = (AtomicU64::new(first), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..command.threads.max(1) {
            scope.spawn(|| {
                while let Some(seed) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|seed| *seed < end) {
                    let outcome = run(seed, &command);
                    failed.fetch_add(u64::from(outcome.violation.is_some()), Ordering::Relaxed);
                }
            });
        }
    });
    let failed = failed.into_inner();
    let (seconds, took_s) = (command.seconds, began.elapsed().as_secs_f64());
    println!("{} seeds of {seconds} s in {took_s:.1} s: {failed} failed", end - first);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run(seed: u64, command: &Command) -> Outcome {
    let mut before = None;
    let outcome = run_seed(seed, command.seconds, &mut |time_s, step, status| {
        if command.trace && before.replace(status) != Some(status) {
            println!("{time_s:9.4} s  step {step:6}  {}", lockstep::status::text(status));
        }
    });
    let is_wanted = command.seed.is_some() || outcome.violation.is_some();
    if is_wanted {
        print!("{}", describe(seed, &outcome, command.seconds));
    }
    outcome
}

fn describe(seed: u64, outcome: &Outcome, seconds: f64) -> String {
    let mut text = format!("seed {seed}: {}, digest {:016x}", outcome.what, outcome.digest);
    text += &format!(", largest jump {:.2} m/s²\n", outcome.jump_m_s2);
    for fault in &outcome.plan.faults {
        text += &format!("  {fault}\n");
    }
    if let Some(violation) = &outcome.violation {
        text += &format!("  FAILED {violation}\n");
        text += &format!("  repeat it: cargo run -p simulator -- --seed {seed} --seconds {seconds} --trace\n");
    }
    text
}
