//! The live view: looks, draws, and listens to the keys.
//!
//! When the run ends, its last picture stays, and the next run under the same name is waited for.

use std::time::{Duration, Instant};

use ratatui::DefaultTerminal;
use rt::signals::Flags;
use shm_layout::{Region, RegionError, RegionName};

use super::keys::{Key, Keys};
use super::look::{Look, Readiness, Watched};
use super::screen::{View, draw};

/// How long to wait for a key before looking at the signal flags again.
const LISTEN: Duration = Duration::from_millis(100);

/// The state of the live view.
pub struct App {
    name: RegionName,
    readiness: Readiness,
    /// `None` while there is no run.
    watched: Option<Watched>,
    look: Look,
    banner: Option<String>,
    selected: usize,
}

impl App {
    pub fn new(region: Region, readiness: Readiness) -> Self {
        let name = region.name().clone();
        let mut watched = Watched::new(region, readiness.clone());
        let look = watched.look();
        // The dynamics are what most people want to see first.
        let selected = look.processes.len().saturating_sub(1);
        Self { name, readiness, watched: Some(watched), look, banner: None, selected }
    }

    /// Looks and draws until the user or a signal ends it, or the terminal is closed.
    pub fn run(&mut self, terminal: &mut DefaultTerminal, flags: &Flags, interval: Duration) -> std::io::Result<()> {
        let mut keys = Keys::open()?;
        let mut next = Instant::now();
        // A terminal that is closed sends SIGHUP to those that it controls.
        while !flags.stop_requested() && !flags.take_reload() {
            if Instant::now() >= next {
                next = Instant::now() + interval;
                self.look_again();
                self.redraw(terminal, interval)?;
            }
            let timeout = next.saturating_duration_since(Instant::now()).min(LISTEN);
            let pressed = keys.listen(timeout)?;
            if pressed.contains(&Key::End) {
                return Ok(());
            }
            if pressed.into_iter().any(|key| self.press(key)) {
                self.redraw(terminal, interval)?;
            }
        }
        Ok(())
    }

    fn redraw(&self, terminal: &mut DefaultTerminal, interval: Duration) -> std::io::Result<()> {
        let view = View {
            look: &self.look,
            selected: self.selected,
            banner: self.banner.as_deref(),
            interval_ms: interval.as_millis() as u64,
        };
        terminal.draw(|frame| draw(frame, &view)).map(|_| ())
    }

    fn look_again(&mut self) {
        if self.watched.as_ref().is_none_or(|watched| watched.region.is_removed()) {
            self.wait_for_the_next();
        }
        if let Some(watched) = &mut self.watched {
            self.look = watched.look();
        }
    }

    fn wait_for_the_next(&mut self) {
        self.watched = None;
        match Region::observe(&self.name) {
            Ok(region) => {
                self.watched = Some(Watched::new(region, self.readiness.clone()));
                self.banner = None;
            }
            Err(RegionError::NotFound { .. }) => {
                let instance = self.name.instance();
                self.banner =
                    Some(format!("the run is over: waiting for the next one of instance {instance:?}; q ends"));
            }
            Err(error) => self.banner = Some(error.to_string()),
        }
    }

    /// Follows a key; whether it changes anything.
    fn press(&mut self, key: Key) -> bool {
        let count = self.look.processes.len().max(1);
        self.selected = match key {
            Key::Next => (self.selected + 1) % count,
            Key::Previous => (self.selected + count - 1) % count,
            Key::End | Key::Other => return false,
        };
        true
    }
}

#[cfg(test)]
#[path = "app_tests.rs"]
mod tests;
