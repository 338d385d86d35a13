//! What every statement is made of: names, numbers, marks, and what is passed over.

use std::str::FromStr;

use super::parse::{Parser, is_passed_over, wrong};
use super::tokens::{Placed, Token};
use super::{DatabaseError, Message};

impl<'a> Parser<'a> {
    pub fn next(&mut self) -> Option<&'a Placed> {
        let placed = self.tokens.get(self.at)?;
        self.at += 1;
        Some(placed)
    }

    pub fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at).map(|placed| &placed.token)
    }

    /// What should have been there, beside what was.
    pub fn expected(&self, what: &str, found: Option<&Placed>) -> DatabaseError {
        let line = found.or(self.tokens.last()).map_or(1, |placed| placed.line);
        let found = found.map_or_else(|| "the end of the file".to_owned(), |placed| placed.token.to_string());
        wrong(line, format!("expected {what}, found {found}"))
    }

    pub fn name(&mut self, what: &str) -> Result<String, DatabaseError> {
        match self.next() {
            Some(Placed { token: Token::Word(word), .. }) => Ok(word.clone()),
            other => Err(self.expected(what, other)),
        }
    }

    pub fn takes_mark(&mut self, mark: char) -> bool {
        let is_next = self.peek() == Some(&Token::Mark(mark));
        self.at += usize::from(is_next);
        is_next
    }

    pub fn mark(&mut self, mark: char) -> Result<(), DatabaseError> {
        if self.takes_mark(mark) {
            return Ok(());
        }
        let found = self.next();
        Err(self.expected(&format!("{mark:?}"), found))
    }

    /// A number and its line.
    pub fn number<T: FromStr>(&mut self, what: &str) -> Result<(T, usize), DatabaseError> {
        let found = self.next();
        let number = match found {
            Some(Placed { token: Token::Number(text), line }) => text.parse().ok().map(|number| (number, *line)),
            _ => None,
        };
        number.ok_or_else(|| self.expected(what, found))
    }

    pub fn whole(&mut self, what: &str) -> Result<u64, DatabaseError> {
        self.number(what).map(|(number, _)| number)
    }

    fn decimal(&mut self, what: &str) -> Result<f64, DatabaseError> {
        let (number, line): (f64, usize) = self.number(what)?;
        number.is_finite().then_some(number).ok_or_else(|| wrong(line, format!("expected {what}, found {number}")))
    }

    pub fn pair(&mut self, marks: [char; 3], what: &str) -> Result<(f64, f64), DatabaseError> {
        let [open, between, close] = marks;
        self.mark(open)?;
        let first = self.decimal(what)?;
        self.mark(between)?;
        let second = self.decimal(what)?;
        self.mark(close)?;
        Ok((first, second))
    }

    /// A message that was declared, and the line of its identifier.
    pub fn known_message(&mut self) -> Result<(usize, usize), DatabaseError> {
        let (number, line) = self.number("a message's identifier")?;
        let is = |message: &Message| u64::from(message.id) | u64::from(message.extended) << 31 == number;
        let found = self.database.messages.iter().position(is).map(|index| (index, line));
        found.ok_or_else(|| wrong(line, format!("there is no message with the identifier {number}")))
    }

    pub fn known_signal(&mut self, message: usize, line: usize) -> Result<usize, DatabaseError> {
        let name = self.name("a signal's name")?;
        let message = &self.database.messages[message];
        let found = message.signals.iter().position(|signal| signal.name == name);
        found.ok_or_else(|| wrong(line, format!("message {} has no signal {name}", message.name)))
    }

    /// The lists of symbols, bit timing and nodes end where the next section begins.
    pub fn pass_list(&mut self) {
        let ends = |token: &Token| matches!(token, Token::Word(word) if ["BS_", "BU_", "BO_"].contains(&word.as_str()));
        while self.peek().is_some_and(|token| !ends(token)) && !self.begins_statement() {
            self.at += 1;
        }
    }

    /// Whether a statement with a semicolon begins here; in the list of new symbols its keyword
    /// stands alone in its line.
    fn begins_statement(&self) -> bool {
        let (Some(here), Some(following)) = (self.tokens.get(self.at), self.tokens.get(self.at + 1)) else {
            return false;
        };
        let known = matches!(&here.token, Token::Word(word) if is_passed_over(word));
        known && here.line == following.line
    }

    pub fn pass_over(&mut self, first: &Placed) -> Result<(), DatabaseError> {
        let end = self.tokens[self.at..].iter().position(|placed| placed.token == Token::Mark(';'));
        let problem = || wrong(first.line, format!("the statement {} has no semicolon at its end", first.token));
        self.at += 1 + end.ok_or_else(problem)?;
        Ok(())
    }
}
