//! Events in, lines out.

use super::*;

static LATE: Kind = Kind::new("late-answer", Severity::Warning, "no answer in time");
static OVERRUN: Kind = Kind::counted("overrun", Severity::Warning, "overrun");
static BACK: Kind = Kind::new("asked-again", Severity::Information, "asked again");

fn event(phase: Phase, step: u64, count: u64) -> Event {
    Event { phase, count, value_ns: count * 100_000, ..Event::once(&LATE, step) }
}

fn texts(lines: &[Line]) -> Vec<&str> {
    lines.iter().map(|line| line.text.as_str()).collect()
}

#[test]
fn a_short_stretch_is_one_line() {
    let mut ledger = Ledger::default();
    ledger.note(event(Phase::Begin, 10, 0));
    ledger.note(event(Phase::End, 13, 3));
    let lines = ledger.due(5);
    assert_eq!(texts(&lines), ["no answer in time: 3 steps from step 10"]);
    assert_eq!((lines[0].name, lines[0].step, lines[0].count), ("late-answer", 10, 3));
    assert_eq!(ledger.due(10 * WINDOW_NS), []);
}

#[test]
fn a_long_stretch_is_said_when_it_begins_and_when_it_is_over() {
    let mut ledger = Ledger::default();
    ledger.note(event(Phase::Begin, 10, 0));
    assert_eq!(texts(&ledger.due(0)), ["no answer in time since step 10"]);
    ledger.note(event(Phase::End, 2_010, 2_000));
    assert_eq!(ledger.due(WINDOW_NS - 1), [], "it was said a moment ago");
    assert_eq!(texts(&ledger.due(WINDOW_NS)), ["no answer in time: over after 2000 steps since step 10"]);
}

#[test]
fn overruns_are_counted_with_the_worst_of_them() {
    let mut ledger = Ledger::default();
    let overrun = |phase, step, count, value_ns| Event { phase, count, value_ns, ..Event::once(&OVERRUN, step) };
    ledger.note(overrun(Phase::Begin, 1_570, 0, 0));
    ledger.note(overrun(Phase::End, 1_571, 1, 900_000));
    assert_eq!(texts(&ledger.due(0)), ["1 overrun, 900 µs late (step 1570)"]);
    for (step, late_ns) in [(1_573, 400_000), (1_580, 7_460_000)] {
        ledger.note(overrun(Phase::Begin, step, 0, 0));
        ledger.note(overrun(Phase::End, step + 2, 2, late_ns));
    }
    let lines = ledger.due(WINDOW_NS);
    assert_eq!(texts(&lines), ["4 overruns in the last second, worst 7.5 ms late (from step 1573)"]);
    assert_eq!((lines[0].step, lines[0].count), (1_573, 4));
    ledger.note(overrun(Phase::Begin, 1_600, 0, 0));
    assert_eq!(texts(&ledger.rest()), ["overruns since step 1600"]);
}

/// Every second step for ten seconds: 5000 late answers make at most eleven lines, and every step
/// is in one of them.
#[test]
fn a_flood_is_a_line_per_second_and_nothing_is_left_out() {
    let mut ledger = Ledger::default();
    let mut lines = Vec::new();
    for step in 0..10_000_u64 {
        let phase = if step % 2 == 0 { Phase::Begin } else { Phase::End };
        ledger.note(event(phase, step, step % 2));
        lines.extend(ledger.due(step * 1_000_000));
    }
    lines.extend(ledger.rest());
    assert!(lines.len() <= 11, "{} lines", lines.len());
    assert_eq!(lines.iter().map(|line| line.count).sum::<u64>(), 5_000);
    assert!(lines[1].text.contains(" steps between step "), "{}", lines[1].text);
}

#[test]
fn what_happens_at_a_point_is_said_so() {
    let mut ledger = Ledger::default();
    ledger.note(Event::once(&BACK, 7));
    assert_eq!(texts(&ledger.due(0)), ["asked again at step 7"]);
    ledger.note(Event::once(&BACK, 9));
    ledger.note(Event::once(&BACK, 11));
    assert_eq!(texts(&ledger.rest()), ["asked again: 2 times from step 9 to step 11"]);
    ledger.note(Event { count: 199, ..Event::once(&BACK, 300) });
    assert_eq!(texts(&ledger.rest()), ["asked again at step 300 (199 in all)"]);
}

#[test]
fn a_lost_beginning_or_end_is_no_confusion() {
    let mut ledger = Ledger::default();
    ledger.note(event(Phase::End, 20, 4));
    ledger.note(event(Phase::Begin, 30, 0));
    ledger.note(event(Phase::Begin, 40, 0));
    assert_eq!(texts(&ledger.rest()), ["no answer in time: 4 steps from step 16; again since step 40"]);
}
