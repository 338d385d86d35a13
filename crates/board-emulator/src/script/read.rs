//! From lines to definitions. Whatever can be judged on its own line is judged here.

use super::error::{Place, Problem};
use super::procedures::{input_pipe, read_in_input, read_in_processing};
use super::program::{Pin, Width};
use super::words::Words;

/// `IDEF … END`
#[derive(Clone, Debug)]
pub(super) struct InputProcedure {
    pub name: String,
    pub place: Place,
    pub count: usize,
    /// Pipe numbers, pins and where they were set.
    pub channels: Vec<(u16, Pin, Place)>,
    pub channel_ns: Option<u64>,
}

/// A line of `PDEF … END`.
#[derive(Clone, Debug)]
pub(super) struct Command {
    pub place: Place,
    pub verb: Verb,
    /// Pipes that it reads.
    pub from: Vec<(Place, String)>,
    /// The pipe that it writes.
    pub to: (Place, String),
}

/// What a task does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Count { offset: i32 },
    Rate { window: usize },
    Merge,
}

/// `PDEF … END`
#[derive(Clone, Debug)]
pub(super) struct Processing {
    pub name: String,
    pub commands: Vec<Command>,
}

/// Everything that a script defines.
#[derive(Clone, Debug, Default)]
pub(super) struct Definitions {
    pub pipes: Vec<(String, Width)>,
    pub inputs: Vec<InputProcedure>,
    pub processing: Vec<Processing>,
    pub started: Vec<(Place, String)>,
    pub buffered: bool,
    /// Where the script ends.
    pub end: Option<Place>,
}

impl Definitions {
    fn is_defined(&self, name: &str) -> bool {
        self.inputs.iter().any(|input| input.name == name) || self.processing.iter().any(|other| other.name == name)
    }
}

/// The procedure that is being defined.
pub(super) enum Open {
    Nothing,
    Input(InputProcedure),
    Processing(Place, Processing),
}

const COMMANDS: &str = "RESET, OUTPORT, OPTIONS, PIPES, IDEF, PDEF or START";
const CHANNELS_MAX: usize = 64;

/// Reads all lines.
pub(super) fn read(text: &str) -> Result<Definitions, Problem> {
    let mut definitions = Definitions::default();
    let mut open = Open::Nothing;
    for (index, line) in text.lines().enumerate() {
        let mut words = Words::of_line(index + 1, line)?;
        if words.is_empty() {
            continue;
        }
        open = match open {
            Open::Nothing => read_command(&mut words, &mut definitions)?,
            Open::Input(input) => read_in_input(&mut words, input, &mut definitions)?,
            Open::Processing(place, processing) => read_in_processing(&mut words, place, processing, &mut definitions)?,
        };
        words.finish()?;
        definitions.end = Some(words.place());
    }
    let unfinished = |name: &str| format!("procedure {name} has no END");
    match open {
        Open::Nothing => Ok(definitions),
        Open::Input(input) => Err((input.place, unfinished(&input.name))),
        Open::Processing(place, processing) => Err((place, unfinished(&processing.name))),
    }
}

fn read_command(words: &mut Words, definitions: &mut Definitions) -> Result<Open, Problem> {
    let (place, command) = words.word(COMMANDS)?;
    match command.as_str() {
        "RESET" => *definitions = Definitions::default(),
        "OUTPORT" => read_outport(words)?,
        "OPTION" | "OPTIONS" => read_option(words, definitions)?,
        "PIPES" | "PIPE" => read_pipes(words, definitions)?,
        "IDEF" => {
            let name = new_name(words, definitions)?;
            let count = words.number(1..=CHANNELS_MAX, "how many channels are sampled")?;
            return Ok(Open::Input(InputProcedure { name, place, count, channels: Vec::new(), channel_ns: None }));
        }
        "PDEF" => {
            let name = new_name(words, definitions)?;
            let commands = Vec::new();
            return Ok(Open::Processing(place, Processing { name, commands }));
        }
        "START" => loop {
            definitions.started.push(words.word("the name of a procedure")?);
            if !words.takes_sign(',') {
                break;
            }
        },
        "SET" | "TIME" => return Err((place, format!("{command} belongs between IDEF and END"))),
        "QDCOUNT" | "CTRATE" | "MERGE" => {
            return Err((place, format!("{command} belongs between PDEF and END")));
        }
        "END" => return Err((place, "END without IDEF or PDEF before it".into())),
        _ => return Err((place, format!("`{command}` is not known; expected {COMMANDS}"))),
    }
    Ok(Open::Nothing)
}

fn new_name(words: &mut Words, definitions: &Definitions) -> Result<String, Problem> {
    let (place, name) = words.word("a name for the procedure")?;
    if definitions.is_defined(&name) {
        return Err((place, format!("procedure {name} is defined twice")));
    }
    Ok(name)
}

fn read_outport(words: &mut Words) -> Result<(), Problem> {
    let expected = "an address such as 8, or addresses such as 8..11, from 0 to 63";
    let (place, range) = words.word(expected)?;
    let (first, last) = range.split_once("..").unwrap_or((&range, &range));
    let address = |text: &str| text.parse::<u8>().ok().filter(|address| *address < 64);
    match (address(first), address(last)) {
        (Some(first), Some(last)) if first <= last => {}
        _ => return Err((place, format!("expected {expected}, found `{range}`"))),
    }
    let (place, key) = words.word("type=1")?;
    if key != "TYPE" {
        return Err((place, format!("expected type=1, found `{key}`")));
    }
    words.sign('=')?;
    words.number(1..=1_u8, "the type of analog output boards").map(|_| ())
}

fn read_option(words: &mut Words, definitions: &mut Definitions) -> Result<(), Problem> {
    const OPTIONS: &str = "buffering=, quantum= or scheduling=";
    loop {
        let (place, option) = words.word(OPTIONS)?;
        words.sign('=')?;
        match option.as_str() {
            "BUFFERING" => definitions.buffered = one_of(words, ["OFF", "ON"])? == 1,
            "QUANTUM" => words.number(1..=1_000_000_u32, "µs that a task may run").map(|_| ())?,
            "SCHEDULING" => one_of(words, ["FIXED", "ADAPTIVE"]).map(|_| ())?,
            _ => {
                return Err((place, format!("option `{option}` is not known; expected {OPTIONS}")));
            }
        }
        if !words.takes_sign(',') {
            return Ok(());
        }
    }
}

fn one_of(words: &mut Words, known: [&str; 2]) -> Result<usize, Problem> {
    let expected = known.join(" or ").to_lowercase();
    let (place, word) = words.word(&expected)?;
    let found = known.iter().position(|candidate| *candidate == word);
    found.ok_or_else(|| (place, format!("expected {expected}, found `{word}`")))
}

fn read_pipes(words: &mut Words, definitions: &mut Definitions) -> Result<(), Problem> {
    loop {
        let (place, name) = words.word("the name of a pipe")?;
        if name.starts_with('$') || input_pipe(&name).is_some() {
            return Err((place, format!("{name} is a pipe of the board; a pipe of your own needs another name")));
        }
        if definitions.pipes.iter().any(|(other, _)| *other == name) {
            return Err((place, format!("pipe {name} is defined twice")));
        }
        let is_over = words.is_empty() || words.takes_sign(',');
        let width = if is_over {
            Width::Word
        } else {
            match one_of(words, ["WORD", "LONG"])? {
                0 => Width::Word,
                _ => Width::Long,
            }
        };
        definitions.pipes.push((name, width));
        if words.is_empty() || (!is_over && !words.takes_sign(',')) {
            return Ok(());
        }
    }
}
