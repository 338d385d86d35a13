//! Waiting for data that is slower than 1 kHz costs no busy CPU, in both ways of waiting.
//!
//! Processor time of the loop's own thread is measured, not the time on the wall: a busy machine makes the wait longer, but not dearer.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use acquisition::stream::ByteOrder;
use nix::time::{ClockId, clock_gettime};
use shm_layout::Wait;
use shm_layout::clock::monotonic_ns;
use system_tests::board::{Rig, bytes, drive};

const LASTING: Duration = Duration::from_secs(2);
/// Most of a CPU that the loop may use. Asleep it uses a few per cent here, in a test build; a loop that never sleeps uses all that it gets.
const MOST: f64 = 0.2;

/// Processor time of the calling thread (s).
fn thread_s() -> f64 {
    let used = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("a clock");
    used.tv_sec() as f64 + used.tv_nsec() as f64 * 1e-9
}

/// The share of a CPU that the loop uses while blocks come with these gaps, again and again.
fn share(wait: Wait, gaps_us: &'static [u64]) -> f64 {
    let mut rig = Rig::new("", wait);
    let mut writer = rig.take_writer();
    let over = &AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for (block, gap_us) in (0..).zip(gaps_us.iter().cycle()) {
                std::thread::sleep(Duration::from_micros(*gap_us));
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let block = bytes(drive(block), ByteOrder::Little);
                writer.write_all(&block).expect("room in the pipe");
            }
        });
        let (began, used_s) = (Instant::now(), thread_s());
        while began.elapsed() < LASTING {
            rig.turn();
        }
        let share = (thread_s() - used_s) / began.elapsed().as_secs_f64();
        over.store(true, Ordering::Relaxed);
        share
    })
}

#[test]
fn slow_data_is_waited_for_asleep() {
    // 100 Hz; 500 Hz; about 300 Hz, but unevenly, so that nobody knows when the next block comes; and nothing at all.
    let paces: [&[u64]; 4] = [&[10_000], &[2_000], &[1_500, 5_000], &[2_500_000]];
    for wait in [Wait::Sleep, Wait::Spin] {
        for gaps_us in paces {
            let share = share(wait, gaps_us);
            assert!(
                share < MOST,
                "{wait:?}, {gaps_us:?} µs apart: {:.0} % of a CPU",
                share * 100.0
            );
        }
    }
}

/// The measurement sees a loop that does not sleep, however little of a CPU it gets here.
#[test]
fn a_busy_wait_is_seen() {
    let mut rig = Rig::new("", Wait::Sleep);
    let (began, used_s) = (Instant::now(), thread_s());
    while began.elapsed() < LASTING {
        rig.acquiring.take(monotonic_ns());
    }
    let busy = (thread_s() - used_s) / began.elapsed().as_secs_f64();
    let asleep = share(Wait::Sleep, &[10_000]);
    assert!(busy > 2.0 * asleep, "busy {busy:.3}, asleep {asleep:.3}");
}
