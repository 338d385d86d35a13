//! A live view on a terminal: looks, draws, and listens to the keys.
//!
//! When the run ends, its last picture stays, and the next run under the same name is waited for.

use std::time::{Duration, Instant};

use anyhow::Context;
use nix::errno::Errno;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::{DefaultTerminal, Frame};
use rt::signals::Flags;

use super::keys::{Key, Keys};
use super::screen::style;
use super::table::Tone;

/// How long to wait for a key before looking at the signal flags again.
const LISTEN: Duration = Duration::from_millis(100);

/// What is shown.
pub trait Picture {
    /// Takes the newest there is.
    fn look_again(&mut self);

    /// Draws it; the next look comes after so many milliseconds.
    fn draw(&self, frame: &mut Frame, interval_ms: u64);

    /// The position of what is selected, and how many there are.
    fn selection(&mut self) -> (&mut usize, usize);

    /// Follows a key; whether it changes anything.
    fn press(&mut self, key: Key) -> bool {
        let (selected, count) = self.selection();
        let count = count.max(1);
        *selected = match key {
            Key::Next => (*selected + 1) % count,
            Key::Previous => (*selected + count - 1) % count,
            Key::End | Key::Other => return false,
        };
        true
    }
}

/// Shows the picture until the user or a signal ends it, the terminal is closed or the time is up.
/// Where there is no terminal to draw on, `instead` names the command that needs none.
pub fn watch(
    picture: &mut impl Picture,
    interval: Duration,
    lasting: Option<Duration>,
    instead: &str,
) -> anyhow::Result<()> {
    let flags = Flags::register().context("cannot listen for signals")?;
    let mut screen = Screen::open().with_context(|| format!("cannot draw on this terminal; {instead}"))?;
    let ended = run(picture, &mut screen.terminal, &flags, interval, lasting);
    drop(screen);
    match ended {
        // The terminal was closed, and with it the view.
        Err(error) if error.raw_os_error() == Some(Errno::EIO as i32) => Ok(()),
        ended => ended.context("the terminal does not answer"),
    }
}

fn run(
    picture: &mut impl Picture,
    terminal: &mut DefaultTerminal,
    flags: &Flags,
    interval: Duration,
    lasting: Option<Duration>,
) -> std::io::Result<()> {
    let interval_ms = interval.as_millis() as u64;
    let mut keys = Keys::open()?;
    let begun = Instant::now();
    let mut next = begun;
    // A terminal that is closed sends SIGHUP to those that it controls.
    while !flags.stop_requested() && !flags.take_reload() && lasting.is_none_or(|lasting| begun.elapsed() < lasting) {
        let is_due = Instant::now() >= next;
        if is_due {
            next = Instant::now() + interval;
            picture.look_again();
            terminal.draw(|frame| picture.draw(frame, interval_ms))?;
        }
        let pressed = keys.listen(next.saturating_duration_since(Instant::now()).min(LISTEN))?;
        if pressed.contains(&Key::End) {
            return Ok(());
        }
        // Each key is followed, whatever the one before it has changed.
        if pressed.into_iter().filter(|key| picture.press(*key)).count() > 0 {
            terminal.draw(|frame| picture.draw(frame, interval_ms))?;
        }
    }
    Ok(())
}

/// The first line: the command, and what is looked at.
pub fn heading(command: &str, text: &str, tone: Tone) -> Line<'static> {
    let name = Style::new().add_modifier(Modifier::BOLD | Modifier::REVERSED);
    Line::from(vec![Span::styled(format!(" {command} "), name), Span::styled(format!(" {text}"), style(tone))])
}

/// The last line: the keys.
pub fn draw_footer(frame: &mut Frame, area: Rect, selects: &str, interval_ms: u64) {
    let text = format!(" q ends · ↑ ↓ select a {selects} · looks every {interval_ms} ms, and only reads");
    frame.render_widget(Line::styled(text, style(Tone::Faint)), area);
}

/// The terminal in its drawing state. However this value goes, the terminal is given back as it
/// was; a panic does so before its message, so that the message can be read.
struct Screen {
    terminal: DefaultTerminal,
}

impl Screen {
    fn open() -> std::io::Result<Self> {
        ratatui::try_init().map(|terminal| Self { terminal }).inspect_err(|_| {
            // It may have come half way.
            let _ = ratatui::try_restore();
        })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // A terminal that was closed needs nothing any more.
        let _ = ratatui::try_restore();
    }
}
