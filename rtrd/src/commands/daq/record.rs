//! `rtrd daq record`: raw numbers and values of all channels, as they are published, as a table.
//!
//! Rows go to `FILE.part` and are flushed every second; the file gets its name at the end. However
//! the recording ends, what was written is there.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use rt::signals::Flags;
use shm_layout::blocks::{Acquisition, SOURCES_MAX};
use shm_layout::clock::monotonic_ns;
use shm_layout::{Wait, Waited};

use super::channels::{Channels, ChannelsArguments, Name};
use crate::output::with_ending;

/// How often to look for a publication: onlookers are not woken by one.
const LOOK_EVERY_NS: u64 = 100_000;
const FLUSH_EVERY: Duration = Duration::from_secs(1);

/// Record raw numbers and values of all channels as CSV
///
/// One row per sample: time_s, then NAME.raw of every channel, then NAME of every channel. The file
/// can be replayed (source kind "replay"). Samples without a row are counted as lost and reported.
/// Ctrl-C or --seconds ends it; until then the rows are in FILE.part.
#[derive(clap::Args)]
pub struct RecordArguments {
    /// The file to write
    file: PathBuf,
    #[command(flatten)]
    channels: ChannelsArguments,
    /// End after so many seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<Duration>,
    /// Replace a file that is there already
    #[arg(short, long)]
    force: bool,
}

pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| "expected a number of seconds, more than zero".to_owned())
}

pub fn record(arguments: &RecordArguments) -> anyhow::Result<()> {
    let path = &arguments.file;
    if path.exists() && !arguments.force {
        bail!("{} is there already; give another name, or --force to replace it", path.display());
    }
    let mut channels = arguments.channels.open()?;
    let flags = Flags::register().context("cannot listen for signals")?;
    let mut table = Table::create(path)?;
    let begun = Instant::now();
    let goes_on = || !flags.stop_requested() && arguments.seconds.is_none_or(|seconds| begun.elapsed() < seconds);
    let written = follow(&mut channels, &mut table, goes_on).and_then(|()| table.sync());
    written.with_context(|| format!("cannot write {}", table.part.display()))?;
    table.finish(begun.elapsed())
}

/// Adds what is published; flushes now and then, and says on a terminal how it goes.
fn follow(channels: &mut Channels, table: &mut Table, goes_on: impl Fn() -> bool) -> io::Result<()> {
    let (begun, mut flushed) = (Instant::now(), Instant::now());
    let is_terminal = io::stderr().is_terminal();
    while goes_on() && !channels.region.is_removed() {
        let deadline_ns = monotonic_ns() + LOOK_EVERY_NS;
        if channels.reader.wait_for_news(deadline_ns, Wait::Sleep) == Waited::Answered
            && let Some(news) = channels.reader.last().copied()
        {
            table.add(&news, channels)?;
        }
        if flushed.elapsed() >= FLUSH_EVERY {
            flushed = Instant::now();
            table.file.flush()?;
            if is_terminal {
                eprint!("\r{:7.1} s  {} rows, {}\x1b[K", begun.elapsed().as_secs_f64(), table.rows, table.samples);
            }
        }
    }
    if is_terminal && begun.elapsed() >= FLUSH_EVERY {
        eprintln!();
    }
    Ok(())
}

/// The table on its way to the file.
struct Table {
    path: PathBuf,
    part: PathBuf,
    file: BufWriter<File>,
    first_ns: u64,
    /// Of the last row, since the first (ns).
    time_ns: u64,
    rows: u64,
    samples: Samples,
}

impl Table {
    fn create(path: &Path) -> anyhow::Result<Self> {
        let part = with_ending(path, ".part");
        let file = File::create(&part).with_context(|| format!("cannot write {}", part.display()))?;
        Ok(Self {
            path: path.to_owned(),
            part,
            file: BufWriter::new(file),
            first_ns: 0,
            time_ns: 0,
            rows: 0,
            samples: Samples::default(),
        })
    }

    fn add(&mut self, news: &Acquisition, channels: &Channels) -> io::Result<()> {
        // Before the first sample there is no time to begin with.
        if news.stamp.sample_ns == 0 {
            return Ok(());
        }
        let blocks: [u64; SOURCES_MAX] = std::array::from_fn(|source| news.sources[source].blocks);
        let count = (news.channel_count as usize).min(news.channels.len());
        if self.rows == 0 {
            self.begin(&channels.names(count), channels)?;
            self.first_ns = news.stamp.sample_ns;
            self.samples.taken = blocks;
        } else if self.samples.take(blocks) {
            // Several sources may have measured at the same time; times in a table rise.
            self.time_ns = (self.time_ns + 1).max(news.stamp.sample_ns.saturating_sub(self.first_ns));
        } else {
            return Ok(());
        }
        self.rows += 1;
        self.row(news, count)
    }

    fn begin(&mut self, names: &[Name], channels: &Channels) -> io::Result<()> {
        let file = channels.file.as_deref().unwrap_or("not known");
        let instance = channels.region.name().instance();
        let units: Vec<String> = names.iter().map(|name| format!("{} ({})", name.name, or_one(&name.unit))).collect();
        let columns = names.iter().map(|name| format!(",{}.raw", name.name));
        let columns: String = columns.chain(names.iter().map(|name| format!(",{}", name.name))).collect();
        writeln!(
            self.file,
            "# recorded by rtrd daq record from instance {instance:?}, acquisition file {file}\n# units: {}\ntime_s{columns}",
            units.join(", ")
        )
    }

    fn row(&mut self, news: &Acquisition, count: usize) -> io::Result<()> {
        write!(self.file, "{:.9}", self.time_ns as f64 * 1e-9)?;
        let channels = &news.channels[..count];
        for number in channels.iter().map(|channel| channel.raw).chain(channels.iter().map(|channel| channel.value)) {
            write!(self.file, ",{number}")?;
        }
        writeln!(self.file)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()
    }

    fn finish(self, lasting: Duration) -> anyhow::Result<()> {
        if self.rows == 0 {
            std::fs::remove_file(&self.part).ok();
            bail!(
                "nothing was published on /acquisition/ for {:.1} s: does the instance run with an acquisition file (daq.acquisition)?",
                lasting.as_secs_f64()
            );
        }
        std::fs::rename(&self.part, &self.path)
            .with_context(|| format!("cannot name {} {}", self.part.display(), self.path.display()))?;
        println!("wrote {} ({} rows, {})", self.path.display(), self.rows, self.samples);
        Ok(())
    }
}

/// Which samples have a row.
#[derive(Default)]
struct Samples {
    /// Whole samples that the acquisition had taken from each source at the last row.
    taken: [u64; SOURCES_MAX],
    gaps: u64,
    lost: u64,
}

impl Samples {
    /// Whether there are new ones, by the counts of the sources; of several of one source only the
    /// newest has a row. A count that has fallen is that of a process that was started again.
    fn take(&mut self, taken: [u64; SOURCES_MAX]) -> bool {
        let before = std::mem::replace(&mut self.taken, taken);
        let new = || taken.iter().zip(before).map(|(now, before)| now.checked_sub(before).unwrap_or(*now));
        let lost: u64 = new().map(|new| new.saturating_sub(1)).sum();
        self.lost += lost;
        self.gaps += u64::from(lost > 0);
        new().any(|new| new > 0)
    }
}

impl std::fmt::Display for Samples {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.gaps {
            0 => write!(out, "no sample lost"),
            gaps => write!(out, "{} samples lost in {gaps} gaps", self.lost),
        }
    }
}

fn or_one(unit: &str) -> &str {
    if unit.is_empty() { "1" } else { unit }
}
