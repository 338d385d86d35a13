//! The arguments that every service has.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::config::{Config, ConfigError};

/// What is given here counts more than the configuration file.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Arguments {
    /// Configuration file; without one, every key has its default (`rtrd config` prints them)
    #[arg(short, long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Name of the instance
    #[arg(short, long, value_name = "NAME")]
    pub instance: Option<String>,
    /// Scenario or manoeuvre: the name of a shipped one (`rtrd scenarios` lists them) or the path
    /// of a file
    #[arg(short, long, value_name = "NAME|FILE")]
    pub scenario: Option<String>,
    /// Vehicle of a manoeuvre: the name of a shipped one or the path of a file
    #[arg(long, value_name = "NAME|FILE")]
    pub vehicle: Option<String>,
    /// Road of a manoeuvre: the name of a shipped one or the path of a file
    #[arg(long, value_name = "NAME|FILE")]
    pub road: Option<String>,
    /// Acquisition file: the name of a shipped one or the path of a file; its data drives
    #[arg(long, value_name = "NAME|FILE")]
    pub acquisition: Option<String>,
    /// Treat missing real-time rights as errors
    #[arg(long)]
    pub require_rt: bool,
    /// Process number of the supervisor: this process ends when that one does
    #[arg(long, value_name = "PID", hide = true)]
    pub supervisor: Option<i32>,
    /// Print the hash of the shared region's layout and end: programs that print the same one can
    /// meet
    #[arg(long, hide = true)]
    pub layout_hash: bool,
}

impl Arguments {
    /// The configuration that these arguments and the file make together.
    pub fn configuration(&self) -> Result<Config, ConfigError> {
        let mut config = Config::load(self.config.as_deref())?;
        if let Some(instance) = &self.instance {
            config.instance.name.clone_from(instance);
        }
        if let Some(scenario) = &self.scenario {
            config.instance.scenario.clone_from(scenario);
            // A path on the command line counts from where the user is.
            config.folder = PathBuf::new();
        }
        for (given, key) in [(&self.vehicle, &mut config.instance.vehicle), (&self.road, &mut config.instance.road)] {
            if given.is_some() {
                key.clone_from(given);
            }
        }
        if let Some(acquisition) = &self.acquisition {
            config.daq.acquisition = Some(acquisition.clone());
            config.subsystem.driver = crate::config::DriverSource::Block;
            config.folder = PathBuf::new();
        }
        config.realtime.require |= self.require_rt;
        Ok(config)
    }

    /// The same arguments for another process.
    pub fn to_command_line(&self) -> Vec<OsString> {
        let text = |value: &Option<String>| value.as_ref().map(OsString::from);
        let given = [
            ("--config", self.config.as_ref().map(OsString::from)),
            ("--instance", text(&self.instance)),
            ("--scenario", text(&self.scenario)),
            ("--vehicle", text(&self.vehicle)),
            ("--road", text(&self.road)),
            ("--acquisition", text(&self.acquisition)),
        ];
        let given = given.into_iter().filter_map(|(name, value)| Some([OsString::from(name), value?]));
        given.flatten().chain(self.require_rt.then(|| "--require-rt".into())).collect()
    }
}
