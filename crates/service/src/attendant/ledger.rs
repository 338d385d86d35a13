//! From events to lines that a person reads, at most one per kind and second however much happens.
//!
//! Of each kind the ledger keeps what has not been said yet. The first event is said at once; what
//! follows within [`WINDOW_NS`] is added up and said in one line.

use rt::clock::NS_PER_S;
use rt::events::{Event, Kind, Phase, Severity};

/// The least time between two lines about the same kind.
pub const WINDOW_NS: u64 = NS_PER_S;

/// A message with what a program wants to find it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub name: &'static str,
    pub severity: Severity,
    /// The first step that it is about.
    pub step: u64,
    /// Steps in which it was so, or how often it happened.
    pub count: u64,
    pub text: String,
}

/// What is to be said of each kind.
#[derive(Default)]
pub struct Ledger {
    entries: Vec<Entry>,
}

struct Entry {
    kind: &'static Kind,
    /// The step since which it has been so.
    open: Option<u64>,
    /// That it is so has been said.
    open_is_said: bool,
    unsaid: Tally,
    is_news: bool,
    said_ns: Option<u64>,
}

/// What is over.
#[derive(Clone, Copy, Default)]
struct Tally {
    times: u64,
    steps: u64,
    first_step: u64,
    last_step: u64,
    value_ns: u64,
    /// Nothing of it lasted.
    is_points: bool,
}

impl Ledger {
    /// Adds an event.
    pub fn note(&mut self, event: Event) {
        let position = self.entries.iter().position(|entry| entry.kind == event.kind);
        let position = position.unwrap_or_else(|| {
            self.entries.push(Entry::new(event.kind));
            self.entries.len() - 1
        });
        self.entries[position].note(event);
    }

    /// What is to be said now. Those that were said a moment ago wait.
    pub fn due(&mut self, now_ns: u64) -> Vec<Line> {
        let rested = |entry: &&mut Entry| {
            let said_ns = entry.said_ns;
            entry.is_news && said_ns.is_none_or(|said_ns| now_ns >= said_ns.saturating_add(WINDOW_NS))
        };
        let due = self.entries.iter_mut().filter(rested);
        due.map(|entry| entry.say(now_ns)).collect()
    }

    /// All that has not been said, for the end.
    pub fn rest(&mut self) -> Vec<Line> {
        self.due(u64::MAX)
    }
}

impl Entry {
    fn new(kind: &'static Kind) -> Self {
        Self { kind, open: None, open_is_said: false, unsaid: Tally::default(), is_news: false, said_ns: None }
    }

    fn note(&mut self, event: Event) {
        self.is_news = true;
        match event.phase {
            Phase::Begin => {
                self.open = Some(event.step);
                self.open_is_said = false;
            }
            Phase::End => {
                let began = self.open.take().unwrap_or(event.step.saturating_sub(event.count));
                self.unsaid.add(began, event, false);
            }
            Phase::Once => self.unsaid.add(event.step, event, true),
        }
    }

    fn say(&mut self, now_ns: u64) -> Line {
        let tally = std::mem::take(&mut self.unsaid);
        let line = Line {
            name: self.kind.name,
            severity: self.kind.severity,
            step: if tally.times > 0 { tally.first_step } else { self.open.unwrap_or(0) },
            count: tally.steps,
            text: self.text(&tally),
        };
        self.open_is_said = self.open.is_some();
        self.is_news = false;
        self.said_ns = Some(now_ns);
        line
    }

    fn text(&self, tally: &Tally) -> String {
        let what = self.kind.what;
        let Tally { times, steps, first_step: first, last_step: last, .. } = *tally;
        let mut text = match (times, self.open) {
            (0, Some(step)) if self.kind.is_counted => return format!("{what}s since step {step}"),
            (0, Some(step)) => return format!("{what} since step {step}"),
            _ if self.kind.is_counted => tally.counted(what),
            (1, _) if tally.is_points && first == 0 => what.to_owned(),
            (1, _) if tally.is_points => format!("{what} at step {first}"),
            (1, _) if self.open_is_said => {
                format!("{what}: over after {} since step {first}", number(steps, "step"))
            }
            (1, _) => format!("{what}: {} from step {first}", number(steps, "step")),
            _ if tally.is_points => format!("{what}: {times} times from step {first} to step {last}"),
            _ => format!("{what}: {steps} steps between step {first} and step {last}"),
        };
        if tally.is_points && steps > times {
            text.push_str(&format!(" ({steps} in all)"));
        }
        if let Some(step) = self.open {
            text.push_str(&format!("; again since step {step}"));
        }
        text
    }
}

impl Tally {
    fn add(&mut self, began: u64, event: Event, is_point: bool) {
        if self.times == 0 {
            self.first_step = began;
            self.is_points = is_point;
        }
        self.is_points &= is_point;
        self.times += 1;
        self.steps += event.count;
        self.last_step = event.step;
        self.value_ns = self.value_ns.max(event.value_ns);
    }

    /// `5 overruns in the last second, worst 7.5 ms late (from step 1573)`
    fn counted(&self, what: &str) -> String {
        let Self { steps, first_step: first, .. } = *self;
        let (within, worst, from) = if steps > 1 { (" in the last second", "worst ", "from ") } else { ("", "", "") };
        let late = time_text(self.value_ns);
        format!("{}{within}, {worst}{late} late ({from}step {first})", number(steps, what))
    }
}

/// `1 step`, `2 steps`
fn number(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn time_text(time_ns: u64) -> String {
    let time_us = time_ns as f64 / 1e3;
    if time_us < 1e3 { format!("{time_us:.0} µs") } else { format!("{:.1} ms", time_us / 1e3) }
}

#[cfg(test)]
mod tests;
