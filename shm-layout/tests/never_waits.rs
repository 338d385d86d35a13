//! A reader never waits for a writer: not for one that is stopped in mid-write, not for one that
//! was killed there, and not for one that cannot go on because the reader itself has taken its CPU.
//!
//! No clock is needed to prove it. The reader says how many attempts it made, and one is enough in
//! every case here.

use nix::sys::signal::{Signal, raise};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use shm_layout::blocks::{PLANT_OUTPUTS, PlantOutputs};
use shm_layout::clock::monotonic_ns;
use shm_layout::slots::ATTEMPTS;
use shm_layout::{ClaimError, Reader, Region, Writer};

use crate::child::{self, Child};
use crate::place::{self, Place};
use crate::{flat_out, pattern};

const WHOLE_WRITES: u64 = 5;
const READS: usize = 10_000;

/// Writes number by number up to this one, whole.
fn write_up_to(writer: &mut Writer<PlantOutputs>, last: u64) {
    let mut payload = PlantOutputs::default();
    while writer.sequence() < last {
        pattern::fill(&mut payload, writer.sequence() + 1);
        writer.publish(&payload);
    }
}

fn half_a_write(writer: &mut Writer<PlantOutputs>) {
    let mut payload = PlantOutputs::default();
    pattern::fill(&mut payload, writer.sequence() + 1);
    writer.publish_half(&payload);
}

/// A writer that gets into the middle of a write and stays there until it is ended.
fn play_writer_in_mid_write(stopped: bool) {
    let region = Region::open(&place::given(), None).unwrap();
    let mut writer = region.claim(PLANT_OUTPUTS).unwrap();
    let last = writer.sequence() + WHOLE_WRITES;
    write_up_to(&mut writer, last);
    half_a_write(&mut writer);
    child::say("half");
    if stopped {
        raise(Signal::SIGSTOP).unwrap();
    }
    child::listen();
}

/// Reads often; every read must find this write, whole, at the first attempt, and know its age.
fn assert_found_at_once(reader: &mut Reader<PlantOutputs>, sequence: u64, generation: u32) {
    for _ in 0..READS {
        let now_ns = monotonic_ns();
        let snapshot = reader.latest().expect("whole writes were made");
        assert_eq!((snapshot.sequence, snapshot.generation), (sequence, generation));
        assert_eq!((snapshot.attempts, snapshot.held), (1, false));
        assert!(pattern::is_whole(snapshot.value, sequence));
        let publish_ns = snapshot.value.stamp.publish_ns;
        assert!(publish_ns > 0 && publish_ns <= now_ns, "published at {publish_ns}, now {now_ns}");
        assert_eq!(snapshot.age_ns(now_ns), now_ns - publish_ns);
    }
}

#[test]
fn a_writer_stopped_in_mid_write_is_not_waited_for() {
    if child::role().is_some() {
        return play_writer_in_mid_write(true);
    }
    let (place, region) = Place::with_region();
    let writer = Child::start(this_test!(), "writer", &place.environment());
    writer.expect("half");
    let status = waitpid(writer.pid(), Some(WaitPidFlag::WUNTRACED)).unwrap();
    assert_eq!(status, WaitStatus::Stopped(writer.pid(), Signal::SIGSTOP));
    assert_found_at_once(&mut region.reader(PLANT_OUTPUTS), WHOLE_WRITES, 1);

    // It is stopped, not dead: the block is still its own.
    let refused = region.claim(PLANT_OUTPUTS).unwrap_err();
    let pid = writer.pid().as_raw() as u32;
    assert!(matches!(refused, ClaimError::Owned { pid: owner, .. } if owner == pid), "{refused}");
    writer.kill();
}

#[test]
fn a_writer_killed_in_mid_write_is_not_waited_for_and_leaves_no_trace() {
    if child::role().is_some() {
        return play_writer_in_mid_write(false);
    }
    let (place, region) = Place::with_region();
    let mut reader = region.reader(PLANT_OUTPUTS);
    let mut last = 0;
    // Each round leaves the half write in another slot.
    for round in 0..8 {
        let writer = Child::start(this_test!(), "writer", &place.environment());
        writer.expect("half");
        writer.kill();
        last += WHOLE_WRITES;
        assert_found_at_once(&mut reader, last, 2 * round + 1);

        let mut next = region.claim(PLANT_OUTPUTS).unwrap();
        assert_eq!((next.sequence(), next.generation()), (last, 2 * round + 2));
        assert_found_at_once(&mut reader, last, 2 * round + 1);
        for _ in 0..6 {
            last += 1;
            write_up_to(&mut next, last);
            assert_found_at_once(&mut reader, last, 2 * round + 2);
        }
    }
}

/// Wherever in its loop the writer is killed, what it leaves is whole, and the next one goes on
/// from there.
#[test]
fn a_writer_killed_at_any_moment_leaves_a_whole_snapshot() {
    if child::role().is_some() {
        flat_out::write_flat_out(&place::given());
        return;
    }
    let (place, region) = Place::with_region();
    let mut reader = region.reader(PLANT_OUTPUTS);
    for round in 0..30 {
        let writer = Child::start(this_test!(), "writer", &place.environment());
        let before = reader.last_sequence();
        flat_out::wait_for_write(&mut reader, before + 10);
        writer.kill();
        let snapshot = reader.latest().unwrap();
        assert!(snapshot.attempts <= ATTEMPTS && !snapshot.held);
        assert_eq!(snapshot.generation, 2 * round + 1);
        assert!(pattern::is_whole(snapshot.value, snapshot.sequence));
        let last = snapshot.sequence;

        let mut next = region.claim(PLANT_OUTPUTS).unwrap();
        assert_eq!((next.sequence(), next.generation()), (last, 2 * round + 2));
        write_up_to(&mut next, last + 1);
        assert!(pattern::is_whole(reader.latest().unwrap().value, last + 1));
    }
}
