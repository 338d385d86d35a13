//! Which channels a running instance has: their numbers and names are in its region.

use std::path::PathBuf;

use acquisition::Plan;
use board_emulator::SOURCE_KIND;
use files::FileError;
use shm_layout::blocks::{self, Acquisition};
use shm_layout::signals::names::RunNames;
use shm_layout::{Reader, Region, RegionError};

use crate::top::InstanceArguments;

/// The acquisition file of a configuration, if it has one. A path counts from the folder of the
/// configuration.
pub fn acquisition_file(config: &service::Config) -> Result<Option<Plan>, FileError> {
    let load = |name: &String| Plan::load(name, Some(&config.folder), &[SOURCE_KIND]);
    config.daq.acquisition.as_ref().map(load).transpose()
}

/// Which instance, and what its channels are called.
#[derive(clap::Args)]
pub struct ChannelsArguments {
    #[command(flatten)]
    instance: InstanceArguments,
    /// Acquisition file of the instance, a shipped one or a path, where its names are not those of
    /// the run
    #[arg(short, long, value_name = "NAME|FILE")]
    acquisition: Option<String>,
}

/// An instance that is looked at, and what its sources and channels are called.
pub struct Channels {
    pub region: Region,
    pub reader: Reader<Acquisition>,
    /// The acquisition file, where it can be read.
    pub plan: Option<Plan>,
    /// What it is called; `None` if it is not known.
    pub file: Option<String>,
    sources: Vec<String>,
    channels: Vec<Name>,
}

/// What a channel is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub name: String,
    pub unit: String,
}

impl ChannelsArguments {
    /// Finds the instance and its names: those of the file that is given, or those that its region
    /// has.
    pub fn open(&self) -> anyhow::Result<Channels> {
        let (mut config, region) = self.instance.observe()?;
        if let Some(given) = &self.acquisition {
            (config.daq.acquisition, config.folder) = (Some(given.clone()), PathBuf::new());
        }
        let names = names_of_run(&region);
        let running = names.titles.first().map(|(file, _)| file.clone()).filter(|_| self.acquisition.is_none());
        let reader = region.reader(blocks::ACQUISITION);
        match running {
            Some(file) => {
                // Where its file lies elsewhere, the names are still known.
                let plan = Plan::load(&file, None, &[SOURCE_KIND]).ok();
                let sources = named(&names, "sources", "state").map(|(name, _)| name).collect();
                let channels = named(&names, "channels", "value").map(|(name, unit)| Name { name, unit }).collect();
                Ok(Channels { reader, region, plan, file: Some(file), sources, channels })
            }
            None => {
                let plan = acquisition_file(&config)?;
                let (sources, channels) = plan.as_ref().map(names_of_plan).unwrap_or_default();
                let file = plan.as_ref().map(|plan| plan.file.clone());
                Ok(Channels { reader, region, plan, file, sources, channels })
            }
        }
    }
}

/// What the acquisition process has said about its numbers.
fn names_of_run(region: &Region) -> RunNames {
    let mut reader = region.reader(blocks::DAQ_NAMES);
    reader.latest().map_or_else(RunNames::default, |names| RunNames::from_text(&names.value.to_text()))
}

/// Names and units of the sources or channels of a run, which all have this field.
fn named<'a>(names: &'a RunNames, list: &'a str, field: &'a str) -> impl Iterator<Item = (String, String)> + 'a {
    names.names.iter().filter_map(move |it| {
        let name = it.name.strip_prefix(list)?.strip_prefix('.')?.strip_suffix(field)?.strip_suffix('.')?;
        Some((name.to_owned(), shown_unit(&it.unit).to_owned()))
    })
}

fn names_of_plan(plan: &Plan) -> (Vec<String>, Vec<Name>) {
    let channels = plan
        .channels
        .iter()
        .map(|channel| Name { name: channel.name.clone(), unit: shown_unit(channel.calibration.unit.name).to_owned() });
    (plan.sources.iter().map(|source| source.name.clone()).collect(), channels.collect())
}

impl Channels {
    /// Opens the next run under the same name.
    pub fn find_next(&mut self) -> Result<(), RegionError> {
        self.region = Region::observe(self.region.name())?;
        self.reader = self.region.reader(blocks::ACQUISITION);
        Ok(())
    }

    /// Names and units of so many channels: numbers where the known names are others'.
    pub fn names(&self, count: usize) -> Vec<Name> {
        if self.channels.len() == count {
            return self.channels.clone();
        }
        (0..count).map(|index| Name { name: format!("channel[{index}]"), unit: String::new() }).collect()
    }

    /// Names of so many sources.
    pub fn sources(&self, count: usize) -> Vec<String> {
        if self.sources.len() == count {
            return self.sources.clone();
        }
        (0..count).map(|index| format!("source[{index}]")).collect()
    }
}

/// A number without a unit is called so by showing none.
pub fn shown_unit(unit: &str) -> &str {
    if matches!(unit, "1" | "-") { "" } else { unit }
}
