//! The lines between `IDEF` or `PDEF` and their `END`.

use super::error::{Place, Problem};
use super::program::Pin;
use super::read::{Command, Definitions, InputProcedure, Open, Processing, Verb};
use super::words::Words;

const ANALOG_PINS: u8 = 16;
const PIPES_MAX: u16 = 63;
const WINDOW_MAX: usize = 10_000;
/// The board samples at most 769,000 analog values per second (DAS 3.1.3), on a grid of 100 ns.
const TIME_US: std::ops::RangeInclusive<f64> = 1.3..=1e6;

/// The number of an input pipe: 4 of `IP4`.
pub(super) fn input_pipe(name: &str) -> Option<u16> {
    let number = name.strip_prefix("IP")?;
    let digits = !number.is_empty() && number.chars().all(|character| character.is_ascii_digit());
    digits.then(|| number.parse().ok()).flatten()
}

/// A line of an input procedure.
pub(super) fn read_in_input(
    words: &mut Words,
    mut input: InputProcedure,
    definitions: &mut Definitions,
) -> Result<Open, Problem> {
    const EXPECTED: &str = "SET, TIME or END";
    let (place, command) = words.word(EXPECTED)?;
    match command.as_str() {
        "SET" => {
            let pipe = read_input_pipe(words)?;
            input.channels.push((pipe, read_pin(words)?, place));
        }
        "TIME" if input.channel_ns.is_some() => return Err((place, "TIME is given twice".into())),
        "TIME" => {
            let time_us: f64 = words.number(TIME_US, "µs from one channel to the next")?;
            input.channel_ns = Some((time_us * 10.0).round() as u64 * 100);
        }
        "END" => {
            definitions.inputs.push(input);
            return Ok(Open::Nothing);
        }
        _ => return Err((place, in_procedure(&command, &input.name, EXPECTED))),
    }
    Ok(Open::Input(input))
}

fn in_procedure(command: &str, procedure: &str, expected: &str) -> String {
    format!("`{command}` inside procedure {procedure}; expected {expected}")
}

fn read_input_pipe(words: &mut Words) -> Result<u16, Problem> {
    let expected = format!("an input pipe, IP0 to IP{PIPES_MAX}");
    let (place, name) = words.word(&expected)?;
    let number = input_pipe(&name).filter(|number| *number <= PIPES_MAX);
    number.ok_or_else(|| (place, format!("expected {expected}, found `{name}`")))
}

fn read_pin(words: &mut Words) -> Result<Pin, Problem> {
    let expected = format!(
        "a pin: S0 to S{} (analog), B2 (counters of the quadrature board) or B3 (its control port)",
        ANALOG_PINS - 1
    );
    let (place, name) = words.word(&expected)?;
    let analog = name.strip_prefix('S').and_then(|number| number.parse().ok());
    match (name.as_str(), analog) {
        ("B2", _) => Ok(Pin::Counter),
        ("B3", _) => Ok(Pin::Latch),
        (_, Some(number)) if number < ANALOG_PINS => Ok(Pin::Analog(number)),
        _ => Err((place, format!("expected {expected}, found `{name}`"))),
    }
}

/// A line of a processing procedure.
pub(super) fn read_in_processing(
    words: &mut Words,
    begin: Place,
    mut processing: Processing,
    definitions: &mut Definitions,
) -> Result<Open, Problem> {
    const EXPECTED: &str = "QDCOUNT, CTRATE, MERGE or END";
    let (place, name) = words.word(EXPECTED)?;
    let command = match name.as_str() {
        "END" => {
            definitions.processing.push(processing);
            return Ok(Open::Nothing);
        }
        "QDCOUNT" => read_count(words, place)?,
        "CTRATE" => read_rate(words, place)?,
        "MERGE" => read_merge(words, place)?,
        _ => return Err((place, in_procedure(&name, &processing.name, EXPECTED))),
    };
    processing.commands.push(command);
    Ok(Open::Processing(begin, processing))
}

fn read_count(words: &mut Words, place: Place) -> Result<Command, Problem> {
    words.sign('(')?;
    let from = words.word("the pipe with the 16-bit count")?;
    words.sign(',')?;
    let offset = words.number(i32::MIN..=i32::MAX, "the first value of the count")?;
    words.sign(',')?;
    let (mode_place, mode) = words.text("the mode \"RELATIVE\"")?;
    if mode != "RELATIVE" {
        return Err((mode_place, format!("mode \"{mode}\" is not known; expected \"RELATIVE\"")));
    }
    words.sign(',')?;
    let to = words.word("the LONG pipe for the 32-bit count")?;
    words.sign(')')?;
    Ok(Command { place, verb: Verb::Count { offset }, from: vec![from], to })
}

fn read_rate(words: &mut Words, place: Place) -> Result<Command, Problem> {
    words.sign('(')?;
    let from = words.word("the pipe with the count")?;
    words.sign(',')?;
    let window = words.number(1..=WINDOW_MAX, "over how many values the rate is taken")?;
    words.sign(',')?;
    let to = words.word("the LONG pipe for the rate")?;
    words.sign(')')?;
    Ok(Command { place, verb: Verb::Rate { window }, from: vec![from], to })
}

fn read_merge(words: &mut Words, place: Place) -> Result<Command, Problem> {
    words.sign('(')?;
    let mut pipes = vec![words.word("a pipe")?];
    while words.takes_sign(',') {
        pipes.push(words.word("a pipe")?);
    }
    words.sign(')')?;
    let to = pipes.pop().expect("one was read");
    if to.1 != "$BINOUT" {
        return Err((to.0, format!("the last pipe of MERGE is where it goes; expected $BinOut, found `{}`", to.1)));
    }
    if pipes.is_empty() {
        return Err((place, "MERGE needs at least one pipe before $BinOut".into()));
    }
    Ok(Command { place, verb: Verb::Merge, from: pipes, to })
}
