use super::*;
use crate::differentiation::Estimate;

const MS: u64 = 1_000_000;

/// A monitor that believes again after 5 ms of good samples.
fn monitor(range: Option<RangeRule>, jump: Option<JumpRule>, stuck: Option<u64>, stale: Option<u64>) -> Monitor {
    let rule = |longest_ms: u64| TimeRule { longest_ns: longest_ms * MS, reaction: Reaction::Hold };
    let (stuck, stale) = (stuck.map(rule), stale.map(rule));
    Monitor::new(Rules { range, jump, stuck, stale, recover_ns: 5 * MS, ..Rules::default() })
}

fn jump(step_max: f64, rate_max: f64) -> Option<JumpRule> {
    Some(JumpRule { step_max, rate_max, reaction: Reaction::Hold })
}

/// Checks a sample each millisecond from `from` on, and returns the faults after each.
fn run(monitor: &mut Monitor, from_ms: u64, values: &[f64]) -> Vec<u64> {
    let faults = (from_ms..).zip(values).map(|(ms, value)| {
        monitor.check(ms * MS, *value, *value);
        monitor.faults.0
    });
    faults.collect()
}

#[test]
fn the_bits_are_those_of_the_block() {
    assert_eq!(Fault::ALL.map(Fault::bit), [1, 2, 4, 8, 16]);
    let reactions = [Reaction::None, Reaction::Hold, Reaction::Ramp, Reaction::Stop];
    assert_eq!(reactions.map(|reaction| reaction as u64), [0, 1, 2, 3]);
}

#[test]
fn out_of_range_lasts_until_values_have_been_good_for_the_given_time() {
    let range = RangeRule { min: Some(0.0), max: Some(1.0), reaction: Reaction::Hold };
    let mut monitor = monitor(Some(range), None, None, None);
    let faults = run(&mut monitor, 0, &[0.5, 1.0, 1.1, 1.1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
    // Last bad at 3 ms, recovery takes 5 ms: good again at 8 ms.
    assert_eq!(faults, [0, 0, 1, 1, 1, 1, 1, 1, 0, 0]);
    assert_eq!(monitor.count, 1);
    assert_eq!(run(&mut monitor, 10, &[-0.1]), [1]);
    assert_eq!(monitor.count, 2);
}

#[test]
fn a_spike_is_two_jumps_and_a_step_is_one_that_is_believed_in_the_end() {
    let mut spike = monitor(None, jump(1.0, 0.0), None, None);
    assert_eq!(run(&mut spike, 0, &[0.0, 9.0, 0.0]), [0, 4, 4]);
    assert_eq!(run(&mut spike, 3, &[0.0, 0.0, 0.0, 0.0, 0.0]), [4, 4, 4, 4, 0]);
    let mut step = monitor(None, jump(1.0, 0.0), None, None);
    assert_eq!(run(&mut step, 0, &[0.0, 9.0, 9.5, 9.0, 9.5, 9.0, 9.0]), [0, 4, 4, 4, 4, 4, 0]);
}

#[test]
fn a_rate_gives_the_jump_its_time() {
    let mut monitor = monitor(None, jump(0.1, 100.0), None, None);
    assert_eq!(run(&mut monitor, 0, &[0.0, 0.19, 0.4]), [0, 0, 4], "0.1 + 100/s·1 ms = 0.2");
}

#[test]
fn the_same_raw_number_for_too_long_is_stuck() {
    let mut monitor = monitor(None, None, Some(3), None);
    assert_eq!(run(&mut monitor, 0, &[7.0, 7.0, 7.0, 7.0, 7.0, 7.0]), [0, 0, 0, 0, 2, 2]);
    assert_eq!(run(&mut monitor, 6, &[1.0, 2.0, 3.0, 4.0, 5.0]), [2, 2, 2, 2, 0]);
}

#[test]
fn silence_is_stale_and_does_not_end_with_the_first_sample() {
    let mut monitor = monitor(None, jump(1.0, 0.0), None, Some(10));
    monitor.tick(0, false);
    monitor.tick(10 * MS, false);
    assert!(monitor.faults.none(), "the first sample has its time too");
    monitor.tick(11 * MS, false);
    assert!(monitor.faults.has(Fault::Stale), "nothing has ever arrived");
    assert_eq!(run(&mut monitor, 20, &[0.0]), [0]);
    monitor.tick(31 * MS, false);
    // The value went from 0 to 9 in the silence: that is no jump. Stale was last seen at 31 ms.
    assert_eq!(run(&mut monitor, 34, &[9.0, 9.0, 9.0]), [8, 8, 0]);
}

#[test]
fn what_is_not_a_number_is_a_fault_without_any_rule() {
    let mut monitor = monitor(None, None, None, None);
    assert_eq!(run(&mut monitor, 0, &[1.0, f64::NAN, f64::INFINITY, 1.0]), [0, 16, 16, 16]);
    assert_eq!(monitor.rules.sharpest(monitor.faults), Reaction::Hold);
}

const ESTIMATE: Estimate = Estimate { rate: 7.0, acceleration: 8.0 };

fn rules() -> Rules {
    Rules { safe_value: 1.0, ramp_ns: 100 * MS, return_ns: 50 * MS, ..Rules::default() }
}

fn shown(output: &mut Output, ms: u64, reaction: Reaction, measured: f64) -> (f64, f64) {
    let (value, estimate) = output.show(ms * MS, &rules(), reaction, measured, ESTIMATE);
    (value, estimate.rate)
}

#[test]
fn a_held_value_stays_and_comes_back_without_a_step() {
    let mut output = Output::default();
    assert_eq!(shown(&mut output, 0, Reaction::None, 5.0), (5.0, 7.0));
    assert_eq!(shown(&mut output, 10, Reaction::Hold, 9.0), (5.0, 0.0));
    assert_eq!(shown(&mut output, 20, Reaction::None, 9.0), (5.0, 7.0), "believed again");
    assert_eq!(shown(&mut output, 45, Reaction::None, 9.0), (7.0, 7.0), "half of the way back");
    assert_eq!(shown(&mut output, 70, Reaction::None, 9.0), (9.0, 7.0));
    assert_eq!(shown(&mut output, 71, Reaction::None, 3.0), (3.0, 7.0));
}

#[test]
fn a_ramp_goes_from_what_was_shown_to_the_safe_value() {
    let mut output = Output::default();
    shown(&mut output, 0, Reaction::None, 5.0);
    assert_eq!(shown(&mut output, 10, Reaction::Hold, 9.0).0, 5.0);
    assert_eq!(shown(&mut output, 20, Reaction::Stop, 9.0), (5.0, -40.0));
    assert_eq!(shown(&mut output, 70, Reaction::Ramp, 9.0), (3.0, -40.0), "a milder reaction of the same kind goes on");
    assert_eq!(shown(&mut output, 500, Reaction::Stop, 9.0), (1.0, 0.0));
}

#[test]
fn without_anything_to_hold_the_safe_value_is_shown() {
    let mut output = Output::default();
    assert!(shown(&mut output, 0, Reaction::None, f64::NAN).0.is_nan());
    assert_eq!(shown(&mut output, 1, Reaction::Hold, f64::NAN), (1.0, 0.0));
    assert_eq!(shown(&mut Output::default(), 1, Reaction::Ramp, f64::NAN), (1.0, 0.0));
}
