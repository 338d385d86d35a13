//! The words of a database, each with its line.

use super::DatabaseError;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Word(String),
    /// A number, as written.
    Number(String),
    Text(String),
    /// One of `: | @ ( ) [ ] , ; + -`.
    Mark(char),
}

impl std::fmt::Display for Token {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Word(word) | Self::Number(word) => write!(formatter, "{word}"),
            Self::Text(text) => write!(formatter, "\"{text}\""),
            Self::Mark(mark) => write!(formatter, "{mark}"),
        }
    }
}

/// A word and the line that it is in.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Placed {
    pub token: Token,
    pub line: usize,
}

pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, DatabaseError> {
    let characters: Vec<char> = text.chars().collect();
    let mut reader = Reader { characters: &characters, at: 0, line: 1 };
    let mut found = Vec::new();
    while let Some(placed) = reader.next()? {
        found.push(placed);
    }
    Ok(found)
}

struct Reader<'a> {
    characters: &'a [char],
    at: usize,
    line: usize,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.characters.get(self.at + ahead).copied()
    }

    fn next(&mut self) -> Result<Option<Placed>, DatabaseError> {
        self.pass_space();
        let line = self.line;
        let Some(first) = self.peek(0) else {
            return Ok(None);
        };
        let token = match first {
            '"' => self.text()?,
            '+' | '-' if self.begins_number() => self.number(),
            ':' | '|' | '@' | '(' | ')' | '[' | ']' | ',' | ';' | '+' | '-' => {
                self.at += 1;
                Token::Mark(first)
            }
            '0'..='9' | '.' => self.number(),
            _ if is_name(first) => Token::Word(self.take_while(is_name)),
            _ => {
                return Err(DatabaseError { line, problem: format!("the character {first:?} has no place here") });
            }
        };
        Ok(Some(Placed { token, line }))
    }

    fn pass_space(&mut self) {
        loop {
            match self.peek(0) {
                Some('\n') => self.line += 1,
                Some(space) if space.is_whitespace() || space == '\u{1a}' => {}
                Some('/') if self.peek(1) == Some('/') => {
                    while self.peek(1).is_some_and(|character| character != '\n') {
                        self.at += 1;
                    }
                }
                _ => return,
            }
            self.at += 1;
        }
    }

    /// Whether the sign here belongs to a number: in `(1,-40)` it does, in `@1-` and in the range
    /// `0-3` it does not.
    fn begins_number(&self) -> bool {
        let after_number = self.at > 0 && self.characters[self.at - 1].is_alphanumeric();
        !after_number && self.peek(1).is_some_and(|next| next.is_ascii_digit() || next == '.')
    }

    fn number(&mut self) -> Token {
        let mut number = String::new();
        while let Some(character) = self.peek(0) {
            let of_exponent = number.ends_with(['e', 'E']) && matches!(character, '+' | '-');
            let sign = number.is_empty() && matches!(character, '+' | '-');
            if !(character.is_ascii_alphanumeric() || character == '.' || sign || of_exponent) {
                break;
            }
            number.push(character);
            self.at += 1;
        }
        Token::Number(number)
    }

    fn take_while(&mut self, belongs: fn(char) -> bool) -> String {
        let start = self.at;
        while self.peek(0).is_some_and(belongs) {
            self.at += 1;
        }
        self.characters[start..self.at].iter().collect()
    }

    fn text(&mut self) -> Result<Token, DatabaseError> {
        let line = self.line;
        let mut text = String::new();
        self.at += 1;
        loop {
            match (self.peek(0), self.peek(1)) {
                (None, _) => {
                    return Err(DatabaseError {
                        line,
                        problem: "the text that begins here has no closing quotation mark".to_owned(),
                    });
                }
                (Some('"'), _) => break,
                (Some('\\'), Some('"')) => {
                    text.push('"');
                    self.at += 1;
                }
                (Some(character), _) => {
                    self.line += usize::from(character == '\n');
                    text.push(character);
                }
            }
            self.at += 1;
        }
        self.at += 1;
        Ok(Token::Text(text))
    }
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}
