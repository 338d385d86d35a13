//! The live view: looks, draws, and listens to the keys.

use std::time::{Duration, Instant};

use anyhow::Context;
use nix::errno::Errno;
use rt::signals::Flags;
use shm_layout::{Region, RegionName, blocks};

use super::super::channels::Channels;
use super::look::{Look, Scope};
use super::screen::{View, draw};
use crate::top::Screen;
use crate::top::keys::{Key, Keys};

/// How long to wait for a key before looking at the signal flags again.
const LISTEN: Duration = Duration::from_millis(100);

/// The state of the view.
struct App {
    scope: Scope,
    name: RegionName,
    look: Look,
    selected: usize,
    is_over: bool,
}

pub fn watch(channels: Channels, interval: Duration, lasting: Option<Duration>) -> anyhow::Result<()> {
    let flags = Flags::register().context("cannot listen for signals")?;
    let mut app = App {
        name: channels.region.name().clone(),
        scope: Scope::new(channels),
        look: Look::default(),
        selected: 0,
        is_over: false,
    };
    let mut screen = Screen::open().context("cannot draw on this terminal; `rtrd daq scope --lines` prints lines")?;
    let ended = app.run(&mut screen, &flags, interval, lasting);
    drop(screen);
    match ended {
        // The terminal was closed, and with it the view.
        Err(error) if error.raw_os_error() == Some(Errno::EIO as i32) => Ok(()),
        ended => ended.context("the terminal does not answer"),
    }
}

impl App {
    fn run(
        &mut self,
        screen: &mut Screen,
        flags: &Flags,
        interval: Duration,
        lasting: Option<Duration>,
    ) -> std::io::Result<()> {
        let mut keys = Keys::open()?;
        let begun = Instant::now();
        let mut next = begun;
        // A terminal that is closed sends SIGHUP to those that it controls.
        while !flags.stop_requested() && !flags.take_reload() {
            if lasting.is_some_and(|lasting| begun.elapsed() >= lasting) {
                return Ok(());
            }
            if Instant::now() >= next {
                next = Instant::now() + interval;
                self.look_again();
                self.redraw(screen, interval)?;
            }
            let wait = next.saturating_duration_since(Instant::now()).min(LISTEN);
            let pressed = keys.listen(wait)?;
            if pressed.contains(&Key::End) {
                return Ok(());
            }
            if pressed.into_iter().any(|key| self.press(key)) {
                self.redraw(screen, interval)?;
            }
        }
        Ok(())
    }

    /// When the run ends, its last picture stays, and the next one under the same name is waited
    /// for.
    fn look_again(&mut self) {
        if self.scope.channels.region.is_removed() {
            match Region::observe(&self.name) {
                Ok(region) => {
                    self.scope.channels.reader = region.reader(blocks::ACQUISITION);
                    self.scope.channels.region = region;
                }
                Err(_) => {
                    self.is_over = true;
                    return;
                }
            }
        }
        self.is_over = false;
        self.look = self.scope.look();
    }

    fn redraw(&self, screen: &mut Screen, interval: Duration) -> std::io::Result<()> {
        let view = View {
            look: &self.look,
            selected: self.selected,
            is_over: self.is_over,
            interval_ms: interval.as_millis() as u64,
        };
        screen.terminal.draw(|frame| draw(frame, &view)).map(|_| ())
    }

    /// Follows a key; whether it changes anything.
    fn press(&mut self, key: Key) -> bool {
        let count = self.look.channels.len().max(1);
        self.selected = match key {
            Key::Next => (self.selected + 1) % count,
            Key::Previous => (self.selected + count - 1) % count,
            Key::End | Key::Other => return false,
        };
        true
    }
}
