//! Properties of the whole way from bytes to samples.

use proptest::prelude::*;

use super::*;
use crate::conformance::{Pieces, blocks};
use crate::stream::{AllBlocks, Framing};

fn receiver(pieces: Vec<Vec<u8>>, framing: Framing) -> Receiver<Pieces> {
    receiver_with(pieces, framing, AllBlocks::new(Layout::board().bytes(), framing))
}

fn receiver_with(pieces: Vec<Vec<u8>>, framing: Framing, strategy: AllBlocks) -> Receiver<Pieces> {
    let layout = Layout::board();
    let pipe = Pieces { pieces: pieces.into(), ended: false };
    let timing = match framing {
        Framing::None => Timing::Arrival,
        Framing::Header => Timing::Hardware,
    };
    Receiver::new(pipe, Box::new(strategy), layout, timing, Counters::default())
}

/// Takes until the pieces are used up; the steering number of each sample.
fn run(receiver: &mut Receiver<Pieces>) -> Vec<u32> {
    let mut found = Vec::new();
    let mut now_ns = 1;
    while !receiver.pipe.pieces.is_empty() {
        now_ns += 1_000_000;
        receiver.take(now_ns, &mut |sample| {
            assert_eq!(sample.raw[0], f64::from(sample.raw[2] as u32 as u16 as i16), "torn");
            found.push(sample.raw[2] as u32);
        });
    }
    found
}

/// Takes until the pieces are used up: the newest sample, and how many there were.
fn drain(receiver: &mut Receiver<Pieces>) -> (Sample, u64) {
    let (mut newest, mut taken) = (Sample::empty(0), 0);
    while !receiver.pipe.pieces.is_empty() {
        receiver.take(1, &mut |sample| {
            newest = *sample;
            taken += 1;
        });
    }
    (newest, taken)
}

fn numbers(block: &[u8]) -> Sample {
    let mut sample = Sample::empty(0);
    Layout::board().decode(block, &mut sample);
    sample
}

fn cut(bytes: &[u8], cuts: &[usize]) -> Vec<Vec<u8>> {
    Pieces::cut(bytes, cuts).pieces.into()
}

proptest! {
    #[test]
    fn any_split_of_the_stream_gives_the_same_blocks(
        count in 1_u32..200,
        cuts in proptest::collection::vec(any::<usize>(), 0..100),
        framed in any::<bool>(),
    ) {
        let framing = if framed { Framing::Header } else { Framing::None };
        let stream = blocks(count, framing).concat();
        let mut receiver = receiver(cut(&stream, &cuts), framing);
        prop_assert_eq!(run(&mut receiver), (0..count).collect::<Vec<_>>());
        let counters = receiver.counters();
        prop_assert_eq!(counters.blocks, u64::from(count));
        prop_assert_eq!(counters.bytes, stream.len() as u64);
        prop_assert_eq!((counters.lost, counters.corrupted, counters.resynchronised), (0, 0, 0));
    }

    #[test]
    fn garbage_between_frames_is_passed_over(
        before in proptest::collection::vec(any::<u8>(), 0..300),
        between in proptest::collection::vec(any::<u8>(), 1..300),
        cuts in proptest::collection::vec(any::<usize>(), 0..40),
    ) {
        let frames = blocks(20, Framing::Header);
        let stream = [&before[..], &frames[..10].concat(), &between, &frames[10..].concat()].concat();
        let mut receiver = receiver(cut(&stream, &cuts), Framing::Header);
        // The checksum of 32 bits lets garbage through once in 4·10⁹ frames; every true frame is
        // found.
        prop_assert_eq!(run(&mut receiver), (0..20).collect::<Vec<_>>());
        prop_assert!(receiver.counters().resynchronised >= 1);
        prop_assert_eq!(receiver.counters().lost, 0);
    }

    #[test]
    fn any_bytes_are_survived(
        bytes in proptest::collection::vec(any::<u8>(), 0..4000),
        cuts in proptest::collection::vec(any::<usize>(), 0..40),
    ) {
        for framing in [Framing::None, Framing::Header] {
            let mut receiver = receiver(cut(&bytes, &cuts), framing).with_byte_order_check();
            let (_, taken) = drain(&mut receiver);
            prop_assert_eq!(receiver.counters().bytes, bytes.len() as u64);
            prop_assert_eq!(receiver.counters().blocks, taken);
        }
    }
}

#[test]
fn lost_and_repeated_frames_are_counted() {
    let frames = blocks(100, Framing::Header);
    let order = [0, 1, 2, 2, 2, 5, 6, 5, 9, 10];
    let stream: Vec<Vec<u8>> = order.iter().map(|index| frames[*index].clone()).collect();
    let mut receiver = receiver(vec![stream.concat()], Framing::Header);
    assert_eq!(run(&mut receiver), [0, 1, 2, 5, 6, 9, 10]);
    let counters = receiver.counters();
    assert_eq!((counters.lost, counters.duplicated, counters.corrupted), (4, 3, 0));
}

#[test]
fn a_flipped_bit_costs_one_frame() {
    let mut frames = blocks(10, Framing::Header);
    frames[4][17] ^= 0x10;
    let mut receiver = receiver(vec![frames.concat()], Framing::Header);
    assert_eq!(run(&mut receiver), [0, 1, 2, 3, 5, 6, 7, 8, 9]);
    let counters = receiver.counters();
    assert_eq!((counters.lost, counters.corrupted, counters.resynchronised), (1, 1, 1));
}

#[test]
fn opportunities_are_counted_by_what_they_gave() {
    let stream = blocks(7, Framing::None).concat();
    let parts = [0..8, 8..8, 8..40, 40..40, 40..40, 40..43, 43..43, 43..56];
    let pieces = parts.map(|part| stream[part].to_vec()).into();
    let mut receiver = receiver(pieces, Framing::None);
    drain(&mut receiver);
    let counters = receiver.counters();
    assert_eq!((counters.blocks, counters.bytes), (7, 56));
    assert_eq!((counters.bursts, counters.largest_burst), (2, 4));
    assert_eq!(counters.remainders, 1);
}

#[test]
fn a_stream_without_headers_finds_its_place_again() {
    let drive = |index: u32| {
        let mut block = Vec::new();
        let phase = f64::from(index) * 2e-3;
        Layout::board()
            .encode(&[2000.0 + 1500.0 * phase.sin(), 210.0 + 200.0 * phase.cos(), 900.0 * phase.sin()], &mut block);
        block
    };
    // The board writes eight blocks at a time, and once something else.
    let mut pieces: Vec<Vec<u8>> = (0..60).map(|piece| (8 * piece..8 * piece + 8).flat_map(drive).collect()).collect();
    pieces.push(vec![0x55; 13]);
    pieces.extend((60..375).map(|piece| (8 * piece..8 * piece + 8).flat_map(drive).collect()));
    let mut receiver = receiver(pieces, Framing::None).with_byte_order_check();
    assert_eq!(drain(&mut receiver).0.raw[..3], numbers(&drive(2999)).raw[..3]);
    assert_eq!(receiver.counters().resynchronised, 1);
}

/// A board that sends value by value and a loop that follows the same clock: every look falls
/// between the first number and the second. A strategy that expects whole blocks takes the same
/// remainder for garbage and throws it away; one that knows the board does not.
#[test]
fn a_board_found_in_the_same_part_of_its_block_keeps_its_place() {
    let stream = blocks(300, Framing::None).concat();
    let mut pieces = vec![stream[..2].to_vec()];
    pieces.extend(stream[2..].chunks(8).map(<[u8]>::to_vec));
    let layout = Layout::board();
    let knowing = AllBlocks::new(layout.bytes(), Framing::None).of_values(&layout);
    let mut knows = receiver_with(pieces.clone(), Framing::None, knowing);
    assert_eq!(run(&mut knows), (0..300).collect::<Vec<u32>>());
    assert_eq!(knows.counters().resynchronised, 0);
    let mut expects_blocks = receiver(pieces, Framing::None);
    drain(&mut expects_blocks);
    assert!(expects_blocks.counters().resynchronised > 0);
}

/// A board that writes value by value, 2 + 2 + 4 bytes, with garbage of any length in mid-stream:
/// its place is found again.
#[test]
fn a_board_of_values_finds_its_place_again() {
    for garbage in 1..16 {
        let stream = blocks(1000, Framing::None);
        let mut pieces: Vec<Vec<u8>> = Vec::new();
        for (index, block) in stream.iter().enumerate() {
            if index == 100 {
                pieces.extend([vec![0x55; garbage], Vec::new()]);
            }
            for value in [&block[..2], &block[2..4], &block[4..]] {
                pieces.extend([value.to_vec(), Vec::new()]);
            }
        }
        let layout = Layout::board();
        let strategy = AllBlocks::new(8, Framing::None).of_values(&layout);
        let mut receiver = receiver_with(pieces, Framing::None, strategy);
        assert_eq!(drain(&mut receiver).0.raw[..3], numbers(&stream[999]).raw[..3], "{garbage} bytes");
        let expected = u64::from(!garbage.is_multiple_of(8));
        assert_eq!(receiver.counters().resynchronised, expected, "{garbage} bytes");
    }
}

#[test]
fn states_follow_the_data() {
    let mut receiver = receiver(vec![], Framing::None).with_stall_after_ns(1000);
    assert_eq!(receiver.take(1, &mut |_| {}), State::Waiting);
    assert_eq!(receiver.take(2000, &mut |_| {}), State::Stalled);
    receiver.pipe.pieces.push_back(blocks(1, Framing::None).concat());
    assert_eq!(receiver.take(3000, &mut |_| {}), State::Flowing);
    assert_eq!(receiver.take(3900, &mut |_| {}), State::Flowing);
    assert_eq!(receiver.take(4100, &mut |_| {}), State::Stalled);
    receiver.pipe.pieces.clear();
    receiver.pipe.ended = true;
    assert_eq!(receiver.take(4200, &mut |_| {}), State::Gone);
}
