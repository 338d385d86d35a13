//! Each kind of mistake by hand, one at a time, in a run of four blocks.

use super::*;
use crate::delivery::Times;

/// Block i is written at 100·(i + 1) ns.
fn record() -> Vec<Sent> {
    let block = |number: u64| Sent {
        number,
        board_ns: number,
        times: Some(Times { sent_ns: 100 * number + 90, written_ns: 100 * number + 100 }),
        done: String::new(),
        values: vec![number as i32, 7, -(number as i32)],
    };
    (0..4).map(block).collect()
}

fn look(looked_ns: u64, blocks: u64) -> Opportunity {
    let newest = blocks as i32 - 1;
    Opportunity { looked_ns, readable_ns: looked_ns + 10, blocks, bytes: blocks * 8, values: [newest, 7, -newest, 0] }
}

/// One block, nothing new, two at once, the last: each look takes what was there.
fn good() -> Vec<Opportunity> {
    [(105, 1), (150, 1), (300, 3), (450, 4)].map(|(looked_ns, blocks)| look(looked_ns, blocks)).into()
}

#[test]
fn a_good_reader_is_right() {
    let comparison = Comparison::new(&record(), &good());
    assert!(comparison.is_right(), "{comparison:?}");
    assert_eq!((comparison.loops, comparison.publications, comparison.largest_burst), (4, 3, 2));
    assert_eq!((comparison.bytes, comparison.blocks), (32, 4));
}

#[test]
fn each_mistake_has_its_name() {
    let spoiled = |spoil: &dyn Fn(&mut Vec<Sent>, &mut Vec<Opportunity>)| {
        let (mut record, mut seen) = (record(), good());
        spoil(&mut record, &mut seen);
        Comparison::new(&record, &seen)
    };
    let torn = spoiled(&|_, seen| seen[2].values[0] = 1);
    assert_eq!((torn.torn, torn.misplaced, torn.lost), (1, 0, 0));
    // The block before it: a block was taken and the older one published.
    let misplaced = spoiled(&|_, seen| seen[2].values = look(0, 2).values);
    assert_eq!((misplaced.torn, misplaced.misplaced), (0, 1));
    let lost = spoiled(&|_, seen| seen.truncate(3));
    assert_eq!((lost.lost, lost.torn), (1, 0));
    // Blocks 1 and 2 are there at 300 ns, and only one of them is taken.
    let behind = spoiled(&|_, seen| seen[2] = look(300, 2));
    assert_eq!((behind.behind, behind.behind_max), (1, 1));
    // The same look a nanosecond before block 2 is there.
    let in_time = spoiled(&|_, seen| seen[2] = look(299, 2));
    assert!(in_time.is_right(), "{in_time:?}");
    let overflowed = spoiled(&|record, seen| {
        record[3].times = None;
        seen.truncate(3);
    });
    assert_eq!((overflowed.overflowed, overflowed.lost), (1, 0));
    for wrong in [torn, misplaced, lost, behind, overflowed] {
        assert!(!wrong.is_right(), "{wrong:?}");
    }
}
