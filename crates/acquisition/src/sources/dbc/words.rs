//! What every statement is made of: names, numbers, marks, and what is passed over.

use super::parse::{Parser, is_passed_over, shown, wrong};
use super::tokens::{Placed, Token};
use super::{DatabaseError, Message};

impl<'a> Parser<'a> {
    pub(super) fn next(&mut self) -> Option<&'a Placed> {
        let placed = self.tokens.get(self.at)?;
        self.at += 1;
        Some(placed)
    }

    pub(super) fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at).map(|placed| &placed.token)
    }

    pub(super) fn expected(&self, what: &str, found: Option<&Placed>) -> DatabaseError {
        let line = found.or(self.tokens.last()).map_or(1, |placed| placed.line);
        wrong(line, format!("expected {what}, found {}", shown(found.map(|placed| &placed.token))))
    }

    pub(super) fn name(&mut self, what: &str) -> Result<String, DatabaseError> {
        match self.next() {
            Some(Placed { token: Token::Word(word), .. }) => Ok(word.clone()),
            other => Err(self.expected(what, other)),
        }
    }

    pub(super) fn mark(&mut self, mark: char) -> Result<(), DatabaseError> {
        match self.next() {
            Some(placed) if placed.token == Token::Mark(mark) => Ok(()),
            other => Err(self.expected(&format!("{mark:?}"), other)),
        }
    }

    pub(super) fn whole(&mut self, what: &str) -> Result<(u64, usize), DatabaseError> {
        let found = self.next();
        match found {
            Some(Placed { token: Token::Number(number), line }) => {
                number.parse().map(|number| (number, *line)).map_err(|_| self.expected(what, found))
            }
            other => Err(self.expected(what, other)),
        }
    }

    pub(super) fn number(&mut self, what: &str) -> Result<f64, DatabaseError> {
        let found = self.next();
        match found {
            Some(Placed { token: Token::Number(number), .. }) => match number.parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(number),
                _ => Err(self.expected(what, found)),
            },
            other => Err(self.expected(what, other)),
        }
    }

    pub(super) fn pair(
        &mut self,
        open: char,
        between: char,
        close: char,
        what: &str,
    ) -> Result<(f64, f64), DatabaseError> {
        self.mark(open)?;
        let first = self.number(what)?;
        self.mark(between)?;
        let second = self.number(what)?;
        self.mark(close)?;
        Ok((first, second))
    }

    pub(super) fn known_message(&mut self) -> Result<(usize, usize), DatabaseError> {
        let (number, line) = self.whole("a message's identifier")?;
        let is = |message: &Message| u64::from(message.id) | u64::from(message.extended) << 31 == number;
        let found = self.database.messages.iter().position(is);
        found
            .map(|index| (index, line))
            .ok_or_else(|| wrong(line, format!("there is no message with the identifier {number}")))
    }

    pub(super) fn known_signal(&mut self, message: usize, line: usize) -> Result<usize, DatabaseError> {
        let name = self.name("a signal's name")?;
        let message = &self.database.messages[message];
        let found = message.signals.iter().position(|signal| signal.name == name);
        found.ok_or_else(|| wrong(line, format!("message {} has no signal {name}", message.name)))
    }

    /// The lists of new symbols, bit timing and nodes have no end of their own: the next section
    /// ends them.
    pub(super) fn pass_list(&mut self) {
        while let Some(token) = self.peek() {
            if matches!(token, Token::Word(word) if ["BS_", "BU_", "BO_"].contains(&word.as_str()))
                || self.begins_statement()
            {
                return;
            }
            self.at += 1;
        }
    }

    /// Whether a statement with a semicolon begins here; in the list of new symbols its keyword
    /// stands alone in its line.
    pub(super) fn begins_statement(&self) -> bool {
        let (Some(here), Some(following)) = (self.tokens.get(self.at), self.tokens.get(self.at + 1)) else {
            return false;
        };
        let known = matches!(&here.token, Token::Word(word) if is_passed_over(word));
        known && here.line == following.line
    }

    pub(super) fn pass_over(&mut self, first: &Placed) -> Result<(), DatabaseError> {
        while let Some(placed) = self.next() {
            if placed.token == Token::Mark(';') {
                return Ok(());
            }
        }
        Err(wrong(first.line, format!("the statement {} has no semicolon at its end", first.token)))
    }
}
