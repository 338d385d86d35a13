//! The arguments of the emulator.

use std::path::PathBuf;

use board_emulator::Settings;
use board_emulator::delivery::Place;

/// Play the acquisition board: a simulated car's encoders and brake sensor as the stream of blocks
/// that the real board makes
///
/// Reads the board's configuration script (RESET … START), samples the car with its channels, and
/// sends the merged blocks to the program that opens the other end. Sampling begins with the first reader.
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
    /// The board.
    #[command(flatten)]
    pub settings: Settings,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=1e9).contains(seconds));
    seconds.ok_or_else(|| "expected a number of seconds, not negative".to_owned())
}
