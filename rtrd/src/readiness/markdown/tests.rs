//! The page as a reader sees it.

use super::*;
use crate::readiness::{sample, seal};

fn page(content: Content) -> String {
    markdown(&seal::seal(content).unwrap())
}

#[test]
fn the_verdict_comes_first_and_everything_is_there() {
    let page = page(sample::content());
    assert!(page.starts_with("# Readiness for real time: passes\n"), "{page}");
    for part in [
        "car-pc on 2026-11-16 07:30 UTC",
        "signed off by A. Tester",
        "| Our loop, maximum | at most 100 µs | 41 µs | passed |",
        "| max | 41.0 | 40.0 |",
        "`quiet isolcpus=1`",
        "Checksum",
    ] {
        assert!(page.contains(part), "{part} is missing:\n{page}");
    }
    assert!(!page.contains("Why not") && !page.contains("failed"), "{page}");
}

#[test]
fn a_failure_is_said_at_the_top() {
    let mut content = sample::content();
    content.wake_ups.seconds = 2.0;
    content.caveats = vec!["Virtual machine.".to_owned()];
    sample::judge_again(&mut content);
    let page = page(content);
    assert!(page.starts_with("# Readiness for real time: does not pass\n"), "{page}");
    assert!(page.contains("**Why not:** Time measured: 2 s"), "{page}");
    assert!(page.contains("\n> Virtual machine.\n"), "{page}");
}

/// Every row has as many cells as its heading, whatever the machine puts into them.
#[test]
fn no_text_breaks_a_table() {
    let mut content = sample::content();
    content.checks[0].found = "a | b\nc".to_owned();
    content.identity.command_line = "x|y".to_owned();
    let page = page(content);
    let mut columns = None;
    for line in page.lines() {
        if !line.starts_with('|') {
            columns = None;
            continue;
        }
        let count = line.replace("\\|", "").matches('|').count();
        assert_eq!(*columns.get_or_insert(count), count, "{line}");
    }
}
