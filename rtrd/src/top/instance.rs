//! The instance to look at, or a message that helps to find it.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use service::Config;
use shm_layout::{Region, RegionError, RegionName};

/// The instance to look at.
#[derive(clap::Args)]
pub struct InstanceArguments {
    /// Name of the instance
    #[arg(short, long, value_name = "NAME")]
    instance: Option<String>,
    /// Configuration file of the instance, for its name
    #[arg(short, long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl InstanceArguments {
    /// Its configuration, and its region.
    pub fn observe(&self) -> anyhow::Result<(Config, Region)> {
        let (config, instance) = (self.config.clone(), self.instance.clone());
        let config = service::Arguments { config, instance, ..service::Arguments::default() }.configuration()?;
        let region = observe(&RegionName::new(&config.instance.name)?)?;
        Ok((config, region))
    }
}

/// Opens the region of an instance to look at it. If nothing runs under that name, the message says
/// what does.
pub fn observe(name: &RegionName) -> anyhow::Result<Region> {
    match Region::observe(name) {
        Err(RegionError::NotFound { .. }) => {
            bail!("no instance {:?} is running; start it with `rtrd run`{}", name.instance(), others(name.directory()))
        }
        other => {
            let region = other?;
            region.explain_faults().context("cannot listen for signals")?;
            Ok(region)
        }
    }
}

fn others(directory: &Path) -> String {
    let names = RegionName::all_in(directory).unwrap_or_default();
    if names.is_empty() {
        return " (no other instance is running either)".to_owned();
    }
    let list: Vec<String> = names.iter().map(describe).collect();
    format!(", or look at another with `--instance NAME`:\n  {}", list.join("\n  "))
}

fn describe(name: &RegionName) -> String {
    let instance = name.instance();
    match Region::observe(name) {
        Ok(region) => {
            let mut pids: Vec<u32> = region.owners().into_iter().map(|(_, pid)| pid).collect();
            pids.sort_unstable();
            pids.dedup();
            match pids.len() {
                0 => format!("{instance} (left behind: `rtrd clean` removes it)"),
                1 => format!("{instance} (1 process)"),
                count => format!("{instance} ({count} processes)"),
            }
        }
        Err(RegionError::Forbidden { .. } | RegionError::Untrusted { .. }) => {
            format!("{instance} (not open to this user)")
        }
        Err(error) => format!("{instance} ({error})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shm_layout::blocks;

    #[test]
    fn a_missing_instance_is_answered_with_those_that_exist() {
        let folder = tempfile::tempdir().unwrap();
        let name = |instance: &str| RegionName::in_directory(folder.path(), instance).unwrap();
        let message = observe(&name("none")).unwrap_err().to_string();
        assert!(message.contains("no other instance"), "{message}");

        let _left = Region::create(&name("left"), None).unwrap();
        let live = Region::create(&name("live"), None).unwrap();
        let _writer = live.claim(blocks::DRIVER).unwrap();
        std::fs::write(name("odd").path(), "something else").unwrap();
        let message = observe(&name("none")).unwrap_err().to_string();
        assert!(message.contains("live (1 process)"), "{message}");
        assert!(message.contains("left (left behind"), "{message}");
        assert!(message.contains("odd (") && message.contains("not a region"), "{message}");
        assert!(observe(&name("live")).is_ok());
        assert!(observe(&name("odd")).is_err());
    }
}
