//! The force at the steering wheel: level, refresh, silence.

use std::sync::mpsc::{Receiver, Sender, channel};

use super::FeedbackSettings;
use super::feedback::{Actuator, Feedback};

/// An actuator that reports what it was asked for.
pub(super) struct ReportingActuator(pub Sender<(i16, bool)>);

impl Actuator for ReportingActuator {
    fn set_level(&mut self, level: i16) -> std::io::Result<()> {
        self.0.send((level, false)).map_err(std::io::Error::other)
    }

    fn refresh(&mut self, level: i16) -> std::io::Result<()> {
        self.0.send((level, true)).map_err(std::io::Error::other)
    }
}

/// The next level that differs from the one before, which is refreshed now and then.
fn change(sent: &Receiver<(i16, bool)>) -> Option<i16> {
    let changes = sent.iter().filter(|(_, refreshed)| !refreshed);
    changes.map(|(level, _)| level).next()
}

fn feedback(text: &str) -> (Feedback, Receiver<(i16, bool)>) {
    let (report, sent) = channel();
    let settings = toml::from_str(text).expect("settings");
    (Feedback::start(settings, Box::new(ReportingActuator(report))).expect("a thread"), sent)
}

#[test]
fn torque_becomes_a_level() {
    let settings: FeedbackSettings = toml::from_str("max_torque_nm = 2.0").expect("settings");
    assert_eq!(settings.level(2.0), 32767);
    assert_eq!(settings.level(-1.0), -16384);
    assert_eq!(settings.level(1e9), 32767);
    assert_eq!(settings.level(f64::NEG_INFINITY), -32767);
    assert_eq!(settings.level(f64::NAN), 0);
    let settings: FeedbackSettings =
        toml::from_str("max_torque_nm = 2.0\ngain = 0.5\ninvert = true").expect("settings");
    assert_eq!(settings.level(2.0), -16384);
}

#[test]
fn the_force_follows_the_torque_and_ends_with_the_source() {
    let (feedback, sent) = feedback("max_torque_nm = 1.0\nzero_after_s = 10.0");
    feedback.set_torque(1.0);
    assert_eq!(change(&sent), Some(32767));
    feedback.set_torque(-1.0);
    assert_eq!(change(&sent), Some(-32767));
    drop(feedback);
    assert_eq!(change(&sent), Some(0), "the last thing said is zero");
    assert!(change(&sent).is_none(), "and the thread has ended");
}

#[test]
fn a_loop_that_falls_silent_takes_the_force_away() {
    let (feedback, sent) = feedback("max_torque_nm = 1.0\nzero_after_s = 0.05");
    feedback.set_torque(1.0);
    assert_eq!(change(&sent), Some(32767));
    assert_eq!(change(&sent), Some(0));
    feedback.set_torque(0.5);
    assert_eq!(change(&sent), Some(16384), "and it comes back with the loop");
}

/// Some devices end a constant force by themselves: what stays the same is sent again, and
/// played again, as long as it is not zero.
#[test]
fn a_force_that_stays_is_sent_anew() {
    let (feedback, sent) = feedback("max_torque_nm = 1.0\nzero_after_s = 10.0");
    feedback.set_torque(1.0);
    assert_eq!(sent.recv(), Ok((32767, false)));
    assert_eq!(sent.recv(), Ok((32767, true)));
    assert_eq!(sent.recv(), Ok((32767, true)), "again and again");
    feedback.set_torque(0.0);
    assert_eq!(change(&sent), Some(0));
    assert!(sent.recv_timeout(std::time::Duration::from_millis(1200)).is_err(), "no force needs no refreshing");
}
