//! `rtrd daq calibrate`: walks a person through the calibration of channels, and writes the file.
//!
//! The person holds the channel at known values; the raw numbers that come meanwhile are averaged.
//! Two points make a line, more make a table. Noise proposes the deadband, the points propose the
//! limits. Nothing is written before everything has been answered.

mod dialogue;
mod file;
mod propose;

use std::path::PathBuf;
use std::time::Duration;

use acquisition::Plan;
use acquisition::calibration::Calibration;
use anyhow::{Context, bail};

use super::channels::{Channels, ChannelsArguments, shown_unit};
use dialogue::Dialogue;
use propose::Measured;

/// How often two points that are too close may be tried again.
const ATTEMPTS: usize = 3;

/// Calibrate channels step by step, and write the calibration file
///
/// For each channel: hold it at a known value, type the value (or take the one in brackets) and
/// press Enter; and again at another value. Both points, the noise and the proposals for deadband
/// and limits are shown before anything is written. The old file is kept with the ending .bak.
///
/// Examples:
///   rtrd daq calibrate throttle
///   rtrd daq calibrate brake --points 4 --out my-brake.toml
///   rtrd daq calibrate --dry-run
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct CalibrateArguments {
    /// The channels to calibrate; all of them if none is named
    names: Vec<String>,
    #[command(flatten)]
    channels: ChannelsArguments,
    /// Calibration file to write; without it the one that the acquisition file names, or
    /// calibration.toml
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Points per channel: 2 for a line, more for a table
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u8).range(2..=20))]
    points: u8,
    /// How long raw numbers are averaged at each point
    #[arg(long, value_name = "S", default_value = "1", value_parser = super::record::seconds)]
    seconds: Duration,
    /// Print what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
}

pub fn calibrate(arguments: &CalibrateArguments) -> anyhow::Result<()> {
    let mut channels = arguments.channels.open()?;
    let Some(plan) = channels.plan.take() else {
        bail!("the acquisition file is not known: expected --acquisition NAME|FILE");
    };
    let chosen = choose(&plan, &arguments.names)?;
    let out = file::place(arguments.out.as_deref(), &plan);
    let mut calibrations = file::earlier(&out, &plan)?;
    let mut dialogue = Dialogue::new();
    for index in chosen {
        let name = &plan.channels[index].name;
        let old = &plan.channels[index].calibration;
        let new = calibrate_one(&mut channels, &mut dialogue, arguments, (index, name.as_str()), old)?;
        calibrations.channels.insert(name.clone(), new);
    }
    if arguments.dry_run {
        println!("\nwould write {}:\n\n{calibrations}", out.display());
        return Ok(());
    }
    file::write(&out, &calibrations)?;
    if !plan.calibration.as_deref().is_some_and(|named| out.ends_with(named)) {
        println!("use it with this line in the acquisition file:  calibration = {:?}", out.display().to_string());
    }
    Ok(())
}

fn choose(plan: &Plan, names: &[String]) -> anyhow::Result<Vec<usize>> {
    if names.is_empty() {
        return Ok((0..plan.channels.len()).collect());
    }
    let find = |name: &String| {
        let found = plan.channels.iter().position(|channel| channel.name == *name);
        found.with_context(|| {
            let known: Vec<&str> = plan.channels.iter().map(|channel| channel.name.as_str()).collect();
            format!("there is no channel {name:?} in {}; expected one of {}", plan.file, known.join(", "))
        })
    };
    names.iter().map(find).collect()
}

fn calibrate_one(
    channels: &mut Channels,
    dialogue: &mut Dialogue,
    arguments: &CalibrateArguments,
    (index, name): (usize, &str),
    old: &Calibration,
) -> anyhow::Result<Calibration> {
    let unit = old.unit.name;
    println!("\n{name} ({})", if unit == "1" { "no unit" } else { unit });
    println!("  now: {}", old.to_string().trim_end().replace('\n', ", "));
    let mut attempts = 1..=ATTEMPTS;
    let points = loop {
        let attempt = attempts.next().expect("the last attempt returns");
        let points = measure_points(channels, dialogue, arguments, index, old)?;
        match propose::check(&points) {
            Ok(()) => break points,
            Err(problem) if attempt == ATTEMPTS => bail!("{name}: {problem}; nothing was written"),
            Err(problem) => println!("  {problem}. Once more:"),
        }
    };
    let mut new = propose::calibration(&points, old);
    let deadband = propose::deadband(&points, &new);
    let question = format!("  deadband {deadband:.4} {} (four times the noise)?", shown_unit(unit));
    new.deadband = dialogue.accept(&question, deadband)?.unwrap_or(0.0);
    let (least, most) = propose::limits(&points);
    if dialogue.agree(&format!("  limit the value to {least} … {most} {}?", shown_unit(unit)))? {
        (new.least, new.most) = (least, most);
    }
    println!("  new: {}", new.to_string().trim_end().replace('\n', ", "));
    Ok(new)
}

/// Measures at each point in turn: (value, what was measured there).
fn measure_points(
    channels: &mut Channels,
    dialogue: &mut Dialogue,
    arguments: &CalibrateArguments,
    index: usize,
    old: &Calibration,
) -> anyhow::Result<Vec<(f64, Measured)>> {
    let unit = shown_unit(old.unit.name);
    let count = usize::from(arguments.points);
    let mut points = Vec::new();
    for number in 0..count {
        let usual = propose::usual_value(old, number, count);
        let doing = match number {
            0 => "release it, or hold it at its lowest position",
            last if last + 1 == count => "press it fully, or hold it at its highest position",
            _ => "hold it in between",
        };
        let question = format!("  {}/{count}: {doing}; its value there", number + 1);
        let value = dialogue.value(&question, unit, usual)?;
        let measured = propose::measure(channels, index, arguments.seconds)?;
        println!(
            "       raw {:.2} ± {:.2} ({} to {}, {} samples) is {value} {unit}",
            measured.mean, measured.noise, measured.least, measured.most, measured.count
        );
        points.push((value, measured));
    }
    Ok(points)
}
