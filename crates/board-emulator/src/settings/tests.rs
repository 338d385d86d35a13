//! The settings of the board: defaults, and what is refused.

use super::*;

type Change = fn(&mut Settings);

#[test]
fn the_default_is_the_board_of_the_thesis() {
    let prepared = Settings::default().prepare(None).unwrap();
    assert_eq!(prepared.names, ["brake", "throttle", "steering"]);
    assert_eq!((prepared.delivery.period_ns, prepared.program.block_bytes()), (1_000_000, 8));
}

#[test]
fn the_period_sets_the_time_of_a_channel() {
    let settings = Settings { period_us: Some(50.0), ..Settings::default() };
    assert_eq!(settings.prepare(None).unwrap().program.channel_ns, 10_000);
}

#[test]
fn what_is_wrong_is_named() {
    let wrong = |change: Change| {
        let mut settings = Settings::default();
        change(&mut settings);
        settings.prepare(None).unwrap_err()
    };
    let cases: [(Change, &str); 8] = [
        (|settings| settings.script = "none".into(), "script: none:1:1: "),
        (|settings| settings.manoeuvre = "none".into(), "manoeuvre: none: "),
        (|settings| settings.names = Some(vec!["a".into()]), "names: the block has 3 values, and 1 names"),
        (|settings| settings.period_us = Some(1.0), "period_us: expected 10 to 10000000, found 1"),
        (|settings| settings.jitter_us = f64::NAN, "jitter_us: expected 0"),
        (|settings| settings.corrupt = 1.5, "corrupt: expected 0 to 1, found 1.5"),
        (|settings| settings.memory_bytes = 1, "memory_bytes: expected 256"),
        (|settings| settings.brake_noise_counts = -1.0, "brake_noise_counts: expected 0"),
    ];
    for (change, message) in cases {
        let found = wrong(change);
        assert!(found.starts_with(message), "{found}");
    }
}
