//! The steering rate that the board measures (`CTRATE`), from the emulator to the outputs of the
//! shipped file that uses it.

use std::time::{Duration, Instant};

use acquisition::{Counters, Pipeline, Plan};
use board_emulator::{SOURCE_KIND, Settings};

/// A count of the encoder (°), and the sign that makes left positive (DAS §4.2.2, appendix D).
const DEGREES: f64 = -0.18;

/// The board itself, asked for its blocks: (steering, rate) in counts and counts per second.
fn made(blocks: usize) -> Vec<(i32, i32)> {
    let settings = Settings { script: "con_dap_rate".to_owned(), ..Settings::default() };
    let mut processor = settings.prepare(None).unwrap().processor();
    let values = |_| processor.block().values;
    (0..blocks).map(values).map(|values| (values[2], values[3])).collect()
}

/// Whatever the pipeline gives belongs to the newest block: the angle, and the rate that the board
/// measured with it, in rad and rad/s.
#[test]
fn the_measured_rate_reaches_the_driver() {
    let plan = Plan::load("buggy-rate", None, &[SOURCE_KIND]).unwrap();
    let mut source = plan.sources[0].opening.open(Counters::default()).unwrap();
    assert_eq!(source.channels(), ["brake", "throttle", "steering", "steering_rate"]);
    let place = |name: &str| {
        let found = plan.signals.iter().position(|signal| signal == name);
        found.unwrap_or_else(|| panic!("no output {name}"))
    };
    let (angle, rate) = (place("driver.steering_angle_rad"), place("driver.steering_rate_rad_s"));
    let acceleration = place("driver.steering_acceleration_rad_s2");
    let mut pipeline = Pipeline::new(&plan);
    pipeline.bind(0, source.channels()).unwrap();
    // As many as can come before deadline ends.
    let made = made(70_000);
    let (mut blocks, mut turning, mut now_ns) = (0, 0, 0);
    let deadline = Instant::now() + Duration::from_secs(60);
    // The driver turns from 3 s on.
    while turning < 100 {
        assert!(Instant::now() < deadline, "only {blocks} blocks, {turning} turning");
        now_ns += 1_000_000;
        let before = blocks;
        source.take(now_ns, &mut |sample| {
            blocks += 1;
            pipeline.feed(0, sample);
        });
        if blocks == before {
            std::thread::sleep(Duration::from_micros(500));
            continue;
        }
        pipeline.tick(now_ns);
        let (counts, counts_s) = made[blocks - 1];
        let expected = |counts: i32| (f64::from(counts) * DEGREES).to_radians();
        let outputs = pipeline.outputs();
        assert!((outputs[angle] - expected(counts)).abs() < 1e-9, "block {blocks}");
        assert!((outputs[rate] - expected(counts_s)).abs() < 1e-9, "block {blocks}");
        assert!(outputs[acceleration].is_finite());
        turning += u32::from(counts_s != 0);
    }
}
