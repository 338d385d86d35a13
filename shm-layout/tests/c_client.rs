//! The C client against a live region: it prints what was written, reads whole snapshots while they
//! are written, and says clearly what is wrong.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Output;

use shm_layout::block::LAYOUT_HASH;
use shm_layout::blocks::{self, CATALOGUE, PLANT_OUTPUTS};
use shm_layout::header::Header;
use shm_layout::signals::{Library, Signal};
use shm_layout::{Block, Kind, Payload, Region, RegionError, RegionName};

use crate::child::{self, Child};
use crate::compiler::Program;
use crate::flat_out;
use crate::place::{self, Place};

/// The client that prints a block.
fn read_block() -> Option<Program> {
    Program::compile("read_block.c")
}

fn run(program: &Program, arguments: &[&str]) -> Output {
    program.command().args(arguments).output().expect("what was compiled runs")
}

/// Reads a block of a region.
fn read(program: &Program, name: &RegionName, block: &str) -> Output {
    run(program, &["--directory", text(name.directory()), name.instance(), block])
}

fn text(path: &Path) -> &str {
    path.to_str().expect("the name is text")
}

/// Asserts that it failed with this status and said this.
fn assert_failed(output: &Output, status: i32, said: &[&str]) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{errors}");
    assert!(said.iter().all(|part| errors.contains(part)), "expected {said:?} in: {errors}");
}

/// Every kind of number at its place: the word says which it is.
fn word(signal: &Signal) -> u64 {
    match signal.field.kind {
        Kind::Float => (signal.word as f64 + 0.1).to_bits(),
        Kind::Signed => (-1 - signal.word as i64) as u64,
        _ => signal.word as u64,
    }
}

/// The line that the program must print for a signal.
fn expected_line(signal: &Signal) -> String {
    let (_, name) = signal.name.split_once('.').expect("the block's name comes first");
    let number = match signal.field.kind {
        // Seventeen digits, as C prints them.
        Kind::Float => (signal.word as f64 + 0.1).to_string(),
        _ => signal.format(word(signal)),
    };
    match signal.field.unit {
        "-" => format!("{name} = {number}"),
        unit => format!("{name} = {number} {unit}"),
    }
}

/// `name = 0.10000000000000001 unit` and `name = 0.1 unit` are the same.
fn normal(line: &str) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    if words[2].contains('.') {
        words[2] = words[2].parse::<f64>().expect("C prints numbers").to_string();
    }
    words.join(" ")
}

/// Publishes a word for every signal of the block; all of the payload is in use.
fn publish_all<T: Payload>(block: Block<T>, region: &Region, library: &Library) {
    let mut payload = T::zeroed();
    for signal in library.all().iter().filter(|signal| signal.block == block.index) {
        // A count is as large as it can be.
        let count = signal.field.name.ends_with("_count");
        payload.words_mut()[signal.word] = if count { 1 << 32 } else { word(signal) };
    }
    region.claim(block).unwrap().publish(&payload);
}

/// Reads the block with the C program and compares every line.
fn assert_printed(program: &Program, name: &RegionName, index: usize, library: &Library) {
    let block = CATALOGUE[index].name;
    let output = read(program, name, block);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (first, rest) = printed.split_once('\n').unwrap();
    assert!(first.starts_with(&format!("/{block}/ write 1 of generation 1, ")), "{first}");
    let mut found: Vec<String> = rest.lines().filter(|line| !line.contains("_count = ")).map(normal).collect();
    let signals = library.all().iter().filter(|signal| signal.block == index);
    let counted = signals.filter(|signal| !signal.field.name.ends_with("_count"));
    let mut expected: Vec<String> = counted.map(expected_line).collect();
    // C goes through an array field by field, the library element by element.
    found.sort();
    expected.sort();
    assert_eq!(found, expected, "/{block}/");
}

#[test]
fn every_number_of_every_block_is_printed() {
    let Some(program) = read_block() else { return };
    let (place, region) = Place::with_region();
    let library = Library::new();
    every_block!(publish_all, &region, &library);
    for index in 0..CATALOGUE.len() {
        assert_printed(&program, &place.name(), index, &library);
    }
}

#[test]
fn only_what_is_in_use_is_printed() {
    let Some(program) = read_block() else { return };
    let (place, region) = Place::with_region();
    let lines_of = |block: &str| -> Vec<String> {
        let printed = String::from_utf8(read(&program, &place.name(), block).stdout).unwrap();
        printed.lines().map(str::to_owned).collect()
    };
    let mut writer = region.claim(blocks::DRIVER).unwrap();
    let mut driver = blocks::DriverInput { gear: -1, throttle_ratio: 0.5, ..Default::default() };
    driver.stamp.step = u64::MAX;
    (0..3).for_each(|_| writer.publish(&driver));
    let lines = lines_of("driver");
    assert!(lines[0].starts_with("/driver/ write 3 of generation 1, "), "{}", lines[0]);
    assert_eq!(lines[1], "stamp.step = 18446744073709551615");
    for expected in ["gear = -1", "throttle_ratio = 0.5", "steering_angle_rad = nan rad"] {
        assert!(lines.iter().any(|line| line == expected), "{expected}: {lines:?}");
    }

    let mut writer = region.claim(blocks::DEMANDS).unwrap();
    let demands = [7.5; blocks::DEMANDS_MAX];
    writer.publish(&blocks::Demands { demand_count: 2, demands, ..Default::default() });
    let lines = lines_of("demands");
    assert_eq!(lines[lines.len() - 2..], ["demands[0] = 7.5", "demands[1] = 7.5"]);
}

#[test]
fn what_is_wrong_is_said_and_has_a_status() {
    let Some(program) = read_block() else { return };
    let place = Place::new();
    let name = place.name();
    assert_failed(&run(&program, &[]), 2, &["usage: read_block"]);
    assert_failed(&run(&program, &["--wrong", "driver"]), 2, &["usage: read_block"]);
    assert_failed(&read(&program, &name, "nothing"), 2, &["no block nothing"]);
    assert_failed(&run(&program, &["a/b", "driver"]), 1, &["1 to 64 letters"]);
    assert_failed(&read(&program, &name, "driver"), 1, &["nothing runs under that instance name"]);

    std::fs::write(name.path(), "something else").unwrap();
    assert_failed(&read(&program, &name, "driver"), 1, &["not a region of rtrd"]);
    std::fs::remove_file(name.path()).unwrap();
    std::os::unix::fs::symlink("/dev/null", name.path()).unwrap();
    assert_failed(&read(&program, &name, "driver"), 1, &["not a region of rtrd"]);
    std::fs::remove_file(name.path()).unwrap();

    let _region = Region::create(&name, None).unwrap();
    assert_failed(&read(&program, &name, "driver"), 3, &["/driver/: nothing has been published"]);
    let file = std::fs::OpenOptions::new().write(true).open(name.path()).unwrap();
    let place = std::mem::offset_of!(Header, layout_hash) as u64;
    file.write_all_at(&0x1234_u64.to_ne_bytes(), place).unwrap();
    let hash = format!("{LAYOUT_HASH:016x}");
    assert_failed(&read(&program, &name, "driver"), 1, &["another layout", "0000000000001234", &hash]);
    let help = run(&program, &["--help"]);
    assert!(help.status.success() && String::from_utf8_lossy(&help.stdout).contains("plant_outputs"));
}

/// The same stress as for the Rust reader, with the reader in C.
#[test]
fn snapshots_are_whole_while_the_writer_writes_flat_out() {
    if child::role().is_some() {
        flat_out::write_flat_out(&place::given());
        return;
    }
    let Some(program) = Program::compile("hammer.c") else { return };
    let (place, region) = Place::with_region();
    let writer = Child::start(this_test!(), "writer", &place.environment());
    flat_out::wait_for_write(&mut region.reader(PLANT_OUTPUTS), 1);
    let name = place.name();
    let output = program.at(&name).arg("1000000").output().expect("what was compiled runs");
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    let counts: Vec<u64> = printed.split_whitespace().map(|count| count.parse().unwrap()).collect();
    println!("reads, torn, fresh, overtaken: {counts:?}");
    assert_eq!(counts[..2], [1_000_000, 0], "reads and torn snapshots");
    assert!(counts[2] > 1, "reader and writer did not run side by side: {counts:?}");
    assert!(writer.end().success());
}

#[test]
fn who_takes_part_in_c_keeps_the_region_alive() {
    let Some(program) = Program::compile("take_part.c") else { return };
    let (place, region) = Place::with_region();
    let name = place.name();
    let mut partner = program.at(&name).spawn().unwrap();
    let mut lines = BufReader::new(partner.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "takes part");
    let kept = region.close_and_remove().unwrap_err();
    assert!(matches!(kept, RegionError::InUse { .. }), "{kept:?}");
    drop(partner.stdin.take());
    assert_eq!(lines.next().unwrap().unwrap(), "still there");
    assert!(partner.wait().unwrap().success());
    assert!(Region::remove_stale(&name).unwrap(), "it has left");
}
