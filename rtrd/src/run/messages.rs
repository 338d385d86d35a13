//! What the processes say, once each.

use std::collections::BTreeSet;

use super::child::Line;

/// Three processes that miss the same right, and miss it again after every restart, should be heard
/// once.
#[derive(Default)]
pub struct Messages {
    said: BTreeSet<String>,
}

impl Messages {
    /// The line to show, or `None` if it is not worth it.
    pub fn show(&mut self, line: &Line) -> Option<String> {
        let text = line.text.trim();
        let (mark, message) = match text.split_once(' ') {
            Some(("INFO", information)) => {
                let information = information.trim();
                let information = event(information).unwrap_or(information);
                return Some(format!("  {}: {information}", line.process));
            }
            Some(("WARN", warning)) => ("!", warning.trim()),
            Some(("ERROR", error)) => ("✘", error.trim()),
            _ => (" ", text),
        };
        if let Some(event) = event(message) {
            return Some(format!("{mark} {}: {event}", line.process));
        }
        let new = !message.is_empty() && self.said.insert(essence(message));
        new.then(|| format!("{mark} {}", for_all(line.process, message)))
    }
}

/// What a loop or a reload reports, without its name in brackets at the end. It is news each time.
fn event(message: &str) -> Option<&str> {
    let (event, _name) = message.strip_suffix(']')?.rsplit_once(" [")?;
    Some(event)
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
            let shown = messages.show(&late);
            assert_eq!(shown.as_deref(), Some("! dynamics: no answer in time since step 7"));
        }
        let changed = line("dynamics", " INFO dynamics.takeover_ms: 200 -> 50 [reload]");
        assert_eq!(messages.show(&changed).as_deref(), Some("  dynamics: dynamics.takeover_ms: 200 -> 50"));
    }

    #[test]
    fn a_warning_is_said_once_whoever_says_it() {
        let mut messages = Messages::default();
        let first =
            messages.show(&line("daq", " WARN no priority 70 (limit 0): setcap x /usr/bin/daq-service"));
        assert_eq!(first.as_deref(), Some("! no priority 70 (limit 0): setcap x /usr/bin/*-service"));
        assert_eq!(messages.show(&line("dynamics", " WARN no priority 80 (limit 0): setcap")), None);
        assert_eq!(messages.show(&line("daq", "ERROR bad")).as_deref(), Some("✘ bad"));
        assert_eq!(messages.show(&line("daq", "ERROR worse")).as_deref(), Some("✘ worse"));
        assert_eq!(messages.show(&line("daq", "ERROR bad")), None);
    }

    #[test]
    fn news_is_said_every_time_and_by_name() {
        let mut messages = Messages::default();
        for _ in 0..2 {
            assert_eq!(messages.show(&line("daq", " INFO acquiring")).as_deref(), Some("  daq: acquiring"));
        }
    }
}
