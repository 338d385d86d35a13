//! Everything that can be set about the emulated board, as it stands in an acquisition file and on
//! a command line.

use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use super::delivery::{Faults, Repeated};
use super::emulator::Delivery;
use super::hardware::SensorError;
use super::manoeuvre::Manoeuvre;
use super::processor::Processor;
use super::random::Random;
use super::script::Program;

/// Shortest period of a block (µs).
pub const PERIOD_US_MIN: f64 = 10.0;
/// Longest period of a block (µs).
pub const PERIOD_US_MAX: f64 = 1e7;
/// Names of the values of the shipped scripts.
const NAMES: [&str; 4] = ["brake", "throttle", "steering", "steering_rate"];

/// The settings of an emulated board. The default is the board of the thesis with a driver who
/// drives.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// A shipped script or the path of one.
    pub script: String,
    /// A shipped manoeuvre or the path of a CSV file.
    pub manoeuvre: String,
    /// Names of the values of a block; without them those of the shipped scripts, or the pipes'.
    pub names: Option<Vec<String>>,
    /// From one block to the next (µs); what the script says if not given.
    pub period_us: Option<f64>,
    /// Blocks come as fast as they are taken; the board's own time goes on as the script says.
    pub unpaced: bool,
    /// Blocks have headers with number, time and checksum.
    pub framed: bool,
    /// The board's memory for blocks that wait for room (bytes).
    pub memory_bytes: usize,
    /// Where the steering counter stands when the board starts: near its end, so that every drive
    /// passes the overflow.
    pub steering_counter: u16,
    /// What the brake sensor shows at no pressure (counts).
    pub brake_zero_counts: f64,
    /// Standard deviation of its noise (counts).
    pub brake_noise_counts: f64,
    /// Seed of all chance.
    pub seed: u64,
    /// Each block comes late by up to this (µs).
    pub jitter_us: f64,
    /// `[every, lasting]`: times in which the board measures nothing (s).
    pub stall_s: Option<[f64; 2]>,
    /// `[every, lasting]`: times in which the connection is closed (s).
    pub disconnect_s: Option<[f64; 2]>,
    /// Blocks that are held back and then sent at once.
    pub burst: usize,
    /// Probability of a wrong bit in a block.
    pub corrupt: f64,
    /// Probability of strange bytes in a block.
    pub garbage: f64,
    /// Probability of a block that is not sent.
    pub lose: f64,
    /// Probability of a block that is sent twice.
    pub duplicate: f64,
    /// The bytes of every number come in the wrong order.
    pub swap: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            script: "con_dap".to_owned(),
            manoeuvre: "drive".to_owned(),
            names: None,
            period_us: None,
            unpaced: false,
            framed: false,
            memory_bytes: 1 << 20,
            steering_counter: 32_700,
            brake_zero_counts: -6.0,
            brake_noise_counts: 2.0,
            seed: 1,
            jitter_us: 0.0,
            stall_s: None,
            disconnect_s: None,
            burst: 1,
            corrupt: 0.0,
            garbage: 0.0,
            lose: 0.0,
            duplicate: 0.0,
            swap: false,
        }
    }
}

/// Settings that have been checked, with their files read.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The script, with the period that was asked for.
    pub program: Program,
    /// What the driver does.
    pub manoeuvre: Manoeuvre,
    /// Names of the values of a block.
    pub names: Vec<String>,
    /// How blocks are delivered.
    pub delivery: Delivery,
    settings: Settings,
}

impl Settings {
    /// Reads the files and checks everything. Relative paths count from the folder, if there is
    /// one. The message names the field.
    pub fn prepare(&self, folder: Option<&Path>) -> Result<Prepared, String> {
        let mut program =
            beside(folder, &self.script, Program::load).map_err(|error| format!("script: {error}"))?;
        let manoeuvre = beside(folder, &self.manoeuvre, Manoeuvre::load)
            .map_err(|error| format!("manoeuvre: {error}"))?;
        self.check()?;
        if let Some(period_us) = self.period_us {
            let channels = program.channels.len() as u64;
            program.channel_ns = ((period_us * 1e3 / channels as f64).round() as u64).max(1);
        }
        Ok(Prepared {
            names: self.names_of(&program)?,
            delivery: Delivery {
                period_ns: if self.unpaced { 0 } else { program.block_ns() },
                memory_bytes: self.memory_bytes,
                framed: self.framed,
                faults: self.faults()?,
                seed: self.seed,
                lasting: None,
                blocks: None,
            },
            settings: self.clone(),
            program,
            manoeuvre,
        })
    }

    fn names_of(&self, program: &Program) -> Result<Vec<String>, String> {
        let count = program.block.len();
        match &self.names {
            Some(names) if names.len() == count => Ok(names.clone()),
            Some(names) => {
                Err(format!("names: the block has {count} values, and {} names are given", names.len()))
            }
            None if ["con_dap", "con_dap_rate"].contains(&self.script.as_str()) => {
                Ok(NAMES[..count].iter().map(|name| (*name).to_owned()).collect())
            }
            None => Ok(program.block.iter().map(|field| field.pipe.to_lowercase()).collect()),
        }
    }

    fn check(&self) -> Result<(), String> {
        let least_most = |name: &str, value: f64, least: f64, most: f64| {
            let is_in = (least..=most).contains(&value);
            is_in.then_some(()).ok_or_else(|| format!("{name}: expected {least} to {most}, found {value}"))
        };
        if let Some(period_us) = self.period_us {
            least_most("period_us", period_us, PERIOD_US_MIN, PERIOD_US_MAX)?;
        }
        least_most("memory_bytes", self.memory_bytes as f64, 256.0, 1e9)?;
        least_most("burst", self.burst as f64, 0.0, 1e7)?;
        least_most("jitter_us", self.jitter_us, 0.0, 1e7)?;
        least_most("brake_zero_counts", self.brake_zero_counts, -32_768.0, 32_767.0)?;
        least_most("brake_noise_counts", self.brake_noise_counts, 0.0, 32_767.0)?;
        for (name, probability) in [
            ("corrupt", self.corrupt),
            ("garbage", self.garbage),
            ("lose", self.lose),
            ("duplicate", self.duplicate),
        ] {
            least_most(name, probability, 0.0, 1.0)?;
        }
        Ok(())
    }

    fn faults(&self) -> Result<Faults, String> {
        let repeated = |name: &str, times_s: Option<[f64; 2]>| match times_s {
            None => Ok(None),
            Some([every_s, lasting_s]) => match format!("{every_s},{lasting_s}").parse::<Repeated>() {
                Ok(repeated) => Ok(Some(repeated)),
                Err(problem) => Err(format!("{name}: {problem}")),
            },
        };
        Ok(Faults {
            jitter_us: self.jitter_us,
            stall: repeated("stall_s", self.stall_s)?,
            disconnect: repeated("disconnect_s", self.disconnect_s)?,
            burst: self.burst,
            corrupt: self.corrupt,
            garbage: self.garbage,
            lose: self.lose,
            duplicate: self.duplicate,
            swap: self.swap,
        })
    }
}

impl Prepared {
    /// The board, started.
    pub fn processor(&self) -> Processor {
        let error = SensorError {
            zero_counts: self.settings.brake_zero_counts,
            noise_counts: self.settings.brake_noise_counts,
        };
        Processor::new(
            self.program.clone(),
            self.manoeuvre.clone(),
            self.settings.steering_counter,
            error,
            Random::new(self.settings.seed),
        )
    }

    /// Ends after so much time or so many blocks.
    #[must_use]
    pub fn ending(mut self, lasting: Option<Duration>, blocks: Option<u64>) -> Self {
        self.delivery.lasting = lasting;
        self.delivery.blocks = blocks;
        self
    }
}

/// Loads a file beside the folder if it is there, else by its name.
fn beside<T, E>(folder: Option<&Path>, name: &str, load: impl Fn(&str) -> Result<T, E>) -> Result<T, E> {
    match folder.map(|folder| folder.join(name)).filter(|path| path.is_file()) {
        Some(path) => load(&path.to_string_lossy()),
        None => load(name),
    }
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
