//! What a run calls its numbers: written once, before the first step, for whoever looks.

use plant::{Port, Scenario};
use shm_layout::blocks::Names;
use shm_layout::signals::Library;
use shm_layout::signals::names::{RunName, RunNames};
use shm_layout::{Block, ClaimError, Region, Writer};
use vehicle::assembly::Setup;

use crate::Job;

/// Publishes the names; the block belongs to the process as long as it holds the writer.
pub fn publish_names(region: &Region, block: Block<Names>, names: &RunNames) -> Result<Writer<Names>, ClaimError> {
    let mut writer = region.claim(block)?;
    let mut payload = Box::new(Names::from_text(&names.to_text()));
    payload.stamp.publish_ns = shm_layout::clock::monotonic_ns();
    writer.publish(&payload);
    Ok(writer)
}

/// Collects names, each once: a second one gets a word before it.
pub struct Naming {
    library: Library,
    names: RunNames,
}

impl Naming {
    /// What runs: its name and what it is.
    #[must_use]
    pub fn new(titles: &[(&str, &str)]) -> Self {
        let owned = |(name, description): &(&str, &str)| ((*name).to_owned(), (*description).to_owned());
        let titles = titles.iter().map(owned).collect();
        Self { library: Library::new(), names: RunNames { titles, names: Vec::new() } }
    }

    /// Names the number that the declaration calls `declared`.
    pub fn name(&mut self, declared: &str, otherwise: &str, port: &Port) {
        let Some(signal) = self.library.by_name(declared) else { return };
        let is_taken = self.names.names.iter().any(|known| known.name == port.name);
        let name = if is_taken { format!("{otherwise}_{}", port.name) } else { port.name.clone() };
        self.names.names.push(RunName {
            number: signal.number,
            name,
            unit: if matches!(port.unit.as_str(), "1" | "") { "-".to_owned() } else { port.unit.clone() },
            range: port.range.to_string(),
            description: port.meaning.clone(),
        });
    }

    /// All names.
    #[must_use]
    pub fn finish(self) -> RunNames {
        self.names
    }
}

/// The names of a job's numbers.
#[must_use]
pub fn names_of(job: &Job) -> RunNames {
    match job {
        Job::Plant(scenario) => of_plant(scenario),
        Job::Vehicle(setup) => of_vehicle(setup),
    }
}

fn of_plant(scenario: &Scenario) -> RunNames {
    let plant = scenario.build_plant().description().clone();
    let mut naming = Naming::new(&[(scenario.name(), scenario.description()), (&plant.name, &plant.summary)]);
    for (list, otherwise, ports) in [
        ("plant_outputs.outputs", "output", plant.outputs.as_slice()),
        ("plant_inputs.inputs", "input", &plant.inputs),
        ("demands.demands", "demand", scenario.demands().ports()),
        ("plant_state.states", "state", &plant.states),
    ] {
        for (index, port) in ports.iter().enumerate() {
            naming.name(&format!("{list}[{index}]"), otherwise, port);
        }
    }
    naming.finish()
}

/// The state of a mechanism: time, then positions and velocities of its joints.
fn of_vehicle(setup: &Setup) -> RunNames {
    let (vehicle, manoeuvre) = (&setup.vehicle, &setup.manoeuvre);
    let mut naming = Naming::new(&[(&manoeuvre.name, &manoeuvre.description), (&vehicle.name, &vehicle.description)]);
    for (name, index) in setup.joint_names().iter().zip(1..) {
        let range = plant::Range::new(-1e308, 1e308);
        let unit = [("_rad_s", "rad/s"), ("_m_s", "m/s"), ("_rad", "rad"), ("_m", "m")];
        let unit = unit.iter().find(|(ending, _)| name.ends_with(ending)).map_or("1", |(_, unit)| unit);
        let port = Port::new(&format!("joints.{name}"), unit, range, 0.0, "coordinate of a joint, or its rate");
        naming.name(&format!("plant_state.states[{index}]"), "state", &port);
    }
    naming.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shm_layout::signals::Dictionary;
    use std::collections::BTreeSet;
    use vehicle::assembly::Choice;

    fn jobs() -> Vec<Job> {
        let plants = Scenario::builtin_names().into_iter();
        let plants = plants.map(|name| Job::Plant(Box::new(Scenario::builtin(name).expect("shipped"))));
        let vehicles = ["hmmwv", "passenger-car", "tractor-semitrailer"].map(|vehicle| {
            let choice =
                Choice { manoeuvre: "drive-default".into(), vehicle: Some(vehicle.into()), ..Choice::default() };
            Job::Vehicle(Box::new(Setup::read(&choice, 1e-3).expect("shipped")))
        });
        plants.chain(vehicles).collect()
    }

    /// Every number of every shipped job has a name of its own, and the text has room for all.
    #[test]
    fn names_are_unique_and_fit_into_their_block() {
        for job in jobs() {
            let names = names_of(&job);
            let text = names.to_text();
            assert_eq!(RunNames::from_text(&Names::from_text(&text).to_text()), names, "{}", job.name());
            assert_eq!(names.titles[0].0, job.name());
            let dictionary = Dictionary::new(&[names]);
            let all: BTreeSet<&str> = dictionary.entries().iter().map(|entry| entry.name.as_str()).collect();
            assert_eq!(all.len(), dictionary.entries().len(), "{}", job.name());
        }
    }

    #[test]
    fn a_tank_and_a_joint_are_asked_for_by_name() {
        let tank = Job::Plant(Box::new(Scenario::builtin("tank-level").expect("shipped")));
        let dictionary = Dictionary::new(&[names_of(&tank)]);
        for (name, declared, unit) in [
            ("level_cm", "plant_outputs.outputs[0]", "cm"),
            ("inlet_valve_ratio", "plant_inputs.inputs[0]", "-"),
            ("demand_level_cm", "demands.demands[0]", "cm"),
            ("state_level_cm", "plant_state.states[0]", "cm"),
        ] {
            let entry = dictionary.find(name).unwrap_or_else(|| panic!("no {name}"));
            assert_eq!((entry.declared.as_str(), entry.unit.as_str()), (declared, unit));
        }
        let car = jobs().pop().expect("a vehicle");
        let dictionary = Dictionary::new(&[names_of(&car)]);
        let wheel = dictionary.find("joints.chassis_z_m").expect("the chassis' height");
        assert_eq!((wheel.declared.as_str(), wheel.unit.as_str()), ("plant_state.states[3]", "m"));
    }
}
