//! From lines to definitions. Whatever can be judged on its own line, or within a procedure, is
//! judged here.

use super::words::Words;
use super::{Pin, Place, Problem, Width};

const COMMANDS: &str = "RESET, OUTPORT, OPTIONS, PIPES, IDEF, PDEF or START";
const CHANNELS_MAX: usize = 64;
const ANALOG_PINS: u8 = 16;
const PIPES_MAX: u16 = 63;
const WINDOW_MAX: usize = 10_000;
/// The board samples at most 769,000 analog values per second (DAS 3.1.3), on a grid of 100 ns.
const TIME_US: std::ops::RangeInclusive<f64> = 1.3..=1e6;

/// `IDEF … END`
pub(super) struct InputProcedure {
    pub name: String,
    /// Pipe numbers, pins and where they were set. They are sampled in the order of the pipes'
    /// numbers, not of their lines.
    pub channels: Vec<(u16, Pin, Place)>,
    pub channel_ns: u64,
    /// What is wrong with it, unless a RESET follows.
    pub problem: Option<Problem>,
}

/// A line of `PDEF … END`.
pub(super) struct Command {
    pub place: Place,
    pub verb: Verb,
    pub from: Vec<(Place, String)>,
    pub to: (Place, String),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Count { offset: i32 },
    Rate { window: usize },
    Merge,
}

#[derive(Default)]
pub(super) struct Definitions {
    pub pipes: Vec<(String, Width)>,
    pub inputs: Vec<InputProcedure>,
    /// Names and lines of `PDEF … END`.
    pub processing: Vec<(String, Vec<Command>)>,
    pub started: Vec<(Place, String)>,
    pub buffered: bool,
    /// Where the script ends.
    pub end: Option<Place>,
}

pub(super) fn read(text: &str) -> Result<Definitions, Problem> {
    let mut words = Words::of(text);
    let mut definitions = Definitions::default();
    while !words.is_over() {
        read_command(&mut words, &mut definitions)?;
        definitions.end = Some(words.finish()?);
    }
    Ok(definitions)
}

fn read_command(words: &mut Words, definitions: &mut Definitions) -> Result<(), Problem> {
    let (place, command) = words.word(COMMANDS)?;
    let problem = match command.as_str() {
        "RESET" => {
            *definitions = Definitions::default();
            return Ok(());
        }
        "OUTPORT" => return read_outport(words),
        "OPTION" | "OPTIONS" => return read_options(words, definitions),
        "PIPES" | "PIPE" => return read_pipes(words, definitions),
        "IDEF" => {
            let name = new_name(words, definitions)?;
            definitions.inputs.push(read_input(words, place, name)?);
            return Ok(());
        }
        "PDEF" => {
            let name = new_name(words, definitions)?;
            let commands = read_processing(words, place, &name)?;
            definitions.processing.push((name, commands));
            return Ok(());
        }
        "START" => loop {
            definitions.started.push(words.word("the name of a procedure")?);
            if !words.takes_sign(',') {
                return Ok(());
            }
        },
        "SET" | "TIME" => format!("{command} belongs between IDEF and END"),
        "QDCOUNT" | "CTRATE" | "MERGE" => format!("{command} belongs between PDEF and END"),
        "END" => "END without IDEF or PDEF before it".to_owned(),
        _ => format!("`{command}` is not known; expected {COMMANDS}"),
    };
    Err((place, problem))
}

fn new_name(words: &mut Words, definitions: &Definitions) -> Result<String, Problem> {
    let (place, name) = words.word("a name for the procedure")?;
    let Definitions { inputs, processing, .. } = definitions;
    if inputs.iter().any(|input| input.name == name) || processing.iter().any(|(other, _)| *other == name) {
        return Err((place, format!("procedure {name} is defined twice")));
    }
    Ok(name)
}

fn read_outport(words: &mut Words) -> Result<(), Problem> {
    let expected = "an address such as 8, or addresses such as 8..11, from 0 to 63";
    let (place, range) = words.word(expected)?;
    let (first, last) = range.split_once("..").unwrap_or((&range, &range));
    let address = |text: &str| text.parse::<u8>().ok().filter(|address| *address < 64);
    if address(first).zip(address(last)).is_none_or(|(first, last)| first > last) {
        return Err((place, format!("expected {expected}, found `{range}`")));
    }
    let (place, key) = words.word("type=1")?;
    if key != "TYPE" {
        return Err((place, format!("expected type=1, found `{key}`")));
    }
    words.sign('=')?;
    words.number(1..=1_u8, "the type of analog output boards").map(|_| ())
}

fn read_options(words: &mut Words, definitions: &mut Definitions) -> Result<(), Problem> {
    const OPTIONS: &str = "buffering=, quantum= or scheduling=";
    loop {
        let (place, option) = words.word(OPTIONS)?;
        words.sign('=')?;
        match option.as_str() {
            "BUFFERING" => definitions.buffered = one_of(words, ["OFF", "ON"])? == 1,
            "QUANTUM" => words.number(1..=1_000_000_u32, "µs that a task may run").map(|_| ())?,
            "SCHEDULING" => one_of(words, ["FIXED", "ADAPTIVE"]).map(|_| ())?,
            _ => return Err((place, format!("option `{option}` is not known; expected {OPTIONS}"))),
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
        let is_plain = words.is_at_end() || words.takes_sign(',');
        let is_long = !is_plain && one_of(words, ["WORD", "LONG"])? == 1;
        definitions.pipes.push((name, if is_long { Width::Long } else { Width::Word }));
        if words.is_at_end() || (!is_plain && !words.takes_sign(',')) {
            return Ok(());
        }
    }
}

/// The number of an input pipe: 4 of `IP4`.
pub(super) fn input_pipe(name: &str) -> Option<u16> {
    let number = name.strip_prefix("IP")?;
    let digits = !number.is_empty() && number.chars().all(|character| character.is_ascii_digit());
    digits.then(|| number.parse().ok()).flatten()
}

/// The next line of a procedure begins with this word; none at its `END`.
fn next_line(words: &mut Words, begin: Place, name: &str, expected: &str) -> Result<Option<(Place, String)>, Problem> {
    words.finish()?;
    if words.is_over() {
        return Err((begin, format!("procedure {name} has no END")));
    }
    Ok(Some(words.word(expected)?).filter(|(_, command)| command != "END"))
}

fn read_input(words: &mut Words, begin: Place, name: String) -> Result<InputProcedure, Problem> {
    const EXPECTED: &str = "SET, TIME or END";
    let count = words.number(1..=CHANNELS_MAX, "how many channels are sampled")?;
    let (mut channels, mut channel_ns) = (Vec::new(), None);
    while let Some((place, command)) = next_line(words, begin, &name, EXPECTED)? {
        match command.as_str() {
            "SET" => channels.push((read_input_pipe(words)?, read_pin(words)?, place)),
            "TIME" if channel_ns.is_some() => return Err((place, "TIME is given twice".into())),
            "TIME" => {
                let time_us: f64 = words.number(TIME_US, "µs from one channel to the next")?;
                channel_ns = Some((time_us * 10.0).round() as u64 * 100);
            }
            _ => return Err((place, format!("`{command}` inside procedure {name}; expected {EXPECTED}"))),
        }
    }
    channels.sort_by_key(|(number, ..)| *number);
    let problem = input_problem(begin, &name, count, &channels, channel_ns);
    Ok(InputProcedure { name, channels, channel_ns: channel_ns.unwrap_or(0), problem })
}

fn input_problem(
    begin: Place,
    name: &str,
    count: usize,
    channels: &[(u16, Pin, Place)],
    channel_ns: Option<u64>,
) -> Option<Problem> {
    let found = channels.len();
    let twice = channels.windows(2).find(|pair| pair[0].0 == pair[1].0);
    let reads = |wanted: Pin| channels.iter().find(|(_, pin, _)| *pin == wanted);
    if channel_ns.is_none() {
        Some((begin, format!("procedure {name} has no TIME")))
    } else if found != count {
        Some((begin, format!("procedure {name} announces {count} channels, but sets {found}")))
    } else if let Some([_, (number, _, place)]) = twice {
        Some((*place, format!("IP{number} is set twice in procedure {name}")))
    } else if let (Some((_, _, place)), None) = (reads(Pin::Counter), reads(Pin::Latch)) {
        Some((*place, format!("procedure {name} reads counters at B2 but never latches them: expected a SET of B3")))
    } else {
        None
    }
}

fn read_input_pipe(words: &mut Words) -> Result<u16, Problem> {
    let expected = format!("an input pipe, IP0 to IP{PIPES_MAX}");
    let (place, name) = words.word(&expected)?;
    let number = input_pipe(&name).filter(|number| *number <= PIPES_MAX);
    number.ok_or_else(|| (place, format!("expected {expected}, found `{name}`")))
}

fn read_pin(words: &mut Words) -> Result<Pin, Problem> {
    let last = ANALOG_PINS - 1;
    let expected =
        format!("a pin: S0 to S{last} (analog), B2 (counters of the quadrature board) or B3 (its control port)");
    let (place, name) = words.word(&expected)?;
    let analog = name.strip_prefix('S').and_then(|number| number.parse().ok());
    match (name.as_str(), analog) {
        ("B2", _) => Ok(Pin::Counter),
        ("B3", _) => Ok(Pin::Latch),
        (_, Some(number)) if number < ANALOG_PINS => Ok(Pin::Analog(number)),
        _ => Err((place, format!("expected {expected}, found `{name}`"))),
    }
}

fn read_processing(words: &mut Words, begin: Place, name: &str) -> Result<Vec<Command>, Problem> {
    const EXPECTED: &str = "QDCOUNT, CTRATE, MERGE or END";
    let mut commands = Vec::new();
    while let Some((place, command)) = next_line(words, begin, name, EXPECTED)? {
        commands.push(match command.as_str() {
            "QDCOUNT" => read_count(words, place)?,
            "CTRATE" => read_rate(words, place)?,
            "MERGE" => read_merge(words, place)?,
            _ => return Err((place, format!("`{command}` inside procedure {name}; expected {EXPECTED}"))),
        });
    }
    Ok(commands)
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
    let mut from = Vec::new();
    let mut to = words.word("a pipe")?;
    while words.takes_sign(',') {
        from.push(std::mem::replace(&mut to, words.word("a pipe")?));
    }
    words.sign(')')?;
    if to.1 != "$BINOUT" {
        return Err((to.0, format!("the last pipe of MERGE is where it goes; expected $BinOut, found `{}`", to.1)));
    }
    if from.is_empty() {
        return Err((place, "MERGE needs at least one pipe before $BinOut".into()));
    }
    Ok(Command { place, verb: Verb::Merge, from, to })
}
