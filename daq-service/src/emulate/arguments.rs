//! The arguments of the emulator.

use std::path::PathBuf;

use acquisition::board::Settings;
use acquisition::board::delivery::{Place, Repeated};

/// Play the acquisition board: a simulated car's encoders and brake sensor as the stream of blocks
/// that the real board makes
///
/// Reads the board's configuration script (RESET … START), samples the car with its channels, and
/// sends the merged blocks to whoever opens the other end. Sampling begins with the first reader.
/// Ctrl-C ends it with a summary; --list shows the shipped scripts and manoeuvres.
///
/// Examples:
///   daq-service emulate --to fifo:/tmp/board --record sent.csv
///   daq-service emulate --to tcp:127.0.0.1:4200 --period-us 50
///   daq-service emulate --to pty:/tmp/ttyBoard --stall 20,10 --corrupt 0.001
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct EmulateArguments {
    /// Where the stream goes: fifo:PATH, pty, pty:LINK, unix:PATH or tcp:HOST:PORT
    #[arg(long, value_name = "PLACE", default_value = "pty")]
    pub to: Place,
    /// Configuration script: the name of a shipped one or a file
    #[arg(long, value_name = "NAME|FILE", default_value = "con_dap")]
    pub script: String,
    /// What the driver does: the name of a shipped manoeuvre, or a CSV file with time_s,
    /// steering_deg, throttle_ratio, brake_bar
    #[arg(long, value_name = "NAME|FILE", default_value = "drive")]
    pub manoeuvre: String,
    /// List the shipped scripts and manoeuvres, and end
    #[arg(long)]
    pub list: bool,
    /// End after so many seconds from the first reader on
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub seconds: Option<f64>,
    /// End after so many blocks
    #[arg(long, value_name = "N")]
    pub blocks: Option<u64>,
    /// Write down what was sent and when: CSV, or binary if the name ends in .bin
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Time from one block to the next, instead of the script's
    #[arg(long, value_name = "US", conflicts_with = "unpaced")]
    pub period_us: Option<f64>,
    /// Send blocks as fast as they are taken
    #[arg(long)]
    pub unpaced: bool,
    /// Give each block a header with number, time and checksum
    #[arg(long)]
    pub framed: bool,
    /// The board's memory for blocks that wait for the reader; beyond it they are lost and counted
    #[arg(long, value_name = "BYTES", default_value_t = Settings::default().memory_bytes)]
    pub memory_bytes: usize,
    /// Where the 16-bit steering counter stands at the start
    #[arg(long, value_name = "COUNT", default_value_t = Settings::default().steering_counter)]
    pub steering_counter: u16,
    /// Seed of noise and faults
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Each block comes late by up to this
    #[arg(long, value_name = "US", default_value_t = 0.0, help_heading = "Faults")]
    pub jitter_us: f64,
    /// Measure nothing, every so many seconds for so many seconds
    #[arg(long, value_name = "EVERY,LASTING", help_heading = "Faults")]
    pub stall: Option<Repeated>,
    /// Close the connection, every so many seconds for so many seconds
    #[arg(long, value_name = "EVERY,LASTING", help_heading = "Faults")]
    pub disconnect: Option<Repeated>,
    /// Hold blocks back and send so many at once
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Faults")]
    pub burst: usize,
    /// Probability of a wrong bit in a block
    #[arg(long, value_name = "P", default_value_t = 0.0, help_heading = "Faults")]
    pub corrupt: f64,
    /// Probability of up to 16 strange bytes in a block
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

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=1e9).contains(seconds));
    seconds.ok_or_else(|| "expected a number of seconds, not negative".to_owned())
}

impl EmulateArguments {
    /// As settings.
    pub fn settings(&self) -> Settings {
        let pair = |repeated: Repeated| [repeated.every_s, repeated.lasting_s];
        Settings {
            script: self.script.clone(),
            manoeuvre: self.manoeuvre.clone(),
            period_us: self.period_us,
            unpaced: self.unpaced,
            framed: self.framed,
            memory_bytes: self.memory_bytes,
            steering_counter: self.steering_counter,
            seed: self.seed,
            jitter_us: self.jitter_us,
            stall_s: self.stall.map(pair),
            disconnect_s: self.disconnect.map(pair),
            burst: self.burst,
            corrupt: self.corrupt,
            garbage: self.garbage,
            lose: self.lose,
            duplicate: self.duplicate,
            swap: self.swap,
            ..Settings::default()
        }
    }
}
