//! A board that is not there: comedi_test.
//!
//! Its driver (drivers/comedi/drivers/comedi_test.c) makes on input 0 a sawtooth and on input 1 a
//! square wave, both of 1 V amplitude and 100 ms period unless the module has other parameters, in
//! the time of its scans: so every value is known but for the phase.

use std::path::Path;

use acquisition::plan::opening;
use acquisition::{Clock, Counters, State};
use rt::clock::monotonic_ns;

use super::{needed, take};

const BOARD: &str = "/dev/comedi0";
const SCANS: usize = 350;
/// One count of range 0: −10 to 10 V in 16 bits.
const COUNT_V: f64 = 20.0 / 65535.0;

#[test]
fn the_waves_of_the_test_board_arrive() {
    let Some(()) = needed(BOARD, Path::new(BOARD).exists().then_some(())) else { return };
    let text = "device = '/dev/comedi0'\nscan_period_s = 0.001\n\
        channels = [{ name = 'saw', input = 0 }, { name = 'square', input = 1 }, { name = 'counts', input = 0, raw = true }]";
    let opening = opening("comedi", text, None).expect("an opening");
    let mut source = opening.open(Counters::default()).expect("a source");
    assert_eq!(source.clock(), Clock::Arrival);
    let samples = take(source.as_mut(), SCANS);
    assert!(samples.windows(2).all(|pair| pair[0].sample_ns <= pair[1].sample_ns));
    for sample in &samples {
        // The same input twice in a scan, once as a value and once as it is: the board converts
        // both at the same time.
        let value = 20.0 * sample.raw[2] / 65535.0 - 10.0;
        assert!((value - sample.raw[0]).abs() < 1e-9, "{} V is not {value} V", sample.raw[0]);
    }
    // 2 V in 100 ms: 20 mV in a scan of 1 ms, to one count at either end; and back by 2 V once in a
    // hundred.
    let rises: Vec<f64> = samples.windows(2).map(|pair| pair[1].raw[0] - pair[0].raw[0]).collect();
    let falls = rises.iter().filter(|&&rise| rise < 0.0).count();
    assert!((3..=4).contains(&falls), "{falls} falls of the sawtooth in {SCANS} ms");
    for rise in rises.iter().filter(|&&rise| rise > 0.0) {
        assert!((rise - 0.02).abs() <= 2.0 * COUNT_V, "{rise} V in a scan");
    }
    let saw = || samples.iter().map(|sample| sample.raw[0]);
    let (least, greatest) = (saw().fold(f64::MAX, f64::min), saw().fold(f64::MIN, f64::max));
    // The ends are met to within one scan's rise.
    assert!((0.97..=1.001).contains(&greatest) && (-1.001..=-0.97).contains(&least), "{least} to {greatest} V");

    // The square wave has two levels, each for half a period.
    let square: Vec<f64> = samples.iter().map(|sample| sample.raw[1]).collect();
    let is_high = |value: &f64| *value > 0.0;
    for level in &square {
        assert!((level.abs() - 1.0).abs() <= 2.0 * COUNT_V, "{level} V of the square wave");
    }
    let whole: Vec<usize> = square.chunk_by(|a, b| is_high(a) == is_high(b)).map(<[f64]>::len).collect();
    for length in &whole[1..whole.len() - 1] {
        assert!((49..=51).contains(length), "half a period of {length} ms");
    }

    // A second one finds the board busy, and a source that is dropped frees it.
    let busy = opening.open(Counters::default()).err().expect("busy").to_string();
    assert!(busy.contains("another program samples with it"), "{busy}");
    drop(source);
    let mut again = opening.open(Counters::default()).expect("free again");
    take(again.as_mut(), 10);
    assert_eq!(again.take(monotonic_ns(), &mut |_| {}), State::Flowing);
}

#[test]
fn what_the_test_board_does_not_have_is_said() {
    let Some(()) = needed(BOARD, Path::new(BOARD).exists().then_some(())) else { return };
    for (more, expected) in [
        ("channels = [{ name = 'a', input = 99 }]", "there is no number 99"),
        ("channels = [{ name = 'a', input = 0, range = 9 }]", "ranges, there is no number 9"),
        ("subdevice = 1\nchannels = [{ name = 'a', input = 0 }]", "is no analogue input"),
        ("subdevice = 7\nchannels = [{ name = 'a', input = 0 }]", "there is no number 7"),
    ] {
        let text = format!("device = '/dev/comedi0'\nscan_period_s = 0.001\n{more}");
        let opened = opening("comedi", &text, None).expect("an opening").open(Counters::default());
        let problem = opened.err().expect("a mistake").to_string();
        assert!(problem.contains(expected), "{problem}");
    }
}
