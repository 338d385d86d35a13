//! The emulated board as a process of its own, with every fault it knows, and the acquisition
//! process that must live with it: no crash, no memory that grows, everything visible in
//! `/acquisition/` and in the health block, and recovery without help.

use std::path::Path;
use std::process::Command;

use rt::processes::resident_kib;
use shm_layout::blocks::{self, Acquisition, Health, SourceStatus};
use shm_layout::{Reader, Region, RegionName};
use system_tests::board::buggy_with_stream;
use system_tests::live::{Running, eventually, until};
use system_tests::programs::{folder, instance};

const FLOWING: u64 = 2;
const STALLED: u64 = 3;
const GONE: u64 = 4;
const SWAPPED: u64 = 6;
const STALE: u64 = 8;
const STOP: u64 = 3;
/// The sources in the file.
const PLAIN: usize = 0;
const FRAMED: usize = 1;

fn daq_service(arguments: &[&str]) -> Running {
    Running::quietly(Command::new(folder().join("daq-service")).args(arguments))
}

/// A board that sends its blocks to whoever connects to the socket.
fn board(socket: &Path, arguments: &[&str]) -> Running {
    let place = format!("unix:{}", socket.display());
    daq_service(&[&["emulate", "--to", &place], arguments].concat())
}

/// The buggy's file with its stream from a socket, and a second board with headers beside it.
fn file(plain: &Path, framed: &Path) -> String {
    let second =
        "[[channel]]\nname = \"second\"\nsource = \"framed\"\nraw = \"steering\"\ntarget = \"sensors.channels[0]\"\n";
    let source = format!("[[source]]\nname = \"framed\"\nkind = \"stream\"\npath = {framed:?}\nframing = \"header\"\n");
    format!("{}\n{source}{second}", buggy_with_stream(plain))
}

/// The acquisition, and what onlookers see of it.
struct Seen {
    process: Running,
    region: Region,
    status: Reader<Acquisition>,
    health: Reader<Health>,
}

impl Seen {
    fn start(file: &Path) -> Self {
        let name = instance("board-faults");
        let process = daq_service(&["--instance", &name, "--acquisition", file.to_str().expect("a path")]);
        let name = RegionName::new(&name).expect("a good name");
        let region = eventually("the region appears", || Region::observe(&name).ok());
        Self { status: region.reader(blocks::ACQUISITION), health: region.reader(blocks::DAQ_HEALTH), region, process }
    }

    fn health(&mut self) -> Health {
        let latest = self.health.latest();
        latest.map_or_else(Health::default, |seen| *seen.value)
    }

    fn source(&mut self, index: usize) -> SourceStatus {
        let latest = self.status.latest();
        latest.map_or(Acquisition::default().sources[index], |seen| seen.value.sources[index])
    }

    /// Waits until a source is as wanted; returns it.
    fn until(&mut self, what: &str, index: usize, wanted: impl Fn(&SourceStatus) -> bool) -> SourceStatus {
        eventually(what, || Some(self.source(index)).filter(|source| wanted(source)))
    }

    /// Waits until nothing is wrong with any channel.
    fn until_all_is_well(&mut self, after: &str) {
        until(&format!("all is well after {after}"), || {
            let health = self.health();
            health.input_faults == 0 && health.input_reaction == 0
        });
    }
}

#[test]
fn whatever_the_board_does_the_acquisition_lives_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let [plain, framed] = ["plain", "framed"].map(|name| folder.path().join(name));
    let path = folder.path().join("acquisition.toml");
    std::fs::write(&path, file(&plain, &framed)).expect("a file");
    // The first stall comes after 12 s and lasts 10 s; meanwhile the other board misbehaves in its
    // own ways.
    let mut plain_board = board(&plain, &["--stall", "12,10"]);
    let mut other = board(&framed, &["--framed", "--garbage", "0.05", "--corrupt", "0.05", "--disconnect", "2,0.5"]);
    let mut seen = Seen::start(&path);
    seen.until("both flow", PLAIN, |source| source.state == FLOWING);
    seen.until("both flow", FRAMED, |source| source.state == FLOWING && source.blocks > 500);
    let before_kib = resident_kib(seen.process.0.id().into());

    garbage_with_headers_and_disconnects(&mut seen);
    drop(other);
    seen.until("the second board is missed", FRAMED, |source| source.state == GONE);
    other = board(&framed, &["--framed"]);
    a_stall_of_ten_seconds(&mut seen);
    drop(plain_board);
    plain_board = fifty_thousand_blocks_at_once(&mut seen, &plain);
    drop(plain_board);
    plain_board = garbage_without_headers(&mut seen, &plain);
    drop(plain_board);
    plain_board = wrong_byte_order(&mut seen, &plain);

    assert!(seen.process.0.try_wait().expect("our own child").is_none(), "the process died");
    assert_eq!(seen.health().pid, u64::from(seen.process.0.id()), "and nobody took its place");
    let after_kib = resident_kib(seen.process.0.id().into());
    // 50,000 samples would be 7 MB if they were kept.
    assert!(after_kib < before_kib + 2_048, "{before_kib} KiB became {after_kib}");
    drop((plain_board, other));
}

fn garbage_with_headers_and_disconnects(seen: &mut Seen) {
    let source = seen.until("garbage is passed", FRAMED, |source| source.resynchronised > 20 && source.corrupted > 20);
    assert!(source.blocks > 0 && source.lost > 0, "{source:?}");
    let source = seen.until("it goes and comes back", FRAMED, |source| source.reconnects >= 2);
    seen.until("it delivers again", FRAMED, |now| now.state == FLOWING && now.blocks > source.blocks + 100);
}

fn a_stall_of_ten_seconds(seen: &mut Seen) {
    let stalled = seen.until("the stall is seen", PLAIN, |source| source.state == STALLED);
    until("the stall is in the health block", || {
        let health = seen.health();
        health.input_faults & STALE != 0 && health.input_reaction == STOP
    });
    let mut driver = seen.region.reader(blocks::DRIVER);
    eventually("the throttle is let go, and the age is told", || {
        let driver = driver.latest()?.value;
        (driver.throttle_ratio == 0.0 && driver.age_ns > 2_000_000_000).then_some(())
    });
    let flowing = seen.until("it flows again", PLAIN, |source| source.state == FLOWING);
    assert!(flowing.sample_ns - stalled.sample_ns > 9_000_000_000, "the test has not tested: {stalled:?} {flowing:?}");
    assert_eq!(flowing.reconnects, stalled.reconnects, "it was never gone");
    seen.until_all_is_well("the stall");
}

fn fifty_thousand_blocks_at_once(seen: &mut Seen, socket: &Path) -> Running {
    seen.until("the board is missed", PLAIN, |source| source.state == GONE);
    let before = seen.source(PLAIN);
    let board = board(socket, &["--burst", "50000", "--period-us", "50"]);
    let after = seen.until("all of them are taken", PLAIN, |source| source.blocks >= before.blocks + 50_000);
    assert!(after.reconnects > before.reconnects, "{after:?}");
    assert!(after.largest_burst > 1_000, "{after:?}");
    assert_eq!(after.lost, before.lost);
    board
}

fn garbage_without_headers(seen: &mut Seen, socket: &Path) -> Running {
    seen.until("the board is missed", PLAIN, |source| source.state == GONE);
    let before = seen.source(PLAIN);
    let board = board(socket, &["--garbage", "0.0005"]);
    seen.until("its place is found again", PLAIN, |source| source.resynchronised > before.resynchronised);
    seen.until_all_is_well("garbage");
    board
}

fn wrong_byte_order(seen: &mut Seen, socket: &Path) -> Running {
    seen.until("the board is missed", PLAIN, |source| source.state == GONE);
    let before = seen.source(PLAIN);
    let wrong = board(socket, &["--manoeuvre", "slow-turn", "--swap"]);
    seen.until("the wrong order is noticed", PLAIN, |source| {
        source.state == SWAPPED && source.corrupted > before.corrupted
    });
    drop(wrong);
    let board = board(socket, &[]);
    seen.until("the right order is believed", PLAIN, |source| source.state == FLOWING);
    seen.until_all_is_well("the wrong byte order");
    board
}
