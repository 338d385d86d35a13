//! What standard output is: how wide, and whether it takes colours.

use std::io::IsTerminal;

/// Columns where standard output is no terminal.
const WIDTH_ELSEWHERE: usize = 100;

/// Columns of standard output.
pub fn width() -> usize {
    terminal_size::terminal_size().map_or(WIDTH_ELSEWHERE, |(width, _)| usize::from(width.0))
}

/// Whether to colour what is printed: on a terminal, unless the user has set `NO_COLOR` to
/// anything.
pub fn colour() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
