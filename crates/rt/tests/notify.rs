//! The messages to the service manager, over a real socket, from a process that has been told of
//! it.

use crate::child;
use std::os::unix::net::UnixDatagram;
use std::time::Duration;

use rt::notify::{self, Watchdog};

const SECOND_NS: u64 = 1_000_000_000;

#[test]
fn the_manager_hears_every_message() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notify");
    let manager = UnixDatagram::bind(&path).unwrap();
    manager.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let environment = [("NOTIFY_SOCKET", path.to_str().unwrap()), ("WATCHDOG_USEC", "2000000")];
    child::run_with(&environment, || {
        notify::ready().unwrap();
        notify::status("one line\nREADY=1").unwrap();
        let mut watchdog = Watchdog::from_environment();
        assert_eq!(watchdog.interval_ns(), Some(SECOND_NS));
        for (now_ns, sent) in [(10, true), (11, false), (SECOND_NS + 9, false), (SECOND_NS + 10, true)] {
            assert_eq!(watchdog.ping_if_due(now_ns).unwrap(), sent, "at {now_ns} ns");
        }
        notify::stopping().unwrap();
        notify::status("end").unwrap();
    });
    if child::is_child() {
        return;
    }
    let expected = ["READY=1", "STATUS=one line READY=1", "WATCHDOG=1", "WATCHDOG=1", "STOPPING=1", "STATUS=end"];
    for message in expected {
        let mut buffer = [0_u8; 256];
        let length = manager.recv(&mut buffer).unwrap();
        assert_eq!(std::str::from_utf8(&buffer[..length]).unwrap().trim_end(), message);
    }
}

#[test]
fn without_a_manager_nothing_happens() {
    // A timeout without a socket: nothing would receive the message.
    child::run_with(&[("WATCHDOG_USEC", "1000")], || {
        notify::ready().unwrap();
        notify::status("line").unwrap();
        notify::stopping().unwrap();
        let mut watchdog = Watchdog::from_environment();
        assert_eq!(watchdog.interval_ns(), None);
        assert!(!watchdog.ping_if_due(SECOND_NS).unwrap());
    });
}

#[test]
fn the_watchdog_of_another_process_is_not_served() {
    let environment = [("NOTIFY_SOCKET", "/nonexistent"), ("WATCHDOG_USEC", "1000"), ("WATCHDOG_PID", "1")];
    child::run_with(&environment, || assert_eq!(Watchdog::from_environment().interval_ns(), None));
}

#[test]
fn a_manager_that_is_gone_is_an_error_and_the_message_stays_due() {
    child::run_with(&[("NOTIFY_SOCKET", "/nonexistent/notify"), ("WATCHDOG_USEC", "1000000")], || {
        assert!(notify::ready().is_err());
        let mut watchdog = Watchdog::from_environment();
        assert!(watchdog.ping_if_due(1).is_err());
        assert!(watchdog.ping_if_due(1).is_err());
    });
}
