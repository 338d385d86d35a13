//! `rtrd signals`: the index library, and live values.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use shm_layout::signals::{Library, Signal};
use shm_layout::{Region, RegionName};
use vehicle::files::did_you_mean;

/// List the signals of the shared blocks, or read live values
///
/// Every number in every block has a number and a name. With names (or numbers, or a part of a
/// name), the live values of the running instance are printed.
#[derive(clap::Args)]
pub struct SignalsArguments {
    /// Names, numbers, or parts of names (`plant_outputs`, `speed`)
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

pub fn signals(arguments: &SignalsArguments) -> anyhow::Result<ExitCode> {
    let library = Library::new();
    let chosen = choose(&library, arguments)?;
    let live = arguments.instance.is_some() || arguments.watch.is_some();
    if live {
        let name = RegionName::new(arguments.instance.as_deref().unwrap_or("default"))?;
        return print_live(&Region::observe(&name)?, &chosen, arguments.watch);
    }
    for signal in chosen {
        let field = signal.field;
        println!(
            "{:>6} {:44} {:8} {:2} {:>12}  {}",
            signal.number, signal.name, field.unit, field.frame, field.invalid, field.description
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn choose<'a>(library: &'a Library, arguments: &SignalsArguments) -> anyhow::Result<Vec<&'a Signal>> {
    let listed = |signal: &&Signal| arguments.all || !is_later_element(&signal.name);
    if arguments.signals.is_empty() {
        return Ok(library.all().iter().filter(listed).collect());
    }
    let mut chosen = Vec::new();
    for wanted in &arguments.signals {
        let exact = wanted
            .parse()
            .ok()
            .and_then(|number| library.by_number(number))
            .or_else(|| library.by_name(wanted));
        let found: Vec<&Signal> = match exact {
            Some(signal) => vec![signal],
            None => library
                .all()
                .iter()
                .filter(|signal| signal.name.contains(wanted.as_str()))
                .filter(listed)
                .collect(),
        };
        if found.is_empty() {
            let names = library.all().iter().map(|signal| signal.name.as_str());
            let nearest = did_you_mean(wanted, names);
            bail!(
                "no signal has the name, the number or the part of a name {wanted:?}; `rtrd signals` lists them{nearest}"
            );
        }
        chosen.extend(found);
    }
    Ok(chosen)
}

/// Whether a name contains an index other than `[0]`.
fn is_later_element(name: &str) -> bool {
    name.split('[').skip(1).any(|part| !part.starts_with("0]"))
}

fn print_live(region: &Region, signals: &[&Signal], watch_ms: Option<u64>) -> anyhow::Result<ExitCode> {
    loop {
        for signal in signals {
            let mut reader = region.word_reader(signal.block);
            let value =
                reader.latest().map_or("not published".to_owned(), |words| signal.format(words[signal.word]));
            println!("{:>6} {:44} {value} {}", signal.number, signal.name, signal.field.unit);
        }
        let Some(pause_ms) = watch_ms else {
            return Ok(ExitCode::SUCCESS);
        };
        std::thread::sleep(Duration::from_millis(pause_ms));
        if region.is_removed() {
            println!("the run is over");
            return Ok(ExitCode::SUCCESS);
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
        assert!(is_later_element("kinematics.wheels[2].axle_x"));
        assert!(is_later_element("sensors.accelerometers_m_s2[0].x[1]"));
    }
}
