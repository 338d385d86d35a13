//! The live status: a few lines that are rewritten in place on a terminal, or one line now and then
//! elsewhere.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use super::child::Line;
use super::summary;
use super::writer::Writer;
use crate::output;
use crate::view::format::{clock, terminal_size};
use crate::view::{Observer, ProcessView, State};

/// Time between two states of the display: a person reads no faster.
const REFRESH: Duration = Duration::from_millis(500);
/// Time between two lines where there is no terminal.
const LINE: Duration = Duration::from_secs(5);
/// A narrower terminal gets lines of this width.
const WIDTH_MIN: usize = 40;

/// Shows the status and messages on standard output without mixing them up, and never waits for who
/// reads them. If it is no longer read, that is no reason to die without ending the run in order:
/// [`Display::is_gone`] says so instead.
pub struct Display {
    writer: Writer,
    mode: Mode,
    /// The lines below the messages, which are rewritten.
    live: Vec<String>,
    next: Instant,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Quiet,
    Rewrite,
    Lines,
}

impl Display {
    pub fn new(quiet: bool) -> io::Result<Self> {
        let mode = match (quiet, std::io::stdout().is_terminal()) {
            (true, _) => Mode::Quiet,
            (_, true) => Mode::Rewrite,
            (_, false) => Mode::Lines,
        };
        let writer = Writer::to_standard_output()?;
        Ok(Self { writer, mode, live: Vec::new(), next: Instant::now() + REFRESH })
    }

    /// Shows a message; it stays, above the live status.
    pub fn message(&mut self, text: &str) {
        self.writer.write(rewritten(self.live.len(), text, &self.live));
    }

    /// Shows the status if it is time to.
    pub fn status(&mut self, observer: &mut Observer, elapsed_s: f64, limit_s: Option<f64>) {
        if self.mode == Mode::Quiet || Instant::now() < self.next {
            return;
        }
        if self.mode == Mode::Rewrite {
            let (width, height) = terminal_size();
            // A line that wraps, or one above the screen, could not be rewritten.
            let mut live = full_status(observer, elapsed_s, limit_s, width.max(WIDTH_MIN) - 1);
            live.truncate(height.saturating_sub(1));
            if self.writer.write_if_read(rewritten(self.live.len(), "", &live)) {
                self.live = live;
            }
            self.next = Instant::now() + REFRESH;
        } else {
            self.writer.write_if_read(format!("{}\n", short_status(observer, elapsed_s)));
            self.next = Instant::now() + LINE;
        }
    }

    pub fn erase(&mut self) {
        let lines = std::mem::take(&mut self.live).len();
        self.writer.write(rewritten(lines, "", &[]));
    }

    /// Shows the last text. If nobody reads it in time, nothing more is said.
    pub fn finish(&mut self, text: &str) {
        if !self.writer.finish(rewritten(self.live.len(), text, &[])) {
            output::say_nothing_more();
        }
    }

    pub fn is_gone(&self) -> bool {
        self.writer.is_gone()
    }
}

/// What a terminal is sent to replace its last `before` lines by a message and the live lines: each
/// line over the old one, and only what is left of that is cleared, so that nothing flickers.
fn rewritten(before: usize, message: &str, live: &[String]) -> String {
    let lines: Vec<&str> = message.lines().chain(live.iter().map(String::as_str)).collect();
    if before == 0 {
        return lines.iter().map(|line| format!("{line}\n")).collect();
    }
    let lines: String = lines.iter().map(|line| format!("{line}\x1b[K\n")).collect();
    format!("\x1b[{before}F{lines}\x1b[J")
}

fn full_status(observer: &mut Observer, elapsed_s: f64, limit_s: Option<f64>, width: usize) -> Vec<String> {
    let until = limit_s.map_or_else(|| "Ctrl-C ends it".to_owned(), |limit| format!("of {}", clock(limit)));
    let simulated =
        observer.exchange().map(|exchange| format!(" · simulated {} · step {}", clock(exchange.time_s), exchange.step));
    let heading = format!("running {} ({until}){}", clock(elapsed_s), simulated.unwrap_or_default());
    [String::new(), heading].into_iter().chain(summary::tables(observer, width)).collect()
}

/// Outputs in a short line.
const OUTPUTS_IN_A_LINE: usize = 4;

fn short_status(observer: &mut Observer, elapsed_s: f64) -> String {
    let processes = observer.processes();
    let running = processes.iter().filter(|process| process.state == State::Running).count();
    let sum = |count: fn(&ProcessView) -> u64| processes.iter().map(count).sum::<u64>();
    let exchange = observer.exchange().unwrap_or_default();
    let outputs = exchange.outputs.iter().take(OUTPUTS_IN_A_LINE);
    let outputs: Vec<String> = outputs.map(|shown| format!("{} {:.3}", shown.name, shown.value)).collect();
    format!(
        "{}  {running} of {} running, step {}, {} overruns, {} misses, {} restarts, {}{}",
        clock(elapsed_s),
        processes.len(),
        exchange.step,
        sum(|process| process.health.overruns),
        sum(|process| process.health.exchange_misses),
        sum(|process| process.restarts),
        outputs.join(", "),
        if exchange.condition.is_empty() { String::new() } else { format!(" ({})", exchange.condition) },
    )
}

/// What three processes that miss the same right say, and say again after every restart, is shown
/// once.
#[derive(Default)]
pub struct Messages {
    shown: BTreeSet<String>,
}

/// An event that is no news of a process without real-time priority: the status counts it.
const OVERRUN: &str = "overrun";

impl Messages {
    /// The line to show, or `None` if it is not worth it.
    pub fn show(&mut self, line: &Line, is_real_time: bool) -> Option<String> {
        let text = line.text.trim();
        let (mark, message) = match text.split_once(' ') {
            Some(("INFO", information)) => {
                let information = information.trim();
                let information = event(information).map_or(information, |(text, _)| text);
                return Some(format!("  {}: {information}", line.process));
            }
            Some(("WARN", warning)) => ("!", warning.trim()),
            Some(("ERROR", error)) => ("✘", error.trim()),
            _ => (" ", text),
        };
        match event(message) {
            Some((_, OVERRUN)) if !is_real_time => None,
            Some((event, _)) => Some(format!("{mark} {}: {event}", line.process)),
            None => {
                let new = !message.is_empty() && self.shown.insert(essence(message));
                new.then(|| format!("{mark} {}", for_all(line.process, message)))
            }
        }
    }
}

/// What a loop or a reload reports, and its name, which is in brackets at the end. It is news each
/// time.
fn event(message: &str) -> Option<(&str, &str)> {
    message.strip_suffix(']')?.rsplit_once(" [")
}

/// What two messages that say the same have in common: the letters before the details.
fn essence(message: &str) -> String {
    let head = message.split(" (").next().unwrap_or(message);
    head.chars().filter(|letter| letter.is_alphabetic()).collect()
}

/// Advice that one process gives for its own program holds for the programs of all.
fn for_all(process: &str, message: &str) -> String {
    message.replace(&format!("/{process}-service"), "/*-service")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_rewritten_in_place_and_a_message_stays_above_them() {
        let live = ["a".to_owned(), "b".to_owned()];
        assert_eq!(rewritten(0, "hello", &live), "hello\na\nb\n");
        let again = rewritten(2, "hello", &live);
        assert_eq!(again, "\x1b[2Fhello\x1b[K\na\x1b[K\nb\x1b[K\n\x1b[J");
        assert!(!again.contains("\x1b[2J") && !again.contains("\x1b[H"), "the screen is never cleared");
    }

    fn line(process: &'static str, text: &str) -> Line {
        Line { process, text: text.to_owned() }
    }

    #[test]
    fn what_a_loop_reports_is_said_each_time() {
        let mut messages = Messages::default();
        let late = line("dynamics", " WARN no answer in time since step 7 [late-answer]");
        for _ in 0..2 {
            let shown = messages.show(&late, false);
            assert_eq!(shown.as_deref(), Some("! dynamics: no answer in time since step 7"));
        }
        let overrun = line("dynamics", " WARN 1 overrun, 7.5 ms late (step 3) [overrun]");
        assert_eq!(messages.show(&overrun, false), None);
        let shown = messages.show(&overrun, true);
        assert_eq!(shown.as_deref(), Some("! dynamics: 1 overrun, 7.5 ms late (step 3)"));
        let changed = line("dynamics", " INFO dynamics.takeover_ms: 200 -> 50 [reload]");
        assert_eq!(messages.show(&changed, false).as_deref(), Some("  dynamics: dynamics.takeover_ms: 200 -> 50"));
    }

    #[test]
    fn a_warning_is_said_once_whoever_says_it() {
        let mut messages = Messages::default();
        let mut show = |process, text| messages.show(&line(process, text), false);
        let first = show("daq", " WARN no priority 70 (limit 0): setcap x /usr/bin/daq-service");
        assert_eq!(first.as_deref(), Some("! no priority 70 (limit 0): setcap x /usr/bin/*-service"));
        assert_eq!(show("dynamics", " WARN no priority 80 (limit 0): setcap"), None);
        assert_eq!(show("daq", "ERROR bad").as_deref(), Some("✘ bad"));
        assert_eq!(show("daq", "ERROR worse").as_deref(), Some("✘ worse"));
        assert_eq!(show("daq", "ERROR bad"), None);
    }

    #[test]
    fn news_is_said_every_time_and_by_name() {
        let mut messages = Messages::default();
        for _ in 0..2 {
            let shown = messages.show(&line("daq", " INFO acquiring"), false);
            assert_eq!(shown.as_deref(), Some("  daq: acquiring"));
        }
    }
}
