//! `rtrd daq scope`: live channels, by an observer that the run cannot notice.

mod look;
mod plain;
mod screen;
mod tables;

use std::io::IsTerminal;
use std::time::Duration;

use super::channels::ChannelsArguments;
use crate::top::live;

/// Show live channels: values, rates, sparklines, age and faults, and how the sources are
///
/// Only reads: the processes cannot notice it. Keys: q, Esc or Ctrl-C ends it; ↑, ↓ or Tab selects the channel of the
/// large picture. Without a terminal, or with --lines, a line per look is printed; with --once, one look as tables.
#[derive(clap::Args)]
pub struct ScopeArguments {
    #[command(flatten)]
    channels: ChannelsArguments,
    /// Print one look and end
    #[arg(long, conflicts_with = "lines")]
    once: bool,
    /// Print a line per look, as without a terminal
    #[arg(long)]
    lines: bool,
    /// End after so many seconds
    #[arg(long, value_name = "S", value_parser = super::record::seconds)]
    seconds: Option<Duration>,
    /// Time from one look to the next, in milliseconds
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u64).range(10..=60_000))]
    interval_ms: u64,
}

pub fn scope(arguments: &ScopeArguments) -> anyhow::Result<()> {
    let channels = arguments.channels.open()?;
    let interval = Duration::from_millis(arguments.interval_ms);
    if arguments.once {
        plain::print_once(channels, interval)
    } else if arguments.lines || !std::io::stdout().is_terminal() {
        plain::print_lines(channels, interval, arguments.seconds)
    } else {
        let instead = "`rtrd daq scope --lines` prints lines";
        live::watch(&mut screen::App::new(channels), interval, arguments.seconds, instead)
    }
}
