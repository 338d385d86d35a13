//! The names of the signals of a running instance, which its region does not hold.
//!
//! The region holds fingerprints of the plant and of the controller. So a scenario that may be the running one can be
//! tried: if the fingerprints fit, its names are the right ones, and if none fits, signals have numbers only. A wrong name
//! is never shown. Tried are, in this order: the scenario that the user names, the one on the command line of the process
//! that steps the plant, and the shipped ones.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use clap::Parser;
use plant::{Port, Scenario};
use service::model_hash;
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
    given: Option<Scenario>,
    found_for: Fingerprints,
    names: Names,
}

impl Naming {
    /// `given` is the scenario that the user names.
    pub fn new(given: Option<Scenario>) -> Self {
        Self {
            given,
            found_for: Fingerprints::default(),
            names: Names::default(),
        }
    }

    /// The names of what runs now.
    pub fn names(&mut self, region: &Region) -> &Names {
        let found = Fingerprints {
            plant: fingerprint(region, PLANT_STATE),
            controller: fingerprint(region, SUBSYSTEM_STATE),
        };
        if found != self.found_for {
            self.found_for = found;
            self.names = find(&self.candidates(region), found);
        }
        &self.names
    }

    fn candidates(&self, region: &Region) -> Vec<Scenario> {
        let stepping = region.block_status(PLANT_STATE.index).owner_pid;
        let shipped = Scenario::builtin_names()
            .into_iter()
            .filter_map(|name| Scenario::builtin(name).ok());
        self.given
            .iter()
            .cloned()
            .chain(stepping.and_then(scenario_of_process))
            .chain(shipped)
            .collect()
    }
}

fn fingerprint(region: &Region, block: Block<StateVector>) -> u64 {
    let mut reader = region.reader(block);
    reader.latest().map_or(0, |snapshot| snapshot.value.model_hash)
}

fn find(candidates: &[Scenario], wanted: Fingerprints) -> Names {
    let mut names = Names::default();
    for scenario in candidates {
        let plant = scenario.build_plant();
        let plant = plant.description();
        if names.plant.is_none() && model_hash(plant) == wanted.plant {
            names.plant = Some(plant.name.clone());
            names.inputs.clone_from(&plant.inputs);
            names.outputs.clone_from(&plant.outputs);
        }
        let controller = scenario.build_controller();
        let controller = controller.description();
        if names.demands.is_empty() && model_hash(controller) == wanted.controller {
            names.demands.clone_from(&controller.demands);
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

/// The scenario that a process was started with, if its command line can be read and its files are still there.
fn scenario_of_process(pid: u32) -> Option<Scenario> {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    // Relative paths count from where the process is; who may not know that can still read absolute ones.
    let folder = std::fs::read_link(format!("/proc/{pid}/cwd")).unwrap_or_default();
    scenario_of_line(&line, &folder)
}

fn scenario_of_line(line: &[u8], folder: &Path) -> Option<Scenario> {
    let words = line.split(|byte| *byte == 0).filter(|word| !word.is_empty());
    let mut arguments = ServiceLine::try_parse_from(words.map(OsStr::from_bytes))
        .ok()?
        .arguments;
    arguments.config = arguments.config.map(|path: PathBuf| folder.join(path));
    let mut config = arguments.configuration().ok()?;
    if arguments.scenario.is_some() {
        config.folder = folder.to_owned();
    }
    config.scenario().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprints(scenario: &Scenario) -> Fingerprints {
        Fingerprints {
            plant: model_hash(scenario.build_plant().description()),
            controller: model_hash(scenario.build_controller().description()),
        }
    }

    fn shipped() -> Vec<Scenario> {
        let names = Scenario::builtin_names().into_iter();
        names.map(|name| Scenario::builtin(name).unwrap()).collect()
    }

    #[test]
    fn every_shipped_scenario_is_named_by_its_fingerprints() {
        for scenario in shipped() {
            let names = find(&shipped(), fingerprints(&scenario));
            let plant = scenario.build_plant();
            assert_eq!(names.plant.as_deref(), Some(plant.description().name.as_str()));
            assert_eq!(names.outputs, plant.description().outputs);
            assert_eq!(names.demands, scenario.demands().ports(), "{}", scenario.name());
        }
    }

    #[test]
    fn another_model_has_no_names() {
        let unknown = Fingerprints {
            plant: 3,
            controller: 5,
        };
        assert_eq!(find(&shipped(), unknown), Names::default());
    }

    #[test]
    fn the_scenario_is_read_from_a_command_line() {
        let folder = tempfile::tempdir().unwrap();
        let text = Scenario::builtin_text("car-cruise").unwrap();
        std::fs::write(folder.path().join("mine.toml"), text).unwrap();
        std::fs::write(
            folder.path().join("car.toml"),
            "[instance]\nscenario = \"./mine.toml\"\n",
        )
        .unwrap();
        let cruise = Scenario::builtin("car-cruise").unwrap();
        for line in [
            "dynamics-service\0--scenario\0car-cruise\0--supervisor\x0017\0",
            "dynamics-service\0--scenario\0./mine.toml\0",
            "dynamics-service\0--config\0car.toml\0",
        ] {
            let found = scenario_of_line(line.as_bytes(), folder.path());
            assert_eq!(
                found.map(|found| found.name().to_owned()).as_deref(),
                Some(cruise.name()),
                "{line:?}"
            );
        }
        assert!(scenario_of_line(b"vim\0--what\0", folder.path()).is_none());
        assert!(scenario_of_line(b"", folder.path()).is_some_and(|found| found.name() != cruise.name()));
    }
}
