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

use flat_out::Tally;
use shm_layout::name::SHARED_MEMORY_DIRECTORY;
use shm_layout::{Region, RegionName};

const USAGE: &str = "usage: stress [--reads N] [--readers R]
  --reads N     reads of all readers together (default 10000000)
  --readers R   reader processes (default 3)";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        // What the run starts itself with.
        ["writer", folder] => println!("{}", flat_out::write_flat_out(&name_in(folder))),
        ["reader", folder, reads] => println!("{}", flat_out::read(&name_in(folder), number(reads))),
        ["--help" | "-h"] => println!("{USAGE}"),
        _ => match parse(&arguments) {
            Some((reads, readers)) => return run(reads, readers),
            None => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
        },
    }
    ExitCode::SUCCESS
}

fn parse(arguments: &[&str]) -> Option<(u64, u64)> {
    let (mut reads, mut readers) = (10_000_000, 3);
    let (pairs, left) = arguments.as_chunks::<2>();
    for [option, value] in pairs {
        let value = value.parse().ok().filter(|value| *value > 0)?;
        match *option {
            "--reads" => reads = value,
            "--readers" => readers = value,
            _ => return None,
        }
    }
    left.is_empty().then_some((reads, readers))
}

fn name_in(folder: &str) -> RegionName {
    RegionName::in_directory(Path::new(folder), "stress").expect("the name is good")
}

fn number(text: &str) -> u64 {
    text.parse().expect("the run passes numbers")
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
    let tallies = children.into_iter().map(|child| finish(child).parse::<Tally>().expect("a reader's numbers"));
    let total = tallies.fold(Tally::default(), Tally::with);
    let writes = number(finish(writer).trim());
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
