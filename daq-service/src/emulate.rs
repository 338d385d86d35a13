//! `daq-service emulate`: plays the acquisition board for a reader of its stream.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;
use board_emulator::delivery::{Outlet, Place, Record, Tally};
use board_emulator::manoeuvre::Manoeuvre;
use board_emulator::{Emulator, Prepared, Settings, script};
use rt::signals::Flags;

/// How often the line on the terminal is renewed.
const SHOW_EVERY: Duration = Duration::from_millis(500);

/// Plays the board until Ctrl-C or its end, and says in closing what it has done.
pub fn emulate(arguments: &EmulateArguments) -> ExitCode {
    let ended = if arguments.list {
        list();
        Ok(())
    } else {
        run(arguments)
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("daq-service emulate: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn list() {
    println!("scripts:");
    for (name, text) in script::SHIPPED {
        let about = text.lines().next().unwrap_or_default().trim_start_matches('/').trim();
        println!("  {name:16} {about}");
    }
    println!("manoeuvres:");
    for manoeuvre in Manoeuvre::shipped() {
        println!("  {:16} {}", manoeuvre.name, manoeuvre.about);
    }
}

fn run(arguments: &EmulateArguments) -> anyhow::Result<()> {
    let prepared = arguments.settings.prepare(None).map_err(anyhow::Error::msg)?;
    let lasting = arguments.seconds.map(Duration::from_secs_f64);
    let prepared = prepared.ending(lasting, arguments.blocks);
    let processor = prepared.processor();
    let record = arguments.record.as_deref();
    let record = record.map(|path| Record::create(path, processor.program())).transpose()?;
    let flags = Flags::register().context("cannot listen for signals")?;
    let place = &arguments.to;
    let outlet = Outlet::open(place).with_context(|| format!("cannot open {place}"))?;
    announce(&prepared, place, &outlet.address());
    let emulator = Emulator::new(processor, prepared.delivery, outlet, Some(place.clone()), record);
    let mut display = Display::new();
    let tally = emulator.run(&|| flags.stop_requested(), &mut |tally| display.show(tally))?;
    display.end();
    println!("{tally}");
    Ok(())
}

fn announce(prepared: &Prepared, place: &Place, address: &str) {
    let program = &prepared.program;
    let fields: Vec<String> = program
        .block
        .iter()
        .zip(&prepared.names)
        .map(|(field, name)| format!("i{} {name}", field.width.bytes() * 8))
        .collect();
    let pace = match prepared.delivery.period_ns {
        0 => "as fast as they are taken".to_owned(),
        period_ns => format!("one every {} µs", period_ns as f64 * 1e-3),
    };
    println!(
        "blocks {{{}}} of {} bytes, {pace}; manoeuvre {}",
        fields.join(", "),
        program.block_bytes(),
        prepared.manoeuvre.name
    );
    let kind = place.to_string();
    let kind = kind.split(':').next().unwrap_or_default();
    println!("waiting for a reader of {kind} {address}; Ctrl-C ends");
    // A program that started it through a pipe needs the address now.
    let _ = std::io::stdout().flush();
}

/// A line on the terminal that says how it goes; nothing elsewhere.
struct Display {
    is_terminal: bool,
    shown: Option<Instant>,
}

impl Display {
    fn new() -> Self {
        Self { is_terminal: std::io::stdout().is_terminal(), shown: None }
    }

    fn show(&mut self, tally: &Tally) {
        if !self.is_terminal || self.shown.is_some_and(|shown| shown.elapsed() < SHOW_EVERY) {
            return;
        }
        self.shown = Some(Instant::now());
        let line = format!(
            "{:9.1} s  {} blocks sent, {} overflowed, {} without a reader, {} readers so far",
            tally.elapsed_s, tally.sent, tally.overflowed, tally.unread, tally.readers
        );
        // A terminal that is closed sends a signal as well.
        let _ = write!(std::io::stdout(), "\r{line}\x1b[K").and_then(|()| std::io::stdout().flush());
    }

    fn end(&self) {
        if self.shown.is_some() {
            println!();
        }
    }
}

/// Play the acquisition board: a simulated car's encoders and brake sensor as the stream of blocks
/// that the real board makes
///
/// Reads the board's configuration script (RESET … START), samples the car with its channels, and
/// sends the merged blocks to the program that opens the other end. Sampling begins with the first
/// reader. Ctrl-C ends it with a summary; --list shows the shipped scripts and manoeuvres.
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
