//! The live status: a few lines that are redrawn in place on a terminal, or one line now and then
//! elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::view::format::{clock, exchange_lines, process_table};
use crate::view::{Observer, State};

/// Shows the status and messages on standard output without mixing them up. If nobody reads it any
/// more, that is no reason to die without ending the run in order: [`Display::is_gone`] says so
/// instead.
pub struct Display {
    gone: bool,
    manner: Manner,
    drawn_lines: usize,
    next: Instant,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    Quiet,
    Redraw,
    Lines,
}

impl Display {
    pub fn new(quiet: bool) -> Self {
        let manner = match (quiet, std::io::stdout().is_terminal()) {
            (true, _) => Manner::Quiet,
            (_, true) => Manner::Redraw,
            (_, false) => Manner::Lines,
        };
        Self { gone: false, manner, drawn_lines: 0, next: Instant::now() + Duration::from_millis(300) }
    }

    /// Shows a message; it stays.
    pub fn message(&mut self, text: &str) {
        self.erase();
        self.print(&format!("{text}\n"));
    }

    /// Shows the status if it is time to.
    pub fn status(&mut self, observer: &mut Observer, elapsed_s: f64, limit_s: Option<f64>) {
        if self.manner == Manner::Quiet || Instant::now() < self.next {
            return;
        }
        let pause = if self.manner == Manner::Redraw { 200 } else { 5_000 };
        self.next = Instant::now() + Duration::from_millis(pause);
        if self.manner == Manner::Redraw {
            let lines = full_status(observer, elapsed_s, limit_s);
            self.erase();
            self.print(&format!("{}\n", lines.join("\n")));
            self.drawn_lines = lines.len();
        } else {
            self.print(&format!("{}\n", short_status(observer, elapsed_s)));
        }
    }

    /// Takes the live status away.
    pub fn erase(&mut self) {
        if self.drawn_lines > 0 {
            // Up so many lines, then clear to the end of the screen.
            self.print(&format!("\x1b[{}A\x1b[J", self.drawn_lines));
            self.drawn_lines = 0;
        }
    }

    /// Whether nobody reads the output any more.
    pub fn is_gone(&self) -> bool {
        self.gone
    }

    fn print(&mut self, text: &str) {
        let mut output = std::io::stdout().lock();
        self.gone |= output.write_all(text.as_bytes()).and_then(|()| output.flush()).is_err();
    }
}

fn full_status(observer: &mut Observer, elapsed_s: f64, limit_s: Option<f64>) -> Vec<String> {
    let until = limit_s.map_or_else(|| "Ctrl-C ends it".to_owned(), |limit| format!("of {}", clock(limit)));
    let mut lines = vec![String::new(), format!("running {}  ({until})", clock(elapsed_s))];
    lines.extend(process_table(&observer.processes()).into_iter().map(|line| format!("  {line}")));
    if let Some(exchange) = observer.exchange() {
        lines.push(format!("  time     {:.3} s, step {}", exchange.time_s, exchange.step));
        let signals = exchange_lines(&exchange, observer);
        lines.extend(signals.into_iter().map(|line| format!("  {line}")));
    }
    fit(lines)
}

/// A line that wraps would spoil the redrawing.
fn fit(lines: Vec<String>) -> Vec<String> {
    let width = terminal_width();
    lines.into_iter().map(|line| line.chars().take(width).collect()).collect()
}

fn terminal_width() -> usize {
    terminal_size::terminal_size().map_or(160, |(width, _)| usize::from(width.0)).max(40) - 1
}

/// Outputs that a short line tells.
const OUTPUTS_IN_A_LINE: usize = 4;

fn short_status(observer: &mut Observer, elapsed_s: f64) -> String {
    let processes = observer.processes();
    let running = processes.iter().filter(|process| process.state == State::Running).count();
    let sum = |count: fn(&crate::view::ProcessView) -> u64| processes.iter().map(count).sum::<u64>();
    let exchange = observer.exchange().unwrap_or_default();
    let outputs = observer.description.outputs.iter().zip(&exchange.outputs);
    let outputs: Vec<String> =
        outputs.take(OUTPUTS_IN_A_LINE).map(|(port, value)| format!("{} {value:.3}", port.name)).collect();
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
