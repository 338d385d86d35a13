//! Analogue inputs of data acquisition boards, through comedi's character devices.
//!
//! The board samples on its own clock into the kernel's buffer (a *command*); whole scans are taken
//! from there. A sample s of a channel whose range is least…greatest stands for
//!
//! (1) value = least + (greatest − least) · s / s_max
//!
//! in the unit of the range, which is volts for most.

mod source;

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::arrivals::{Arrivals, check_count, check_duration, half_a_second};
use super::ioctl::comedi::{Board, Subdevice, Timing};
use crate::{Counters, OpenError, Opening, Source, plan};
use source::{Conversion, Layout, Sampling, Scans};

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The device, such as `/dev/comedi0`.
    pub device: PathBuf,
    /// Which part of the board; that which it reads by default if none is given.
    pub subdevice: Option<u32>,
    /// The inputs, at most 16.
    pub channels: Vec<ChannelSettings>,
    /// Time from one scan to the next (s).
    pub scan_period_s: f64,
    /// Without a scan for so long the board counts as stalled (s).
    #[serde(default = "half_a_second")]
    pub stalled_after_s: f64,
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct ChannelSettings {
    pub name: String,
    pub input: u32,
    #[serde(default)]
    pub range: u32,
    #[serde(default)]
    pub reference: Reference,
    /// Whether samples are given as they are, instead of values by the range.
    #[serde(default)]
    pub raw: bool,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Reference {
    /// The ground of the board.
    #[default]
    Ground = 0,
    /// A common input.
    Common = 1,
    /// Another input.
    Differential = 2,
    /// What the driver says.
    Other = 3,
}

const ANALOGUE_INPUT: u32 = 1;
const READS_COMMANDS: u32 = 0x8000;
const LONG_SAMPLES: u32 = 0x1000_0000;
/// Range, greatest sample or flags differ from channel to channel.
const DIFFERS_BY_CHANNEL: u32 = 0x0010 | 0x0040;

impl Settings {
    fn subdevice(&self, board: &Board) -> Result<(u32, Subdevice), String> {
        let index =
            self.subdevice.or(board.read_subdevice).ok_or("the board has nothing that can be read by commands")?;
        let (name, count) = (&board.name, board.subdevices.len());
        let part = board
            .subdevices
            .get(index as usize)
            .ok_or_else(|| format!("{name} ({}) has {count} subdevices, there is no number {index}", board.driver))?;
        let (wanted, longest) = (self.channels.len(), part.longest_scan);
        if part.kind != ANALOGUE_INPUT || part.flags & READS_COMMANDS == 0 {
            Err(format!("subdevice {index} of {name} is no analogue input that can be read by commands"))
        } else if part.flags & DIFFERS_BY_CHANNEL != 0 {
            Err(format!("ranges of subdevice {index} of {name} differ by channel, which is not supported"))
        } else if wanted > longest as usize {
            Err(format!("a scan of {name} has at most {longest} channels, not {wanted}"))
        } else {
            Ok((index, *part))
        }
    }

    fn layout(&self, board: &Board, part: &Subdevice) -> Result<Layout, String> {
        let ranges = board.ranges(part.range_type).map_err(|problem| format!("its ranges: {problem}"))?;
        let conversion = |channel: &ChannelSettings| {
            let ChannelSettings { name, input, range, .. } = channel;
            let missing = |what: &str, count: usize, number: &u32| {
                format!("channel {name}: the board has {count} {what}, there is no number {number}")
            };
            if *input >= part.n_channels {
                return Err(missing("inputs", part.n_channels as usize, input));
            }
            let range = ranges.get(*range as usize).ok_or_else(|| missing("ranges", ranges.len(), range))?;
            Ok(match channel.raw {
                true => Conversion { least: 0.0, per_count: 1.0 },
                false => Conversion::new(range.least, range.greatest, part.greatest_sample),
            })
        };
        Ok(Layout {
            sample_bytes: if part.flags & LONG_SAMPLES != 0 { 4 } else { 2 },
            conversions: self.channels.iter().map(conversion).collect::<Result<_, String>>()?,
        })
    }

    /// Number, range and reference of each input in one word.
    fn packed(&self) -> Vec<u32> {
        let pack = |channel: &ChannelSettings| {
            (channel.reference as u32) << 24 | (channel.range & 0xff) << 16 | channel.input & 0xffff
        };
        self.channels.iter().map(pack).collect()
    }

    fn begin(&self, counters: Counters) -> Result<Box<dyn Source>, String> {
        let board = Board::open(&self.device).map_err(|problem| problem.to_string())?;
        let (index, part) = self.subdevice(&board)?;
        let layout = self.layout(&board, &part)?;
        let mut channels = self.packed();
        let timing = agree(&board, index, self.scan_period_s, &mut channels)?;
        if board.read_subdevice != Some(index) {
            board.read_from(index).map_err(|problem| format!("subdevice {index} cannot be read: {problem}"))?;
        }
        board.start(&timing, &mut channels).map_err(|problem| match problem.raw_os_error() {
            Some(libc::EBUSY) => "another program samples with it".to_owned(),
            _ => format!("it does not start: {problem}"),
        })?;
        let names = self.channels.iter().map(|channel| channel.name.clone()).collect();
        let period_ns = u64::from(period_ns(&timing, channels.len() as u32));
        let arrivals = Arrivals::new(counters, self.stalled_after_s);
        Ok(Box::new(Scans::source(Sampling(board, index), names, layout, period_ns, arrivals)))
    }
}

impl plan::Settings for Settings {
    fn opening(self, _: Option<&Path>) -> Result<Box<dyn Opening>, String> {
        let place = self.device.display().to_string();
        check_duration(&place, "stalled_after_s", self.stalled_after_s)?;
        check_count(&place, self.channels.len())?;
        if (1e-6..=4.0).contains(&self.scan_period_s) {
            Ok(Box::new(self))
        } else {
            Err(format!("{place}: scan_period_s = {}: expected 0.000001 to 4", self.scan_period_s))
        }
    }
}

impl Opening for Settings {
    fn open(&self, counters: Counters) -> Result<Box<dyn Source>, OpenError> {
        self.begin(counters).map_err(|problem| OpenError::new(self.device.display(), problem))
    }
}

// What may start, begin, convert, end and stop (linux/comedi.h).
const NONE: u32 = 0x01;
const NOW: u32 = 0x02;
const FOLLOW: u32 = 0x04;
const TIMER: u32 = 0x10;
const COUNT: u32 = 0x20;

/// A timing that the board can do: asks which events it knows, chooses, and lets it round.
fn agree(board: &Board, subdevice: u32, period_s: f64, channels: &mut [u32]) -> Result<Timing, String> {
    let failed = |problem: std::io::Error| format!("it refuses the timing: {problem}");
    let wanted_ns = (period_s * 1e9).round() as u32;
    let n = channels.len() as u32;
    let wanted = Timing {
        subdevice,
        start: [NOW, 0],
        scan_begin: [TIMER | FOLLOW, wanted_ns],
        convert: [TIMER | NOW, 0],
        scan_end: [COUNT, n],
        stop: [NONE, 0],
        ..Timing::default()
    };
    let mut known = wanted;
    board.test(&mut known, channels).map_err(failed)?;
    let scan_timed = known.scan_begin[0] & TIMER != 0;
    let mut timing = Timing {
        scan_begin: if scan_timed { [TIMER, wanted_ns] } else { [FOLLOW, 0] },
        convert: if scan_timed && known.convert[0] & NOW != 0 { [NOW, 0] } else { [TIMER, wanted_ns / n] },
        ..wanted
    };
    // The board rounds at most once per stage.
    for _ in 0..6 {
        if board.test(&mut timing, channels).map_err(failed)? == 0 {
            let found_ns = f64::from(period_ns(&timing, n));
            if (found_ns - f64::from(wanted_ns)).abs() > 0.01 * f64::from(wanted_ns) {
                let found_s = found_ns * 1e-9;
                return Err(format!("scan_period_s = {period_s}: the nearest that the board can do is {found_s} s"));
            }
            return Ok(timing);
        }
    }
    Err(format!("{} ({}) can do no such scan: {timing:?}", board.name, board.driver))
}

/// From one scan to the next (ns).
fn period_ns(timing: &Timing, n_channels: u32) -> u32 {
    match timing.scan_begin {
        [TIMER, period_ns] => period_ns,
        _ => timing.convert[1].saturating_mul(n_channels),
    }
}

#[cfg(test)]
mod tests;
