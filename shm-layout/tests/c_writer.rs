//! The C writer beside the Rust reader: whole snapshots while it writes flat out, one writer for a
//! block, and a right that ends with the process.

use std::process::Child;

use shm_layout::blocks::PLANT_OUTPUTS;
use shm_layout::{ClaimError, RegionName, Wait, Waited};

use crate::compiler::Program;
use crate::place::Place;
use crate::{flat_out, pattern};

/// Reads of the stress: enough for the writer to overtake, and a second or two.
const READS: u64 = 300_000;

fn program() -> Option<Program> {
    Program::compile("write_flat_out.c")
}

fn start(program: &Program, name: &RegionName) -> Child {
    program.at(name).spawn().expect("what was compiled runs")
}

#[test]
fn what_c_writes_flat_out_is_read_whole() {
    let Some(program) = program() else { return };
    let (place, region) = Place::with_region();
    let writer = start(&program, &place.name());
    let tally = flat_out::read(&place.name(), READS);
    println!("{tally:?}");
    assert_eq!((tally.reads, tally.torn), (READS, 0));
    assert!(tally.fresh > 1, "reader and writer did not run side by side: {tally:?}");

    // While it writes, nobody else may.
    let refused = region.claim(PLANT_OUTPUTS).unwrap_err();
    let pid = writer.id();
    assert!(matches!(refused, ClaimError::Owned { pid: found, .. } if found == pid), "{refused}");
    let output = writer.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let written: u64 = String::from_utf8_lossy(&output.stdout).trim().parse().unwrap();
    let mut reader = region.reader(PLANT_OUTPUTS);
    let last = reader.latest().unwrap();
    assert_eq!((last.sequence, last.generation), (written, 1));
    assert!(pattern::is_whole(last.value, written));
}

#[test]
fn a_killed_c_writer_leaves_a_whole_snapshot_and_a_free_block() {
    let Some(program) = program() else { return };
    let (place, region) = Place::with_region();
    for generation in 1..=5 {
        let mut reader = region.reader(PLANT_OUTPUTS);
        let before = reader.latest().map_or(0, |snapshot| snapshot.sequence);
        let mut writer = start(&program, &place.name());
        flat_out::wait_for_write(&mut reader, before + 1_000);
        writer.kill().unwrap();
        writer.wait().unwrap();
        let last = reader.latest().unwrap();
        assert_eq!(last.generation, generation);
        assert!(pattern::is_whole(last.value, last.sequence));
    }
    // The next owner goes on after the last whole write.
    let mut reader = region.reader(PLANT_OUTPUTS);
    let last = reader.latest().unwrap().sequence;
    let writer = region.claim(PLANT_OUTPUTS).unwrap();
    assert_eq!((writer.sequence(), writer.generation()), (last, 6));
}

#[test]
fn a_block_that_is_taken_is_refused_in_c() {
    let Some(program) = program() else { return };
    let (place, region) = Place::with_region();
    let _writer = region.claim(PLANT_OUTPUTS).unwrap();
    let output = start(&program, &place.name()).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("another process writes the block"), "{output:?}");
}

/// A reader that sleeps on the futex is woken by a writer in C.
#[test]
fn who_sleeps_is_woken_by_c() {
    let Some(program) = program() else { return };
    let (place, region) = Place::with_region();
    let mut reader = region.reader(PLANT_OUTPUTS);
    let mut writer = start(&program, &place.name());
    let patience_ns = shm_layout::clock::monotonic_ns() + 60_000_000_000;
    assert_eq!(reader.wait_for_news(patience_ns, Wait::Sleep), Waited::Answered);
    drop(writer.stdin.take());
    assert!(writer.wait().unwrap().success());
}
