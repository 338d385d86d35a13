//! What the processes say, once each.

use std::collections::BTreeSet;

use super::child::Line;

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
