//! Bytes transferred in each loop, as in DAS Fig. 4.16 (the first 1000 loops) and Fig. 4.17 (a
//! whole manoeuvre), for every strategy; and what was sent beside what was published, as in Fig.
//! 4.19 and 4.20.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use board_emulator::strategies::StrategyName;
use plot::{LinePlot, Panel, Series};

use super::proof::Run;

const FIRST_LOOPS: usize = 1000;
/// The field of a block that is shown: the steering.
const SHOWN: usize = 2;
/// How much of a manoeuvre is shown from near: around the largest burst (s).
const NEAR_S: f64 = 0.02;

/// Draws both figures into a folder.
pub fn draw(folder: &Path, manoeuvre: &[(StrategyName, Vec<u32>)]) -> Result<[PathBuf; 2]> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let first = folder.join("acquisition-loops.svg");
    let whole = folder.join("acquisition-manoeuvre.svg");
    picture("Bytes transferred in the first 1000 loops", manoeuvre, FIRST_LOOPS).write_svg(&first)?;
    picture("Bytes transferred during a manoeuvre", manoeuvre, usize::MAX).write_svg(&whole)?;
    Ok([first, whole])
}

fn picture(title: &str, manoeuvre: &[(StrategyName, Vec<u32>)], loops: usize) -> LinePlot {
    let panel = |(name, bytes): &(StrategyName, Vec<u32>)| {
        let shown = bytes.iter().take(loops).enumerate();
        let points = shown.map(|(index, bytes)| (index as f64, f64::from(*bytes))).collect();
        Panel::new("bytes", vec![Series::new(name.words(), points)])
    };
    LinePlot::new(title, "loop", manoeuvre.iter().map(panel).collect())
}

/// Draws what was sent and what was readable, from near around the largest burst and over the whole
/// manoeuvre with their difference.
pub fn draw_proof(folder: &Path, run: &Run) -> Result<[PathBuf; 2]> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let (near, whole) = (folder.join("acquisition-burst.svg"), folder.join("acquisition-newest.svg"));
    let tracks = Tracks::new(run);
    let burst_s = tracks.largest_burst_s;
    let around = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
        let is_near = |(time_s, _): &&(f64, f64)| (time_s - burst_s).abs() <= NEAR_S;
        points.iter().filter(is_near).copied().collect()
    };
    let overlay = |sent: Vec<(f64, f64)>, readable: Vec<(f64, f64)>| {
        let series = vec![Series::new("sent", sent), Series::new("readable", readable)];
        Panel::new("steering (counts)", series)
    };
    let title = "Blocks sent and published around the largest burst while the steering moves";
    let panels = vec![overlay(around(&tracks.sent), around(&tracks.readable))];
    LinePlot::new(title, "time (s)", panels).write_svg(&near)?;
    let difference = Series::new("readable − newest taken", tracks.difference.clone());
    let panels = vec![
        overlay(tracks.sent.clone(), tracks.readable.clone()),
        Panel::new("difference (counts)", vec![difference]),
    ];
    LinePlot::new("Blocks sent and published", "time (s)", panels).write_svg(&whole)?;
    Ok([near, whole])
}

/// Values over time, from the first block on.
struct Tracks {
    sent: Vec<(f64, f64)>,
    readable: Vec<(f64, f64)>,
    /// What was readable less what the record says of that block.
    difference: Vec<(f64, f64)>,
    largest_burst_s: f64,
}

impl Tracks {
    fn new(run: &Run) -> Self {
        let written = run.record.iter();
        let written = written.filter_map(|block| Some((block.times?.written_ns, block.values[SHOWN])));
        let written: Vec<(u64, i32)> = written.collect();
        let began_ns = written.first().map_or(0, |(written_ns, _)| *written_ns);
        let time_s = |at_ns: u64| (at_ns as f64 - began_ns as f64) * 1e-9;
        let mut tracks = Self {
            sent: written.iter().map(|(at_ns, value)| (time_s(*at_ns), f64::from(*value))).collect(),
            readable: Vec::new(),
            difference: Vec::new(),
            largest_burst_s: 0.0,
        };
        let (mut before, mut shown, mut largest) = (0, 0, (false, 0));
        for turn in run.seen.iter().filter(|turn| turn.blocks > 0) {
            let Some((_, sent)) = written.get(turn.blocks as usize - 1) else {
                continue;
            };
            let (now_s, value) = (time_s(turn.readable_ns), turn.values[SHOWN]);
            // A burst while the driver holds still shows nothing.
            let burst = (value != shown, turn.blocks - before);
            if burst > largest {
                (largest, tracks.largest_burst_s) = (burst, now_s);
            }
            if turn.blocks > before {
                shown = value;
                tracks.readable.push((now_s, f64::from(value)));
                tracks.difference.push((now_s, f64::from(value - sent)));
            }
            before = turn.blocks;
        }
        tracks
    }
}
