//! Statements that say more of a signal that was declared before.

use super::parse::{Parser, refuse, shown};
use super::tokens::Token;
use super::{DatabaseError, Presence, Representation};

impl Parser<'_> {
    /// `SG_MUL_VAL_ 256 Signal Selector 0-3, 5-5;`
    pub(super) fn extended_multiplexing(&mut self) -> Result<(), DatabaseError> {
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
                    return refuse(line, format!("expected , or ; after a range, found {}", shown(other)));
                }
            }
        }
        self.database.messages[message].signals[signal].presence = Presence::When { selector, ranges };
        Ok(())
    }

    /// `SIG_VALTYPE_ 256 Signal : 1;`
    pub(super) fn value_type(&mut self) -> Result<(), DatabaseError> {
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
                return refuse(line, format!("the value type of {} is {kind}; there are 0, 1 and 2", signal.name));
            }
        };
        if signal.place.length_bits != bits {
            return refuse(
                line,
                format!("{} is a number of {bits} bits but has {}", signal.name, signal.place.length_bits),
            );
        }
        signal.representation = representation;
        Ok(())
    }
}
