//! Whole blocks against numbers worked out by hand.

use super::manoeuvre::{Manoeuvre, Track};
use super::script::Program;
use super::{Block, Processor, Settings};

fn manoeuvre(steering_deg: Track, throttle_ratio: Track, brake_bar: Track) -> Manoeuvre {
    Manoeuvre { name: "test".into(), about: String::new(), steering_deg, throttle_ratio, brake_bar }
}

fn processor(script: &str, manoeuvre: Manoeuvre, steering_counter: u16) -> Processor {
    let ideal = Settings { steering_counter, brake_zero_counts: 0.0, brake_noise_counts: 0.0, ..Settings::default() };
    Processor::new(Program::load(script).unwrap(), manoeuvre, &ideal)
}

/// To the right with 180°/s = 1000 counts/s, brake rising by 20 bar/s, throttle half pressed: 210
/// counts.
///
/// The brake is sampled at k ms: 20 bar/s · k ms · 32767/40 bar = 16.3835·k counts. The counters
/// are latched at k ms + 0.2 ms: steering k.
#[test]
fn golden_blocks_of_a_known_motion() {
    let motion = manoeuvre(Track::Ramp { per_s: -180.0 }, Track::Still(0.5), Track::Ramp { per_s: 20.0 });
    let mut processor = processor("con_dap", motion, 0);
    // A pedal that was half pressed when the counters began would count from there.
    let blocks: Vec<Block> = (0..1001).map(|_| processor.block()).collect();
    assert_eq!(blocks[3].values, [49, 0, 3]);
    assert_eq!(blocks[3].bytes(processor.program(), false), [0x31, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00]);
    assert_eq!(blocks[3].bytes(processor.program(), true), [0x00, 0x31, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03]);
    // 16383.5 is rounded away from zero.
    assert_eq!(blocks[1000].values, [16_384, 0, 1000]);
    assert_eq!(blocks[1000].bytes(processor.program(), false), [0x00, 0x40, 0x00, 0x00, 0xe8, 0x03, 0x00, 0x00]);
}

/// Pressed fully, the pedal has turned by 75.6° = 420 counts (DAS Table 4.2 with its erratum), and
/// 40 bar are 32767 (Table 4.4).
#[test]
fn full_pedals_give_the_numbers_of_the_tables() {
    let press = |full: f64| Track::Lines(vec![(0.0, 0.0), (0.01, full)]);
    let mut processor = processor("con_dap", manoeuvre(Track::Still(0.0), press(1.0), press(40.0)), 0);
    let last = (0..30).map(|_| processor.block()).last().unwrap();
    assert_eq!(last.values, [32_767, 420, 0]);
    assert_eq!(last.bytes(processor.program(), false), [0xff, 0x7f, 0xa4, 0x01, 0, 0, 0, 0]);
}

/// Ten turns to the left are −20000 counts; the 16-bit counter overflows on the way, whether it
/// begins near one end or the other.
#[test]
fn steering_passes_the_overflow_both_ways() {
    for (per_s, counter, expected) in [(360.0, 0x8003_u16, -20_000), (-360.0, 0x7ffc, 20_000)] {
        let motion = manoeuvre(Track::Ramp { per_s }, Track::Still(0.0), Track::Still(0.0));
        let mut processor = processor("con_dap", motion, counter);
        let mut before = 0;
        let mut last = 0;
        for _ in 0..10_001 {
            last = processor.block().values[2];
            assert!((last - before).abs() <= 3, "{before} {last}");
            before = last;
        }
        // The first latch is 0.2 ms after the start, 0.4 counts on the way; the count may differ by
        // that edge.
        assert!((last - expected).abs() <= 1, "{last}");
    }
}

/// Eq. (1) and (2): channels 200 µs apart, blocks 1 ms apart, complete after the fifth channel.
#[test]
fn five_channels_of_200_us_are_a_block_of_1_ms() {
    let mut processor = processor("con_dap", Manoeuvre::load("still").unwrap(), 0);
    let times_ns: Vec<u64> = (0..3).map(|_| processor.block().sampled_ns).collect();
    assert_eq!(times_ns, [800_000, 1_800_000, 2_800_000]);
}

/// All counters of a block are of the moment of the latch: steering turned between the latch and
/// the reading of its counter does not show.
#[test]
fn counters_of_a_block_are_of_the_moment_of_the_latch() {
    // 100 counts within the 0.2 ms between the latch (0.2 ms) and the first reading (0.4 ms).
    let jerk = Track::Lines(vec![(0.000_21, 0.0), (0.000_39, -18.0)]);
    let mut processor = processor("con_dap", manoeuvre(jerk, Track::Still(0.0), Track::Still(0.0)), 0);
    assert_eq!(processor.block().values[2], 0);
    assert_eq!(processor.block().values[2], 100);
}

/// 45°/s to the right are 250 counts/s; over 20 values the measured rate is off by at most one
/// count per window: 50 counts/s.
#[test]
fn the_measured_rate_is_the_rate() {
    let mut processor = processor("con_dap_rate", Manoeuvre::load("slow-turn").unwrap(), 32_700);
    for block in (0..2000).map(|_| processor.block()).skip(20) {
        assert!((block.values[3] - 250).abs() <= 50, "{block:?}");
    }
}

/// At no pressure the sensor shows a small negative number with noise (DAS 4.2.3), the same for the
/// same seed.
#[test]
fn the_sensor_is_a_little_below_zero_at_rest() {
    let run = |seed: u64| -> Vec<i32> {
        let settings = Settings { manoeuvre: "still".into(), seed, ..Settings::default() };
        assert_eq!((settings.brake_zero_counts, settings.brake_noise_counts), (-6.0, 2.0));
        let mut processor = settings.prepare(None).unwrap().processor();
        (0..4000).map(|_| processor.block().values[0]).collect()
    };
    let brake = run(7);
    let mean = brake.iter().sum::<i32>() as f64 / 4000.0;
    // The mean of 4000 has a deviation of 2/√4000 = 0.03.
    assert!((mean + 6.0).abs() < 0.3, "{mean}");
    assert!(brake.iter().any(|value| *value != brake[0]));
    assert_eq!((run(7) == brake, run(8) == brake), (true, false));
}

/// Every shipped manoeuvre stays within what the sensors can show, and returns to rest smoothly.
#[test]
fn shipped_manoeuvres_are_possible() {
    for manoeuvre in Manoeuvre::shipped() {
        let mut before = manoeuvre.at(0.0);
        for step in 1..60_000 {
            let now = manoeuvre.at(f64::from(step) * 1e-3);
            assert!((0.0..=1.0).contains(&now.throttle_ratio) && (0.0..=40.0).contains(&now.brake_bar), "{now:?}");
            // A driver turns the wheel by at most about 1200°/s, and a pedal goes down within 0.1
            // s.
            assert!((now.steering_deg - before.steering_deg).abs() < 1.2, "{} {now:?}", manoeuvre.name);
            assert!((now.throttle_ratio - before.throttle_ratio).abs() < 0.01, "{} {now:?}", manoeuvre.name);
            before = now;
        }
    }
}
