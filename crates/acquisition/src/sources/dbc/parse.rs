//! From words to messages and signals.

use std::collections::HashSet;

use super::tokens::{Placed, Token, tokens};
use super::{ByteOrder, Database, DatabaseError, Message, Place, Presence, Representation, Signal};

/// Statements that decoding does not need; they end with a semicolon.
pub(super) const PASSED_OVER: &[&str] = &[
    "BA_",
    "BA_DEF_",
    "BA_DEF_DEF_",
    "BA_DEF_DEF_REL_",
    "BA_DEF_REL_",
    "BA_DEF_SGTYPE_",
    "BA_REL_",
    "BA_SGTYPE_",
    "BO_TX_BU_",
    "CAT_",
    "CAT_DEF_",
    "CM_",
    "ENVVAR_DATA_",
    "EV_",
    "EV_DATA_",
    "FILTER",
    "SGTYPE_",
    "SGTYPE_VAL_",
    "SIG_GROUP_",
    "SIG_TYPE_REF_",
    "SIGTYPE_VALTYPE_",
    "VAL_",
    "VAL_TABLE_",
];
/// Vector's message for signals that belong to none.
const INDEPENDENT_SIGNALS: u32 = 0xC000_0000;
const EXTENDED: u32 = 1 << 31;
/// A CAN FD frame.
const LONGEST_FRAME_BYTES: u64 = 64;

/// Reads a whole database.
pub(super) fn database(text: &str) -> Result<Database, DatabaseError> {
    let tokens = tokens(text)?;
    let mut parser = Parser {
        tokens: &tokens,
        at: 0,
        database: Database::default(),
        selected: Vec::new(),
    };
    while let Some(placed) = parser.next() {
        parser.statement(placed)?;
    }
    parser.finish()
}

/// A signal whose selector is known only when the whole file is read.
struct Selected {
    message: usize,
    signal: usize,
    value: u64,
    line: usize,
}

/// What is left to read, and what was read.
pub(super) struct Parser<'a> {
    pub(super) tokens: &'a [Placed],
    pub(super) at: usize,
    pub(super) database: Database,
    selected: Vec<Selected>,
}

impl<'a> Parser<'a> {
    fn statement(&mut self, placed: &'a Placed) -> Result<(), DatabaseError> {
        let Token::Word(keyword) = &placed.token else {
            return Err(wrong(
                placed.line,
                format!("expected a statement such as BO_ or SG_, found {}", placed.token),
            ));
        };
        match keyword.as_str() {
            "BO_" => self.message(),
            "SG_" => self.signal(placed.line),
            "SG_MUL_VAL_" => self.extended_multiplexing(),
            "SIG_VALTYPE_" => self.value_type(),
            "VERSION" => self
                .next()
                .map(|_| ())
                .ok_or_else(|| wrong(placed.line, "VERSION wants a text")),
            "NS_" | "BS_" | "BU_" => {
                self.pass_list();
                Ok(())
            }
            known if PASSED_OVER.contains(&known) => self.pass_over(placed),
            unknown => Err(wrong(placed.line, format!("unknown statement {unknown}"))),
        }
    }

    /// `BO_ 256 Name: 8 Sender`
    fn message(&mut self) -> Result<(), DatabaseError> {
        let (number, line) = self.whole("the message's identifier")?;
        let name = self.name("the message's name")?;
        self.mark(':')?;
        let (length_bytes, _) = self.whole("the message's length in bytes")?;
        self.name("the message's sender")?;
        let id = u32::try_from(number)
            .map_err(|_| wrong(line, format!("the identifier {number} has more than 32 bits")))?;
        let (extended, id) = (id & EXTENDED != 0, id & !EXTENDED);
        let independent = number == u64::from(INDEPENDENT_SIGNALS);
        let greatest = if extended { 0x1FFF_FFFF } else { 0x7FF };
        if id > greatest && !independent {
            return Err(wrong(
                line,
                format!("the identifier of message {name} is {id}, the greatest is {greatest}"),
            ));
        }
        if length_bytes > LONGEST_FRAME_BYTES && !independent {
            return Err(wrong(
                line,
                format!("message {name} has {length_bytes} bytes, the most is {LONGEST_FRAME_BYTES}"),
            ));
        }
        let same = |other: &&Message| (other.id, other.extended) == (id, extended) || other.name == name;
        if let Some(other) = self.database.messages.iter().find(same) {
            return Err(wrong(
                line,
                format!(
                    "message {name} ({id}) was declared before, as {} ({})",
                    other.name, other.id
                ),
            ));
        }
        self.database.messages.push(Message {
            id,
            extended,
            name,
            length_bytes: length_bytes as usize,
            signals: Vec::new(),
        });
        Ok(())
    }

    /// `SG_ Name m0M : 7|16@0+ (0.1,-40) [0|100] "unit" Receiver, Receiver`
    fn signal(&mut self, line: usize) -> Result<(), DatabaseError> {
        let name = self.name("the signal's name")?;
        let multiplexing = match self.peek() {
            Some(Token::Word(word)) => {
                self.at += 1;
                Some(multiplexing(word).ok_or_else(|| {
                    wrong(line, format!("expected M, m0 or m0M after {name}, found {word}"))
                })?)
            }
            _ => None,
        };
        self.mark(':')?;
        let (start_bit, _) = self.whole("the start bit")?;
        self.mark('|')?;
        let (length_bits, _) = self.whole("the length in bits")?;
        self.mark('@')?;
        let order = match self.whole("the byte order, 0 or 1")? {
            (0, _) => ByteOrder::Motorola,
            (1, _) => ByteOrder::Intel,
            (other, _) => {
                return Err(wrong(
                    line,
                    format!("the byte order of {name} is {other}; 0 is Motorola and 1 is Intel"),
                ));
            }
        };
        let representation = match self.next().map(|placed| &placed.token) {
            Some(Token::Mark('+')) => Representation::Unsigned,
            Some(Token::Mark('-')) => Representation::Signed,
            other => {
                return Err(wrong(
                    line,
                    format!(
                        "expected + (unsigned) or - (signed) of {name}, found {}",
                        shown(other)
                    ),
                ));
            }
        };
        let (factor, offset) = self.pair('(', ',', ')', "factor and offset")?;
        let (least, greatest) = self.pair('[', '|', ']', "least and greatest value")?;
        let unit = match self.next().map(|placed| &placed.token) {
            Some(Token::Text(unit)) => unit.clone(),
            other => {
                return Err(wrong(
                    line,
                    format!(
                        "expected the unit of {name} in quotation marks, found {}",
                        shown(other)
                    ),
                ));
            }
        };
        self.receivers()?;
        let place = placed(&name, line, start_bit, length_bits, order)?;
        if factor == 0.0 {
            return Err(wrong(line, format!("the factor of {name} is zero")));
        }
        let index = self.database.messages.len();
        let Some(message) = self.database.messages.last_mut() else {
            return Err(wrong(
                line,
                format!("signal {name} stands before the first message (BO_)"),
            ));
        };
        if message.signals.iter().any(|other| other.name == name) {
            return Err(wrong(
                line,
                format!("message {} has the signal {name} twice", message.name),
            ));
        }
        let (selects, selected) = multiplexing.unwrap_or((false, None));
        if let Some(value) = selected {
            self.selected.push(Selected {
                message: index - 1,
                signal: message.signals.len(),
                value,
                line,
            });
        }
        message.signals.push(Signal {
            name,
            place,
            representation,
            factor,
            offset,
            range: (least != greatest).then_some((least, greatest)),
            unit,
            selects,
            presence: Presence::Always,
            line,
        });
        Ok(())
    }

    fn receivers(&mut self) -> Result<(), DatabaseError> {
        self.name("a receiver of the signal")?;
        while self.peek() == Some(&Token::Mark(',')) {
            self.at += 1;
            self.name("a receiver of the signal")?;
        }
        Ok(())
    }

    /// `SG_MUL_VAL_ 256 Signal Selector 0-3, 5-5;`
    fn extended_multiplexing(&mut self) -> Result<(), DatabaseError> {
        let (message, line) = self.known_message()?;
        let signal = self.known_signal(message, line)?;
        let selector = self.known_signal(message, line)?;
        let mut ranges = Vec::new();
        loop {
            let (from, _) = self.whole("the beginning of a range")?;
            self.mark('-')?;
            let (to, _) = self.whole("the end of a range")?;
            ranges.push((from, to));
            match self.next().map(|placed| &placed.token) {
                Some(Token::Mark(',')) => {}
                Some(Token::Mark(';')) => break,
                other => {
                    return Err(wrong(
                        line,
                        format!("expected , or ; after a range, found {}", shown(other)),
                    ));
                }
            }
        }
        self.database.messages[message].signals[signal].presence = Presence::When { selector, ranges };
        Ok(())
    }

    /// `SIG_VALTYPE_ 256 Signal : 1;`
    fn value_type(&mut self) -> Result<(), DatabaseError> {
        let (message, line) = self.known_message()?;
        let index = self.known_signal(message, line)?;
        if self.peek() == Some(&Token::Mark(':')) {
            self.at += 1;
        }
        let (kind, _) = self.whole("0 (whole number), 1 (32 bits) or 2 (64 bits)")?;
        self.mark(';')?;
        let signal = &mut self.database.messages[message].signals[index];
        let (representation, bits) = match kind {
            0 => return Ok(()),
            1 => (Representation::Single, 32),
            2 => (Representation::Double, 64),
            _ => {
                return Err(wrong(
                    line,
                    format!(
                        "the value type of {} is {kind}; there are 0, 1 and 2",
                        signal.name
                    ),
                ));
            }
        };
        if signal.place.length_bits != bits {
            return Err(wrong(
                line,
                format!(
                    "{} is a number of {bits} bits but has {}",
                    signal.name, signal.place.length_bits
                ),
            ));
        }
        signal.representation = representation;
        Ok(())
    }

    fn finish(mut self) -> Result<Database, DatabaseError> {
        for selected in std::mem::take(&mut self.selected) {
            let message = &mut self.database.messages[selected.message];
            if message.signals[selected.signal].presence != Presence::Always {
                continue;
            }
            let selectors: Vec<usize> = (0..message.signals.len())
                .filter(|&index| index != selected.signal && message.signals[index].selects)
                .collect();
            let signal = &mut message.signals[selected.signal];
            let [selector] = selectors[..] else {
                return Err(wrong(
                    selected.line,
                    format!(
                        "{} is multiplexed; message {} needs one selector (M), or a line SG_MUL_VAL_ that names it",
                        signal.name, message.name
                    ),
                ));
            };
            signal.presence = Presence::When {
                selector,
                ranges: vec![(selected.value, selected.value)],
            };
        }
        self.database
            .messages
            .retain(|message| !(message.extended && message.id == INDEPENDENT_SIGNALS & !EXTENDED));
        for message in &self.database.messages {
            for (index, signal) in message.signals.iter().enumerate() {
                check_selection(message, index)?;
                let last = signal.place.bytes().1;
                if last >= message.length_bytes {
                    return Err(wrong(
                        signal.line,
                        format!(
                            "{} reaches into byte {last}, but message {} has {} bytes",
                            signal.name, message.name, message.length_bytes
                        ),
                    ));
                }
            }
        }
        Ok(self.database)
    }
}

/// Selectors lead to a signal that is always there, never in a circle.
fn check_selection(message: &Message, first: usize) -> Result<(), DatabaseError> {
    let mut seen = HashSet::new();
    let mut at = first;
    while let Presence::When { selector, .. } = &message.signals[at].presence {
        if !seen.insert(at) {
            return Err(wrong(
                message.signals[first].line,
                format!("{} is selected by itself", message.signals[first].name),
            ));
        }
        at = *selector;
    }
    Ok(())
}

fn placed(
    name: &str,
    line: usize,
    start_bit: u64,
    length_bits: u64,
    order: ByteOrder,
) -> Result<Place, DatabaseError> {
    if !(1..=64).contains(&length_bits) {
        return Err(wrong(
            line,
            format!("{name} has {length_bits} bits; 1 to 64 are possible"),
        ));
    }
    if start_bit >= 8 * LONGEST_FRAME_BYTES {
        return Err(wrong(
            line,
            format!(
                "{name} begins at bit {start_bit}; the longest frame ends at {}",
                8 * LONGEST_FRAME_BYTES - 1
            ),
        ));
    }
    Ok(Place {
        start_bit: start_bit as usize,
        length_bits: length_bits as usize,
        order,
    })
}

/// `M`, `m3` or `m3M`: whether it selects, and by which value it is selected.
fn multiplexing(word: &str) -> Option<(bool, Option<u64>)> {
    if word == "M" {
        return Some((true, None));
    }
    let digits = word.strip_prefix('m')?;
    let (digits, selects) = match digits.strip_suffix('M') {
        Some(digits) => (digits, true),
        None => (digits, false),
    };
    Some((selects, Some(digits.parse().ok()?)))
}

pub(super) fn wrong(line: usize, problem: impl Into<String>) -> DatabaseError {
    DatabaseError {
        line,
        problem: problem.into(),
    }
}

pub(super) fn shown(token: Option<&Token>) -> String {
    token.map_or_else(|| "the end of the file".to_owned(), Token::to_string)
}
