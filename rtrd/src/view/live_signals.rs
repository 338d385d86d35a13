//! The signals of a running instance by name: its region says all that is needed.

use shm_layout::reader::WordReader;
use shm_layout::signals::names::RunNames;
use shm_layout::signals::{Blocks, Dictionary, Entry};
use shm_layout::{Reader, Region, blocks};

use blocks::{CATALOGUE, DAQ_NAMES, DEMANDS, FORCES, KINEMATICS, Names, PLANT_INPUTS, PLANT_OUTPUTS, VEHICLE};

/// Blocks that belong to one step.
const OF_A_STEP: [usize; 6] =
    [KINEMATICS.index, FORCES.index, VEHICLE.index, PLANT_OUTPUTS.index, PLANT_INPUTS.index, DEMANDS.index];
/// What people watch of a vehicle: what its driver does, what its subsystems answer, how it moves.
const OF_A_VEHICLE: [&[&str]; 3] = [
    &["steering_wheel_deg", "throttle_ratio", "brake_ratio"],
    &["rack_mm", "steer_deg", "engine_speed_rpm", "engine_torque_nm", "gear", "antilock_ratio"],
    &["speed_km_h", "x_m", "y_m", "heading_deg", "roll_deg", "pitch_deg", "yaw_rate_deg_s"],
];
/// The same of any plant.
const OF_A_PLANT: [usize; 3] = [DEMANDS.index, PLANT_INPUTS.index, PLANT_OUTPUTS.index];
/// Looks in which the blocks may come together in one step.
const LOOKS: u32 = 8;

/// Readers of the blocks, and the dictionary of what runs.
pub struct LiveSignals {
    readers: Vec<WordReader>,
    names: [Reader<Names>; 2],
    known: [u64; 2],
    pub dictionary: Dictionary,
    pub blocks: Blocks,
}

impl LiveSignals {
    pub fn new(region: &Region) -> Self {
        let mut signals = Self {
            readers: (0..CATALOGUE.len()).map(|index| region.word_reader(index)).collect(),
            names: [blocks::NAMES, DAQ_NAMES].map(|block| region.reader(block)),
            known: [0; 2],
            dictionary: Dictionary::default(),
            blocks: Blocks::default(),
        };
        signals.look();
        signals
    }

    /// Takes the newest of what belongs to a step, and the names where they are new.
    pub fn look(&mut self) {
        self.take_names();
        OF_A_STEP.into_iter().for_each(|block| self.take(block));
    }

    /// The same, all of one step; false where that does not come together.
    pub fn look_at_one_step(&mut self) -> bool {
        for _ in 0..LOOKS {
            self.look_at_all();
            let steps: Vec<f64> = ["kinematics", "forces", "vehicle", "plant_outputs", "plant_inputs"]
                .iter()
                .filter_map(|block| self.value(&format!("{block}.stamp.step")))
                .filter(|step| *step > 0.0)
                .collect();
            if steps.len() > 1 && steps.iter().all(|step| *step == steps[0]) {
                return true;
            }
            std::thread::sleep(std::time::Duration::from_micros(150));
        }
        false
    }

    /// Takes the newest of every block.
    pub fn look_at_all(&mut self) {
        self.take_names();
        (0..CATALOGUE.len()).for_each(|block| self.take(block));
    }

    pub fn take(&mut self, block: usize) {
        if let Some(words) = self.readers[block].latest() {
            self.blocks.put_words(block, words);
        }
    }

    fn take_names(&mut self) {
        let written = [blocks::NAMES, DAQ_NAMES].map(|block| self.readers[block.index].sequence());
        if written != self.known {
            self.known = written;
            let texts = self.names.each_mut().map(|reader| {
                reader.latest().map_or_else(RunNames::default, |names| RunNames::from_text(&names.value.to_text()))
            });
            self.dictionary = Dictionary::new(&texts);
        }
    }

    pub fn value(&self, name: &str) -> Option<f64> {
        self.dictionary.find(name)?.value(&self.blocks)
    }

    /// What runs: the scenario, and the vehicle or plant.
    pub fn title(&self) -> String {
        let names: Vec<&str> = self.dictionary.titles.iter().take(2).map(|(name, _)| name.as_str()).collect();
        names.join(" · ")
    }

    pub fn is_vehicle(&self) -> bool {
        self.blocks.has(KINEMATICS.index)
    }

    /// What people watch: what is asked for, what is answered, how it moves; only what is known.
    pub fn watched(&self) -> [Vec<&Entry>; 3] {
        let is_known = |entry: &&Entry| entry.value(&self.blocks).is_some_and(|value| !value.is_nan());
        std::array::from_fn(|group| {
            if self.is_vehicle() {
                OF_A_VEHICLE[group].iter().filter_map(|name| self.dictionary.find(name)).filter(is_known).collect()
            } else {
                let of_group = |entry: &&Entry| entry.block == OF_A_PLANT[group] && is_element(entry);
                let entries = self.dictionary.entries().iter().filter(of_group);
                entries.filter(|entry| entry.value(&self.blocks).is_some()).collect()
            }
        })
    }
}

/// An element of a plant's list, with or without a name of its own.
fn is_element(entry: &Entry) -> bool {
    !entry.is_view() && entry.declared.ends_with(']')
}
