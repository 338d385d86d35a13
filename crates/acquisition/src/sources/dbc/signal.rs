//! The statement that declares a signal.

use super::parse::{LONGEST_FRAME_BYTES, Parser, Selected, refuse, shown, wrong};
use super::tokens::Token;
use super::{ByteOrder, DatabaseError, Place, Presence, Representation, Signal};

impl Parser<'_> {
    /// `SG_ Name m0M : 7|16@0+ (0.1,-40) [0|100] "unit" Receiver, Receiver`
    pub(super) fn signal(&mut self, line: usize) -> Result<(), DatabaseError> {
        let name = self.name("the signal's name")?;
        let multiplexing = match self.peek() {
            Some(Token::Word(word)) => {
                self.at += 1;
                Some(
                    multiplexing(word)
                        .ok_or_else(|| wrong(line, format!("expected M, m0 or m0M after {name}, found {word}")))?,
                )
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
                return refuse(line, format!("the byte order of {name} is {other}; 0 is Motorola and 1 is Intel"));
            }
        };
        let representation = match self.next().map(|placed| &placed.token) {
            Some(Token::Mark('+')) => Representation::Unsigned,
            Some(Token::Mark('-')) => Representation::Signed,
            other => {
                return refuse(line, format!("expected + (unsigned) or - (signed) of {name}, found {}", shown(other)));
            }
        };
        let (factor, offset) = self.pair('(', ',', ')', "factor and offset")?;
        let (least, greatest) = self.pair('[', '|', ']', "least and greatest value")?;
        let unit = match self.next().map(|placed| &placed.token) {
            Some(Token::Text(unit)) => unit.clone(),
            other => {
                return refuse(line, format!("expected the unit of {name} in quotation marks, found {}", shown(other)));
            }
        };
        self.receivers()?;
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
        let (selects, selected) = multiplexing.unwrap_or((false, None));
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

    pub(super) fn receivers(&mut self) -> Result<(), DatabaseError> {
        self.name("a receiver of the signal")?;
        while self.peek() == Some(&Token::Mark(',')) {
            self.at += 1;
            self.name("a receiver of the signal")?;
        }
        Ok(())
    }
}

fn placed(name: &str, line: usize, start_bit: u64, length_bits: u64, order: ByteOrder) -> Result<Place, DatabaseError> {
    if !(1..=64).contains(&length_bits) {
        return refuse(line, format!("{name} has {length_bits} bits; 1 to 64 are possible"));
    }
    if start_bit >= 8 * LONGEST_FRAME_BYTES {
        return refuse(
            line,
            format!("{name} begins at bit {start_bit}; the longest frame ends at {}", 8 * LONGEST_FRAME_BYTES - 1),
        );
    }
    Ok(Place { start_bit: start_bit as usize, length_bits: length_bits as usize, order })
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
