//! `rtrd top`: a live view of a running instance, by an observer that disturbs nothing.
//!
//! It reads the blocks as any reader does, without a lock, at ordinary priority, and writes
//! nothing: no key changes anything in the run.

mod heading;
mod histogram;
pub mod instance;
pub mod keys;
pub mod live;
mod look;
pub mod processes;
pub mod screen;
pub mod table;
mod tables;

use std::io::{IsTerminal, Write};
use std::time::Duration;

use shm_layout::Region;

use crate::readiness::Places;
use look::{Look, Readiness, Watched};
use table::{Table, text_of};

pub use instance::{InstanceArguments, observe};

/// Watch a running instance: processes, latencies, blocks and signals
///
/// Only reads: the processes cannot notice it. Keys: q, Esc or Ctrl-C ends it; ↑, ↓ or Tab selects
/// a process. Without a terminal, or with --once, one look is printed. The rights of a process are
/// letters: M memory locked, p memory prefaulted, C pinned to a CPU, F FIFO priority, l CPU latency
/// held, u unthrottled, t exact timers; a dot for one that it does not have. It is called real-time
/// only on a machine whose readiness report passes: `rtrd check --report`.
#[derive(clap::Args)]
pub struct TopArguments {
    #[command(flatten)]
    instance: InstanceArguments,
    /// Print one look and end
    #[arg(long)]
    once: bool,
    /// Time from one look to the next, in milliseconds
    #[arg(long, value_name = "N", default_value = "250", value_parser = clap::value_parser!(u64).range(20..=60_000))]
    interval_ms: u64,
}

pub fn top(arguments: &TopArguments) -> anyhow::Result<()> {
    let (_, region) = arguments.instance.observe()?;
    let interval = Duration::from_millis(arguments.interval_ms);
    if arguments.once || !std::io::stdout().is_terminal() {
        print_once(region, interval)
    } else {
        let mut app = screen::App::new(region, Readiness::new(Places::of_environment()));
        live::watch(&mut app, interval, None, "`rtrd top --once` prints one look")
    }
}

/// Rates need two looks.
fn print_once(region: Region, interval: Duration) -> anyhow::Result<()> {
    let mut watched = Watched::new(region, Readiness::new(Places::of_environment()));
    watched.look();
    std::thread::sleep(interval);
    let text = text(&watched.look());
    match writeln!(std::io::stdout(), "{text}") {
        // A reader of the first lines only closes the pipe.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// Wide enough for every column.
const WIDTH: usize = 160;

fn text(look: &Look) -> String {
    let (real_time, _) = heading::real_time(&look.processes, &look.report_status);
    let mut lines = vec![heading::run(look), real_time];
    section(&mut lines, "processes", &processes::table(&look.processes));
    section(&mut lines, "latencies in µs", &processes::latency_table(&look.processes));
    section(&mut lines, "blocks", &tables::blocks(&look.blocks));
    lines.push(format!("  {} more have never been written", tables::never_claimed(&look.blocks)));
    section(&mut lines, "signals", &tables::signals(look.exchange.as_ref()));
    lines.join("\n")
}

fn section(lines: &mut Vec<String>, title: &str, table: &Table) {
    lines.extend([String::new(), title.to_owned()]);
    lines.extend(table.fit(WIDTH).iter().map(|line| format!("  {}", text_of(line))));
}
