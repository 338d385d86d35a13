//! The statement that declares a signal, and those that say more of one that was declared before.

use super::parse::{LONGEST_FRAME_BYTES, Parser, Selected, refuse, wrong};
use super::tokens::{Placed, Token};
use super::{ByteOrder, DatabaseError, Place, Presence, Representation, Signal};

impl Parser<'_> {
    /// `SG_ Name m0M : 7|16@0+ (0.1,-40) [0|100] "unit" Receiver, Receiver`
    pub fn signal(&mut self, line: usize) -> Result<(), DatabaseError> {
        let name = self.name("the signal's name")?;
        let multiplexing = match self.peek() {
            Some(Token::Word(word)) => {
                self.at += 1;
                let problem = || wrong(line, format!("expected M, m0 or m0M after {name}, found {word}"));
                multiplexing(word).ok_or_else(problem)?
            }
            _ => (false, None),
        };
        self.mark(':')?;
        let start_bit = self.whole("the start bit")?;
        self.mark('|')?;
        let length_bits = self.whole("the length in bits")?;
        self.mark('@')?;
        let order = match self.whole("the byte order, 0 or 1")? {
            0 => ByteOrder::Motorola,
            1 => ByteOrder::Intel,
            other => {
                return refuse(line, format!("the byte order of {name} is {other}; 0 is Motorola and 1 is Intel"));
            }
        };
        let representation = match self.next() {
            Some(Placed { token: Token::Mark('+'), .. }) => Representation::Unsigned,
            Some(Placed { token: Token::Mark('-'), .. }) => Representation::Signed,
            other => return Err(self.expected(&format!("+ (unsigned) or - (signed) of {name}"), other)),
        };
        let (factor, offset) = self.pair(['(', ',', ')'], "factor and offset")?;
        let (least, greatest) = self.pair(['[', '|', ']'], "least and greatest value")?;
        let unit = match self.next() {
            Some(Placed { token: Token::Text(unit), .. }) => unit.clone(),
            other => return Err(self.expected(&format!("the unit of {name} in quotation marks"), other)),
        };
        self.name("a receiver of the signal")?;
        while self.takes_mark(',') {
            self.name("a receiver of the signal")?;
        }
        let place = placed(&name, line, start_bit, length_bits, order)?;
        if factor == 0.0 {
            return refuse(line, format!("the factor of {name} is zero"));
        }
        let index = self.database.messages.len();
        let Some(message) = self.database.messages.last_mut() else {
            return refuse(line, format!("signal {name} stands before the first message (BO_)"));
        };
        if message.signals.iter().any(|other| other.name == name) {
            return refuse(line, format!("message {} has the signal {name} twice", message.name));
        }
        let (selects, selected) = multiplexing;
        if let Some(value) = selected {
            self.selected.push(Selected { message: index - 1, signal: message.signals.len(), value, line });
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

    /// `SG_MUL_VAL_ 256 Signal Selector 0-3, 5-5;`
    pub fn extended_multiplexing(&mut self) -> Result<(), DatabaseError> {
        let (message, line) = self.known_message()?;
        let signal = self.known_signal(message, line)?;
        let selector = self.known_signal(message, line)?;
        let mut ranges = Vec::new();
        while ranges.is_empty() || self.takes_mark(',') {
            let from = self.whole("the beginning of a range")?;
            self.mark('-')?;
            ranges.push((from, self.whole("the end of a range")?));
        }
        if !self.takes_mark(';') {
            let found = self.next();
            return Err(self.expected(", or ; after a range", found));
        }
        self.database.messages[message].signals[signal].presence = Presence::When { selector, ranges };
        Ok(())
    }

    /// `SIG_VALTYPE_ 256 Signal : 1;`
    pub fn value_type(&mut self) -> Result<(), DatabaseError> {
        let (message, line) = self.known_message()?;
        let index = self.known_signal(message, line)?;
        self.takes_mark(':');
        let kind = self.whole("0 (whole number), 1 (32 bits) or 2 (64 bits)")?;
        self.mark(';')?;
        let signal = &mut self.database.messages[message].signals[index];
        let (representation, bits) = match kind {
            0 => return Ok(()),
            1 => (Representation::Single, 32),
            2 => (Representation::Double, 64),
            _ => return refuse(line, format!("the value type of {} is {kind}; there are 0, 1 and 2", signal.name)),
        };
        if signal.place.length_bits != bits {
            let found = signal.place.length_bits;
            return refuse(line, format!("{} is a number of {bits} bits but has {found}", signal.name));
        }
        signal.representation = representation;
        Ok(())
    }
}

fn placed(name: &str, line: usize, start_bit: u64, length_bits: u64, order: ByteOrder) -> Result<Place, DatabaseError> {
    if !(1..=64).contains(&length_bits) {
        return refuse(line, format!("{name} has {length_bits} bits; 1 to 64 are possible"));
    }
    if start_bit >= 8 * LONGEST_FRAME_BYTES {
        let last = 8 * LONGEST_FRAME_BYTES - 1;
        return refuse(line, format!("{name} begins at bit {start_bit}; the longest frame ends at {last}"));
    }
    Ok(Place { start_bit: start_bit as usize, length_bits: length_bits as usize, order })
}

/// `M`, `m3` or `m3M`: whether it selects, and by which value it is selected.
fn multiplexing(word: &str) -> Option<(bool, Option<u64>)> {
    if word == "M" {
        return Some((true, None));
    }
    let digits = word.strip_prefix('m')?;
    let value = digits.strip_suffix('M').unwrap_or(digits).parse().ok()?;
    Some((digits.ends_with('M'), Some(value)))
}
