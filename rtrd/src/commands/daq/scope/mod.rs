//! `rtrd daq scope`: live channels, by an observer that the run cannot notice.

mod screen;
mod tables;

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use anyhow::Context;
use rt::signals::Flags;

use super::channels::{Channels, ChannelsArguments};
use crate::top::live;
use crate::top::table::text_of;
use screen::{Look, Scope};

/// Show live channels: values, rates, sparklines, age and faults, and how the sources are
///
/// Only reads: the processes cannot notice it. Keys: q, Esc or Ctrl-C ends it; ↑, ↓ or Tab selects
/// the channel of the large picture. Without a terminal, or with --lines, a line per look is
/// printed; with --once, one look as tables.
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
        print_once(channels, interval)
    } else if arguments.lines || !std::io::stdout().is_terminal() {
        print_lines(channels, interval, arguments.seconds)
    } else {
        let instead = "`rtrd daq scope --lines` prints lines";
        live::watch(&mut screen::App::new(channels), interval, arguments.seconds, instead)
    }
}

/// Wide enough for every column.
const WIDTH: usize = 160;

/// One look as tables. Rates need two.
pub fn print_once(channels: Channels, interval: Duration) -> anyhow::Result<()> {
    let mut scope = Scope::new(channels);
    scope.look();
    std::thread::sleep(interval);
    let look = scope.look();
    let mut lines = vec![heading(&look)];
    for table in [tables::sources(&look), tables::channels(&look)] {
        lines.push(String::new());
        lines.extend(table.fit(WIDTH).iter().map(text_of));
    }
    println!("{}", lines.join("\n"));
    Ok(())
}

/// What is looked at, in one line.
pub fn heading(look: &Look) -> String {
    let mut parts = vec![format!("instance {:?}", look.instance)];
    parts.push(match &look.file {
        Some(file) => format!("acquisition {file}"),
        None => "names not known: give --acquisition".to_owned(),
    });
    match look.step {
        None => parts.push("nothing published on /acquisition/ yet".to_owned()),
        Some(step) => parts.push(format!("publication {step}")),
    }
    parts.extend(look.publications_per_s.map(|rate| format!("{rate:.1}/s")));
    parts.join(" · ")
}

/// A line per look, until the run is over, a signal comes or the time is up.
pub fn print_lines(channels: Channels, interval: Duration, lasting: Option<Duration>) -> anyhow::Result<()> {
    let flags = Flags::register().context("cannot listen for signals")?;
    let mut scope = Scope::new(channels);
    let begun = Instant::now();
    let mut begun_ns = None;
    let mut columns = 0;
    let mut next = Instant::now();
    while !flags.stop_requested() && lasting.is_none_or(|lasting| begun.elapsed() < lasting) {
        if scope.channels.region.is_removed() {
            return said("the run is over");
        }
        let look = scope.look();
        if look.step.is_some() && look.channels.len() != columns {
            columns = look.channels.len();
            said(&headline(&look))?;
        }
        let begun_ns = *begun_ns.get_or_insert(look.now_ns);
        said(&line(&look, (look.now_ns - begun_ns) as f64 * 1e-9))?;
        next += interval;
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
    }
    Ok(())
}

fn headline(look: &Look) -> String {
    let names = look.channels.iter().map(|channel| match channel.name.unit.as_str() {
        "" => channel.name.name.clone(),
        unit => format!("{} [{unit}]", channel.name.name),
    });
    format!("time [s]  {}  sources", names.collect::<Vec<_>>().join("  "))
}

fn line(look: &Look, time_s: f64) -> String {
    if look.step.is_none() {
        return format!("{time_s:8.3}  nothing published on /acquisition/ yet");
    }
    let channels = look.channels.iter().map(|channel| {
        let (condition, _) = tables::condition(channel.status.faults, channel.status.reaction);
        let remark = if condition == "good" { String::new() } else { format!(" ({condition})") };
        format!("{} {}{remark}", channel.name.name, tables::number(channel.status.value))
    });
    let states = tables::sources(look).rows;
    let states = states.iter().map(|row| format!("{} {}", row[0].text, row[1].text));
    let parts: Vec<String> = channels.chain(states).collect();
    format!("{time_s:8.3}  {}", parts.join("  "))
}

/// A reader of the head alone closes the pipe, which ends the program by a signal.
fn said(text: &str) -> anyhow::Result<()> {
    Ok(writeln!(io::stdout(), "{text}")?)
}
