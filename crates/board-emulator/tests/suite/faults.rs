//! Every fault does what its name says.

use std::io::Read;
use std::time::Duration;

use board_emulator::Delivery;
use board_emulator::delivery::{Faults, Outlet, Repeated, Tally};

use super::{Running, delivery, expected};

/// Everything that a run sends through a pipe.
fn run(delivery: Delivery) -> (Vec<u8>, Tally) {
    let (mut reading_end, writing_end) = std::io::pipe().unwrap();
    let running = Running::start(Outlet::pipe(writing_end.into()).unwrap(), None, delivery, None);
    let mut bytes = Vec::new();
    reading_end.read_to_end(&mut bytes).unwrap();
    (bytes, running.wait())
}

fn with(faults: Faults) -> Delivery {
    Delivery { blocks: Some(2000), faults, ..delivery() }
}

#[test]
fn swapped_bytes() {
    let faults = Faults { swap: true, ..Faults::default() };
    assert!(run(with(faults)).0 == expected(2000, true));
}

#[test]
fn wrong_bits_are_as_many_as_are_counted() {
    let faults = Faults { corrupt: 0.05, ..Faults::default() };
    let (bytes, tally) = run(with(faults));
    let right = expected(2000, false);
    let wrong: u32 = bytes.iter().zip(&right).map(|(found, right)| (found ^ right).count_ones()).sum();
    assert_eq!(bytes.len(), right.len());
    assert!(tally.corrupted > 50 && u64::from(wrong) == tally.corrupted, "{wrong} {tally:?}");
}

#[test]
fn doubled_lost_and_strange_bytes_change_the_length() {
    let faults = |lose: f64, duplicate: f64, garbage: f64| Faults { lose, duplicate, garbage, ..Faults::default() };
    let (bytes, tally) = run(with(faults(0.05, 0.05, 0.0)));
    assert!(tally.lost > 50 && tally.duplicated > 50, "{tally:?}");
    assert_eq!(bytes.len() as u64, (2000 - tally.lost + tally.duplicated) * 8);
    let (bytes, tally) = run(with(faults(0.0, 0.0, 0.05)));
    let random = bytes.len() as u64 - 16_000;
    assert!((tally.garbage..=16 * tally.garbage).contains(&random), "{random} {tally:?}");
}

#[test]
fn the_same_seed_gives_the_same_faults() {
    let run_with = |seed: u64| {
        let faults = Faults { corrupt: 0.1, garbage: 0.1, lose: 0.1, duplicate: 0.1, ..Faults::default() };
        run(Delivery { seed, ..with(faults) }).0
    };
    assert!(run_with(3) == run_with(3));
    assert!(run_with(3) != run_with(4));
}

/// 50,000 blocks at once: none is sent before all are there, and none is missing.
#[test]
fn a_burst_of_fifty_thousand_blocks() {
    let faults = Faults { burst: 50_000, ..Faults::default() };
    let (bytes, tally) = run(Delivery { period_ns: 1000, blocks: Some(50_000), faults, ..delivery() });
    assert!(bytes == expected(50_000, false));
    assert_eq!((tally.overflowed, tally.sent), (0, 50_000));
    assert!(tally.most_waiting_bytes == 400_000, "{tally:?}");
}

/// Jitter changes when blocks come, not what they are nor their order.
#[test]
fn jitter_keeps_the_order() {
    let faults = Faults { jitter_us: 500.0, ..Faults::default() };
    let (bytes, _) = run(Delivery { period_ns: 50_000, ..with(faults) });
    assert!(bytes == expected(2000, false));
}

/// In a stall the board measures nothing, and afterwards goes on at the time that it then is:
/// blocks of the stall are missing.
#[test]
fn a_stall_is_a_gap_in_board_time() {
    let stall = Repeated { every_s: 0.1, lasting_s: 0.05 };
    let faults = Faults { stall: Some(stall), ..Faults::default() };
    let (bytes, tally) = run(Delivery {
        period_ns: 1_000_000,
        blocks: Some(120),
        faults,
        lasting: Some(Duration::from_secs(60)),
        ..delivery()
    });
    let all = expected(170, false);
    assert_eq!((tally.stalls, bytes.len()), (1, 120 * 8));
    // 100 blocks, then 50 that were never measured, then 20.
    assert!(bytes[..800] == all[..800]);
    let steering = |bytes: &[u8]| -> Vec<i32> {
        bytes.chunks(8).map(|block| i32::from_le_bytes(block[4..].try_into().unwrap())).collect()
    };
    assert_eq!(steering(&bytes[800..]), steering(&all[1200..]));
}
