//! A reader with a higher FIFO priority on the writer's own CPU: the classical way to block with a
//! seqlock.
//!
//! Whenever the reader runs, the writer stands still, nearly always in the middle of a write. A
//! reader that waited for it to go on would wait for ever. Both processes are bounded by counts:
//! nothing here can keep a CPU.

use std::fs::File;
use std::hint::black_box;
use std::os::unix::fs::FileExt;
use std::time::Duration;

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;
use shm_layout::block::{CONTROL_WORDS, offset};
use shm_layout::blocks::{PLANT_OUTPUTS, PlantOutputs};
use shm_layout::slots::{SLOTS, slot_words};
use shm_layout::{Region, Shape};
use thread_priority::{
    RealtimeThreadSchedulePolicy, ThreadPriority, ThreadPriorityValue, ThreadSchedulePolicy,
    set_thread_priority_and_policy, thread_native_id,
};

use crate::child::{self, Child};
use crate::pattern;
use crate::place::{self, Place};

const WRITER_PRIORITY: u8 = 10;
const READER_PRIORITY: u8 = 20;
/// The writer's writes, in each of which it stays for a while: about half a second in all.
const WRITES: u64 = 2_000;
const WORK_PER_WRITE: u64 = 200_000;
/// The reader's looks, and how many of them are to meet the writer at a new place.
const LOOKS_MAX: usize = 10_000;
const MEETINGS: usize = 100;

/// The last CPU that this process may use.
fn last_cpu() -> usize {
    let allowed = sched_getaffinity(Pid::from_raw(0)).expect("a process may ask");
    let mut cpus = (0..CpuSet::count()).rev();
    cpus.find(|cpu| allowed.is_set(*cpu).unwrap_or(false)).expect("a process runs somewhere")
}

/// Pins the calling thread to a CPU and gives it a FIFO priority; an error says why not.
fn become_real_time(cpu: usize, priority: u8) -> Result<(), String> {
    let mut set = CpuSet::new();
    set.set(cpu).map_err(|error| error.to_string())?;
    sched_setaffinity(Pid::from_raw(0), &set).map_err(|error| error.to_string())?;
    let value = ThreadPriorityValue::try_from(priority)?;
    let policy = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::Fifo);
    set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Crossplatform(value), policy)
        .map_err(|error| format!("FIFO priority {priority} is not granted: {error:?}"))
}

/// Pins and raises this process and waits for the start; `false` if the right is not granted.
fn get_ready(priority: u8) -> bool {
    match become_real_time(last_cpu(), priority) {
        Ok(()) => child::say("ready"),
        Err(why) => {
            child::say(why);
            return false;
        }
    }
    child::listen().is_some()
}

fn play_writer() {
    let region = Region::open(&place::given(), None).unwrap();
    let mut writer = region.claim(PLANT_OUTPUTS).unwrap();
    let mut payload = PlantOutputs::default();
    if !get_ready(WRITER_PRIORITY) {
        return;
    }
    for sequence in 1..=WRITES {
        pattern::fill(&mut payload, sequence);
        writer.publish_half(&payload);
        (0..WORK_PER_WRITE).for_each(|work| {
            black_box(work);
        });
        writer.publish(&payload);
    }
}

/// Whether the writer has begun the write after this one.
fn is_in_mid_write(file: &File, sequence: u64) -> bool {
    let next = sequence + 1;
    let slot = CONTROL_WORDS + (next % SLOTS as u64) as usize * slot_words(PlantOutputs::WORDS);
    let mut begun = [0; 8];
    let place = (offset(PLANT_OUTPUTS.index) + slot * 8) as u64;
    file.read_exact_at(&mut begun, place).expect("the region is there");
    u64::from_ne_bytes(begun) == next
}

fn play_reader() {
    let name = place::given();
    let region = Region::open(&name, None).unwrap();
    let file = File::open(name.path()).unwrap();
    let mut reader = region.reader(PLANT_OUTPUTS);
    if !get_ready(READER_PRIORITY) {
        return;
    }
    let (mut last, mut meetings, mut in_mid_write) = (0, 0, 0);
    for _ in 0..LOOKS_MAX {
        std::thread::sleep(Duration::from_micros(500));
        let Some(snapshot) = reader.latest() else { continue };
        assert_eq!((snapshot.attempts, snapshot.held), (1, false));
        assert!(pattern::is_whole(snapshot.value, snapshot.sequence));
        if snapshot.sequence > last {
            last = snapshot.sequence;
            meetings += 1;
            in_mid_write += usize::from(is_in_mid_write(&file, last));
        }
        if meetings >= MEETINGS || last == WRITES {
            break;
        }
    }
    child::say(format!("{meetings} {in_mid_write}"));
}

#[test]
fn a_reader_that_keeps_the_writer_from_its_cpu_is_served_at_once() {
    match child::role().as_deref() {
        None => {}
        Some("writer") => return play_writer(),
        Some(_) => return play_reader(),
    }
    let (place, _region) = Place::with_region();
    let mut reader = Child::start(this_test!(), "reader", &place.environment());
    let mut writer = Child::start(this_test!(), "writer", &place.environment());
    for answer in [reader.next(), writer.next()] {
        if answer != "ready" {
            return child::skipped(&format!("reader above the writer on its CPU: {answer}"));
        }
    }
    reader.tell("go");
    writer.tell("go");
    let found = reader.next();
    println!("met at new writes, of which in mid-write: {found}");
    let counts: Vec<usize> = found.split(' ').map(|count| count.parse().unwrap()).collect();
    assert!(counts[0] > 1, "the reader never met a running writer: {found}");
    assert!(counts[1] > 0, "the reader never met the writer in mid-write: {found}");
    assert!(reader.end().success());
    assert!(writer.end().success());
}
