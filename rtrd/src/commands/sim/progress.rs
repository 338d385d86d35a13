//! A bar on the terminal for work that takes long enough to wonder.

use std::io::{IsTerminal, Write};
use std::time::Instant;

/// How far the work is.
pub struct Progress {
    steps: u64,
    every: u64,
    shown: bool,
    began: Instant,
}

impl Progress {
    pub fn new(steps: u64) -> Self {
        Self { steps, every: (steps / 100).max(1), shown: false, began: Instant::now() }
    }

    pub fn at(&mut self, step: u64) {
        let worth_it = self.began.elapsed().as_millis() > 300 && std::io::stderr().is_terminal();
        if step.is_multiple_of(self.every) && worth_it {
            let percent = 100 * step / self.steps.max(1);
            let done = "█".repeat(percent as usize / 4);
            eprint!("\r{done:25} {percent:3} %");
            let _ = std::io::stderr().flush();
            self.shown = true;
        }
    }

    pub fn end(&self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}
