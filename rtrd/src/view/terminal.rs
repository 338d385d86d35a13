//! What standard output is: how wide, and whether it takes colours.

use std::io::IsTerminal;

/// Columns and lines where standard output is no terminal.
const SIZE_ELSEWHERE: (usize, usize) = (100, 24);

/// Columns and lines of standard output.
pub fn size() -> (usize, usize) {
    terminal_size::terminal_size()
        .map_or(SIZE_ELSEWHERE, |(width, height)| (usize::from(width.0), usize::from(height.0)))
}

/// Columns of standard output.
pub fn width() -> usize {
    size().0
}

/// Whether to colour what is printed: on a terminal, unless the user has set `NO_COLOR` to
/// anything.
pub fn colour() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
