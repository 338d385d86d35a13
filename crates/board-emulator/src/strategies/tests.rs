//! What the strategies make of a stream that arrives in pieces.

use acquisition::Sample;
use acquisition::conformance::{Pieces, blocks};
use proptest::prelude::*;

use super::*;

/// The blocks that a strategy makes of a stream cut at these places, as (brake, steering), and the
/// bytes that it has taken.
fn run(name: StrategyName, framing: Framing, bytes: &[u8], cuts: &[usize]) -> (Vec<(f64, f64)>, usize) {
    let mut pipe = Pieces::cut(bytes, cuts);
    let layout = Layout::board();
    let mut strategy = name.strategy(&layout, framing);
    let (mut counters, mut found, mut taken) = (Counters::default(), Vec::new(), 0);
    while !pipe.pieces.is_empty() {
        let before = found.len();
        let transfer = strategy.take(&mut pipe, &mut counters, &mut |block| {
            let mut sample = Sample::empty(0);
            layout.decode(block.payload, &mut sample);
            found.push((sample.raw[0], sample.raw[2]));
        });
        assert_eq!(transfer.blocks, found.len() - before, "{name:?}");
        taken += transfer.bytes;
    }
    (found, taken)
}

proptest! {
    #[test]
    fn the_strategies_that_keep_remainders_give_the_same_blocks(
        count in 1_u32..50,
        cuts in prop::collection::vec(any::<usize>(), 0..30),
    ) {
        use StrategyName::{BlockIfAvailable, OneBlock, OneValue, WhatYouNeed};
        for (name, framing) in [
            (OneValue, Framing::None),
            (OneBlock, Framing::None),
            (BlockIfAvailable, Framing::None),
            (WhatYouNeed, Framing::Header),
        ] {
            let expected: Vec<_> = (0..count).map(|index| (f64::from(index), f64::from(index))).collect();
            prop_assert_eq!(run(name, framing, &blocks(count, framing).concat(), &cuts).0, expected, "{:?}", name);
        }
    }

    #[test]
    fn any_bytes_are_survived_by_every_strategy(
        bytes in prop::collection::vec(any::<u8>(), 0..4000),
        cuts in prop::collection::vec(any::<usize>(), 0..40),
    ) {
        for name in StrategyName::ALL {
            for framing in [Framing::None, Framing::Header] {
                prop_assert_eq!(run(name, framing, &bytes, &cuts).1, bytes.len());
            }
        }
    }
}

#[test]
fn everything_tears_what_all_blocks_keeps_whole() {
    // Cut three bytes into a block, as a board that sends its numbers one by one is found.
    let torn = |name| {
        let (found, _) = run(name, Framing::None, &blocks(100, Framing::None).concat(), &[403]);
        found.iter().filter(|(brake, steering)| brake != steering).count()
    };
    assert_eq!(torn(StrategyName::AllBlocks), 0);
    assert!(torn(StrategyName::Everything) > 0);
}
