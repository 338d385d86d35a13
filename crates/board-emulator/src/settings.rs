//! Everything that can be set about the emulated board, as it stands in an acquisition file and on
//! a command line.

use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use super::delivery::Repeated;
use super::emulator::Delivery;
use super::manoeuvre::Manoeuvre;
use super::processor::Processor;
use super::script::Program;

/// Shortest period of a block (µs).
pub const PERIOD_US_MIN: f64 = 10.0;
/// Longest period of a block (µs).
pub const PERIOD_US_MAX: f64 = 1e7;
/// Names of the values of the shipped scripts.
const NAMES: [&str; 4] = ["brake", "throttle", "steering", "steering_rate"];

/// The settings of an emulated board, in an acquisition file and on a command line. The default is
/// the board of the thesis with a driver who drives.
#[derive(Clone, Debug, PartialEq, Deserialize, clap::Args)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Configuration script: the name of a shipped one or a file
    #[arg(long, value_name = "NAME|FILE", default_value_t = Self::default().script)]
    pub script: String,
    /// What the driver does: the name of a shipped manoeuvre, or a CSV file with time_s,
    /// steering_deg, throttle_ratio, brake_bar
    #[arg(long, value_name = "NAME|FILE", default_value_t = Self::default().manoeuvre)]
    pub manoeuvre: String,
    /// Names of the values of a block; without them those of the shipped scripts, or the pipes'
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub names: Option<Vec<String>>,
    /// Time from one block to the next, instead of the script's
    #[arg(long, value_name = "US", conflicts_with = "unpaced")]
    pub period_us: Option<f64>,
    /// Send blocks as fast as they are taken; the board's own time goes on as the script says
    #[arg(long)]
    pub unpaced: bool,
    /// Give each block a header with number, time and checksum
    #[arg(long)]
    pub framed: bool,
    /// The board's memory for blocks that wait for the reader; beyond it they are lost and counted
    #[arg(long, value_name = "BYTES", default_value_t = Self::default().memory_bytes)]
    pub memory_bytes: usize,
    /// Where the 16-bit steering counter is at the start: near its end, so that every drive passes
    /// the overflow
    #[arg(long, value_name = "COUNT", default_value_t = Self::default().steering_counter)]
    pub steering_counter: u16,
    /// What the brake sensor shows at no pressure
    #[arg(long, value_name = "COUNTS", default_value_t = Self::default().brake_zero_counts, allow_negative_numbers = true)]
    pub brake_zero_counts: f64,
    /// Standard deviation of its noise
    #[arg(long, value_name = "COUNTS", default_value_t = Self::default().brake_noise_counts)]
    pub brake_noise_counts: f64,
    /// Seed of noise and faults
    #[arg(long, value_name = "N", default_value_t = Self::default().seed)]
    pub seed: u64,
    /// Each block comes late by up to this
    #[arg(long, value_name = "US", default_value_t = 0.0, help_heading = "Faults")]
    pub jitter_us: f64,
    /// Measure nothing, every so many seconds for so many seconds
    #[arg(long = "stall", value_name = "EVERY,LASTING", help_heading = "Faults")]
    pub stall_s: Option<Repeated>,
    /// Close the connection, every so many seconds for so many seconds
    #[arg(long = "disconnect", value_name = "EVERY,LASTING", help_heading = "Faults")]
    pub disconnect_s: Option<Repeated>,
    /// Hold blocks back and send so many at once
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Faults")]
    pub burst: usize,
    /// Probability of a wrong bit in a block
    #[arg(long, value_name = "P", default_value_t = 0.0, help_heading = "Faults")]
    pub corrupt: f64,
    /// Probability of up to 16 random bytes in a block
    #[arg(long, value_name = "P", default_value_t = 0.0, help_heading = "Faults")]
    pub garbage: f64,
    /// Probability of a block that is not sent
    #[arg(long, value_name = "P", default_value_t = 0.0, help_heading = "Faults")]
    pub lose: f64,
    /// Probability of a block that is sent twice
    #[arg(long, value_name = "P", default_value_t = 0.0, help_heading = "Faults")]
    pub duplicate: f64,
    /// Send the bytes of every number in the wrong order
    #[arg(long, help_heading = "Faults")]
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
}

impl Settings {
    /// Reads the files and checks everything. Relative paths count from the folder, if there is
    /// one. The message names the field.
    pub fn prepare(&self, folder: Option<&Path>) -> Result<Prepared, String> {
        let mut program = beside(folder, &self.script, Program::load).map_err(|error| format!("script: {error}"))?;
        let manoeuvre =
            beside(folder, &self.manoeuvre, Manoeuvre::load).map_err(|error| format!("manoeuvre: {error}"))?;
        self.check()?;
        if let Some(period_us) = self.period_us {
            let channels = program.channels.len() as u64;
            program.channel_ns = ((period_us * 1e3 / channels as f64).round() as u64).max(1);
        }
        Ok(Prepared {
            names: self.names_of(&program)?,
            delivery: Delivery {
                period_ns: if self.unpaced { 0 } else { program.block_ns() },
                settings: self.clone(),
                lasting: None,
                blocks: None,
            },
            program,
            manoeuvre,
        })
    }

    fn names_of(&self, program: &Program) -> Result<Vec<String>, String> {
        let count = program.block.len();
        match &self.names {
            Some(names) if names.len() == count => Ok(names.clone()),
            Some(names) => Err(format!("names: the block has {count} values, and {} names are given", names.len())),
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
        least_most("period_us", self.period_us.unwrap_or(PERIOD_US_MIN), PERIOD_US_MIN, PERIOD_US_MAX)?;
        least_most("memory_bytes", self.memory_bytes as f64, 256.0, 1e9)?;
        least_most("burst", self.burst as f64, 0.0, 1e7)?;
        least_most("jitter_us", self.jitter_us, 0.0, 1e7)?;
        least_most("brake_zero_counts", self.brake_zero_counts, -32_768.0, 32_767.0)?;
        least_most("brake_noise_counts", self.brake_noise_counts, 0.0, 32_767.0)?;
        least_most("corrupt", self.corrupt, 0.0, 1.0)?;
        least_most("garbage", self.garbage, 0.0, 1.0)?;
        least_most("lose", self.lose, 0.0, 1.0)?;
        least_most("duplicate", self.duplicate, 0.0, 1.0)
    }
}

impl Prepared {
    /// The board, started.
    pub fn processor(&self) -> Processor {
        Processor::new(self.program.clone(), self.manoeuvre.clone(), &self.delivery.settings)
    }

    /// Ends after so much time or so many blocks.
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
mod tests;
