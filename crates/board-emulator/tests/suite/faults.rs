//! Every fault does what its name says.

use board_emulator::delivery::{Repeated, Tally};
use board_emulator::{Delivery, Settings};

use super::{Running, delivery, expected, read_all};

fn run(delivery: Delivery) -> (Vec<u8>, Tally) {
    let (running, reading_end) = Running::through_pipe(delivery, None);
    (read_all(reading_end), running.wait())
}

fn with(settings: Settings) -> Delivery {
    delivery(Some(2000), settings)
}

#[test]
fn swapped_bytes() {
    assert!(run(with(Settings { swap: true, ..Settings::default() })).0 == expected(2000, true));
}

#[test]
fn wrong_bits_are_as_many_as_are_counted() {
    let (bytes, tally) = run(with(Settings { corrupt: 0.05, ..Settings::default() }));
    let right = expected(2000, false);
    let wrong: u32 = bytes.iter().zip(&right).map(|(found, right)| (found ^ right).count_ones()).sum();
    assert_eq!(bytes.len(), right.len());
    assert!(tally.corrupted > 50 && u64::from(wrong) == tally.corrupted, "{wrong} {tally:?}");
}

#[test]
fn doubled_lost_and_strange_bytes_change_the_length() {
    let faults = |lose: f64, duplicate: f64, garbage: f64| Settings { lose, duplicate, garbage, ..Settings::default() };
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
        let (corrupt, garbage, lose, duplicate) = (0.1, 0.1, 0.1, 0.1);
        run(with(Settings { corrupt, garbage, lose, duplicate, seed, ..Settings::default() })).0
    };
    assert!(run_with(3) == run_with(3));
    assert!(run_with(3) != run_with(4));
}

/// 50,000 blocks at once: none is sent before all are there, and none is missing.
#[test]
fn a_burst_of_fifty_thousand_blocks() {
    let settings = Settings { burst: 50_000, ..Settings::default() };
    let (bytes, tally) = run(Delivery { period_ns: 1000, ..delivery(Some(50_000), settings) });
    assert!(bytes == expected(50_000, false));
    assert_eq!((tally.overflowed, tally.sent), (0, 50_000));
    assert!(tally.most_waiting_bytes == 400_000, "{tally:?}");
}

/// Jitter changes when blocks come, not what they are nor their order.
#[test]
fn jitter_keeps_the_order() {
    let settings = Settings { jitter_us: 500.0, ..Settings::default() };
    let (bytes, _) = run(Delivery { period_ns: 50_000, ..with(settings) });
    assert!(bytes == expected(2000, false));
}

/// In a stall the board measures nothing, and afterwards goes on at the time that it then is:
/// blocks of the stall are missing.
#[test]
fn a_stall_is_a_gap_in_board_time() {
    let stall_s = Some(Repeated { every_s: 0.1, lasting_s: 0.05 });
    let settings = Settings { stall_s, ..Settings::default() };
    let (bytes, tally) = run(Delivery { period_ns: 1_000_000, ..delivery(Some(120), settings) });
    let all = expected(170, false);
    assert_eq!((tally.stalls, bytes.len()), (1, 120 * 8));
    // 100 blocks, then 50 that were never measured, then 20.
    assert!(bytes[..800] == all[..800]);
    let steering = |bytes: &[u8]| -> Vec<i32> {
        bytes.chunks(8).map(|block| i32::from_le_bytes(block[4..].try_into().unwrap())).collect()
    };
    assert_eq!(steering(&bytes[800..]), steering(&all[1200..]));
}
