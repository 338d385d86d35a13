//! From the board to shared memory: nothing lost, nothing torn, always the newest; and what happens
//! when the board misbehaves.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use acquisition::stream::{ByteOrder, FrameStamp, encode_frame};
use nix::fcntl::{FcntlArg, fcntl};
use shm_layout::Wait;
use system_tests::board::{Rig, bytes, drive, numbers};

const WAITING: u64 = 1;
const FLOWING: u64 = 2;
const STALLED: u64 = 3;
const GONE: u64 = 4;
const SWAPPED: u64 = 6;

/// Sends numbered blocks in pieces that end anywhere, and pauses now and then; counts a block
/// before its last piece.
fn send_in_pieces(mut writer: std::fs::File, blocks: u32, sent: &AtomicU32) {
    // A linear congruential generator with the constants of Knuth's MMIX decides where the stream
    // is cut.
    let mut state = 42_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let mut pending = Vec::new();
    for block in 0..blocks {
        pending.extend(bytes(numbers(block), ByteOrder::Little));
        sent.store(block + 1, Ordering::Release);
        let piece = random() % 40;
        if piece < pending.len() {
            writer.write_all(&pending[..piece]).expect("a reader");
            pending.drain(..piece);
        }
        if random() % 64 == 0 {
            std::thread::sleep(std::time::Duration::from_micros(300));
        }
    }
    writer.write_all(&pending).expect("a reader");
}

/// Blocks are numbered, and every publication is held against the writer's count: it is whole, the
/// newest of those taken, none is left out, and none is there before it was sent. DAS Fig. 4.19 and
/// 4.20 compare the same by eye.
#[test]
fn no_block_is_lost_or_torn_and_the_newest_is_published() {
    const BLOCKS: u32 = 50_000;
    for wait in [Wait::Sleep, Wait::Spin] {
        let mut rig = Rig::new("check_byte_order = false", wait);
        let writer = rig.take_writer();
        let sent = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&sent);
        let board = std::thread::spawn(move || send_in_pieces(writer, BLOCKS, &counted));
        let mut last = 0;
        while last < u64::from(BLOCKS) {
            if !rig.turn() {
                continue;
            }
            let status = rig.status();
            let raw = [0, 1, 2].map(|channel| status.channels[channel].raw);
            let blocks = status.sources[0].blocks;
            assert_eq!(raw, numbers(raw[2] as u32), "torn");
            assert_eq!(raw[2] as u64, blocks - 1, "not the newest of those taken, or one is lost");
            assert!(blocks > last, "published again");
            assert!(blocks <= u64::from(sent.load(Ordering::Acquire)), "from nowhere");
            last = blocks;
        }
        board.join().expect("the board");
        let source = rig.status().sources[0];
        assert_eq!((source.blocks, source.bytes), (u64::from(BLOCKS), u64::from(BLOCKS) * 8));
        assert!(source.remainders > 0 && source.bursts > 0, "the test has not tested: {source:?}");
        assert_eq!((source.lost, source.corrupted, source.resynchronised), (0, 0, 0));
    }
}

#[test]
fn a_stall_is_seen_and_passes() {
    let mut rig = Rig::new("stalled_after_ms = 50", Wait::Sleep);
    rig.until("nothing yet", |status| status.sources[0].state == WAITING);
    rig.send(&bytes(drive(0), ByteOrder::Little));
    rig.until("data", |status| status.sources[0].state == FLOWING);
    rig.until("the stall", |status| status.sources[0].state == STALLED);
    rig.send(&bytes(drive(1), ByteOrder::Little));
    rig.until("data again", |status| status.sources[0].state == FLOWING && status.sources[0].blocks == 2);
}

#[test]
fn a_board_that_goes_comes_back_by_itself() {
    let mut rig = Rig::new("", Wait::Sleep);
    for round in 0..3 {
        rig.send(&bytes(numbers(round), ByteOrder::Little));
        // Half a block, and gone: the half must not become part of the next one.
        rig.send(&[0xff; 3]);
        let blocks = u64::from(round) + 1;
        rig.until("data", |status| status.sources[0].blocks == blocks);
        assert_eq!(rig.status().channels[2].raw, f64::from(round));
        drop(rig.take_writer());
        rig.until("it is gone", |status| status.sources[0].state == GONE);
        let reconnects = u64::from(round) + 1;
        rig.until("it is open again", |status| {
            status.sources[0].reconnects == reconnects && status.sources[0].state != GONE
        });
    }
}

#[test]
fn fifty_thousand_blocks_at_once_are_taken() {
    let mut rig = Rig::new("check_byte_order = false", Wait::Sleep);
    let burst: Vec<u8> = (0..50_000).flat_map(|block| bytes(numbers(block), ByteOrder::Little)).collect();
    // A pipe holds 8,192 blocks unless it is told to hold more: then all of them are there before
    // the loop looks.
    let room = FcntlArg::F_SETPIPE_SZ(burst.len() as i32);
    let held = fcntl(rig.writer(), room).expect("an ordinary user may have 1 MiB");
    assert!(held as usize >= burst.len());
    rig.send(&burst);
    rig.until("all of them", |status| status.sources[0].blocks == 50_000);
    let status = rig.status();
    assert_eq!(status.channels[2].raw, 49_999.0);
    assert_eq!(status.sources[0].largest_burst, 50_000, "{:?}", status.sources[0]);
}

/// More than any pipe holds: the board has to wait, and everything arrives.
#[test]
fn more_blocks_than_the_pipe_holds_are_taken() {
    let mut rig = Rig::new("check_byte_order = false", Wait::Sleep);
    let mut writer = rig.take_writer();
    let burst: Vec<u8> = (0..50_000).flat_map(|block| bytes(numbers(block), ByteOrder::Little)).collect();
    let board = std::thread::spawn(move || writer.write_all(&burst).map(|()| writer));
    rig.until("all of them", |status| status.sources[0].blocks == 50_000);
    assert_eq!(rig.status().channels[2].raw, 49_999.0);
    drop(board.join().expect("the board"));
}

#[test]
fn garbage_between_frames_is_counted_and_passed() {
    let mut rig = Rig::new("framing = \"header\"", Wait::Sleep);
    let frame = |sequence: u32| {
        let mut frame = Vec::new();
        let stamp = FrameStamp { sequence, hardware_ns: u64::from(sequence) * 1_000_000 };
        encode_frame(stamp, &bytes(drive(sequence), ByteOrder::Little), &mut frame);
        frame
    };
    rig.send(&(0..100).flat_map(frame).collect::<Vec<_>>());
    rig.send(&[0x5a; 1000]);
    rig.send(&(100..200).flat_map(frame).collect::<Vec<_>>());
    rig.until("all frames", |status| status.sources[0].blocks == 200);
    let source = rig.status().sources[0];
    assert_eq!((source.lost, source.resynchronised), (0, 1), "{source:?}");
    assert_eq!(source.clock, 3);
    // Frames that never come, and one that comes twice.
    rig.send(&[frame(205), frame(205), frame(206)].concat());
    rig.until("the rest", |status| status.sources[0].blocks == 202);
    let source = rig.status().sources[0];
    assert_eq!((source.lost, source.duplicated), (5, 1), "{source:?}");
}

#[test]
fn garbage_in_a_stream_without_headers_is_left_behind() {
    let mut rig = Rig::new("check_byte_order = false", Wait::Sleep);
    rig.send(&bytes(drive(0), ByteOrder::Little));
    rig.send(&[0x55; 13]);
    for block in 1..400 {
        rig.send(&bytes(drive(block), ByteOrder::Little));
        rig.turn();
    }
    rig.until("its place again", |status| status.sources[0].resynchronised == 1);
    rig.send(&bytes([1.0, 2.0, 3.0], ByteOrder::Little));
    rig.until("the right numbers", |status| [0, 1, 2].map(|channel| status.channels[channel].raw) == [1.0, 2.0, 3.0]);
}

#[test]
fn swapped_bytes_are_reported_refused_and_forgiven() {
    let mut rig = Rig::new("", Wait::Sleep);
    let mut block = 0;
    let mut send_until = |rig: &mut Rig, order, state| {
        for _ in 0..2000 {
            rig.send(&bytes(drive(block), order));
            block += 1;
            rig.turn();
            if rig.status().sources[0].state == state {
                return;
            }
        }
        panic!("waited in vain for state {state}");
    };
    send_until(&mut rig, ByteOrder::Little, FLOWING);
    send_until(&mut rig, ByteOrder::Big, SWAPPED);
    assert!(rig.status().sources[0].corrupted > 0);
    send_until(&mut rig, ByteOrder::Little, FLOWING);
}
