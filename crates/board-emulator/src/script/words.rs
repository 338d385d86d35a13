//! A line of a script as words and signs. DAPL has no difference between capitals and small letters: words are
//! given in capitals.

use super::error::{Place, Problem};

/// A word, a text in quotes, or one of `( ) , =`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(String),
    Text(String),
    Sign(char),
}

impl Token {
    /// As a message shows it.
    fn shown(&self) -> String {
        match self {
            Self::Word(word) => format!("`{word}`"),
            Self::Text(text) => format!("\"{text}\""),
            Self::Sign(sign) => format!("`{sign}`"),
        }
    }
}

/// The tokens of a line, taken one after the other.
pub(super) struct Words {
    tokens: Vec<(Place, Token)>,
    next: usize,
    end: Place,
}

impl Words {
    /// Takes a line apart. A comment goes from `//` or `;` to the line's end.
    pub(super) fn of_line(line: usize, text: &str) -> Result<Self, Problem> {
        let characters: Vec<char> = text.chars().collect();
        let place = |index: usize| Place { line, column: index + 1 };
        let mut tokens = Vec::new();
        let mut index = 0;
        while let Some(character) = characters.get(index).copied() {
            let rest = &characters[index..];
            let length = match character {
                ';' => break,
                '/' if rest.get(1) == Some(&'/') => break,
                blank if blank.is_whitespace() => 1,
                '(' | ')' | ',' | '=' => {
                    tokens.push((place(index), Token::Sign(character)));
                    1
                }
                '"' => {
                    let length = rest[1..].iter().position(|other| *other == '"');
                    let length = length.ok_or_else(|| (place(index), "the text has no closing \"".into()))?;
                    let text: String = rest[1..=length].iter().collect();
                    tokens.push((place(index), Token::Text(text.to_uppercase())));
                    length + 2
                }
                _ if is_of_word(character) => {
                    let length = rest.iter().take_while(|other| is_of_word(**other)).count();
                    let word: String = rest[..length].iter().collect();
                    tokens.push((place(index), Token::Word(word.to_uppercase())));
                    length
                }
                _ => {
                    return Err((place(index), format!("the sign {character:?} has no meaning in a script")));
                }
            };
            index += length;
        }
        let end = place(index.min(characters.len()));
        Ok(Self { tokens, next: 0, end })
    }

    /// Whether all has been taken.
    pub(super) fn is_empty(&self) -> bool {
        self.next >= self.tokens.len()
    }

    /// Where the next token stands, or the line's end.
    pub(super) fn place(&self) -> Place {
        self.tokens.get(self.next).map_or(self.end, |(place, _)| *place)
    }

    /// Takes a word.
    pub(super) fn word(&mut self, expected: &str) -> Result<(Place, String), Problem> {
        match self.take() {
            Some((place, Token::Word(word))) => Ok((place, word)),
            other => Err(self.unexpected(other, expected)),
        }
    }

    /// Takes a text in quotes.
    pub(super) fn text(&mut self, expected: &str) -> Result<(Place, String), Problem> {
        match self.take() {
            Some((place, Token::Text(text))) => Ok((place, text)),
            other => Err(self.unexpected(other, expected)),
        }
    }

    /// Takes a sign.
    pub(super) fn sign(&mut self, sign: char) -> Result<(), Problem> {
        match self.take() {
            Some((_, Token::Sign(found))) if found == sign => Ok(()),
            other => Err(self.unexpected(other, &format!("`{sign}`"))),
        }
    }

    /// Takes a sign if it is the next.
    pub(super) fn takes_sign(&mut self, sign: char) -> bool {
        let is_next = matches!(self.tokens.get(self.next), Some((_, Token::Sign(found))) if *found == sign);
        self.next += usize::from(is_next);
        is_next
    }

    /// Takes a number that lies in a range.
    pub(super) fn number<T>(&mut self, range: std::ops::RangeInclusive<T>, what: &str) -> Result<T, Problem>
    where
        T: std::str::FromStr + PartialOrd + std::fmt::Display,
    {
        let expected = format!("{what}, a number from {} to {}", range.start(), range.end());
        let (place, word) = self.word(&expected)?;
        let number = word.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| (place, format!("expected {expected}, found `{word}`")))
    }

    /// Nothing may be left on the line.
    pub(super) fn finish(&mut self) -> Result<(), Problem> {
        match self.take() {
            None => Ok(()),
            other => Err(self.unexpected(other, "the end of the line")),
        }
    }

    fn take(&mut self) -> Option<(Place, Token)> {
        let token = self.tokens.get(self.next).cloned();
        self.next += 1;
        token
    }

    fn unexpected(&self, found: Option<(Place, Token)>, expected: &str) -> Problem {
        match found {
            Some((place, token)) => (place, format!("expected {expected}, found {}", token.shown())),
            None => (self.end, format!("expected {expected}, found the end of the line")),
        }
    }
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$' | '.' | '-' | '+')
}
