//! Waiting for data that is slower than 1 kHz costs no busy CPU, in both ways of waiting.
//!
//! Processor time of the loop's own thread is measured, as a share of the time in which it had a
//! CPU or wanted none: a busy machine, on which it waits in the queue for a CPU, makes neither a
//! sleeper look busy nor a spinner look asleep.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use acquisition::stream::ByteOrder;
use shm_layout::Wait;
use shm_layout::clock::monotonic_ns;
use system_tests::board::{Rig, bytes, drive};

const LASTING: Duration = Duration::from_secs(2);
/// Most that the loop may use. Asleep it uses a few per cent here, in a test build; a loop that
/// never sleeps uses all.
const MOST: f64 = 0.2;
/// Least that shows a loop that never sleeps; the rest is for what the kernel does in the thread's
/// name.
const BUSY: f64 = 0.5;

/// Time on a CPU and time in the queue for one, of the calling thread (s).
fn scheduled_s() -> (f64, f64) {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("the kernel counts");
    let numbers: Vec<f64> = text.split_whitespace().map(|word| word.parse().expect("a number")).collect();
    (numbers[0] * 1e-9, numbers[1] * 1e-9)
}

/// The share that something uses which goes on for a while.
fn share_of(mut turn: impl FnMut()) -> f64 {
    let (began, (used_s, queued_s)) = (Instant::now(), scheduled_s());
    while began.elapsed() < LASTING {
        turn();
    }
    let (used_end_s, queued_end_s) = scheduled_s();
    let could_s = began.elapsed().as_secs_f64() - (queued_end_s - queued_s);
    (used_end_s - used_s) / could_s
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
        let share = share_of(|| {
            rig.turn();
        });
        over.store(true, Ordering::Relaxed);
        share
    })
}

#[test]
fn slow_data_is_waited_for_asleep() {
    // 100 Hz; 500 Hz; about 300 Hz, but unevenly, so that the next block comes at
    // no known time; and nothing at all.
    let paces: [&[u64]; 4] = [&[10_000], &[2_000], &[1_500, 5_000], &[2_500_000]];
    for wait in [Wait::Sleep, Wait::Spin] {
        for gaps_us in paces {
            let share = share(wait, gaps_us);
            assert!(share < MOST, "{wait:?}, {gaps_us:?} µs apart: {:.0} % of a CPU", share * 100.0);
        }
    }
}

/// The measurement sees a loop that does not sleep, however little of a CPU it gets here.
#[test]
fn a_busy_wait_is_seen() {
    let mut rig = Rig::new("", Wait::Sleep);
    let busy = share_of(|| {
        rig.bench.chain.take(monotonic_ns());
    });
    assert!(busy > BUSY, "{:.0} %", busy * 100.0);
}

/// The cache warm-up of a spinner changes nothing that is published: numbers, times, rates and
/// faults stay what the blocks made of them.
#[test]
fn a_cache_warm_up_changes_nothing() {
    let mut rig = Rig::new("", Wait::Sleep);
    for block in 0..20 {
        rig.send(&bytes(drive(block), ByteOrder::Little));
        rig.turn();
    }
    let seen = |rig: &mut Rig| {
        let status = rig.status();
        let channels = status.channels[..status.channel_count as usize].iter();
        let numbers: Vec<_> = channels
            .map(|it| {
                let numbers = [it.raw, it.value, it.rate, it.acceleration].map(f64::to_bits);
                (numbers, it.sample_ns, it.faults, it.fault_count)
            })
            .collect();
        (numbers, status.sources[0].blocks)
    };
    let before = seen(&mut rig);
    assert_eq!(before.1, 20);
    let now_ns = monotonic_ns();
    for turn in 0..1_000 {
        rig.bench.chain.warm_caches(now_ns + turn);
    }
    rig.bench.chain.publish(now_ns + 1_000);
    assert_eq!(seen(&mut rig), before);
}
