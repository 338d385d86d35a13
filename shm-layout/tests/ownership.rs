//! One writer per block: a second is refused by name, a dead one is replaced, and nobody else can
//! write by accident.
//!
//! Unsafe code is needed to do on purpose what a stray pointer does: to write where this process
//! must not.
#![allow(unsafe_code)]

use std::os::unix::process::ExitStatusExt;

use shm_layout::block::{block_bytes, offset};
use shm_layout::blocks::{CATALOGUE, DRIVER, DriverInput, SENSORS};
use shm_layout::{ClaimError, Region};

use crate::child::{self, Child};
use crate::place::{self, Place};

fn throttle(ratio: f64) -> DriverInput {
    DriverInput { throttle_ratio: ratio, ..DriverInput::default() }
}

/// Asserts that the claim is refused, and that the refusal names this process.
fn assert_refused(region: &Region, pid: u32) {
    let refused = region.claim(DRIVER).unwrap_err();
    assert!(matches!(refused, ClaimError::Owned { block: "driver", pid: owner, .. } if owner == pid), "{refused:?}");
    let message = refused.to_string();
    assert!(message.contains("/driver/") && message.contains(&pid.to_string()), "{message}");
    assert_eq!(region.owners(), [("driver".to_owned(), pid)]);
}

#[test]
fn a_second_writer_is_refused_even_in_the_same_process() {
    let (place, first) = Place::with_region();
    let second = Region::open(&place.name(), None).unwrap();
    let mut writer = first.claim(DRIVER).unwrap();
    assert_refused(&first, std::process::id());
    assert_refused(&second, std::process::id());
    // The refusal has changed nothing.
    writer.publish(&throttle(0.5));
    let mut reader = second.reader(DRIVER);
    let snapshot = reader.latest().unwrap();
    assert_eq!((snapshot.generation, snapshot.value.throttle_ratio), (1, 0.5));
    // Another block is free.
    let _other = second.claim(SENSORS).unwrap();

    drop(writer);
    assert_eq!(first.owners(), [("sensors".to_owned(), std::process::id())]);
    assert_eq!(second.claim(DRIVER).unwrap().generation(), 2);
}

/// Claims the block, writes once and stays until it is told or killed.
fn play_owner() {
    let region = Region::open(&place::given(), None).unwrap();
    let mut writer = region.claim(DRIVER).unwrap();
    writer.publish(&throttle(0.25));
    child::say("owner");
    child::listen();
}

#[test]
fn the_writer_is_named_across_processes_and_replaced_when_it_is_gone() {
    if child::role().is_some() {
        return play_owner();
    }
    let (place, region) = Place::with_region();
    for killed in [false, true, true] {
        let owner = Child::start(this_test!(), "owner", &place.environment());
        owner.expect("owner");
        assert_refused(&region, owner.pid().as_raw() as u32);
        let before = region.reader(DRIVER).latest().unwrap().generation;
        match killed {
            true => owner.kill(),
            false => assert!(owner.end().success()),
        }
        assert_eq!(region.owners(), [], "who is gone owns nothing");
        let mut writer = region.claim(DRIVER).unwrap();
        assert_eq!(writer.generation(), before + 1);
        writer.publish(&throttle(0.75));
        let mut reader = region.reader(DRIVER);
        let snapshot = reader.latest().unwrap();
        assert_eq!((snapshot.generation, snapshot.value.throttle_ratio), (before + 1, 0.75));
    }
}

/// A mapping of the region in this process.
#[derive(Debug, PartialEq, Eq)]
struct Mapped {
    start: usize,
    bytes: usize,
    protection: String,
    offset: usize,
}

/// How this process has mapped the region, as the kernel says.
fn mappings() -> Vec<Mapped> {
    let path = place::given().path();
    let path = path.to_str().expect("the name is text");
    let maps = std::fs::read_to_string("/proc/self/maps").expect("a process may look at its memory");
    let lines = maps.lines().filter(|line| line.ends_with(path));
    lines.map(|line| parse_mapping(line).expect("the kernel's format")).collect()
}

/// `7f12a4c00000-7f12a4c10000 r--s 00000000 00:1a 42    /dev/shm/…`
fn parse_mapping(line: &str) -> Option<Mapped> {
    let mut words = line.split_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let start = usize::from_str_radix(start, 16).ok()?;
    let end = usize::from_str_radix(end, 16).ok()?;
    let protection = words.next()?.to_owned();
    let offset = usize::from_str_radix(words.next()?, 16).ok()?;
    Some(Mapped { start, bytes: end - start, protection, offset })
}

/// Maps everything, owns one block, and writes into another.
fn play_stray_writer() {
    nix::sys::prctl::set_dumpable(false).expect("no core file is wanted");
    let region = Region::open(&place::given(), None).unwrap();
    let _own = region.claim(SENSORS).unwrap();
    let mapped = mappings();
    let (writable, read_only): (Vec<_>, Vec<_>) = mapped.iter().partition(|found| found.protection == "rw-s");
    assert_eq!(writable.len(), 1, "{mapped:?}");
    let expected = (offset(SENSORS.index), block_bytes(SENSORS.entry()));
    assert_eq!((writable[0].offset, writable[0].bytes), expected, "only its own block is writable");
    assert_eq!(read_only.len(), 1, "{mapped:?}");
    assert_eq!((read_only[0].protection.as_str(), read_only[0].offset), ("r--s", 0));
    let stray = (read_only[0].start + offset(DRIVER.index)) as *mut u64;
    child::say("writing");
    // SAFETY: none; this is the mistake whose consequence is tested. The address is mapped, and the
    // kernel ends the process at the write, before anything is changed.
    unsafe { stray.write_volatile(u64::MAX) }
    child::say("written");
}

#[test]
fn a_stray_write_ends_its_own_process_and_nothing_else() {
    if child::role().is_some() {
        return play_stray_writer();
    }
    let (place, region) = Place::with_region();
    let mut writer = region.claim(DRIVER).unwrap();
    writer.publish(&throttle(0.5));
    let stray = Child::start(this_test!(), "stray", &place.environment());
    stray.expect("writing");
    let status = stray.end();
    assert_eq!(status.signal(), Some(nix::libc::SIGSEGV), "{status}");

    let mut reader = region.reader(DRIVER);
    let snapshot = reader.latest().unwrap();
    assert_eq!((snapshot.sequence, snapshot.value.throttle_ratio), (1, 0.5));
    writer.publish(&throttle(0.6));
    assert_eq!(reader.latest().unwrap().value.throttle_ratio, 0.6);
}

/// No block shares a page with another, or page protection would protect nothing.
#[test]
fn every_block_has_pages_of_its_own() {
    let mut end = shm_layout::header::HEADER_BYTES;
    for (index, entry) in CATALOGUE.iter().enumerate() {
        assert_eq!(shm_layout::block::offset(index), end, "/{}/", entry.name);
        assert_eq!(end % shm_layout::block::PAGE_BYTES, 0, "/{}/", entry.name);
        end += block_bytes(entry);
    }
    assert_eq!(shm_layout::block::REGION_BYTES, end);
}
