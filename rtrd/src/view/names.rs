//! The names of the signals of a running instance, which its region does not hold.
//!
//! The region holds fingerprints of the plant and of the controller. So a scenario that may be the
//! running one can be tried: if the fingerprints fit, its names are the right ones, and if none
//! fits, signals have numbers only. A wrong name is never shown. Tried are, in this order: the
//! scenario that the user names, the one on the command line of the process that steps the plant,
//! and the shipped ones.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use clap::Parser;
use plant::{Port, Scenario};
use service::Job;
use shm_layout::blocks::{PLANT_STATE, SUBSYSTEM_STATE, StateVector};
use shm_layout::{Block, Region};

/// What the signals are called; empty lists for what is not known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    /// The plant.
    pub plant: Option<String>,
    pub demands: Vec<Port>,
    pub inputs: Vec<Port>,
    pub outputs: Vec<Port>,
}

/// Fingerprints of what runs; 0 for what has not been published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Fingerprints {
    plant: u64,
    controller: u64,
}

/// Finds the names, and finds them anew when something else runs.
pub struct Naming {
    given: Option<Job>,
    found_for: Fingerprints,
    names: Names,
}

impl Naming {
    /// `given` is the scenario that the user names.
    pub fn new(given: Option<Job>) -> Self {
        Self { given, found_for: Fingerprints::default(), names: Names::default() }
    }

    /// The names of what runs now.
    pub fn names(&mut self, region: &Region) -> &Names {
        let found = Fingerprints {
            plant: fingerprint(region, PLANT_STATE),
            controller: fingerprint(region, SUBSYSTEM_STATE),
        };
        if found != self.found_for {
            self.found_for = found;
            let running = region.block_status(PLANT_STATE.index).owner_pid;
            let running = running.and_then(job_of_process);
            let shipped = shipped();
            let candidates = self.given.iter().chain(&running).chain(&shipped);
            self.names = find(candidates, found);
        }
        &self.names
    }
}

/// The shipped scenarios of plants.
fn shipped() -> Vec<Job> {
    let names = Scenario::builtin_names().into_iter();
    names.filter_map(|name| Some(Job::Plant(Box::new(Scenario::builtin(name).ok()?)))).collect()
}

fn fingerprint(region: &Region, block: Block<StateVector>) -> u64 {
    let mut reader = region.reader(block);
    reader.latest().map_or(0, |snapshot| snapshot.value.model_hash)
}

fn find<'a>(candidates: impl IntoIterator<Item = &'a Job>, wanted: Fingerprints) -> Names {
    let mut names = Names::default();
    for job in candidates {
        if names.plant.is_none() && job.plant_hash() == wanted.plant {
            let plant = job.description();
            names.plant = Some(plant.name);
            names.inputs = plant.inputs;
            names.outputs = plant.outputs;
        }
        if names.demands.is_empty() && job.controller_hash() == wanted.controller {
            names.demands = job.demands();
        }
    }
    names
}

/// A service's command line as clap reads it.
#[derive(Parser)]
struct ServiceLine {
    #[command(flatten)]
    arguments: service::Arguments,
}

/// The scenario that a process was started with, if its command line can be read and its files are
/// still there.
fn job_of_process(pid: u32) -> Option<Job> {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    // Relative paths count from where the process is; who may not know that can still read absolute
    // ones.
    let folder = std::fs::read_link(format!("/proc/{pid}/cwd")).unwrap_or_default();
    job_of_line(&line, &folder)
}

/// The acquisition file that a process was started with, and the folder from which its path counts.
pub fn acquisition_of_process(pid: u32) -> Option<(String, Option<PathBuf>)> {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let folder = std::fs::read_link(format!("/proc/{pid}/cwd")).unwrap_or_default();
    let arguments = arguments_of_line(&line, &folder)?;
    let config = arguments.configuration().ok()?;
    let name = config.daq.acquisition?;
    let is_on_the_line = arguments.acquisition.is_some();
    Some((name, Some(if is_on_the_line { folder } else { config.folder })))
}

fn arguments_of_line(line: &[u8], folder: &Path) -> Option<service::Arguments> {
    let words = line.split(|byte| *byte == 0).filter(|word| !word.is_empty());
    let mut arguments = ServiceLine::try_parse_from(words.map(OsStr::from_bytes)).ok()?.arguments;
    arguments.config = arguments.config.map(|path: PathBuf| folder.join(path));
    Some(arguments)
}

fn job_of_line(line: &[u8], folder: &Path) -> Option<Job> {
    let arguments = arguments_of_line(line, folder)?;
    let mut config = arguments.configuration().ok()?;
    if arguments.scenario.is_some() {
        config.folder = folder.to_owned();
    }
    Job::read(&config).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_scenario_is_named_by_its_fingerprints() {
        for job in shipped() {
            let wanted = Fingerprints { plant: job.plant_hash(), controller: job.controller_hash() };
            let names = find(&shipped(), wanted);
            assert_eq!(names.plant, Some(job.description().name));
            assert_eq!(names.outputs, job.description().outputs);
            assert_eq!(names.demands, job.demands(), "{}", job.name());
        }
    }

    #[test]
    fn another_model_has_no_names() {
        let unknown = Fingerprints { plant: 3, controller: 5 };
        assert_eq!(find(&shipped(), unknown), Names::default());
    }

    #[test]
    fn the_scenario_is_read_from_a_command_line() {
        let folder = tempfile::tempdir().unwrap();
        let text = Scenario::builtin_text("car-cruise").unwrap();
        std::fs::write(folder.path().join("mine.toml"), text).unwrap();
        std::fs::write(folder.path().join("car.toml"), "[instance]\nscenario = \"./mine.toml\"\n").unwrap();
        let cruise = Scenario::builtin("car-cruise").unwrap();
        for line in [
            "dynamics-service\0--scenario\0car-cruise\0--supervisor\x0017\0",
            "dynamics-service\0--scenario\0./mine.toml\0",
            "dynamics-service\0--config\0car.toml\0",
        ] {
            let found = job_of_line(line.as_bytes(), folder.path());
            assert_eq!(
                found.map(|found| found.name().to_owned()).as_deref(),
                Some(cruise.name()),
                "{line:?}"
            );
        }
        assert!(job_of_line(b"vim\0--what\0", folder.path()).is_none());
        assert!(job_of_line(b"", folder.path()).is_some_and(|found| found.name() != cruise.name()));
    }
}
