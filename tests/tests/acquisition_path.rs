//! The acquisition loop allocates nothing and takes no page fault, whatever the board does.

use acquisition::stream::ByteOrder;
use rt::allocation::{CountingAllocator, NoAllocation, forbid, forbid_with_faults};
use shm_layout::Wait;
use simulator::system::job;
use system_tests::board::{Rig, bytes, drive};
use system_tests::played::{Bench, Hand, channel};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const TURNS: u32 = 20_000;

/// Blocks, half blocks, bursts, swapped bytes: all of them before the loop, so that only the loop
/// is counted.
fn stream() -> Vec<Vec<u8>> {
    let order = |block: u32| match block % 5_000 {
        4_000.. => ByteOrder::Big,
        _ => ByteOrder::Little,
    };
    let block = |block: u32| {
        let mut piece = bytes(drive(block), order(block));
        match block % 10 {
            3 => piece.truncate(5),
            4 => piece.drain(..3).for_each(drop),
            7 => piece = piece.repeat(20),
            _ => {}
        }
        piece
    };
    (0..TURNS).map(block).collect()
}

#[test]
fn the_acquisition_loop_neither_allocates_nor_faults() {
    for wait in [Wait::Sleep, Wait::Spin] {
        let mut rig = Rig::new("period_us = 1000.0", wait);
        let pieces = stream();
        // The first turns touch the pages; a real process has them prefaulted and locked.
        for piece in &pieces[..2000] {
            rig.send(piece);
            rig.turn();
        }
        println!("{wait:?}");
        forbid_with_faults(|| {
            for piece in &pieces[2000..] {
                rig.send(piece);
                rig.turn();
            }
        });
        assert!(rig.status().sources[0].blocks > u64::from(TURNS / 2));
    }
}

/// Unplugged and plugged in: the loop gives its source away and takes another one without touching
/// the heap.
#[test]
fn a_source_is_exchanged_without_the_heap() {
    let mut rig = Rig::new("", Wait::Sleep);
    rig.send(&bytes(drive(0), ByteOrder::Little));
    rig.until("data", |status| status.sources[0].blocks == 1);
    drop(rig.take_writer());
    forbid(|| {
        rig.until("it is gone", |status| status.sources[0].state == 4);
        rig.until("it is back", |status| status.sources[0].reconnects == 1);
    });
}

/// Another device is plugged in, without the numbers that the channels ask for: it is refused
/// without touching the heap, and the right one is taken again.
#[test]
fn a_device_with_other_numbers_is_refused_without_the_heap() {
    let hand = Hand::new(&["steering"]);
    let steering = "target = \"driver.steering_angle_rad\"\ncalibration = { unit = \"rad\" }";
    let text = format!("[[source]]\nname = \"wheel\"\nkind = \"0\"\n{}", channel("steering", "wheel", steering));
    let mut bench = Bench::played(&text, &[&hand], &job("drive-default", None));
    let mut status = bench.region.reader(shm_layout::blocks::ACQUISITION);
    let mut turn_until = |reconnects: u64| {
        forbid(|| {
            while status.latest().is_none_or(|now| now.value.sources[0].reconnects < reconnects) {
                bench.turn();
                std::thread::yield_now();
            }
            (0..3).for_each(|_| bench.turn());
        });
        let status = status.latest().expect("it was published").value;
        (status.channels[0].raw, status.channels[0].faults)
    };
    hand.deliver(&[0.25]);
    assert_eq!(turn_until(0), (0.25, 0));
    hand.plug_in(&["throttle"]);
    hand.deliver(&[0.5]);
    let (raw, faults) = turn_until(1);
    assert_eq!((raw, faults), (0.25, 8), "stale, and never another number instead");
    hand.plug_in(&["throttle", "steering"]);
    hand.deliver(&[0.5, 0.75]);
    assert_eq!(turn_until(2).0, 0.75, "its number at its new place");
}

#[test]
fn a_turn_that_allocates_is_caught() {
    let mut rig = Rig::new("", Wait::Sleep);
    rig.send(&bytes(drive(0), ByteOrder::Little));
    let guard = NoAllocation::begin();
    rig.turn();
    drop(std::hint::black_box(vec![1_u8; 64]));
    assert!(guard.heap_calls().allocations > 0, "an allocation went unnoticed");
}
