//! The long stress run: one process writes flat out, others read and hold every snapshot against a
//! pattern.
//!
//! ```text
//! cargo run --release -p shm-layout --example stress -- --reads 1000000000
//! ```
//!
//! Exit status: 0 if no snapshot was torn, 1 if one was, 2 for wrong usage.

#[path = "../tests/support/flat_out.rs"]
mod flat_out;
#[path = "../tests/support/pattern.rs"]
mod pattern;

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Instant;

use clap::{Parser, Subcommand};
use flat_out::Tally;
use shm_layout::name::SHARED_MEMORY_DIRECTORY;
use shm_layout::{Region, RegionName};

/// One process writes flat out, others read and hold every snapshot against a pattern.
#[derive(Parser)]
#[command(name = "stress")]
struct Arguments {
    /// Reads of all readers together
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    reads: u64,
    /// Reader processes
    #[arg(long, value_name = "R", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    readers: u64,
    /// What the run starts itself with.
    #[command(subcommand)]
    part: Option<Part>,
}

#[derive(Subcommand)]
#[command(hide = true)]
enum Part {
    Writer { folder: String },
    Reader { folder: String, reads: u64 },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.part {
        Some(Part::Writer { folder }) => println!("{}", flat_out::write_flat_out(&name_in(&folder))),
        Some(Part::Reader { folder, reads }) => println!("{}", flat_out::read(&name_in(&folder), reads).to_line()),
        None => return run(arguments.reads, arguments.readers),
    }
    ExitCode::SUCCESS
}

fn name_in(folder: &str) -> RegionName {
    RegionName::in_directory(Path::new(folder), "stress").expect("the name is good")
}

fn start(arguments: &[&str]) -> Child {
    let program = std::env::current_exe().expect("a program knows its file");
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    command.spawn().expect("a program can start itself")
}

/// Ends the process, if it waits for that, and returns what it printed.
fn finish(mut child: Child) -> String {
    drop(child.stdin.take());
    let output = child.wait_with_output().expect("it is our child");
    assert!(output.status.success(), "a process of the run has failed: {}", output.status);
    String::from_utf8(output.stdout).expect("it prints text")
}

fn run(reads: u64, readers: u64) -> ExitCode {
    let folder = tempfile::tempdir_in(SHARED_MEMORY_DIRECTORY).expect("shared memory can be written");
    let path = folder.path().to_str().expect("the folder's name is text");
    let _region = Region::create(&name_in(path), None).expect("the region can be made");
    let begun = Instant::now();
    let writer = start(&["writer", path]);
    let each = reads.div_ceil(readers).to_string();
    let children: Vec<Child> = (0..readers).map(|_| start(&["reader", path, &each])).collect();
    let tallies = children.into_iter().map(|child| Tally::of_line(&finish(child)));
    let total = tallies.fold(Tally::default(), Tally::with);
    let writes = finish(writer).trim().parse().expect("the number of writes");
    report(writes, &total, begun.elapsed().as_secs_f64());
    ExitCode::from(u8::from(total.torn > 0))
}

fn report(writes: u64, total: &Tally, seconds: f64) {
    let rows = [
        ("writes", writes),
        ("reads", total.reads),
        ("torn", total.torn),
        ("of new snapshots", total.fresh),
        ("more than one attempt", total.retried),
        ("overtaken, last one held", total.held),
        ("most attempts", total.attempts_max),
    ];
    let mut output = std::io::stdout().lock();
    for (what, count) in rows {
        writeln!(output, "{what:<26}{count:>14}").expect("somebody reads the report");
    }
    writeln!(output, "{:<26}{seconds:>14.1}", "seconds").expect("somebody reads the report");
}
