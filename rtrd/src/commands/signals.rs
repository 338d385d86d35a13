//! `rtrd signals`: the dictionary, and live values.

use std::time::Duration;

use anyhow::bail;
use shm_layout::signals::{Dictionary, Entry};
use shm_layout::{Region, RegionName};
use vehicle::files::did_you_mean;

use crate::view::LiveSignals;

/// List the signals, or read live values
///
/// Every number that a run shares has a name, a unit and a description, and so have the views for
/// people that follow from them (`speed_km_h`). With --instance or --watch the live values of a
/// running instance are printed, and the names that only that run knows are listed too.
///
/// Examples: `rtrd signals speed`, `rtrd signals --instance default speed_km_h
/// 'vehicle.wheels[*].load_n'`
#[derive(clap::Args)]
pub struct SignalsArguments {
    /// Names, numbers, parts of names (`plant_outputs`, `speed`), or patterns in which * stands for
    /// anything
    signals: Vec<String>,
    /// Print the live values of this instance
    #[arg(short, long, value_name = "NAME")]
    instance: Option<String>,
    /// Print again every so many milliseconds, until Ctrl-C
    #[arg(short, long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    watch: Option<u64>,
    /// List all elements of arrays, not only the first
    #[arg(short, long)]
    all: bool,
}

pub fn signals(arguments: &SignalsArguments) -> anyhow::Result<()> {
    if arguments.instance.is_some() || arguments.watch.is_some() {
        let name = RegionName::new(arguments.instance.as_deref().unwrap_or("default"))?;
        return print_live(&crate::top::observe(&name)?, arguments);
    }
    let dictionary = Dictionary::default();
    for entry in listed(&dictionary, arguments)? {
        println!(
            "{:>6} {:44} {:8} {:2} {:>16}  {}",
            entry.number, entry.name, entry.unit, entry.frame, entry.range, entry.description
        );
    }
    Ok(())
}

/// The signals of all patterns; all there are without one.
pub fn choose<'a>(dictionary: &'a Dictionary, patterns: &[String]) -> anyhow::Result<Vec<&'a Entry>> {
    let mut chosen: Vec<&Entry> = Vec::new();
    for pattern in patterns {
        let found = dictionary.choose(pattern);
        if found.is_empty() {
            let names = dictionary.entries().iter().map(|entry| entry.name.as_str());
            let nearest = did_you_mean(pattern, names);
            bail!(
                "no signal has the name, the number or the part of a name {pattern:?}; `rtrd signals` lists them{nearest}"
            );
        }
        chosen.extend(found);
    }
    Ok(chosen)
}

/// What is listed: of arrays that are not asked for by name or pattern the first element.
fn listed<'a>(dictionary: &'a Dictionary, arguments: &SignalsArguments) -> anyhow::Result<Vec<&'a Entry>> {
    let is_first = |entry: &&Entry| arguments.all || entry.is_of_run || !is_later_element(&entry.declared);
    if arguments.signals.is_empty() {
        return Ok(dictionary.entries().iter().filter(is_first).collect());
    }
    let mut chosen = Vec::new();
    for pattern in &arguments.signals {
        let found = choose(dictionary, std::slice::from_ref(pattern))?;
        let is_exact = pattern.contains('*') || found.len() == 1;
        chosen.extend(found.into_iter().filter(|entry| is_exact || is_first(entry)));
    }
    Ok(chosen)
}

/// Whether a name contains an index other than `[0]`.
fn is_later_element(name: &str) -> bool {
    name.split('[').skip(1).any(|part| !part.starts_with("0]"))
}

fn print_live(region: &Region, arguments: &SignalsArguments) -> anyhow::Result<()> {
    let mut live = LiveSignals::new(region);
    live.look_at_all();
    let chosen = listed(&live.dictionary, arguments)?;
    // A pattern means the wheels that there are.
    let is_meant = |entry: &&Entry| {
        let is_asked_for = |name: &String| *name == entry.name || *name == entry.declared;
        entry.value(&live.blocks).is_some() || arguments.signals.iter().any(is_asked_for)
    };
    let meant: Vec<&Entry> = chosen.iter().copied().filter(is_meant).collect();
    let meant = if meant.is_empty() { chosen } else { meant };
    let names: Vec<String> = meant.into_iter().map(|entry| entry.name.clone()).collect();
    loop {
        live.look_at_all();
        for entry in names.iter().filter_map(|name| live.dictionary.find(name)) {
            let value = entry.text(&live.blocks).unwrap_or_else(|| "not published".to_owned());
            println!("{:>6} {:44} {value} {}", entry.number, entry.name, entry.unit);
        }
        let Some(pause_ms) = arguments.watch else {
            return Ok(());
        };
        std::thread::sleep(Duration::from_millis(pause_ms));
        if region.is_removed() {
            println!("the run is over");
            return Ok(());
        }
        println!();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_listed_by_their_first_element() {
        assert!(!is_later_element("demands.demands[0]"));
        assert!(is_later_element("kinematics.wheels[2].axle.x"));
        assert!(is_later_element("sensors.accelerometers[0].x[1]"));
    }
}
