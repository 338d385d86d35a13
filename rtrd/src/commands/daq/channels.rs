//! Which channels a running instance has: their numbers are in its region, their names in its
//! acquisition file.

use std::path::PathBuf;

use acquisition::Plan;
use board_emulator::SOURCE_KIND;
use files::FileError;
use shm_layout::blocks::{self, Acquisition};
use shm_layout::{Reader, Region, RegionName};

use crate::top::instance;
use crate::view::names;

/// The acquisition file of a configuration, if it has one. A path counts from the folder of the
/// configuration.
pub fn acquisition_file(config: &service::Config) -> Result<Option<Plan>, FileError> {
    let load = |name: &String| Plan::load(name, Some(&config.folder), &[SOURCE_KIND]);
    config.daq.acquisition.as_ref().map(load).transpose()
}

/// Which instance, and what its channels are called.
#[derive(clap::Args)]
pub struct ChannelsArguments {
    /// Name of the instance
    #[arg(short, long, value_name = "NAME")]
    pub instance: Option<String>,
    /// Configuration file of the instance
    #[arg(short, long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Acquisition file of the instance, a shipped one or a path, where it is not found without
    #[arg(short, long, value_name = "NAME|FILE")]
    pub acquisition: Option<String>,
}

/// An instance that is looked at, and its acquisition file.
pub struct Channels {
    pub region: Region,
    pub reader: Reader<Acquisition>,
    /// `None` if the file is not known.
    pub plan: Option<Plan>,
}

/// What a channel is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub name: String,
    pub unit: String,
}

impl ChannelsArguments {
    /// Finds the instance and its file: the one that is given, or the one that its acquisition
    /// process was started with.
    pub fn open(&self) -> anyhow::Result<Channels> {
        let arguments = service::Arguments {
            config: self.config.clone(),
            instance: self.instance.clone(),
            ..service::Arguments::default()
        };
        let config = arguments.configuration()?;
        let region = instance::observe(&RegionName::new(&config.instance.name)?)?;
        let given = self.acquisition.as_ref().map(|name| (name.clone(), None));
        let owner = region.block_status(blocks::ACQUISITION.index).owner_pid;
        let running = owner.and_then(names::acquisition_of_process);
        let configured = config.daq.acquisition.clone().map(|name| (name, Some(config.folder.clone())));
        let named = given.or(running).or(configured);
        let plan = named.map(|(name, folder)| Plan::load(&name, folder.as_deref(), &[SOURCE_KIND]));
        Ok(Channels { reader: region.reader(blocks::ACQUISITION), plan: plan.transpose()?, region })
    }
}

impl Channels {
    /// Names and units of so many channels: those of the file if it has as many, numbers otherwise.
    pub fn names(&self, count: usize) -> Vec<Name> {
        match &self.plan {
            Some(plan) if plan.channels.len() == count => plan
                .channels
                .iter()
                .map(|channel| Name {
                    name: channel.name.clone(),
                    unit: shown_unit(channel.calibration.unit.name).to_owned(),
                })
                .collect(),
            _ => (0..count).map(|index| Name { name: format!("channel[{index}]"), unit: String::new() }).collect(),
        }
    }

    /// Names of so many sources.
    pub fn sources(&self, count: usize) -> Vec<String> {
        match &self.plan {
            Some(plan) if plan.sources.len() == count => {
                plan.sources.iter().map(|source| source.name.clone()).collect()
            }
            _ => (0..count).map(|index| format!("source[{index}]")).collect(),
        }
    }
}

/// A number without a unit is called so by showing none.
pub fn shown_unit(unit: &str) -> &str {
    if unit == "1" { "" } else { unit }
}
