//! The shipped manoeuvres: tests in the kind of DAS Fig. 4.7, with the engine off.

use super::{Manoeuvre, Track};

/// All of them; the first is the default.
pub(super) fn all() -> Vec<Manoeuvre> {
    let still = || Track::Still(0.0);
    let named = |name: &str, about: &str, steering_deg, throttle_ratio, brake_bar| Manoeuvre {
        name: name.to_owned(),
        about: about.to_owned(),
        steering_deg,
        throttle_ratio,
        brake_bar,
    };
    vec![
        named(
            "drive",
            "pulls away, turns left and right, brakes, and again after 20 s",
            Track::Moves(vec![
                (0.0, 0.0),
                (3.0, 0.0),
                (4.5, 120.0),
                (6.0, 120.0),
                (8.0, -150.0),
                (9.5, -150.0),
                (11.0, 30.0),
                (12.0, 0.0),
                (20.0, 0.0),
            ]),
            Track::Moves(vec![
                (0.0, 0.0),
                (0.5, 0.0),
                (2.0, 0.7),
                (5.0, 0.35),
                (11.0, 0.5),
                (12.0, 0.0),
                (20.0, 0.0),
            ]),
            Track::Moves(vec![(0.0, 0.0), (12.5, 0.0), (13.2, 24.0), (16.0, 10.0), (17.0, 0.0), (20.0, 0.0)]),
        ),
        named(
            "steering-sweep",
            "the wheel swings by 90° to both sides, from 0.2 Hz to 2 Hz within 30 s",
            Track::Sweep { amplitude: 90.0, from_hz: 0.2, to_hz: 2.0, period_s: 30.0 },
            still(),
            still(),
        ),
        named(
            "lock-to-lock",
            "the wheel from one end to the other, 540° to each side",
            Track::Moves(vec![
                (0.0, 0.0),
                (2.0, 540.0),
                (3.0, 540.0),
                (7.0, -540.0),
                (8.0, -540.0),
                (10.0, 0.0),
            ]),
            still(),
            still(),
        ),
        named(
            "pedals",
            "throttle and brake pressed fully in turn, at rest in between",
            still(),
            Track::Moves(vec![(0.0, 0.0), (1.0, 0.0), (1.6, 1.0), (2.6, 1.0), (3.0, 0.0), (8.0, 0.0)]),
            Track::Moves(vec![(0.0, 0.0), (4.0, 0.0), (4.3, 40.0), (5.3, 40.0), (6.0, 0.0), (8.0, 0.0)]),
        ),
        named(
            "slow-turn",
            "the wheel turns to the right for ever, 45° per second, as for DAS Fig. 4.19",
            Track::Ramp { per_s: -45.0 },
            still(),
            still(),
        ),
        named("still", "nothing moves", still(), still(), still()),
    ]
}
