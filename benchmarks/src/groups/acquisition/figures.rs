//! Bytes transferred in each loop, as in DAS Fig. 4.16 (the first 1000 loops) and Fig. 4.17 (a whole manoeuvre), for every strategy.

use std::path::{Path, PathBuf};

use acquisition::stream::StrategyName;
use anyhow::{Context as _, Result};
use plot::{LinePlot, Panel, Series};

const FIRST_LOOPS: usize = 1000;

/// Draws both figures into a folder.
pub fn draw(folder: &Path, manoeuvre: &[(StrategyName, Vec<u32>)]) -> Result<[PathBuf; 2]> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let first = folder.join("acquisition-loops.svg");
    let whole = folder.join("acquisition-manoeuvre.svg");
    picture(
        "Bytes transferred in the first 1000 loops",
        manoeuvre,
        FIRST_LOOPS,
    )
    .write_svg(&first)?;
    picture("Bytes transferred during a manoeuvre", manoeuvre, usize::MAX).write_svg(&whole)?;
    Ok([first, whole])
}

fn picture(title: &str, manoeuvre: &[(StrategyName, Vec<u32>)], loops: usize) -> LinePlot {
    let panel = |(name, bytes): &(StrategyName, Vec<u32>)| {
        let shown = bytes.iter().take(loops).enumerate();
        let points = shown
            .map(|(index, bytes)| (index as f64, f64::from(*bytes)))
            .collect();
        Panel::new("bytes", vec![Series::new(name.words(), points)])
    };
    LinePlot::new(title, "loop", manoeuvre.iter().map(panel).collect())
}
