//! One line that says how far the measurement is.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

const BAR_WIDTH: usize = 24;

/// Shows progress on standard error if that is a terminal.
pub struct Progress {
    shown: bool,
    total: Duration,
    done: Duration,
    current: Duration,
    began: Instant,
    what: String,
}

impl Progress {
    /// The progress of work that takes about so long.
    pub fn new(total: Duration) -> Self {
        Self {
            shown: std::io::stderr().is_terminal(),
            total,
            done: Duration::ZERO,
            current: Duration::ZERO,
            began: Instant::now(),
            what: String::new(),
        }
    }

    /// A part begins that takes about so long.
    pub fn begin(&mut self, what: String, takes: Duration) {
        self.done += self.current;
        self.current = takes;
        self.began = Instant::now();
        self.what = what;
    }

    /// Draws the line again.
    pub fn tick(&self) {
        if self.shown {
            eprint!("\r\x1b[K{} {}", self.bar(), self.what);
            let _ = std::io::stderr().flush();
        }
    }

    fn bar(&self) -> String {
        let done = self.done + self.began.elapsed().min(self.current);
        let share = (done.as_secs_f64() / self.total.as_secs_f64().max(1e-9)).min(1.0);
        let filled = (share * BAR_WIDTH as f64).round() as usize;
        format!("{}{} {:3.0} %", "█".repeat(filled), "░".repeat(BAR_WIDTH - filled), share * 100.0)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_fills_part_by_part() {
        let hour = Duration::from_secs(3_600);
        let mut progress = Progress::new(2 * hour);
        progress.begin("first".to_owned(), hour);
        assert!(progress.bar().ends_with("  0 %"), "{}", progress.bar());
        progress.begin("second".to_owned(), hour);
        assert!(progress.bar().ends_with(" 50 %"), "{}", progress.bar());
        assert_eq!(progress.bar().chars().filter(|symbol| *symbol == '█').count(), 12);
    }
}
