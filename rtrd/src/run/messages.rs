//! What the processes say, once each.

use std::collections::BTreeSet;

use super::child::Line;

/// Three processes that miss the same right, and miss it again after every restart, should be heard once.
#[derive(Default)]
pub struct Messages {
    said: BTreeSet<String>,
}

impl Messages {
    /// The line to show, or `None` if it is not worth it.
    pub fn show(&mut self, line: &Line) -> Option<String> {
        let text = line.text.trim();
        match text.split_once(' ') {
            Some(("WARN", warning)) => self
                .said
                .insert(warning.trim().to_owned())
                .then(|| format!("! {}", warning.trim())),
            Some(("ERROR", error)) => Some(format!("✘ {}: {}", line.process, error.trim())),
            Some(("INFO", information)) => Some(format!("  {}: {}", line.process, information.trim())),
            _ if text.is_empty() => None,
            _ => Some(format!("  {}: {text}", line.process)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_is_said_once_whoever_says_it() {
        let mut messages = Messages::default();
        let line = |process, text: &str| Line {
            process,
            text: text.to_owned(),
        };
        assert_eq!(
            messages.show(&line("daq", " WARN no FIFO")).as_deref(),
            Some("! no FIFO")
        );
        assert_eq!(messages.show(&line("dynamics", " WARN no FIFO")), None);
        assert_eq!(
            messages.show(&line("daq", "ERROR bad")).as_deref(),
            Some("✘ daq: bad")
        );
        assert_eq!(
            messages.show(&line("daq", "ERROR bad")).as_deref(),
            Some("✘ daq: bad")
        );
    }
}
